import { z } from "zod";
import { gated } from "../../control-blocks/gate.ts";
import { buildChangePlanPrompt, type RemovedStep } from "../../prompts/change-plan.ts";
import { viewConversation } from "../../prompts/view.ts";
import { shorten } from "../../registry/shorten.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import { PlanActionSchema, type PlanRefusal } from "../../state/plan-action.ts";
import type { TurnState } from "../../state/turn.ts";
import { viewPlan } from "../../state/view-plan.ts";
import {
  applyRework,
  type PlanActionResult,
  type PlanReworked,
} from "../../summaries/apply-plan-actions.ts";
import type { LastQuestion } from "../../summaries/is-asked-for.ts";
import { wordReason, type PlanWishRefused } from "../../summaries/word-plan-changes.ts";
import { renderSentence } from "../../text/sentences.ts";
import { ENGLISH, speakIn } from "../../text/spoken-language.ts";
import { askForAnswer } from "../ask/ask-model.ts";
import { answerSchema } from "../ask/read-checked.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { cleanPlanAction, createPlanWordCleaner } from "./clean-plan-words.ts";
import { loadNewestBatch } from "./newest-batch.ts";
import { requireRun } from "../require-run.ts";

const PlanChangesSchema = z.object({
  actions: z
    .array(PlanActionSchema)
    .describe("the changes, carried out one after the other; [] where nothing is to change"),
});
type PlanChanges = z.infer<typeof PlanChangesSchema>;

/** The answer that changes a plan. */
export const CHANGE_PLAN_ANSWER = answerSchema(
  "change_plan",
  "The changes to the plan.",
  PlanChangesSchema,
);

/** The result of a wish that leaves the content to the concierge. */
interface Rework extends Pick<TurnState, "calls" | "notices"> {
  readonly plan: JourneyPlan;
  readonly results: readonly PlanActionResult[];
  /** The wish, and why the plan stays as it was; empty where it was carried out, or nothing was wished. */
  readonly refusals: readonly PlanWishRefused[];
}

interface ReworkOptions {
  /** The wish whose content is left to the concierge, verbatim; null for none. */
  readonly wish: string | null;
  /** The concierge's last question: a yes answers it. */
  readonly question: LastQuestion;
  /** The plan after what the message asked for outright. */
  readonly plan: JourneyPlan;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/**
 * Asks the concierge's model how the plan changes by a wish, and applies all of its changes or
 * none. Changes that are refused go back once, with the reasons.
 */
export async function reworkPlan(state: TurnState, facts: ReworkOptions): Promise<Rework> {
  const { wish, question, plan, services, io } = facts;
  const unchanged = { plan, results: [], refusals: [], calls: [], notices: [] };
  if (wish === null) return unchanged;
  const clean = createPlanWordCleaner(state, services);
  const given = { wish, turn: state.turn, question, limits: services.limits };
  const apply = ({ actions }: PlanChanges): PlanReworked =>
    applyRework(
      plan,
      actions.map((action) => cleanPlanAction(action, clean)),
      given,
    );
  // The reasons of the last answer that was read, also where it could not be used.
  let reason = renderSentence("planNotWorkedOut");
  const asked = await askForAnswer(
    {
      node: "changePlan",
      role: "concierge",
      run: requireRun(state),
      turn: state.turn,
      parts: await buildParts(state, { ...facts, wish }),
      required: ["rules", "plan", "wish"],
      ids: { step: [...plan.steps, ...plan.decisions].map(({ id }) => id) },
      thread: [],
      earlier: state.notices,
      maxOutputTokens: services.limits.workflowOutputTokens,
    },
    {
      schema: CHANGE_PLAN_ANSWER,
      check: (answer) => {
        const reworked = apply(answer);
        reason = explainRefusal(reworked);
        return listProblems(reworked);
      },
      services,
      io,
    },
  );
  const calls = [...asked.calls];
  const notices = [...asked.notices];
  const refuse = (why: string): Rework => ({
    ...unchanged,
    refusals: [{ words: wish, reason: why }],
    calls,
    notices,
  });
  const reworked = asked.kind === "failed" ? null : apply(asked.value);
  if (reworked === null || reworked.kind === "refused") {
    return refuse(reason);
  }
  if (reworked.results.length === 0) return refuse(renderSentence("planNothingForWish"));
  return { ...reworked, refusals: [], calls, notices };
}

/** Refusals that lie with the plan, and those that lie with the wish; the others are mistakes of an answer, which are nothing to the person. */
const EXPLAINED: readonly ReadonlySet<PlanRefusal>[] = [
  new Set(["duplicate", "too-many", "last-step", "done-step"]),
  new Set(["not-asked-for"]),
];

/** Returns why a wish is not carried out, in words for the person. */
function explainRefusal(reworked: PlanReworked): string {
  const unexplained = renderSentence("planNotWorkedOut");
  if (reworked.kind === "changed") return unexplained;
  const outcomes = reworked.refusals.map(({ outcome }) => outcome);
  const reasons = EXPLAINED.map((codes) =>
    outcomes.filter(({ code }) => codes.has(code)).map(wordReason),
  ).find(({ length }) => length > 0);
  return reasons === undefined ? unexplained : [...new Set(reasons)].join("; ");
}

function listProblems(reworked: PlanReworked): string[] {
  if (reworked.kind === "changed") return [];
  return reworked.refusals.map(
    ({ action, outcome }) =>
      `actions (${action.kind}${action.target === null ? "" : ` ${action.target}`}): ${speakIn(ENGLISH, () => wordReason(outcome))}`,
  );
}

interface PartsOptions extends ReworkOptions {
  readonly wish: string;
}

async function buildParts(state: TurnState, { plan, wish, services }: PartsOptions) {
  const { limits, countTokens } = services;
  const last = state.conciergeThread.messages.findLast(({ role }) => role === "assistant");
  const batch = await loadNewestBatch(state, services);
  return buildChangePlanPrompt({
    plan: viewPlan(plan),
    removed: listRemoved(state.journeyPlan ?? plan, plan),
    wish: shorten(wish, { tokens: limits.messageTokens, countTokens }),
    lastAnswer: last === undefined ? "" : gated(last.text),
    constraints: viewConversation(state, services).constraints,
    analysis: batch?.analysis ?? null,
    planTokens: limits.planTokens,
    sheetTokens: limits.stepSheetTokens,
    countTokens,
  });
}

/** Lists the steps that the message has taken out, with the places that they had. */
function listRemoved(before: JourneyPlan, after: JourneyPlan): readonly RemovedStep[] {
  const left = new Set(after.steps.map(({ id }) => id));
  return before.steps.flatMap(({ id, title }, index) => {
    if (left.has(id)) return [];
    const place = before.steps.slice(0, index).findLast((step) => left.has(step.id));
    return [{ title, after: place?.id ?? "start" }];
  });
}
