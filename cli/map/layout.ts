import { Graph, layout, type EdgeLabel, type GraphLabel, type NodeLabel } from "@dagrejs/dagre";
import { cutToWidth, wrapRows } from "../wrap.ts";
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
}

/** A link's line, from box to box. */
export interface Line {
  readonly link: ViewedLink;
  readonly points: readonly Point[];
}

/** The positions of all parts of a map. */
export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

/** Pixels. A column is what an average character takes of the drawing's font. */
export const BOX = { width: 264, padding: 12, row: 16, column: 6.9 } as const;

const COLUMNS = Math.floor((BOX.width - 2 * BOX.padding) / BOX.column);
const MOST_ROWS = { label: 3, text: 8 } as const;
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
  const grid = layoutGrid(
    rest,
    Math.max(across, GRID),
    graph.height === 0 ? 0 : graph.height + GAP.beside,
  );
  return {
    width: Math.max(graph.width, grid.width),
    height: Math.max(graph.height, grid.height),
    boxes: [...graph.boxes, ...grid.boxes],
    lines: graph.lines,
  };
}

function layoutLinked(claims: readonly ViewedClaim[], links: readonly ViewedLink[]): MapLayout {
  if (claims.length === 0) return { width: 0, height: 0, boxes: [], lines: [] };
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: GAP.beside, ranksep: GAP.between });
  const names = new Map(claims.map(({ id }, index) => [id, `claim ${index}`]));
  const findName = ({ id }: ViewedClaim): string => names.get(id) ?? "";
  const sized = claims.map(toBox);
  for (const box of sized) {
    graph.setNode(findName(box.claim), { width: BOX.width, height: box.height });
  }
  links.forEach(({ from, to }, index) => {
    graph.setEdge(findName(from), findName(to), {}, `link ${index}`);
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
      return { link, points: edge.points ?? [] };
    }),
  };
}

function layoutGrid(
  claims: readonly ViewedClaim[],
  columns: number,
  top: number,
): Omit<MapLayout, "lines"> {
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
  const label = firstRows(claim.label, MOST_ROWS.label);
  const isInLabel = claim.text.trim() === claim.label.trim() || claim.text.trim() === "";
  const text = isInLabel ? [] : firstRows(claim.text, MOST_ROWS.text);
  // One row more: support and type.
  const height = 2 * BOX.padding + (label.length + text.length + 1) * BOX.row;
  return { claim, x: 0, y: 0, height, label, text };
}

/** Returns the first rows of a text in a box, with an ellipsis for those that do not fit. */
function firstRows(text: string, most: number): string[] {
  const rows = wrapRows(text, COLUMNS);
  if (rows.length <= most) return rows;
  const last = rows[most - 1] ?? "";
  return [...rows.slice(0, most - 1), cutToWidth(`${last} …`, COLUMNS)];
}
