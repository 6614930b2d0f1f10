import { conciergeQuestion, readLastQuestion } from "../prompts/concierge-question.ts";
import { findActiveJourney } from "../state/journey.ts";
import type { PlanAction, PlanChanged } from "../state/plan-action.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { toActiveWorkflow, viewPlan } from "../state/view-plan.ts";
import { applyPlanActions } from "../summaries/apply-plan-actions.ts";
import { asksWhether, deniesWords } from "../summaries/confirming-clauses.ts";
import { findNamedStep } from "../summaries/named-steps.ts";
import { isAskedFor } from "../summaries/is-asked-for.ts";
import { toPlanAction } from "../summaries/to-plan-action.ts";
import { wordPlanChanges } from "../summaries/word-plan-changes.ts";
import { asksForNothing, isCourtesy } from "../text/read-yes-no.ts";
import { renderSentence } from "../text/sentences.ts";
import { changeJourney, wantsJourneyChange } from "./concierge/change-journey.ts";
import { withPlan } from "./concierge/phase-transitions.ts";
import { reworkPlan } from "./concierge/rework-plan.ts";
import type { NodeIO, NodeServices } from "./node.ts";

/** Returns true where the message has something to say about the plan, or about another journey. */
export function wantsPlanChange(state: Pick<TurnState, "journeyPlan" | "understanding">): boolean {
  return changesPlan(state) || wantsJourneyChange(state);
}

function changesPlan({
  journeyPlan,
  understanding,
}: Pick<TurnState, "journeyPlan" | "understanding">): boolean {
  if (journeyPlan === null || understanding === null) return false;
  return understanding.planActions.length > 0 || understanding.rework !== null;
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

/** Leaves it to the concierge to ask for what the message wants of the plan. */
function askAgain({ understanding }: TurnState): Partial<Pick<TurnState, "planNews">> {
  const { planActions = [], rework = null } = understanding ?? {};
  const unclear = listUnclear(planActions, rework);
  return unclear.length === 0 ? {} : { planNews: { report: "", unclear, isChanged: false } };
}

function listUnclear(
  actions: readonly { readonly kind: string; readonly words: string }[],
  rework: string | null,
) {
  return [
    ...actions.map(({ kind, words }) => ({ kind, words })),
    ...(rework === null ? [] : [{ kind: "rework", words: rework }]),
  ];
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
  return { report: report.join(" "), unclear: [], isChanged: false };
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
  const { planActions, rework } = understanding;
  const message = input?.text ?? "";
  const actions = planActions.map((action) => toPlanAction(findNamedStep(action, journeyPlan)));
  const { limits } = services;
  const question = readLastQuestion(state.conciergeThread);
  const asked = applyPlanActions(journeyPlan, actions, {
    message,
    turn,
    language,
    question,
    limits,
  });
  const isOpen = rework !== null && !asksForRework(rework, state);
  const wish = isOpen ? null : rework;
  const reworked = await reworkPlan(state, { wish, question, plan: asked.plan, services, io });
  const plan = reworked.plan;
  const results = [...asked.results, ...reworked.results];
  const changed = results.flatMap(({ outcome }) => (outcome.kind === "changed" ? outcome : []));
  for (const each of changed) io.emit(describeVersion(each));
  return {
    ...withPlan(state.concierge, plan),
    planNews: {
      unclear: listUnclear(asked.unclear, isOpen ? rework : null),
      report: wordPlanChanges({ results, refusal: reworked.refusal }, plan),
      isChanged: changed.length > 0,
    },
    calls: [...state.calls, ...reworked.calls],
    notices: [...state.notices, ...asked.dropped.map(noticeDropped), ...reworked.notices],
  };
}

/** Returns true where a message asks for a rework, and agrees to one only where a question was put to it. */
function asksForRework(wish: string, { input, conciergeThread }: TurnState): boolean {
  const message = input?.text ?? "";
  if (asksWhether(message, wish) || deniesWords(message, wish) || isCourtesy(message)) return false;
  return !asksForNothing(message) || conciergeQuestion(conciergeThread) !== "";
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
