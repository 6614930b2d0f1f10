import { RowRefusedError, wordMisfits } from "../../domain/table-tools/failures.ts";
import { blotIds } from "../../registry/hide-ids.ts";
import { clip } from "../../registry/shorten.ts";
import { oneLine } from "../../text/fence.ts";
import { renderSentence } from "../../text/sentences.ts";
import type { EntityType } from "../../state/entity.ts";
import {
  CallRefusedError,
  MisfitError,
  ToolInputError,
  UnknownRefError,
} from "../../state/tool.ts";
import type { Notice } from "../../state/turn-summary.ts";

/** The reason of a failed call for its model and for the person, and the notice for the turn summary. */
export interface ToolRefusal {
  readonly reason: string;
  /** For the person, beside the rows that the call names; null where `reason` is for the person. */
  readonly cause: string | null;
  readonly notice: Notice | null;
  /** True where `cause` is a reason that the person may know. */
  readonly isExplained?: boolean;
}

/** The refusal of a call after the person stopped the turn. Calls that ran before it stay done. */
export const STOPPED_REFUSAL: ToolRefusal = {
  reason: renderSentence("turnStopped"),
  cause: null,
  notice: null,
};

/** Codes of errors that end the turn, which is resumed when they are over. */
const FATAL_CODES: ReadonlySet<unknown> = new Set(["database_unavailable", "lease_lost"]);

interface FailedCall {
  readonly tool: string;
  readonly stopped: boolean;
  /** The type of its rows; null where none describes them. */
  readonly entityType: EntityType | null;
}

/**
 * Describes why a call failed. A tool that fails harms only its own call: its transaction
 * was rolled back.
 *
 * @throws the error itself where it is not the tool's.
 */
export function describeRefusal(
  error: unknown,
  { tool, stopped, entityType }: FailedCall,
): ToolRefusal {
  if (error instanceof ToolInputError || error instanceof UnknownRefError) {
    const misfits = error instanceof MisfitError ? error.misfits : [];
    const misfit = entityType === null ? null : wordMisfits(misfits, entityType);
    const cause = misfit ?? explainToPerson(error);
    const isExplained = misfit !== null || error instanceof CallRefusedError;
    return { reason: error.message, cause, notice: null, isExplained };
  }
  if (isFatal(error)) throw error;
  if (stopped) return STOPPED_REFUSAL;
  return {
    reason: `Cannot carry out "${tool}": it failed in itself; do it another way, or fail the step`,
    cause: renderSentence("callNotPossible"),
    notice: { node: "tools", code: "tool-failed", text: `${tool}: ${summariseToolError(error)}` },
  };
}

/** A model's mistake is nothing that a person can put right, unless it stands in a value. */
function explainToPerson(error: Error): string {
  if (error instanceof RowRefusedError) return error.reason;
  return error instanceof CallRefusedError ? error.message : renderSentence("callNotPossible");
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && "code" in error && FATAL_CODES.has(error.code);
}

/**
 * The cause of an unexpected error for the log: what the database or the code says, never a value. What the
 * database says of data and what a function of it raises may hold some.
 */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return "it threw no error";
  const code = "code" in error ? String(error.code) : "";
  const place = /^ +at .+$/mu.exec(error.stack ?? "")?.[0].trim() ?? "";
  if (!/^[0-9A-Z]{5}$/u.test(code)) return `${error.name} ${place}`;
  return /^(?:22|23|P0)/u.test(code) ? `error ${code}` : `error ${code}: ${error.message}`;
}

const DESCRIBED_CHARACTERS = 300;

/** An error on one short line, without ids. */
export function summariseToolError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return clip(oneLine(blotIds(text)), DESCRIBED_CHARACTERS);
}
