import { listVisibleColumns, type EntityType } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import { joinItems } from "../text/join-list.ts";
import { wordNamedValue, type ValueWords } from "./word-values.ts";

/** A row that a question names. */
export interface RowToName {
  readonly label: string;
  /** Texts about it, for the brackets behind its label. */
  readonly facts: readonly string[];
  readonly values: JsonObject;
}

/** Most values that tell a row from others of its name. */
const MOST_DISTINCTIONS = 2;

/**
 * Names rows of a type by label and facts. Those that read the same have their first values that
 * differ as well; rows that are the same in all that may be seen stay alike. Pure.
 */
export function nameRows(
  rows: readonly RowToName[],
  type: EntityType,
  words: ValueWords,
): readonly string[] {
  const names = rows.map((row) => renderName(row, []));
  return rows.map((row) => {
    const name = renderName(row, []);
    const alike = rows.filter((_, at) => names[at] === name);
    return alike.length === 1
      ? name
      : renderName(row, listDistinctions(row, alike, { type, words }));
  });
}

function renderName({ label, facts }: RowToName, distinctions: readonly string[]): string {
  const shown = [...facts, ...distinctions].filter((text) => text !== "");
  return shown.length === 0 ? label : `${label} (${joinItems(shown)})`;
}

function listDistinctions(
  { values }: RowToName,
  alike: readonly RowToName[],
  { type, words }: { readonly type: EntityType; readonly words: ValueWords },
): readonly string[] {
  return listVisibleColumns(type)
    .filter(({ name, kind, references }) => {
      const different = new Set(alike.map((row) => JSON.stringify(row.values[name] ?? null)));
      return references === undefined && kind !== "json" && different.size > 1;
    })
    .slice(0, MOST_DISTINCTIONS)
    .map((column) => wordNamedValue(values[column.name] ?? null, column, words));
}
