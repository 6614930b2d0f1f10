import { z } from "zod";
import { describeTime } from "../../state/calendar.ts";
import {
  findKey,
  listInlineLists,
  listVisibleColumns,
  type Column,
  type EntityType,
} from "../../state/entity.ts";
import { JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { oneLine } from "../../text/fence.ts";
import { joinItems } from "../../text/join-list.ts";
import { hideDatabaseIds } from "../../text/quote-value.ts";
import { renderSentence } from "../../text/sentences.ts";
import { keyText } from "../changes/key-text.ts";
import { fetchRows } from "../table-tools/rows.ts";
import { rowRefusal } from "../table-tools/failures.ts";
import type { Conflict } from "./find-conflicts.ts";
import type { RefusedRow } from "./restore-rows.ts";
import { NET } from "./undo-tables.ts";

/** Most rows that are named; the rest are counted. */
const NAMED = 8;

/** Parts that rows in the way are worded with. */
export interface ConflictWords {
  readonly entityTypes: readonly EntityType[];
  /** The person's, in which times are shown. */
  readonly timeZone: string;
}

/** Words the rows that keep effects from being taken back: each by its label, with what is different. */
export async function wordConflicts(
  tx: Queryable,
  conflicts: readonly Conflict[],
  words: ConflictWords,
): Promise<string> {
  const texts: string[] = [];
  for (const conflict of conflicts) {
    const text = await wordConflict(tx, conflict, words);
    if (!texts.includes(text)) texts.push(text);
  }
  const shown = texts.slice(0, NAMED).join("; ");
  if (texts.length <= NAMED) return shown;
  return renderSentence("labelsAndMore", { labels: shown, count: texts.length - NAMED });
}

/** Words a constraint or a trigger that refuses a row: by its label, or that of the row that it is listed with. */
export async function wordRefusal(
  tx: Queryable,
  { effectIds, refused: { table, key, error } }: RefusedUndo,
  entityTypes: readonly EntityType[],
): Promise<string> {
  const type = entityTypes.find((candidate) => listTables(candidate).includes(table));
  const reason = type === undefined ? null : rowRefusal(error, type);
  if (type === undefined || reason === null) return renderSentence("otherRowsInTheWay");
  const found = await tx.query(
    `with ${NET} select coalesce(before, after) as row from net where table_name = $2 and row_key = $3`,
    [effectIds, table, key],
  );
  const [{ row } = { row: {} }] = RowSchema.array().parse(found.rows);
  const label =
    type.table === table
      ? labelRow(type, row)
      : ((await findParentLabel(tx, { table, row, entityTypes })) ?? type.words.one);
  return renderSentence("rowRefused", { label, reason });
}

const RowSchema = z.object({ row: JsonObjectSchema });

/** A row that stands in the way of taking effects back. */
interface RefusedUndo {
  readonly effectIds: readonly number[];
  readonly refused: RefusedRow;
}

function listTables(type: EntityType): readonly string[] {
  return [type.table, ...listInlineLists(type).map(({ table }) => table)];
}

async function wordConflict(
  tx: Queryable,
  conflict: Conflict,
  { entityTypes, timeZone }: ConflictWords,
): Promise<string> {
  const { cause, table, present, expected } = conflict;
  const row = expected ?? present ?? {};
  const type = entityTypes.find((candidate) => candidate.table === table);
  const label = type ? labelRow(type, row) : await findParentLabel(tx, { table, row, entityTypes });
  if (cause === "tied") {
    return label === null ? renderSentence("otherRowsTied") : renderSentence("rowTied", { label });
  }
  if (label === null) return renderSentence("otherRowsInTheWay");
  if (cause === "kept") {
    return renderSentence("rowRefused", { label, reason: renderSentence("rowKept") });
  }
  if (type === undefined) return renderSentence("rowChangedSince", { label, differences: "" });
  if (present === null) return renderSentence("rowDeletedSince", { label });
  if (expected === null) return renderSentence("rowCreatedSince", { label });
  const differences = wordDifferences(type, { present, expected, timeZone });
  return renderSentence("rowChangedSince", {
    label,
    differences: differences === "" ? "" : ` (${differences})`,
  });
}

/** Says which values the database has set again in rows that are back; nothing of those that nobody sees. */
export function wordPartly(
  rows: readonly Conflict[],
  { entityTypes, timeZone }: ConflictWords,
): readonly string[] {
  return rows.flatMap(({ table, present, expected }) => {
    const type = entityTypes.find((candidate) => candidate.table === table);
    if (type === undefined || present === null || expected === null) return [];
    const differences = wordDifferences(type, { present, expected, timeZone });
    const label = labelRow(type, expected);
    return differences === "" ? [] : [renderSentence("rowPartlyBack", { label, differences })];
  });
}

function labelRow(type: EntityType, row: JsonObject): string {
  return oneLine(hideDatabaseIds(type.label(row))) || type.words.one;
}

interface ListRow {
  readonly table: string;
  readonly row: JsonObject;
  readonly entityTypes: readonly EntityType[];
}

/** A row of an inline list goes by the label of the row that it belongs to. */
async function findParentLabel(
  tx: Queryable,
  { table, row, entityTypes }: ListRow,
): Promise<string | null> {
  for (const type of entityTypes) {
    const list = listInlineLists(type).find((candidate) => candidate.table === table);
    if (list === undefined) continue;
    const ids = [keyText(row[list.foreignKey])];
    const [parent] = await fetchRows(tx, type, { ids, detail: "full" });
    return parent === undefined ? type.words.one : labelRow(type, parent.values);
  }
  return null;
}

/** A row as it is, and as it should be. */
interface RowStates extends Pick<ConflictWords, "timeZone"> {
  readonly present: JsonObject;
  readonly expected: JsonObject;
}

/** The visible values that differ; one alone needs no name. */
function wordDifferences(type: EntityType, { present, expected, timeZone }: RowStates): string {
  const different = listVisibleColumns(type).filter(
    ({ name, references, volatile = false }) =>
      references === undefined &&
      !volatile &&
      name !== findKey(type).column &&
      JSON.stringify(present[name]) !== JSON.stringify(expected[name]),
  );
  const word = (column: Column) =>
    renderSentence("valueInsteadOf", {
      present: wordValue(present[column.name], column, timeZone),
      expected: wordValue(expected[column.name], column, timeZone),
    });
  const [only] = different;
  if (only !== undefined && different.length === 1) return word(only);
  return joinItems(
    different.map((column) =>
      renderSentence("columnDiffers", {
        column: column.label ?? column.name,
        differences: word(column),
      }),
    ),
  );
}

function wordValue(value: Json | undefined, { kind }: Column, timeZone: string): string {
  if (value === null || value === undefined) return renderSentence("noValue");
  if (kind === "timestamp" && typeof value === "string") return describeTime(value, timeZone);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return hideDatabaseIds(oneLine(text)).slice(0, 60);
}
