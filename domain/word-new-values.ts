import type { Change } from "../state/change.ts";
import {
  listInlineLists,
  listVisibleColumns,
  renderFacts,
  type Column,
  type EntityType,
  type InlineList,
} from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import { foldText } from "../text/fold-words.ts";
import { joinItems } from "../text/join-list.ts";
import { renderSentence } from "../text/sentences.ts";
import {
  clipValue,
  wordJson,
  wordNamedItems,
  wordNamedValue,
  type ValueWords,
} from "./word-values.ts";

/** Returns the names of those columns and lists of a new row that its call has given values, and that the person has no word for. */
export type ListUnspoken = (change: Change) => readonly string[];

/** A column or a list of a new row. */
type Part = Column | InlineList;

/** Most values of a row that are shown; the rest are counted. */
const MOST_SHOWN = 6;

/** Returns those of the named columns and lists of a new row that have a value which neither its label nor its facts show. Pure. */
export function selectUnshown(
  { after }: Pick<Change, "after">,
  type: EntityType,
  names: readonly string[],
): readonly Part[] {
  const values = after ?? {};
  const text = describeRow(values, type);
  return [...listVisibleColumns(type), ...listInlineLists(type)].filter((part) => {
    if (!names.includes(part.name) || !hasValue(values, part)) return false;
    const isNeeded = describeRow({ ...values, [part.name]: null }, type) !== text;
    return !isNeeded || !showsValue(text, values, part);
  });
}

/** Words values of a new row with the names of their columns: "pages 370, due on 2026-01-16". Pure. */
export function wordNewValues(
  { after }: Pick<Change, "after">,
  parts: readonly Part[],
  words: ValueWords,
): string {
  const values = after ?? {};
  const texts = parts.map((part) =>
    "columns" in part
      ? wordNamedItems(values[part.name], part, words)
      : wordNamedValue(values[part.name] ?? null, part, words),
  );
  const labels = joinItems(texts.slice(0, MOST_SHOWN));
  const count = texts.length - MOST_SHOWN;
  return count > 0 ? renderSentence("labelsAndMore", { labels, count }) : labels;
}

/** A row as a receipt shows it. */
function describeRow(values: JsonObject, type: EntityType): string {
  return [type.label(values), renderFacts(type, values)].map((text) => clipValue(text)).join("\n");
}

function hasValue(values: JsonObject, { name }: Part): boolean {
  return wordJson(values[name] ?? null) !== "";
}

/** Returns true where a text that needs a value shows it: flags, days and lists are worded in many ways. */
function showsValue(text: string, values: JsonObject, part: Part): boolean {
  if ("columns" in part || part.kind === "boolean" || part.kind === "date") return true;
  return foldText(text).includes(foldText(wordJson(values[part.name] ?? null)));
}
