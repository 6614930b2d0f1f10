import type { EdgeType } from "../../state/claims.ts";
import { BOX, layoutMap, type Box, type Line, type MapLayout, type Point } from "./layout.ts";
import type { MapView } from "./map-view.ts";
import { wrapPixels } from "./wrap-pixels.ts";
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
  const title = wrapPixels(view.title, width / TITLE_SCALE);
  const summary = wrapPixels(view.summary, width);
  const top = MARGIN + TITLE_HEIGHT + (title.length + summary.length - 1) * BOX.row;
  const below = [
    ...listRows("Reasons", numberReasons(map.reasons), width),
    ...listRows(
      "Not answered by any expert",
      view.gaps.map((gap) => `? ${gap}`),
      width,
    ),
  ];
  const legend = top + map.height + MARGIN + below.length * BOX.row;
  const height = legend + 2 * LEGEND.row + MARGIN;
  const body = [
    ...title.map((row, index) => text(row, { x: 0, y: MARGIN + index * BOX.row, look: "title" })),
    ...summary.map((row, index) =>
      text(row, { x: 0, y: MARGIN + (title.length + index) * BOX.row, look: "faint" }),
    ),
    group({ x: 0, y: top }, drawLayout(map)),
    ...below.map(({ words, look }, index) =>
      text(words, { x: 0, y: legend - (below.length - index) * BOX.row, look }),
    ),
    group({ x: 0, y: legend }, [...KINDS.flatMap(drawLegend), ...BORDERS.flatMap(drawBorder)]),
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

/** Size of the title's letters, of others 1. */
const TITLE_SCALE = 1.3;

/** The kinds of boxes that have words in the legend. */
const BORDERS = [
  { look: "strong", words: "held by half or more" },
  { look: "lone", words: "said by one" },
] as const;

interface ListedRow {
  readonly words: string;
  readonly look: "label" | "plain";
}

/** Returns a heading and the rows of some texts, with a row left free before and after; none without texts. */
function listRows(heading: string, texts: readonly string[], width: number): ListedRow[] {
  if (texts.length === 0) return [];
  const rows = texts.flatMap((words) => wrapPixels(words, width));
  return [
    { words: heading, look: "label" },
    ...rows.map((words): ListedRow => ({ words, look: "plain" })),
    { words: "", look: "plain" },
  ];
}

function numberReasons(reasons: readonly string[]): string[] {
  return reasons.map((reason, index) => `(${index + 1}) ${reason}`);
}

const STYLE = [
  "text{font:12px system-ui,sans-serif;fill:#1f2328}",
  ".title{font-size:15px;font-weight:600}.label{font-weight:600}.faint{fill:#59636e}",
  ".ground{fill:#ffffff}.box{fill:#f6f8fa;stroke:#818b98}.strong{stroke:#1f2328;stroke-width:2.5}.lone{stroke-dasharray:2 4}",
  ".link{fill:none;stroke-width:2}",
  ".note{text-anchor:middle;paint-order:stroke;stroke:#ffffff;stroke-width:4}",
  ...KINDS.map(({ type, light, dashes }) =>
    [
      `.${type}{stroke:${light}${dashes === "" ? "" : `;stroke-dasharray:${dashes}`}}`,
      `.head-${type}{fill:${light}}`,
    ].join(""),
  ),
  "@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.faint{fill:#9198a1}",
  ".ground{fill:#0d1117}.note{stroke:#0d1117}.box{fill:#151b23;stroke:#656c76}.strong{stroke:#f0f6fc}",
  ...KINDS.map(({ type, dark }) => `.${type}{stroke:${dark}}.head-${type}{fill:${dark}}`),
  "}",
].join("");

function drawLayout({ boxes, lines, headings }: MapLayout): string[] {
  return [
    ...lines.map(drawLine),
    ...boxes.map(drawBox),
    ...headings.map(({ words, x, y }) => text(words, { x, y, look: "label" })),
    ...lines
      .filter(({ note }) => note !== "")
      .map(({ note, middle: { x, y } }) => text(note, { x, y: y + 4, look: "note" })),
  ];
}

function drawBox({ claim, x, y, height, label, text: rows, why }: Box): string {
  const support = `${claim.support} · ${claim.kind}`;
  const left = BOX.padding;
  const tooltip = [claim.label, claim.text, claim.why, support]
    .filter((words) => words !== "")
    .join("\n");
  const border = claim.strong ? " strong" : claim.lone ? " lone" : "";
  return group({ x, y }, [
    `<title>${xmlText(tooltip)}</title>`,
    `<rect class="box${border}" width="${BOX.width}" height="${pixels(height)}" rx="6"/>`,
    ...label.map((row, index) => text(row, { x: left, y: baseline(index), look: "label" })),
    ...rows.map((row, index) => text(row, { x: left, y: baseline(label.length + index) })),
    ...[...why, support].map((row, index) =>
      text(row, { x: left, y: baseline(label.length + rows.length + index), look: "faint" }),
    ),
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

function drawLegend({ type, words, directed }: (typeof KINDS)[number], index: number): string[] {
  const x = index * LEGEND.width;
  const head = directed ? ` marker-end="url(#head-${type})"` : "";
  return [
    `<path class="link ${type}" d="M${pixels(x)} 0L${pixels(x + LEGEND.sample)} 0"${head}/>`,
    text(words, { x: x + LEGEND.sample + 10, y: 4 }),
  ];
}

function drawBorder({ look, words }: (typeof BORDERS)[number], index: number): string[] {
  const x = index * LEGEND.width;
  const y = LEGEND.row;
  return [
    `<rect class="box ${look}" x="${pixels(x)}" y="${pixels(y - 7)}" width="${LEGEND.sample}" height="14" rx="4"/>`,
    text(words, { x: x + LEGEND.sample + 10, y: y + 4 }),
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
  const shown = look === undefined || look === "plain" ? "" : ` class="${look}"`;
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
