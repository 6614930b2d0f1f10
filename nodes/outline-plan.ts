import { buildWorkflowPrompt } from "../prompts/workflow.ts";
import type { TurnState } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import { WorkflowAnswerSchema, type ActiveWorkflow } from "../state/workflow.ts";
import { readPlan } from "../summaries/read-plan.ts";
import { startWorkflow } from "../summaries/workflow-progress.ts";
import { answerSchema, askForAnswer } from "./ask-model.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { runOf } from "./run-of.ts";

const SCHEMA = answerSchema("workflow", {
  description: "The steps of the plan.",
  schema: WorkflowAnswerSchema,
});

/**
 * Reads the workflow out of the plan that the executor has just shown; null in any other turn.
 * Where the model fails, code reads the numbered steps; a plan without any leaves no workflow.
 */
export async function outlinePlan(
  state: TurnState,
  { services, io }: { readonly services: NodeServices; readonly io: NodeIO },
): Promise<
  | ({ readonly workflow: ActiveWorkflow | null; readonly notices: readonly Notice[] } & Pick<
      TurnState,
      "calls"
    >)
  | null
> {
  const { concierge, conciergeThread, replies, turn } = state;
  const isNew =
    concierge.currentPhase === "executor" &&
    concierge.turnInPhase === 1 &&
    concierge.activeWorkflow === null &&
    conciergeThread.throughTurn === turn;
  const plan = replies.at(-1)?.text;
  if (!isNew || plan === undefined) return null;
  const { limits } = services;
  const goal = concierge.executionHandover?.goal ?? "";
  const asked = await askForAnswer(
    {
      node: "workflow",
      role: "summarize",
      run: runOf(state),
      turn,
      parts: buildWorkflowPrompt({ plan, goal }),
      required: ["rules", "plan"],
      thread: [],
      maxOutputTokens: 1_500,
    },
    {
      schema: SCHEMA,
      check: ({ steps }) => (steps.length === 0 ? ["steps: the plan has some"] : []),
      services,
      io,
    },
  );
  const steps = asked.kind === "answered" ? asked.value.steps : readPlan(plan);
  const kept = steps.slice(0, limits.workflowSteps);
  const notices = [
    ...asked.notices,
    ...(kept.length > 0
      ? []
      : [{ node: "workflow", code: "no-steps", text: "No steps could be read from the plan" }]),
  ];
  const named = asked.kind === "answered" && asked.value.goal !== "" ? asked.value.goal : goal;
  return {
    workflow: kept.length === 0 ? null : startWorkflow(named, kept),
    calls: [...asked.calls],
    notices,
  };
}
