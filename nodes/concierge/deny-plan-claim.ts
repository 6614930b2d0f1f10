import {
  claimsAskedChange,
  readOrder,
  type AskedChange,
} from "../../output-filter/asked-change.ts";
import { claimsPlanChange } from "../../output-filter/claimed-change.ts";
import { listPlanClaims } from "../../output-filter/plan-claims.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import type { TurnState } from "../../state/turn.ts";
import { listNamedSteps } from "../../summaries/named-steps.ts";
import { endsAsQuestion } from "../../text/ends-as-question.ts";
import { foldWords } from "../../text/fold-words.ts";
import { saysEnd } from "../../text/plan-change-words.ts";
import { segmentWords } from "../../text/segment-words.ts";
import { splitSentences } from "../../text/split-sentences.ts";
import { renderSentence } from "../../text/sentences.ts";

/** The parts of a turn that a model's claim about the plan is held against. */
type ClaimedTurn = Pick<
  TurnState,
  "journeyPlan" | "planNews" | "journeyNews" | "effects" | "input" | "turn"
>;

/**
 * Returns what code says below a model's words that claim a change of the plan that the turn has not made, and
 * below a short beginning by which something is done, where the message itself asks for a change of a step that
 * it names and none was made, refused or asked about. Empty where they claim none, or no other than stands
 * above them. Words in the form of code's own are always held against what code has said. Pure.
 */
export function denyPlanClaim(words: string, state: ClaimedTurn): string {
  const { journeyPlan: plan, planNews, journeyNews, effects } = state;
  if (plan === null || effects.length > 0) return "";
  const { report = "", isChanged = false } = planNews ?? {};
  const isDone = (step: number): boolean => plan.steps[step - 1]?.mark === "done";
  const asks = asksForChange(state.input?.text ?? "", plan);
  const isIgnored = asks && report === "" && !isChanged;
  const isClaimed =
    imitatesReport(words, report) ||
    (journeyNews === null &&
      ((isIgnored && saysDone(words)) ||
        (!isChanged && claimsPlanChange(words, isDone)) ||
        claimsOtherChange(words, { plan, planNews, turn: state.turn }) ||
        claimsAskedChange(words, describeChanges(state, { plan, asks }))));
  return isClaimed ? renderSentence(isChanged ? "nothingElseChanged" : "nothingChanged") : "";
}

/** Returns true for a message that is no question, names a step, and orders a change or says that something is done. */
function asksForChange(message: string, plan: JourneyPlan): boolean {
  if (endsAsQuestion(message) || !listNamedSteps(message, plan).isAny) return false;
  return readOrder(message) !== null || saysEnd(message, "gone") || saysEnd(message, "done");
}

/** Most words of a sentence that says of what was asked for that it is done: longer ones advise. */
const SHORT = 5;

/** Returns true for words that begin with a short sentence by which something is done, and not by the person. */
function saysDone(words: string): boolean {
  const [first = ""] = splitSentences(words);
  return (
    segmentWords(first).length <= SHORT &&
    !endsAsQuestion(first) &&
    !/^\W*(?:you|du|sie|t[uú]|vous|usted|jij|voc[eê])(?!\p{L})/iu.test(first) &&
    (saysEnd(first, "done") || /[✓✔✅☑]/u.test(first))
  );
}

interface PlanChangesMade extends Pick<ClaimedTurn, "planNews" | "turn"> {
  readonly plan: JourneyPlan;
}

/** Returns true for a claim of `listPlanClaims` that the plan does not bear out, nor what the turn has changed. */
function claimsOtherChange(words: string, { plan, planNews, turn }: PlanChangesMade): boolean {
  const { report = "", isChanged = false } = planNews ?? {};
  const before = plan.changes.find((change) => change.turn === turn)?.before;
  const known = [...plan.steps, ...(before?.steps ?? [])];
  const earlier = before?.order.flatMap((id) => known.find((step) => step.id === id) ?? []) ?? [];
  const listNamed = (clause: string) =>
    [plan.steps, earlier].flatMap((steps) => {
      const { ids } = listNamedSteps(clause, { steps, decisions: plan.decisions });
      return steps.filter(({ id }) => ids.has(id));
    });
  const claims = listPlanClaims(words, (clause) => listNamed(clause).length > 0);
  return claims.some(({ clause, kind }) => {
    const named = listNamed(clause);
    if (!isChanged) return kind !== "done" || named.some(({ mark }) => mark !== "done");
    return (
      kind === "deed" && named.length > 0 && !named.some(({ title }) => report.includes(title))
    );
  });
}

interface ChangesRead {
  readonly plan: JourneyPlan;
  readonly asks: boolean;
}

/** Describes what the turn has changed of the plan, as a claim is held against it. */
function describeChanges(
  { planNews, turn, input }: ClaimedTurn,
  { plan, asks }: ChangesRead,
): AskedChange {
  const { report = "", isChanged = false } = planNews ?? {};
  const changed = new Set(foldWords(report));
  const first = plan.changes.find((change) => change.turn === turn);
  const known = [...plan.steps, ...(first?.before.steps ?? [])];
  const orders = [plan.steps.map(({ id }) => id), first?.before.order ?? []];
  const isBorneOut = (name: string): boolean => {
    const ids = new Set(orders.flatMap((order) => order[Number(name) - 1] ?? []));
    const titles = known.filter(({ id }) => ids.has(id)).map(({ title }) => title);
    return changed.has(name) || titles.some((title) => report.includes(title));
  };
  return {
    end: null,
    isOfPlan: true,
    readNames: () => [input?.text ?? "", ...known.map(({ title }) => title)].join(" "),
    types: "",
    // A step is gone where the plan has none by that number or title.
    holds: (names, end) =>
      end === "there" || !listNamedSteps(`step ${names.join(" ")}`, plan).isAny,
    // "I added some ideas" is no claim about the plan where nobody asks for a change.
    wasDone: (names, end) => (end === "there" && !asks) || (isChanged && names.every(isBorneOut)),
    touches: isChanged ? (names) => names.some(isBorneOut) : null,
  };
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
