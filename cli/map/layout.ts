import { Graph, layout, type EdgeLabel, type GraphLabel, type NodeLabel } from "@dagrejs/dagre";
import { measureText, wrapPixels } from "./wrap-pixels.ts";
import type { MapView, ViewedClaim, ViewedLink } from "./map-view.ts";

/** A place in the drawing, in pixels from its top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A claim's box: its top left corner and its rows. */
export interface Box extends Point {
  readonly claim: ViewedClaim;
  readonly height: number;
  readonly label: readonly string[];
  readonly text: readonly string[];
  readonly why: readonly string[];
}

/** A link's line, from box to box, with a note of its reason. */
export interface Line {
  readonly link: ViewedLink;
  readonly points: readonly Point[];
  /** The reason, or the number under which it stands below the drawing; empty where none was given. */
  readonly note: string;
  /** The middle of the note. */
  readonly middle: Point;
}

/** Words that stand above a part of the drawing. */
export interface Heading extends Point {
  readonly words: string;
}

/** The positions of all parts of a map. */
export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly headings: readonly Heading[];
  /** Reasons that are too long for the drawing, by their numbers from 1. */
  readonly reasons: readonly string[];
}

/** Pixels. */
export const BOX = { width: 264, padding: 12, row: 16 } as const;

const INSIDE = BOX.width - 2 * BOX.padding;
/** Bold letters are wider. */
const BOLD = 1.08;
const MOST_ROWS = { label: 3, text: 8, why: 3 } as const;
/** Characters of a reason that stands on its line. */
const SHORT_REASON = 40;
const GAP = { beside: 24, between: 72 } as const;
/** The fewest columns of the grid for boxes without links. */
const GRID = 3;

/**
 * Lays out a map: linked claims from left to right along their links, the others in rows below. The
 * same map gives the same positions.
 */
export function layoutMap({ claims, links }: Pick<MapView, "claims" | "links">): MapLayout {
  const linked = new Set(links.flatMap(({ from, to }) => [from.id, to.id]));
  const graph = layoutLinked(
    claims.filter(({ id }) => linked.has(id)),
    links,
  );
  const rest = claims.filter(({ id }) => !linked.has(id));
  const across = Math.floor((graph.width + GAP.beside) / (BOX.width + GAP.beside));
  const columns = Math.max(across, GRID);
  const shared = layoutGrid(
    rest.filter(({ lone }) => !lone),
    { columns, top: below(graph) },
  );
  const end = Math.max(below(graph), below(shared));
  const lone = layoutGrid(
    rest.filter((claim) => claim.lone),
    { columns, top: end + 2 * BOX.row },
  );
  const headings = [{ words: "Said by one expert", x: 0, y: end + BOX.row }];
  return {
    ...graph,
    width: Math.max(graph.width, shared.width, lone.width),
    height: Math.max(graph.height, shared.height, lone.height),
    boxes: [...graph.boxes, ...shared.boxes, ...lone.boxes],
    headings: lone.boxes.length === 0 ? [] : headings,
  };
}

/** Returns the top of what stands below a part of the drawing. */
function below({ height }: Pick<MapLayout, "height">): number {
  return height === 0 ? 0 : height + GAP.beside;
}

function layoutLinked(claims: readonly ViewedClaim[], links: readonly ViewedLink[]): MapLayout {
  if (claims.length === 0)
    return { width: 0, height: 0, boxes: [], lines: [], headings: [], reasons: [] };
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: GAP.beside, ranksep: GAP.between });
  const names = new Map(claims.map(({ id }, index) => [id, `claim ${index}`]));
  const findName = ({ id }: ViewedClaim): string => names.get(id) ?? "";
  const sized = claims.map(toBox);
  for (const box of sized) {
    graph.setNode(findName(box.claim), { width: BOX.width, height: box.height });
  }
  const reasons = [...new Set(links.map(({ reason }) => reason).filter(isLong))];
  const notes = links.map(({ reason }) =>
    isLong(reason) ? `(${reasons.indexOf(reason) + 1})` : reason,
  );
  links.forEach(({ from, to }, index) => {
    const width = Math.ceil(measureText(notes[index] ?? ""));
    const label = width === 0 ? {} : { width, height: BOX.row, labelpos: "c" as const };
    graph.setEdge(findName(from), findName(to), label, `link ${index}`);
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    boxes: sized.map((box) => {
      const { x = 0, y = 0 } = graph.node(findName(box.claim));
      return placed(box, { x: x - BOX.width / 2, y: y - box.height / 2 });
    }),
    lines: links.map((link, index) => {
      const edge = graph.edge(findName(link.from), findName(link.to), `link ${index}`);
      const { points = [], x = 0, y = 0 } = edge;
      return { link, points, note: notes[index] ?? "", middle: { x, y } };
    }),
    headings: [],
    reasons,
  };
}

function isLong(reason: string): boolean {
  return reason.length > SHORT_REASON;
}

interface GridPlace {
  readonly columns: number;
  readonly top: number;
}

function layoutGrid(
  claims: readonly ViewedClaim[],
  { columns, top }: GridPlace,
): Pick<MapLayout, "width" | "height" | "boxes"> {
  const boxes: Box[] = [];
  let y = top;
  let bottom = 0;
  for (let first = 0; first < claims.length; first += columns) {
    const row = claims.slice(first, first + columns).map(toBox);
    const left = (index: number): number => index * (BOX.width + GAP.beside);
    boxes.push(...row.map((box, index) => placed(box, { x: left(index), y })));
    bottom = y + Math.max(...row.map(({ height }) => height));
    y = bottom + GAP.beside;
  }
  const widest = Math.min(columns, claims.length);
  const width = widest === 0 ? 0 : widest * (BOX.width + GAP.beside) - GAP.beside;
  return { width, height: bottom, boxes };
}

function placed(box: Box, { x, y }: Point): Box {
  return { ...box, x, y };
}

function toBox(claim: ViewedClaim): Box {
  const label = firstRows(claim.label, { most: MOST_ROWS.label, width: INSIDE / BOLD });
  const isInLabel = claim.text.trim() === claim.label.trim() || claim.text.trim() === "";
  const text = isInLabel ? [] : firstRows(claim.text, { most: MOST_ROWS.text, width: INSIDE });
  const reason = { most: MOST_ROWS.why, width: INSIDE };
  const why = claim.why === "" ? [] : firstRows(`Why: ${claim.why}`, reason);
  // One row more: support and kind.
  const rows = label.length + text.length + why.length + 1;
  return { claim, x: 0, y: 0, height: 2 * BOX.padding + rows * BOX.row, label, text, why };
}

interface RowBounds {
  readonly most: number;
  /** In pixels. */
  readonly width: number;
}

/** Returns the first rows of a text in a box, with an ellipsis for those that do not fit. */
function firstRows(text: string, { most, width }: RowBounds): string[] {
  const rows = wrapPixels(text, width);
  if (rows.length <= most) return rows;
  const [last = ""] = wrapPixels(rows[most - 1] ?? "", width - measureText(" …"));
  return [...rows.slice(0, most - 1), `${last} …`];
}
