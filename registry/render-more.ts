import type { EntityType } from "../state/entity.ts";
import { countInWords } from "./types.ts";

/** Names the tool that reads rows of a type; null where the reader of the text has none. */
export type FindReader = (type: string) => string | null;

/** Rows that are left out of a text. */
export interface LeftOut {
  readonly count: number;
  /** The ref of the row that they belong to. */
  readonly of?: string;
  /** The ref of the last row shown; null where none is. */
  readonly after: string | null;
}

/** Says how many rows are left out, and how to go on: `293 more items of order_3: read_items, after item_12`. */
export function renderMore(
  type: EntityType,
  { count, of, after }: LeftOut,
  { findReader }: { readonly findReader: FindReader },
): string {
  const rows = countInWords(type, count).replace(" ", " more ");
  const reader = findReader(type.type);
  const place = after === null ? "" : `, after ${after}`;
  return `${rows}${of === undefined ? "" : ` of ${of}`}${reader === null ? "" : `: ${reader}${place}`}`;
}
