import { conciergeQuestion, readLastQuestion } from "../prompts/concierge-question.ts";
import { findActiveJourney } from "../state/journey.ts";
import type { JourneyPlan } from "../state/journey-plan.ts";
import type { PlanQuestion } from "../state/phase.ts";
import type { PlanAction, PlanChanged } from "../state/plan-action.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { toActiveWorkflow, viewPlan } from "../state/view-plan.ts";
import {
  applyPlanActions,
  isSameChange,
  type HeldAction,
  type PlanMessage,
} from "../summaries/apply-plan-actions.ts";
import { asksWhether, readDoubt } from "../summaries/confirming-clauses.ts";
import { findNamedStep, listNamedSteps } from "../summaries/named-steps.ts";
import {
  isAboutNamed,
  isAskedFor,
  HOLD_REASONS,
  type HoldReason,
} from "../summaries/is-asked-for.ts";
import { toPlanAction } from "../summaries/to-plan-action.ts";
import {
  wordPlanChanges,
  wordWishRefused,
  type PlanWishRefused,
} from "../summaries/word-plan-changes.ts";
import { isReadable } from "../output-filter/asked-change.ts";
import { listPhrases } from "../text/answer-words.ts";
import { oneLine } from "../text/fence.ts";
import { holdsWords } from "../text/holds-words.ts";
import { saysEnd } from "../text/plan-change-words.ts";
import { asksForNothing, foldAnswer, isCourtesy } from "../text/read-yes-no.ts";
import { renderSentence } from "../text/sentences.ts";
import { changeJourney, wantsJourneyChange } from "./concierge/change-journey.ts";
import { cleanPlanAction, createPlanWordCleaner } from "./concierge/clean-plan-words.ts";
import { withPlan } from "./concierge/phase-transitions.ts";
import { reworkPlan } from "./concierge/rework-plan.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { findPlanDoubt } from "./plan-doubt.ts";
import {
  findAgreed,
  findHalfAgreed,
  findWaiting,
  namesSomething,
  readPlanAnswer,
} from "./read-plan-answer.ts";

/** Returns true where the message has something to say about the plan, or about another journey. */
export function wantsPlanChange(state: TurnState): boolean {
  return changesPlan(state) || wantsJourneyChange(state);
}

function changesPlan(state: TurnState): boolean {
  const { journeyPlan, understanding } = state;
  if (journeyPlan === null || understanding === null) return false;
  const { planActions, rework } = understanding;
  const answered = findAgreed(state) ?? findHalfAgreed(state);
  return planActions.length > 0 || rework !== null || answered !== undefined;
}

/**
 * Makes the node that changes the plan, before anybody speaks: what a reply says about the plan is already
 * true when it is written. Asks a model only where the person leaves the content to the concierge. Then it
 * moves to the journey that the message asks for.
 */
export function createChangePlanNode(services: NodeServices) {
  return async function changePlan(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    if (state.understanding?.journey === "resume") {
      const moved = await changeJourney(state, { services, io });
      // Nobody was shown the steps of the plan that is back.
      if (moved.journeys !== undefined) return { ...moved, ...askAgain(state) };
    }
    const changed = changesPlan(state) ? await applyChanges(state, { services, io }) : {};
    const moved = await changeJourney({ ...state, ...changed }, { services, io });
    return { ...changed, ...moved };
  };
}

/** Asks for what the message wants of the plan once more. */
function askAgain({ understanding }: TurnState): Partial<Pick<TurnState, "planNews">> {
  const { planActions = [], rework } = understanding ?? {};
  const wishes = new Set([...planActions.map(({ words }) => words), rework ?? ""]);
  const reason = renderSentence("planHeldUnseen");
  const report = [...wishes]
    .filter((words) => words !== "")
    .map((words) => wordWishRefused({ words, reason }))
    .join(" ");
  return report === "" ? {} : { planNews: { report, isChanged: false } };
}

/**
 * Says of what a message asks of a step that there is no plan; null where there is one, or the message asks
 * for none or goes back to another journey. The actions may name ids that nobody was shown.
 */
export function reportMissingPlan(
  { journeyPlan, journeys, input }: Pick<TurnState, "journeyPlan" | "journeys" | "input">,
  { planActions, journey }: Pick<UnderstandAnswer, "planActions" | "journey">,
): TurnState["planNews"] {
  const asked = planActions.filter(
    (action) =>
      action.step !== null && isAskedFor(toPlanAction(action), { message: input?.text ?? "" }),
  );
  if (journeyPlan !== null || journey === "resume" || asked.length === 0) return null;
  const paused =
    findActiveJourney(journeys) === null
      ? journeys.findLast(({ status, planVersion }) => status === "paused" && planVersion !== null)
      : undefined;
  const cause =
    paused === undefined
      ? renderSentence("planMissing")
      : renderSentence("planPaused", { title: paused.title });
  const wishes = new Set(asked.map(({ words }) => words));
  const report = [...wishes].map((wish) => renderSentence("planNotChanged", { wish, cause }));
  return { report: report.join(" "), isChanged: false };
}

interface ApplyChangesOptions {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

async function applyChanges(
  state: TurnState,
  { services, io }: ApplyChangesOptions,
): Promise<Pick<TurnState, "concierge" | "journeyPlan" | "planNews" | "calls" | "notices">> {
  const { journeyPlan, understanding, turn, input, language } = state;
  if (journeyPlan === null || understanding === null) {
    throw new TypeError("Cannot change the plan: there is none");
  }
  const message = input?.text ?? "";
  const agreed = findAgreed(state);
  const clean = createPlanWordCleaner(state, services);
  const { actions, rework } = agreed ?? {
    actions: understanding.planActions.map((action) =>
      cleanPlanAction(toPlanAction(findNamedStep(action, journeyPlan)), clean),
    ),
    rework: understanding.rework,
  };
  const { limits } = services;
  const question = readLastQuestion(state.conciergeThread);
  const isAgreed = agreed !== undefined;
  const readAnswer = (action: PlanAction) => readPlanAnswer(action, state);
  const findDoubt = (action: PlanAction) => findPlanDoubt(action, { message, plan: journeyPlan });
  const given = { message, turn, language, question, limits, isAgreed, readAnswer, findDoubt };
  const asked = applyPlanActions(journeyPlan, actions, given);
  const holdReason = rework === null || isAgreed ? null : findReworkHoldReason(rework, state);
  const wish = holdReason === null ? rework : null;
  const held = listHeld(asked.held, { message, rework, holdReason });
  if (held.length === 0 && findHalfAgreed(state) !== undefined && findWaiting(state) !== undefined)
    held.push({ words: message, reason: renderSentence("planHeldAnswer") });
  const reworked = await reworkPlan(state, { wish, question, plan: asked.plan, services, io });
  const plan = reworked.plan;
  const results = [...asked.results, ...reworked.results];
  const changed = results.flatMap(({ outcome }) => (outcome.kind === "changed" ? outcome : []));
  for (const each of changed) io.emit(describeVersion(each));
  return {
    ...withPlan(state.concierge, plan),
    planNews: {
      report: wordPlanChanges({ results, refusals: [...held, ...reworked.refusals] }, plan),
      isChanged: changed.length > 0,
      ...askForYes(plan, {
        ...listAskedBack(state, { held: asked.held, rework, holdReason }),
        given,
      }),
    },
    calls: [...state.calls, ...reworked.calls],
    notices: [...state.notices, ...asked.dropped.map(noticeDropped), ...reworked.notices],
  };
}

/** Returns why a message asks for no rework; it agrees to one only where a question was put to it. */
function findReworkHoldReason(wish: string, state: TurnState): HoldReason | null {
  const { input, conciergeThread } = state;
  const message = input?.text ?? "";
  const answer = readPlanAnswer(null, state);
  if (answer !== null) return answer;
  if (asksWhether(message, wish)) return "planHeldQuestion";
  const doubt = readDoubt(message, wish);
  if (doubt !== null) return HOLD_REASONS[doubt];
  const isEmpty = asksForNothing(message) && conciergeQuestion(conciergeThread) === "";
  return isCourtesy(message) || isEmpty ? "nothing" : null;
}

interface ReworkHeld {
  readonly message: string;
  readonly rework: string | null;
  readonly holdReason: HoldReason | null;
}

/** Lists what is held back, by the person's own words, with the reason. */
function listHeld(
  held: readonly HeldAction[],
  { message, rework, holdReason }: ReworkHeld,
): PlanWishRefused[] {
  const actions = held.map(({ action: { words }, holdReason: reason }) => ({
    words: holdsWords(message, words) ? words : message,
    reason: renderSentence(reason),
  }));
  return rework === null || holdReason === null || holdReason === "nothing"
    ? actions
    : [...actions, { words: rework, reason: renderSentence(holdReason) }];
}

interface AskedBack extends Omit<ReworkHeld, "message"> {
  readonly held: readonly HeldAction[];
}

/** Lists what is asked about: what may be meant, and what was asked before where the answer to that is no plain yes. */
function listAskedBack(
  state: TurnState,
  { held, rework, holdReason }: AskedBack,
): Pick<PlanQuestion, "actions" | "rework"> {
  const isUnanswered =
    holdReason === "planHeldAnswer" || held.some((each) => each.holdReason === "planHeldAnswer");
  const open = findHalfAgreed(state) ?? (isUnanswered ? findWaiting(state) : undefined);
  const before = open ?? { actions: [], rework: null };
  const added = held.flatMap((each) => {
    const action = findOffered(each, state);
    return action === null || before.actions.some((other) => isSameChange(action, other))
      ? []
      : action;
  });
  // The words of an answer are no wish.
  const isOwn = holdReason !== null && holdReason !== "planHeldAnswer" && isAskedBack(holdReason);
  const isOther = added.length > 0 && INSTEAD.test(foldAnswer(state.input?.text ?? ""));
  return {
    actions: isOther ? added : [...before.actions, ...added],
    rework: isOwn ? rework : isOther ? null : before.rework,
  };
}

/**
 * Returns what a held action may mean all the same: of the one step that its words name, where that is another.
 * Null for what names several, and for a question that does not ask whether a step shall go.
 */
function findOffered({ action, holdReason }: HeldAction, state: TurnState): PlanAction | null {
  const message = state.input?.text ?? "";
  const { journeyPlan: plan } = state;
  if (!isAskedBack(holdReason) || plan === null) return null;
  if (holdReason === "planHeldAnswer" && !namesSomething(action, state)) return null;
  const isTheirs = holdsWords(message, action.words);
  const isGone = action.kind === "remove" || action.mark === "skipped";
  const asksForEnd =
    isTheirs && isGone && (saysEnd(action.words, "gone") || !isReadable(action.words));
  if (holdReason === "planHeldQuestion" && !asksForEnd) return null;
  const text = isTheirs ? action.words : message;
  if (isAboutNamed(action, { text, plan })) return action;
  const named = listNamedSteps(text, plan).ids;
  const [step, ...others] = plan.steps.filter(({ id }) => named.has(id));
  return step === undefined || others.length > 0 ? null : { ...action, target: step.id };
}

const INSTEAD = new RegExp(`(?<!\\S)(?:${listPhrases("instead")})(?!\\S)`, "u");

/** Returns true for what may be meant all the same. */
function isAskedBack(holdReason: HoldReason): boolean {
  return !["planHeldDenied", "planHeldOpen", "nothing"].includes(holdReason);
}

interface AskForYesOptions extends Pick<PlanQuestion, "actions" | "rework"> {
  readonly given: PlanMessage;
}

/** Words the question for what was held back, by what a yes would change; nothing where it would change nothing. */
function askForYes(
  plan: JourneyPlan,
  { actions, rework, given }: AskForYesOptions,
): { readonly asked?: PlanQuestion } {
  const tried = applyPlanActions(plan, actions, { ...given, isAgreed: true });
  const results = tried.results.filter(({ outcome }) => outcome.kind === "changed");
  const changes = [
    wordPlanChanges({ results }, tried.plan),
    rework === null ? "" : `“${oneLine(rework)}”.`,
  ].filter((text) => text !== "");
  const question = renderSentence("planAsk", { changes: changes.join(" ") });
  const asked = { turn: given.turn, question, actions: [...actions], rework };
  return changes.length === 0 ? {} : { asked };
}

function describeVersion({ change, affected, plan }: PlanChanged) {
  return {
    type: "plan-change" as const,
    change,
    affected: [...affected],
    workflow: toActiveWorkflow(plan),
    plan: viewPlan(plan),
  };
}

function noticeDropped({ kind, target }: PlanAction): Notice {
  const which = target === null ? kind : `${kind} of ${target}`;
  return {
    node: "changePlan",
    code: "not-asked-for",
    text: `A change to the plan (${which}) was left out: the message does not ask for it`,
  };
}
