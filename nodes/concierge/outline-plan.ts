import { buildWorkflowPrompt, type WorkflowPromptInput } from "../../prompts/workflow.ts";
import { PlannedPlanSchema, type JourneyPlan, type PlannedPlan } from "../../state/journey-plan.ts";
import { startPlan } from "../../state/start-plan.ts";
import type { TurnState } from "../../state/turn.ts";
import { readPlan } from "../../summaries/read-plan.ts";
import { answerSchema, askForAnswer, type Asked } from "../ask/ask-model.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

/** The answer that reads steps and decisions out of a plan. */
export const PLANNED_PLAN_ANSWER = answerSchema(
  "workflow",
  "The steps and decisions of the plan.",
  PlannedPlanSchema,
);

/** The result of reading a plan. */
type Outline = {
  /** null: no step could be read. */
  readonly plan: JourneyPlan | null;
} & Pick<Asked<unknown>, "calls" | "notices">;

interface OutlinePlanOptions {
  readonly byCode: boolean;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/**
 * Reads the plan that the executor has just shown as its first version; null in any other turn.
 * Where the model fails, or no model is to be asked (`byCode`), code reads the numbered steps; a
 * text without any leaves no plan.
 */
export async function outlinePlan(
  state: TurnState,
  facts: OutlinePlanOptions,
): Promise<Outline | null> {
  const { concierge, conciergeThread, journeyPlan, replies, turn } = state;
  const { limits } = facts.services;
  const isNew =
    concierge.currentPhase === "executor" &&
    concierge.turnInPhase === 1 &&
    journeyPlan === null &&
    conciergeThread.throughTurn === turn;
  const text = replies.at(-1)?.text;
  if (!isNew || text === undefined) return null;
  const { goal = "", decisionsMade = [] } = concierge.executionHandover ?? {};
  const asked = facts.byCode
    ? null
    : await askForPlan(state, { ...facts, plan: text, goal, decisionsMade });
  const planned = asked?.kind === "answered" ? asked.value : readPlan(text);
  const plan = startPlan(goal, planned, { decisionsMade, limits });
  const calls = [...(asked?.calls ?? [])];
  const notices = asked?.notices ?? [];
  if (plan.steps.length === 0) return { plan: null, calls, notices: [...notices, NO_STEPS] };
  return { plan, calls, notices };
}

const NO_STEPS = {
  node: "workflow",
  code: "no-steps",
  text: "No steps could be read from the plan",
};

interface AskForPlanOptions extends WorkflowPromptInput {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

function askForPlan(
  state: TurnState,
  { services, io, ...input }: AskForPlanOptions,
): Promise<Asked<PlannedPlan>> {
  return askForAnswer(
    {
      node: "workflow",
      role: "summarize",
      run: requireRun(state),
      turn: state.turn,
      parts: buildWorkflowPrompt(input),
      required: ["rules", "plan"],
      thread: [],
      maxOutputTokens: services.limits.workflowOutputTokens,
    },
    {
      schema: PLANNED_PLAN_ANSWER,
      check: ({ steps }) => (steps.length === 0 ? ["steps: the plan has some"] : []),
      services,
      io,
    },
  );
}
