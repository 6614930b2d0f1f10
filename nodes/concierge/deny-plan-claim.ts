import { claimsPlanChange } from "../../output-filter/claimed-change.ts";
import type { TurnState } from "../../state/turn.ts";
import { renderSentence } from "../../text/sentences.ts";

/** The parts of a turn that a concierge's claim about the plan is held against. */
type ClaimedTurn = Pick<TurnState, "journeyPlan" | "planNews" | "journeyNews" | "effects">;

/**
 * Returns what code says below a concierge's words that claim a change of the plan that the turn has not
 * made; empty where they claim none, or where what was changed stands above them. Words in the form of code's
 * own are always held against what code has said. Pure.
 */
export function denyPlanClaim(
  words: string,
  { journeyPlan, planNews, journeyNews, effects }: ClaimedTurn,
): string {
  if (journeyPlan === null || effects.length > 0) return "";
  const report = planNews?.report ?? "";
  const isChanged = planNews?.isChanged ?? false;
  const isReported = report !== "" || isChanged || journeyNews !== null;
  const isDone = (step: number): boolean => journeyPlan.steps[step - 1]?.mark === "done";
  const isClaimed =
    imitatesReport(words, report) || (!isReported && claimsPlanChange(words, isDone));
  return isClaimed ? renderSentence(isChanged ? "nothingElseChanged" : "nothingChanged") : "";
}

/** Returns true for words with a line in the form of what code says of changed steps, that code has not said. */
function imitatesReport(words: string, report: string): boolean {
  const heads = REPORTS.map((id) => renderSentence(id, { steps: "" }).replace(/[\s.]+$/u, ""));
  return words.split("\n").some((line) => {
    const plain = line.replace(/^[\s>*_-]+/u, "").trim();
    const head = heads.find((each) => plain.startsWith(each)) ?? plain;
    return /^ ?(?:\d+ \(|["“])/u.test(plain.slice(head.length)) && !report.includes(plain);
  });
}

const REPORTS = [
  "planAdded",
  "planRemoved",
  "planReworded",
  "planMoved",
  "planDone",
  "planOpened",
  "planSkipped",
] as const;
