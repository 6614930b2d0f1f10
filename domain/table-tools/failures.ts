import { z } from "zod";
import { ToolInputError, type Misfit } from "../../state/tool.ts";
import { listInlineLists, type Column, type EntityType } from "../../state/entity.ts";
import { joinItems, joinWithOr } from "../../text/join-list.ts";
import { clipValue, wordJson } from "../word-values.ts";
import type { RowContent } from "./content.ts";
import { renderSentence } from "../../text/sentences.ts";

const DatabaseErrorSchema = z.object({
  code: z.string().length(5),
  message: z.string(),
  column: z.string().optional(),
  constraint: z.string().optional(),
});

/**
 * Why the database refused one row, in words; null when the error is not about the row
 * (a lost connection, a defect), so that it must be thrown on.
 */
export function rowRefusal(
  error: unknown,
  entityType: EntityType,
  content: RowContent | null = null,
): string | null {
  const parsed = DatabaseErrorSchema.safeParse(error);
  if (!parsed.success || !(error instanceof Error)) return null;
  const { code, message, column, constraint } = parsed.data;
  const name = column ?? columnInConstraint(entityType, constraint ?? "");
  const word = (some: SomeValueSentence, one: OneColumnSentence): string =>
    name === null
      ? renderSentence(some)
      : renderSentence(one, { column: labelColumn(name, entityType) });
  switch (code) {
    case "23502":
      return word("valueMissing", "columnMissing");
    case "23001":
      return renderSentence("rowStillNeeded");
    case "23503":
      return message.includes("update or delete on")
        ? renderSentence("rowStillNeeded")
        : word("someLinkBroken", "linkBroken");
    case "23505":
      return word("valuesTaken", "rowTaken");
    case "23514":
      return word("someValueOutOfRange", "valueOutOfRange");
    case "22001":
      return explainTooLong(message, entityType, content);
    case "22003":
      return word("someValueTooLarge", "valueTooLarge");
    case "42501":
      return wordDenied(entityType);
    case "P0001":
      return renderSentence("refusedByRule", { message });
  }
  return code.startsWith("22") || code.startsWith("23")
    ? word("someValueUnfit", "valueUnfit")
    : null;
}

/** Why a row that is there cannot be changed: a person's own is kept by the database, by a trigger or a missing right. */
export function wordDenied({ ownership = "subject" }: EntityType): string {
  return renderSentence(ownership === "shared" ? "rowNotAllowed" : "rowDenied");
}

/** The sentences that name the column of a value, and those for a value whose column is not known. */
type OneColumnSentence =
  | "columnMissing"
  | "linkBroken"
  | "rowTaken"
  | "valueOutOfRange"
  | "valueTooLarge"
  | "valueUnfit";
type SomeValueSentence =
  | "valueMissing"
  | "someLinkBroken"
  | "valuesTaken"
  | "someValueOutOfRange"
  | "someValueTooLarge"
  | "someValueUnfit";

/** Postgres names the length and not the column: that is one whose text is longer. */
function explainTooLong(
  message: string,
  entityType: EntityType,
  content: RowContent | null,
): string {
  const length = Number(/\((\d+)\)/u.exec(message)?.[1]);
  if (!Number.isInteger(length)) return renderSentence("someValueUnfit");
  const rows = content === null ? [] : [content.columns, ...[...content.lists.values()].flat()];
  const longer = rows.flatMap((columns) =>
    [...columns].flatMap(([name, value]) =>
      typeof value === "string" && Array.from(value).length > length ? [name] : [],
    ),
  );
  if (longer.length === 0) return renderSentence("someValueTooLong", { length });
  const columns = [...new Set(longer)].map((name) =>
    renderSentence("quotedColumn", { column: labelColumn(name, entityType) }),
  );
  return renderSentence("valueTooLong", { columns: joinWithOr(columns), length });
}

/** Postgres names its constraints after table and columns. */
function columnInConstraint(entityType: EntityType, constraint: string): string | null {
  const found = listAllColumns(entityType).filter(({ name }) => constraint.includes(`_${name}_`));
  const longest = found.toSorted((a, b) => b.name.length - a.name.length)[0];
  return longest?.name ?? null;
}

/**
 * Words values that do not fit their columns, for a person, without refs: "“soon” does not fit “due date”";
 * null where none of them is of a column that people see. Pure.
 */
export function wordMisfits(misfits: readonly Misfit[], entityType: EntityType): string | null {
  const columns = listAllColumns(entityType).filter(({ visible = true }) => visible);
  const reasons = misfits.flatMap(({ column: name, value }) => {
    const found = columns.find((column) => column.name === name);
    if (found === undefined) return [];
    const column = labelColumn(name, entityType);
    if (value === null || value === "") return [renderSentence("columnMissing", { column })];
    return found.references === undefined
      ? [
          renderSentence("valueMisfit", {
            value: clipValue(wordJson(value), SHOWN_CHARACTERS),
            column,
          }),
        ]
      : [renderSentence("valueUnfit", { column })];
  });
  return reasons.length === 0 ? null : joinItems([...new Set(reasons)]);
}

/** Most characters of a value that a refusal shows. */
const SHOWN_CHARACTERS = 40;

function labelColumn(name: string, entityType: EntityType): string {
  return listAllColumns(entityType).find((column) => column.name === name)?.label ?? name;
}

function listAllColumns(entityType: EntityType): readonly Column[] {
  return [...entityType.columns, ...listInlineLists(entityType).flatMap((child) => child.columns)];
}

/** The database did not take a row. */
export class RowRefusedError extends ToolInputError {
  /** Why, without naming the row. */
  readonly reason: string;

  /** `label` is null for a row that was to be created. */
  constructor(reason: string, label: string | null = null, options?: ErrorOptions) {
    const work = label === null ? "create the row" : `change "${label}"`;
    super(`Cannot ${work}: ${reason}`, options);
    this.reason = reason;
  }
}

/** A statement about one row: the content that it sets, and the row. */
export interface SentRow {
  /** Null where it sets nothing. */
  readonly content: RowContent | null;
  /** Null for a row that is to be created. */
  readonly label: string | null;
}

/** The refusal that a database error is about; an error that is not about the row as it is. */
export function explainRowError(
  error: unknown,
  entityType: EntityType,
  { content, label }: SentRow,
): unknown {
  const reason = rowRefusal(error, entityType, content);
  return reason === null ? error : new RowRefusedError(reason, label, { cause: error });
}
