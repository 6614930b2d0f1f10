import { buildWorkflowPrompt } from "../../prompts/workflow.ts";
import type { TurnState } from "../../state/turn.ts";
import {
  WorkflowAnswerSchema,
  type ActiveWorkflow,
  type WorkflowAnswer,
} from "../../state/workflow.ts";
import { readPlan } from "../../summaries/read-plan.ts";
import { startWorkflow } from "../../summaries/workflow-progress.ts";
import { answerSchema, askForAnswer, type Asked } from "../ask/ask-model.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

/** The answer that reads the steps out of a plan. */
export const WORKFLOW_ANSWER = answerSchema(
  "workflow",
  "The steps of the plan.",
  WorkflowAnswerSchema,
);

/** The result of reading a plan. */
type Outline = {
  /** null: no step could be read. */
  readonly workflow: ActiveWorkflow | null;
} & Pick<Asked<unknown>, "calls" | "notices">;

interface OutlinePlanOptions {
  readonly byCode: boolean;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/**
 * Reads the workflow out of the plan that the executor has just shown; null in any other turn.
 * Where the model fails, or no model is to be asked (`byCode`), code reads the numbered steps; a
 * plan without any leaves no workflow.
 */
export async function outlinePlan(
  state: TurnState,
  facts: OutlinePlanOptions,
): Promise<Outline | null> {
  const { concierge, conciergeThread, replies, turn } = state;
  const isNew =
    concierge.currentPhase === "executor" &&
    concierge.turnInPhase === 1 &&
    concierge.activeWorkflow === null &&
    conciergeThread.throughTurn === turn;
  const plan = replies.at(-1)?.text;
  if (!isNew || plan === undefined) return null;
  const goal = concierge.executionHandover?.goal ?? "";
  const asked = facts.byCode ? null : await askForSteps(state, { ...facts, plan, goal });
  const answer: WorkflowAnswer =
    asked?.kind === "answered" ? asked.value : { goal: "", steps: readPlan(plan).steps };
  const steps = answer.steps.slice(0, facts.services.limits.planSteps);
  const calls = [...(asked?.calls ?? [])];
  const notices = asked?.notices ?? [];
  if (steps.length === 0) return { workflow: null, calls, notices: [...notices, NO_STEPS] };
  return { workflow: startWorkflow(answer.goal || goal, steps), calls, notices };
}

const NO_STEPS = {
  node: "workflow",
  code: "no-steps",
  text: "No steps could be read from the plan",
};

interface AskForStepsOptions {
  readonly plan: string;
  readonly goal: string;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

function askForSteps(state: TurnState, facts: AskForStepsOptions): Promise<Asked<WorkflowAnswer>> {
  const { plan, goal, services, io } = facts;
  return askForAnswer(
    {
      node: "workflow",
      role: "summarize",
      run: requireRun(state),
      turn: state.turn,
      parts: buildWorkflowPrompt({ plan, goal }),
      required: ["rules", "plan"],
      thread: [],
      maxOutputTokens: services.limits.workflowOutputTokens,
    },
    {
      schema: WORKFLOW_ANSWER,
      check: ({ steps }) => (steps.length === 0 ? ["steps: the plan has some"] : []),
      services,
      io,
    },
  );
}
