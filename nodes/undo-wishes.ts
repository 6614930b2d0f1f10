import { takeBackWishes } from "../registry/constraints.ts";
import type { Constraint, WishDifference } from "../state/constraint.ts";
import { findUndoableChange } from "../state/edit-plan-state.ts";
import type { JourneyPlan } from "../state/journey-plan.ts";
import type { TurnState } from "../state/turn.ts";
import type { TurnExecutionSummary } from "../state/turn-summary.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { isAskedFor } from "../summaries/is-asked-for.ts";
import { listNamedSteps } from "../summaries/named-steps.ts";
import { toPlanAction } from "../summaries/to-plan-action.ts";
import { findDroppedJourney } from "../summaries/find-journey.ts";
import { requestsSomething } from "../output-filter/asked-change.ts";
import { readAskedParts } from "../output-filter/read-asked-parts.ts";
import { readPersonsAnswer } from "../text/read-yes-no.ts";
import { countUndoWords } from "../text/count-undo-words.ts";
import { holdsWords } from "../text/holds-words.ts";
import type { WantedUndo } from "./steps/undo-call.ts";

type Undo = NonNullable<UnderstandAnswer["undo"]>;

/** The person's words, and what the last turns have changed. */
interface UndoFacts {
  readonly message: string;
  readonly summaries: TurnExecutionSummary[];
  readonly constraints: readonly Constraint[];
  /** Labels of the rows that the conversation knows. Default: none. */
  readonly known?: readonly string[];
}

/**
 * Fits an undo to the message's own words: one that they do not ask for, or that is of other changes than
 * they name, is a question, and takes no wish back; one of an undo means the newest. Pure.
 */
export function fitUndo(
  undo: Undo,
  { message, summaries, constraints, known = [] }: UndoFacts,
): Omit<SplitUndo, "rows"> & { readonly rows: WantedUndo | null } {
  const split = splitUndo(undo, summaries, constraints);
  const kept = { wishes: null, constraints, summaries };
  const { asked } = readAskedParts(message, "there", { keepsNarrated: true });
  const isQuestion = readPersonsAnswer(message) === "asks" && !requestsSomething(message);
  const words = isQuestion ? 0 : countUndoWords(asked);
  if (words > 1 && undo.effects.length === 0) {
    return { ...kept, rows: { effects: [], redo: true } };
  }
  const changed = summaries.flatMap(({ effects }) => effects);
  const named = changed.filter(({ label }) => holdsWords(asked, label));
  const meant = listMeant(undo, summaries);
  // "Who is Kim?" names Kim, and takes nothing back; nor does "don't undo Kim".
  const isMeant =
    (words > 0 || (!isQuestion && countUndoWords(message) === 0)) &&
    meant.size > 0 &&
    [...meant].every((id) => named.some(({ effectId }) => effectId === id));
  // A change that is older than those of the summaries is not the last one.
  const namesNone = named.length === 0 && !known.some((label) => holdsWords(asked, label));
  if (isMeant || (words > 0 && namesNone)) return split;
  return { ...kept, rows: split.rows === null ? null : { ...split.rows, ask: true } };
}

/** The stored effects that an undo is of: those that it names, else those of the last turn that wrote. */
function listMeant({ effects }: Undo, summaries: readonly TurnExecutionSummary[]) {
  const last = summaries.findLast((one) => one.effects.length > 0);
  const all = summaries.flatMap((one) => one.effects);
  const own = all.filter(({ effectId }) => effects.includes(`e${effectId}`));
  return new Set(
    (effects.length === 0 ? (last?.effects ?? []) : own).map(({ effectId }) => effectId),
  );
}

/** An undo, with the part of it that is about wishes. */
export interface SplitUndo {
  /** The stored changes to take back, as the undo of rows reads them; null where only wishes are taken back. */
  readonly rows: Undo | null;
  /** The wishes to take back; null for none. */
  readonly wishes: WishDifference | null;
  readonly constraints: readonly Constraint[];
  /** The summaries without the wishes that are taken back: they are not taken back again. */
  readonly summaries: TurnExecutionSummary[];
}

/** Returns true for a turn that has changed rows or wishes. */
function hasStored({ effects, wishes }: TurnExecutionSummary): boolean {
  return effects.length > 0 || wishes != null;
}

/** The name of a turn's change of wishes, as prompts show it: `w3`. */
export function nameWishChange({ turnNumber }: Pick<TurnExecutionSummary, "turnNumber">): string {
  return `w${turnNumber}`;
}

/**
 * Splits an undo into stored changes and wishes. Where it names none, it is for all that the last turn
 * changed, whichever of the two: a turn that has only noted a wish loses that, and no older row. Pure.
 */
export function splitUndo(
  { effects }: Undo,
  summaries: TurnExecutionSummary[],
  constraints: readonly Constraint[],
): SplitUndo {
  const last = summaries.findLast(hasStored);
  const isMeant = (one: TurnExecutionSummary): boolean =>
    effects.length === 0 ? one === last : effects.includes(nameWishChange(one));
  const undone = summaries
    .filter(isMeant)
    .toReversed()
    .flatMap(({ wishes }) => wishes ?? []);
  const rows = effects.filter((name) => !summaries.some((one) => nameWishChange(one) === name));
  const hasRows =
    effects.length === 0 ? last === undefined || last.effects.length > 0 : rows.length > 0;
  const split = { rows: hasRows ? { effects: rows } : null };
  if (undone.length === 0) return { ...split, wishes: null, constraints, summaries };
  return {
    ...split,
    summaries: summaries.map((one) => (isMeant(one) ? { ...one, wishes: null } : one)),
    wishes: {
      before: undone.flatMap(({ before }) => before),
      after: undone.flatMap(({ after }) => after),
    },
    constraints: undone.reduce<readonly Constraint[]>(takeBackWishes, constraints),
  };
}

/**
 * Returns an undo of a message that has dropped the plan as the way back to its journey; what else that
 * message has stored is taken back too. Every other answer stays as it is. Pure.
 */
export function takeBackDrop(
  answer: UnderstandAnswer,
  {
    journeys,
    turn,
    turnExecutionSummaries,
    input,
  }: Pick<TurnState, "journeys" | "turn" | "turnExecutionSummaries" | "input">,
): UnderstandAnswer {
  if (countUndoWords(input?.text ?? "") === 0) return answer;
  const planActions = answer.planActions.filter(({ kind }) => kind !== "undo");
  const isUndo =
    answer.undo?.effects.length === 0 || planActions.length < answer.planActions.length;
  const dropped = isUndo ? findDroppedJourney(journeys, turn) : null;
  if (dropped === null) return answer;
  const last = turnExecutionSummaries.find(({ turnNumber }) => turnNumber === turn - 1);
  const undo = last !== undefined && hasStored(last) ? answer.undo : null;
  return {
    ...answer,
    undo,
    planActions,
    lane: undo === null ? "concierge" : "both",
    journey: "resume",
    journeyTo: dropped.id,
  };
}

/**
 * Returns an undo that names no change as one of what the last change was of, whichever lane it was read for: the
 * plan, stored data and wishes, or both where one message made both. Every other answer stays as it is. Pure.
 */
export function fitUndoToLast(
  answer: UnderstandAnswer,
  {
    journeyPlan,
    turnExecutionSummaries,
    input,
    language,
  }: Pick<TurnState, "journeyPlan" | "turnExecutionSummaries" | "input" | "language">,
): UnderstandAnswer {
  const message = input?.text ?? "";
  const changed = journeyPlan === null ? null : findUndoableChange(journeyPlan);
  const stored = turnExecutionSummaries.flatMap(({ effects }) => effects);
  const isNamed = stored.some(({ label }) => holdsWords(message, label));
  const own = { kind: "undo", step: null, after: null, text: null, words: message } as const;
  const others = answer.planActions.filter(({ kind }) => kind !== "undo");
  const isOfPlan = others.length < answer.planActions.length;
  const isOfData = answer.undo?.effects.length === 0;
  if (changed === null || isNamed || !(isOfData || isOfPlan)) return answer;
  const isAsked = isAskedFor(toPlanAction(own), { message, language });
  if (!isAsked || countUndoWords(message) > 1) return answer;
  const last = turnExecutionSummaries.findLast(hasStored);
  const isOlder = last !== undefined && last.turnNumber > changed.turn;
  if (!isOfData && (!isOlder || answer.undo !== null || namesStep(message, journeyPlan)))
    return answer;
  if (isOlder) {
    const undo = { effects: [] };
    return { ...answer, planActions: others, ...(isOfData ? {} : { undo, lane: "task" }) };
  }
  const isBoth = last?.turnNumber === changed.turn;
  return {
    ...answer,
    undo: isBoth ? answer.undo : null,
    planActions: isOfPlan ? answer.planActions : [...others, own],
    lane: isBoth ? "both" : "concierge",
  };
}

/** Returns true where a message names a step that the plan has, or had. */
function namesStep(message: string, plan: JourneyPlan | null): boolean {
  if (plan === null) return false;
  const gone = plan.changes.flatMap(({ before }) => before.steps);
  return listNamedSteps(message, { ...plan, steps: [...plan.steps, ...gone] }).isAny;
}
