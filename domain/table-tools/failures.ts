import { z } from "zod";
import type { ToolFailure } from "../../state/tool.ts";
import type { EntityType } from "../../state/entity.ts";
import { hideDatabaseIds } from "../../text/quote-value.ts";
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
export function rowRefusal(error: unknown, entityType: EntityType): string | null {
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

/** Postgres names its constraints after table and columns. */
function columnInConstraint(entityType: EntityType, constraint: string): string | null {
  const columns = [...entityType.columns, ...entityType.children.flatMap((child) => child.columns)];
  const found = columns.filter(({ name }) => constraint.includes(`_${name}_`));
  const longest = found.toSorted((a, b) => b.name.length - a.name.length)[0];
  return longest?.name ?? null;
}

interface FailureDetails {
  ref: string | null;
  reason: string;
}

/** A row that was not written. */
export function rowFailure(label: string, details: FailureDetails): ToolFailure {
  return { label: hideDatabaseIds(label), ...details };
}
