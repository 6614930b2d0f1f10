import { blotIds } from "../../registry/hide-ids.ts";
import { clip } from "../../registry/shorten.ts";
import { oneLine } from "../../text/fence.ts";
import { ToolInputError, UnknownRefError } from "../../state/tool.ts";
import type { Notice } from "../../state/turn-summary.ts";

/** What a failed call is told its model, and what the record keeps of it. */
export interface ToolRefusal {
  readonly reason: string;
  readonly notice: Notice | null;
}

/** What a person who stopped the turn has called off: it is not done, and what was done before it stands. */
export const STOPPED_REFUSAL: ToolRefusal = {
  reason: "Not done: the turn was stopped before it",
  notice: null,
};

/** Errors that are the whole turn's: it ends here and goes on when they are over. */
const FATAL_CODES: ReadonlySet<unknown> = new Set(["database_unavailable", "lease_lost"]);

/**
 * Why a call did not happen. A tool that fails in itself harms its own call only: its transaction
 * was rolled back.
 *
 * @throws the error itself where it is not the tool's.
 */
export function refusalOf(
  error: unknown,
  { tool, stopped }: { readonly tool: string; readonly stopped: boolean },
): ToolRefusal {
  if (error instanceof ToolInputError || error instanceof UnknownRefError) {
    return { reason: error.message, notice: null };
  }
  if (isFatal(error)) throw error;
  if (stopped) return STOPPED_REFUSAL;
  return {
    reason: `Cannot carry out "${tool}": it failed in itself; do it another way, or fail the step`,
    notice: { node: "tools", code: "tool-failed", text: `${tool}: ${describe(error)}` },
  };
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && "code" in error && FATAL_CODES.has(error.code);
}

const DESCRIBED_CHARACTERS = 300;

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return clip(oneLine(blotIds(text)), DESCRIBED_CHARACTERS);
}
