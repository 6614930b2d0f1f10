import { z } from "zod";
import { ToolInputError } from "../../state/tool.ts";
import { listInlineLists, type EntityType } from "../../state/entity.ts";
import { hideDatabaseIds } from "../../text/quote-value.ts";
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
  const named = column ?? columnInConstraint(entityType, constraint ?? "");
  const value = named === null ? renderSentence("aValue") : `"${named}"`;
  switch (code) {
    case "23502":
      return named === null
        ? renderSentence("valueMissing")
        : renderSentence("columnMissing", { column: value });
    case "23503":
      return message.includes("update or delete on")
        ? renderSentence("rowStillNeeded")
        : renderSentence("linkBroken", { value });
    case "23505":
      return named === null
        ? renderSentence("valuesTaken")
        : renderSentence("rowTaken", { column: named });
    case "23514":
      return renderSentence("valueOutOfRange", { value });
    case "22001":
      return explainTooLong(message, content);
    case "22003":
      return renderSentence("valueTooLarge", { value });
    case "42501":
      return renderSentence("rowNotAllowed");
    case "P0001":
      return hideDatabaseIds(message);
  }
  return code.startsWith("22") || code.startsWith("23")
    ? renderSentence("valueUnfit", { value })
    : null;
}

/** Postgres names the length and not the column: that is one whose text is longer. */
function explainTooLong(message: string, content: RowContent | null): string {
  const length = Number(/\((\d+)\)/u.exec(message)?.[1]);
  if (!Number.isInteger(length))
    return renderSentence("valueUnfit", { value: renderSentence("aValue") });
  const rows = content === null ? [] : [content.columns, ...[...content.lists.values()].flat()];
  const longer = rows.flatMap((columns) =>
    [...columns].flatMap(([name, value]) =>
      typeof value === "string" && Array.from(value).length > length ? [`"${name}"`] : [],
    ),
  );
  const value = [...new Set(longer)].join(" / ") || renderSentence("aValue");
  return renderSentence("valueTooLong", { value, length });
}

/** Postgres names its constraints after table and columns. */
function columnInConstraint(entityType: EntityType, constraint: string): string | null {
  const columns = [
    ...entityType.columns,
    ...listInlineLists(entityType).flatMap((child) => child.columns),
  ];
  const found = columns.filter(({ name }) => constraint.includes(`_${name}_`));
  const longest = found.toSorted((a, b) => b.name.length - a.name.length)[0];
  return longest?.name ?? null;
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

/** The refusal that a database error is about; an error that is not about the row as it is. */
export function explainRowError(
  error: unknown,
  entityType: EntityType,
  content: RowContent | null,
): unknown {
  const reason = rowRefusal(error, entityType, content);
  return reason === null ? error : new RowRefusedError(reason, null, { cause: error });
}
