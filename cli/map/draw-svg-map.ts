import type { EdgeType } from "../../state/claims.ts";
import { wrapRows } from "../wrap.ts";
import { BOX, layoutMap, type Box, type Line, type MapLayout, type Point } from "./layout.ts";
import type { MapView } from "./map-view.ts";
import { xmlText } from "./xml.ts";

/** The first line of every drawing, by which a file is recognized as one. */
export const DRAWING_START = "<!-- concierge-graph decision map -->";

/** The look and label of each kind of link, distinguishable without colours. */
const KINDS: readonly {
  readonly type: EdgeType;
  readonly words: string;
  readonly dashes: string;
  readonly light: string;
  readonly dark: string;
  /** True if the order of the two claims matters. */
  readonly directed: boolean;
}[] = [
  {
    type: "supports",
    words: "speaks for",
    dashes: "",
    light: "#1a7f37",
    dark: "#4ac26b",
    directed: true,
  },
  {
    type: "conflicts",
    words: "conflicts with",
    dashes: "8 5",
    light: "#cf222e",
    dark: "#ff7b72",
    directed: false,
  },
  {
    type: "tradeoff",
    words: "trades off against",
    dashes: "2 5",
    light: "#9a6700",
    dark: "#e3b341",
    directed: false,
  },
  {
    type: "prerequisite",
    words: "comes before",
    dashes: "12 4 2 4",
    light: "#0969da",
    dark: "#6cb6ff",
    directed: true,
  },
];

const MARGIN = 24;
const TITLE_HEIGHT = 36;
const LEGEND = { row: 24, sample: 44, width: 180 } as const;
/** Room for the title and the legend, however small the map is. */
const NARROWEST = KINDS.length * LEGEND.width;

/**
 * Draws a decision map as a self-contained SVG document: a box per claim, a line per link, the open
 * questions and a legend; readable on light and dark backgrounds.
 *
 * Contract: the same map gives the same bytes; every text is escaped.
 */
export function drawMap(view: MapView): string {
  const map = layoutMap(view);
  const width = Math.max(map.width, NARROWEST);
  const title = wrapRows(`${view.title}: ${view.shape}`, Math.floor(width / TITLE_COLUMN));
  const gaps = view.gaps.flatMap((gap) => wrapRows(`? ${gap}`, Math.floor(width / BOX.column)));
  const top = MARGIN + TITLE_HEIGHT + (title.length - 1) * BOX.row;
  const below = top + map.height + MARGIN;
  const open = gaps.length === 0 ? 0 : (gaps.length + 2) * BOX.row;
  const height = below + open + LEGEND.row + MARGIN;
  const body = [
    ...title.map((row, index) => text(row, { x: 0, y: MARGIN + index * BOX.row, look: "title" })),
    group({ x: 0, y: top }, drawLayout(map)),
    ...(gaps.length === 0 ? [] : drawGaps(gaps, below)),
    group({ x: 0, y: below + open }, KINDS.flatMap(drawLegend)),
  ];
  return [
    DRAWING_START,
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${pixels(width + 2 * MARGIN)}" height="${pixels(height)}" viewBox="0 0 ${pixels(width + 2 * MARGIN)} ${pixels(height)}">`,
    `<title>${xmlText(view.title)}</title>`,
    `<style>${STYLE}</style>`,
    `<defs>${KINDS.filter(({ directed }) => directed)
      .map(({ type }) => arrowHead(type))
      .join("")}</defs>`,
    `<rect class="ground" width="100%" height="100%"/>`,
    group({ x: MARGIN, y: 0 }, body),
    "</svg>",
    "",
  ].join("\n");
}

/** Pixels of a character of the title. */
const TITLE_COLUMN = 8.6;

const STYLE = [
  "text{font:12px system-ui,sans-serif;fill:#1f2328}",
  ".title{font-size:15px;font-weight:600}.label{font-weight:600}.faint{fill:#59636e}",
  ".ground{fill:#ffffff}.box{fill:#f6f8fa;stroke:#818b98}.strong{stroke:#1f2328;stroke-width:2.5}",
  ".link{fill:none;stroke-width:2}",
  ...KINDS.map(({ type, light, dashes }) =>
    [
      `.${type}{stroke:${light}${dashes === "" ? "" : `;stroke-dasharray:${dashes}`}}`,
      `.head-${type}{fill:${light}}`,
    ].join(""),
  ),
  "@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.faint{fill:#9198a1}",
  ".ground{fill:#0d1117}.box{fill:#151b23;stroke:#656c76}.strong{stroke:#f0f6fc}",
  ...KINDS.map(({ type, dark }) => `.${type}{stroke:${dark}}.head-${type}{fill:${dark}}`),
  "}",
].join("");

function drawLayout({ boxes, lines }: MapLayout): string[] {
  return [...lines.map(drawLine), ...boxes.map(drawBox)];
}

function drawBox({ claim, x, y, height, label, text: rows }: Box): string {
  const support = `${claim.support} · ${claim.type}`;
  const left = BOX.padding;
  const tooltip = [claim.label, claim.text, support].join("\n");
  return group({ x, y }, [
    `<title>${xmlText(tooltip)}</title>`,
    `<rect class="box${claim.strong ? " strong" : ""}" width="${BOX.width}" height="${pixels(height)}" rx="6"/>`,
    ...label.map((row, index) => text(row, { x: left, y: baseline(index), look: "label" })),
    ...rows.map((row, index) => text(row, { x: left, y: baseline(label.length + index) })),
    text(support, { x: left, y: baseline(label.length + rows.length), look: "faint" }),
  ]);
}

/** Returns the baseline of a row, from the top of its box. */
function baseline(row: number): number {
  return BOX.padding + (row + 0.75) * BOX.row;
}

function drawLine({ link, points }: Line): string {
  const { from, to, type, reason } = link;
  const kind = KINDS.find((one) => one.type === type);
  const words = `${from.label} — ${kind?.words ?? type} — ${to.label}`;
  const head = kind?.directed === true ? ` marker-end="url(#head-${type})"` : "";
  return [
    `<g><title>${xmlText(reason === "" ? words : `${words}\n${reason}`)}</title>`,
    `<path class="link ${type}" d="${curve(points)}"${head}/></g>`,
  ].join("");
}

/** Returns the path of a line through points, with rounded corners. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (first === undefined || last === undefined) return "";
  const steps = rest.map((point, index) => {
    const next = rest[index + 1];
    const end =
      next === undefined ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(end)}`;
  });
  return `M${at(first)}${steps.length === 0 ? `L${at(last)}` : steps.join("")}`;
}

function drawGaps(rows: readonly string[], top: number): string[] {
  return [
    text("Not answered by any expert", { x: 0, y: top, look: "label" }),
    ...rows.map((row, index) => text(row, { x: 0, y: top + (index + 1) * BOX.row })),
  ];
}

function drawLegend({ type, words, directed }: (typeof KINDS)[number], index: number): string[] {
  const x = index * LEGEND.width;
  const head = directed ? ` marker-end="url(#head-${type})"` : "";
  return [
    `<path class="link ${type}" d="M${pixels(x)} 0L${pixels(x + LEGEND.sample)} 0"${head}/>`,
    text(words, { x: x + LEGEND.sample + 10, y: 4 }),
  ];
}

function arrowHead(type: EdgeType): string {
  return `<marker id="head-${type}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="head-${type}" d="M0 0L8 4L0 8z"/></marker>`;
}

function group({ x, y }: Point, children: readonly string[]): string {
  return [`<g transform="translate(${pixels(x)} ${pixels(y)})">`, ...children, "</g>"].join("\n");
}

/** The place of a text and the class of its style. */
interface TextPlace extends Point {
  readonly look?: string;
}

function text(words: string, { x, y, look }: TextPlace): string {
  const shown = look === undefined ? "" : ` class="${look}"`;
  return `<text${shown} x="${pixels(x)}" y="${pixels(y)}">${xmlText(words)}</text>`;
}

function at({ x, y }: Point): string {
  return `${pixels(x)} ${pixels(y)}`;
}

/** A length with at most one decimal, so that no machine's last digit shows. */
function pixels(length: number): string {
  // Adding zero makes of -0 a 0.
  return String(Math.round(length * 10) / 10 + 0);
}
