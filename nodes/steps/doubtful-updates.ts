import { sharesWord } from "../../registry/shared-words.ts";
import type { Change } from "../../state/change.ts";
import { listVisibleColumns, rowKey, type Column, type EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import { listNameable, selectMistakable } from "./named-rows.ts";
import type { AskedFor } from "./related-rows.ts";
import { nameColumn, wordValue } from "./row-words.ts";
import { setsUnspoken } from "./unspoken-values.ts";

type AskedUpdates = Pick<
  AskedFor,
  "message" | "understanding" | "registry" | "entityTypes" | "today" | "language"
>;

/**
 * Returns the updates that may go further than the message: they empty a column that it has no word of, set
 * a value that it cannot mean, or their row has the label of another that may be meant as well. Pure.
 */
export function selectDoubtful(updates: readonly Change[], asked: AskedUpdates): readonly Change[] {
  const { message, understanding, registry, entityTypes } = asked;
  const entries = new Map(
    registry.entries.flatMap((entry) =>
      entry.id === null ? [] : [[rowKey(entry.type, entry.id), entry] as const],
    ),
  );
  const references = understanding?.references ?? [];
  const words = { message, references, known: listNameable(registry), entityTypes };
  const mistakable = new Set(
    selectMistakable(
      updates,
      words,
      ({ type, id }) => entries.get(rowKey(type, id ?? ""))?.facts ?? "",
    ),
  );
  return updates.filter((update) => {
    const type = entityTypes.find((candidate) => candidate.type === update.type);
    return (
      mistakable.has(update) ||
      emptiesUnspoken(update, { asked, entries }) ||
      (type !== undefined && setsUnspoken(update, type, message))
    );
  });
}

interface UpdateFacts {
  readonly asked: AskedUpdates;
  /** The rows that the conversation knows, by `rowKey`. */
  readonly entries: ReadonlyMap<string, RegistryEntry>;
}

function emptiesUnspoken(
  { type: name, changed, before, after }: Change,
  { asked, entries }: UpdateFacts,
): boolean {
  const type = asked.entityTypes.find((candidate) => candidate.type === name);
  return listEmptied(type, { changed, before, after }).some(({ column, value }) => {
    const { references } = column;
    const pointed = references === undefined ? "" : rowKey(references, String(value));
    const label = entries.get(pointed)?.label ?? "";
    const texts = [nameColumn(column), label, ...wordValue(value, column, asked)];
    return !texts.some((text) => sharesWord(text, asked.message));
  });
}

interface EmptiedColumn {
  readonly column: Column;
  /** The value that it had. */
  readonly value: string | number;
}

/** Lists the columns of a row that an update empties. */
function listEmptied(
  type: EntityType | undefined,
  { changed, before, after }: Pick<Change, "changed" | "before" | "after">,
): readonly EmptiedColumn[] {
  if (type === undefined) return [];
  return listVisibleColumns(type).flatMap((column) => {
    const value = before?.[column.name];
    const hadValue = typeof value === "number" || (typeof value === "string" && value !== "");
    return hadValue && changed.includes(column.name) && isEmpty(after?.[column.name])
      ? [{ column, value }]
      : [];
  });
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}
