import type { JourneyPlan, JourneyStep } from "../../state/journey-plan.ts";
import { titleKey } from "../../state/plan-words.ts";
import type { TurnState } from "../../state/turn.ts";
import { listNamedSteps } from "../../summaries/named-steps.ts";
import { readPlan } from "../../summaries/read-plan.ts";
import { endsAsQuestion } from "../../text/ends-as-question.ts";
import { oneLine } from "../../text/fence.ts";
import { sharesHalf } from "../../text/holds-words.ts";
import { SAYS_UNCHANGED, OF_PLAN } from "../../text/step-words.ts";
import { foldAnswer } from "../../text/read-yes-no.ts";
import { renderSentence } from "../../text/sentences.ts";
import { splitClauses, splitSentences } from "../../text/split-sentences.ts";

type ShownTurn = Pick<TurnState, "journeyPlan" | "planNews" | "input" | "turn" | "understanding">;

/**
 * Returns what code says below a model's words about the plan that are not so: the plan as it is stored, where its
 * steps are listed otherwise after a change or where they were asked for, or it was and none is named; that the change stands, where the words
 * deny it. Empty where nothing has to be said. Pure.
 */
export function correctPlanWords(words: string, state: ShownTurn): string {
  const { journeyPlan: plan, planNews, understanding } = state;
  if (plan === null) return "";
  const isChanged = planNews?.isChanged ?? false;
  const isWanted = understanding?.asksForPlan != null;
  const isAskedFor = isWanted || OF_PLAN.test(foldAnswer(state.input?.text ?? ""));
  const isWrong =
    (isWanted && !listNamedSteps(words, plan).isAny) ||
    ((isChanged || isAskedFor) && listsOtherwise(words, plan));
  if (isWrong) return [renderSentence("planNow"), ...plan.steps.map(renderStep)].join("\n");
  return isChanged && deniesChange(words, { plan, turn: state.turn })
    ? renderSentence("planChangeStands")
    : "";
}

/**
 * Returns true for a numbered list of the plan's steps that is neither all of them nor all that are open, in their
 * order, nor some by their own numbers.
 */
function listsOtherwise(words: string, { steps }: JourneyPlan): boolean {
  const listed = readPlan(words).steps.map(({ title }) => findStep(title, steps));
  const known = listed.filter((step) => step !== undefined);
  if (known.length < 2 || known.length * 2 < listed.length) return false;
  const isList = (all: readonly JourneyStep[]): boolean =>
    all.length === listed.length && all.every((step, at) => step === listed[at]);
  const numbers = [...words.matchAll(NUMBER)].map(([, number]) => Number(number));
  const isNumbered = listed.every((step, at) => step === steps[(numbers[at] ?? 0) - 1]);
  const isPart = isNumbered && numbers.length === listed.length && numbers[0] !== 1;
  return !isList(steps) && !isList(steps.filter(({ mark }) => mark === "open")) && !isPart;
}

function findStep(title: string, steps: readonly JourneyStep[]): JourneyStep | undefined {
  const isAlike = (step: JourneyStep): boolean =>
    sharesHalf(step.title, title) && sharesHalf(title, step.title);
  return steps.find((step) => titleKey(step.title) === titleKey(title)) ?? steps.find(isAlike);
}

function renderStep({ title, mark }: JourneyStep, at: number): string {
  return `${at + 1}. ${{ open: "[ ]", done: "[x]", skipped: "[-]" }[mark]} ${oneLine(title)}`;
}

interface ChangeDenied {
  readonly plan: JourneyPlan;
  readonly turn: number;
}

/** Returns true for a clause by which a step that the turn has changed is as it was. */
function deniesChange(words: string, { plan, turn }: ChangeDenied): boolean {
  const changes = plan.changes.filter((change) => change.turn === turn);
  const known = [...plan.steps, ...changes.flatMap(({ before }) => before.steps)];
  const order = changes[0]?.before.order ?? [];
  const before = order.flatMap((id) => known.find((step) => step.id === id) ?? []);
  const changed = new Set(changes.flatMap(({ targets }) => targets));
  const clauses = splitSentences(words)
    .filter((sentence) => !endsAsQuestion(sentence))
    .flatMap(splitClauses);
  return clauses.some(
    (clause) =>
      SAYS_UNCHANGED.test(foldAnswer(clause)) &&
      [...listNamedSteps(clause, { ...plan, steps: before }).ids].some((id) => changed.has(id)),
  );
}

const NUMBER = /^\s{0,3}(?:#{1,6}\s+)?(?:\*\*)?(?:step\s+)?(\d{1,2})[.):]\s/gimu;
