import { claimsChange } from "../../output-filter/claimed-change.ts";
import { decidesSomething } from "../../registry/curation.ts";
import type { Receipt } from "../../state/receipt.ts";
import type { TurnState } from "../../state/turn.ts";
import { renderSentence } from "../../text/sentences.ts";

/** The parts of a turn that a claim is held against. */
type ClaimedTurn = Pick<
  TurnState,
  "effects" | "understanding" | "turnExecutionSummaries" | "planNews"
>;

/** The turn, and the lines that stand above its reply. */
interface ClaimFacts {
  readonly state: ClaimedTurn;
  readonly receipts: readonly Receipt[];
}

/**
 * Returns a model's words with "Nothing was changed." below them where they claim a change and the turn
 * has made none. A receipt that speaks of changes, of wishes or of drafts says it all already; what was
 * left out or brought back is a change of its own, and so is one of an earlier turn that the words name. Pure.
 */
export function denyClaim(body: string, { state, receipts }: ClaimFacts): string {
  const isReported = receipts.some(({ kind }) => SPEAKS_OF_CHANGES.has(kind));
  // What became of a wish about the plan stands above the words.
  const isChanged = state.effects.length > 0 || (state.planNews?.report ?? "") !== "";
  if (isReported || isChanged || !claimsChange(body)) return body;
  const { understanding, turnExecutionSummaries } = state;
  if (understanding !== null && decidesSomething(understanding.curation)) return body;
  const lower = body.toLowerCase();
  const isEarlier = turnExecutionSummaries.some(({ effects }) =>
    effects.some(({ label }) => lower.includes(label.toLowerCase())),
  );
  return isEarlier ? body : `${body}\n\n${renderSentence("nothingChanged")}`;
}

const SPEAKS_OF_CHANGES: ReadonlySet<Receipt["kind"]> = new Set([
  "created",
  "updated",
  "deleted",
  "undone",
  "answered",
  "notDone",
  "unknown",
  "nothing",
  "noted",
  "withdrawn",
  "drafted",
  "plan",
]);
