import type { NameableRow } from "../../state/change.ts";
import { listNouns, listVisibleColumns, type EntityType } from "../../state/entity.ts";
import { foldText } from "../../text/fold-words.ts";
import { selectLabelled, selectNamed, type WrittenWords } from "./named-rows.ts";
import { nameColumn } from "./row-words.ts";

/** The person's words, by what they ask for. */
export interface OrderedWords extends Omit<WrittenWords, "message"> {
  /** The clauses that order an end. */
  readonly ordered: string;
  /** All that may ask for one. */
  readonly asked: string;
  /** The description of a step that the person has agreed to; empty where there is none. */
  readonly described: string;
  readonly entityTypes: readonly EntityType[];
}

/**
 * Returns those of the rows that are named where their end is asked for: beside a clause that orders it by
 * name, no other one names any. Who orders the end of a column ("delete Kim's phone") names no row. Pure.
 */
export function selectOrdered<T extends NameableRow>(
  rows: readonly T[],
  { ordered, asked, described, ...words }: OrderedWords,
): readonly T[] {
  const known = [...words.known, ...rows];
  const isOrdered = selectLabelled(known, { ...words, message: ordered }).length > 0;
  const request = isOrdered ? ordered : asked;
  const named = selectNamed(rows, { ...words, message: `${request}\n${described}` });
  return named.filter((row) => !speaksOfColumn(request, row, words.entityTypes));
}

/** Returns true for words that name a column of a row's type, beside the row's label and words for types. */
function speaksOfColumn(
  request: string,
  { type: name, label }: NameableRow,
  entityTypes: readonly EntityType[],
): boolean {
  const type = entityTypes.find((candidate) => candidate.type === name);
  const nouns = new Set(entityTypes.flatMap(listNouns).map(foldText));
  const columns = type === undefined ? [] : listVisibleColumns(type).map(nameColumn).map(foldText);
  const rest = foldText(request).replaceAll(foldText(label), " ");
  return columns.some((column) => rest.includes(column) && !nouns.has(column));
}
