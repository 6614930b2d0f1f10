import { claimsAskedChange } from "../../output-filter/asked-change.ts";
import { claimsChange, claimsCompletion } from "../../output-filter/claimed-change.ts";
import { decidesSomething } from "../../registry/curation.ts";
import type { Receipt } from "../../state/receipt.ts";
import type { TurnState } from "../../state/turn.ts";
import { renderSentence } from "../../text/sentences.ts";
import { denyPlanClaim } from "../concierge/deny-plan-claim.ts";
import { readAskedChange, type KnownThings } from "./read-asked-change.ts";
import { changesPlanLater } from "./word-missing-answer.ts";

/** The parts of a turn that a claim is held against. */
type ClaimedTurn = Pick<
  TurnState,
  | "effects"
  | "understanding"
  | "turnExecutionSummaries"
  | "planNews"
  | "journeyNews"
  | "journeyPlan"
  | "input"
  | "turn"
> &
  Partial<Pick<TurnState, "lanesServed">>;

/** The turn, and the lines that stand above its reply. */
interface ClaimFacts {
  readonly state: ClaimedTurn;
  readonly receipts: readonly Receipt[];
  readonly known: KnownThings;
}

/**
 * Returns a model's words with "Nothing was changed." below them where they claim a change and the turn
 * has made none, and with "Nothing else was changed." where they claim one beside those of its receipts. A
 * receipt that speaks of wishes or drafts says it all already; below a refusal it counts as a claim, too, that
 * all is done. What was left out or
 * brought back is a change of its own, and so is one of an earlier turn that the words name. Of a message
 * that asks for a change, or makes one, every word for its being done counts, unless known rows bear it out;
 * of any other only those that are sure, in whatever language. Claims about the plan are held against it. Pure.
 */
export function denyClaim(body: string, facts: ClaimFacts): string {
  const denied = denyDataClaim(body, facts);
  const denial = denied === body ? denyPlanClaim(body, facts.state) : "";
  return denial === "" || body.includes(denial) ? denied : `${body}\n\n${denial}`;
}

function denyDataClaim(body: string, { state, receipts, known }: ClaimFacts): string {
  const stored = receipts.filter(({ kind }) => STORED_KINDS.has(kind));
  const isStored = stored.length > 0;
  const isRefused = receipts.some(({ kind }) => REFUSED_KINDS.has(kind));
  const isReported = receipts.some(({ kind }) => SPEAKS_OF_CHANGES.has(kind));
  // What became of a wish about the plan stands above the words.
  const isPlanned = (state.planNews?.report ?? "") !== "";
  const { understanding } = state;
  const isCurated = understanding !== null && decidesSomething(understanding.curation);
  if (isReported || isPlanned || isCurated) return body;
  if (state.effects.length > 0 && !isStored) return body;
  const asked = readAskedChange(state, known, stored);
  const isSure = !isStored && (imitatesReceipt(body) || claimsChange(body));
  const isClaimed =
    (isRefused && claimsCompletion(body)) ||
    (isSure && !namesEarlier(body, state)) ||
    claimsAskedChange(body, asked);
  const nothing = changesPlanLater(state) ? "nothingChangedYet" : "nothingChanged";
  const denial = renderSentence(isStored ? "nothingElseChanged" : nothing);
  return isClaimed ? `${body}\n\n${denial}` : body;
}

/** Returns true for words with a line that begins as code's own of what was stored. */
function imitatesReceipt(body: string): boolean {
  const heads = RECEIPTS.map((id) => renderSentence(id, { rows: "" }).trim());
  return body.split("\n").some((line) => heads.some((head) => line.trim().startsWith(head)));
}

const RECEIPTS = ["receiptCreated", "receiptUpdated", "receiptDeleted", "receiptUndone"] as const;

function namesEarlier(body: string, { turnExecutionSummaries }: ClaimedTurn): boolean {
  const lower = body.toLowerCase();
  return turnExecutionSummaries.some(({ effects }) =>
    effects.some(({ label }) => lower.includes(label.toLowerCase())),
  );
}

const SPEAKS_OF_CHANGES: ReadonlySet<Receipt["kind"]> = new Set([
  "undone",
  "answered",
  "unknown",
  "noted",
  "withdrawn",
  "drafted",
  "plan",
]);

const STORED_KINDS: ReadonlySet<Receipt["kind"]> = new Set(["created", "updated", "deleted"]);

const REFUSED_KINDS: ReadonlySet<Receipt["kind"]> = new Set(["notDone", "nothing"]);
