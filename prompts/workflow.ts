import type { EnvelopePart } from "../state/envelope.ts";
import { fence, oneLine } from "../text/fence.ts";
import { HEADINGS } from "./headings.ts";
import { section, stablePart, volatilePart } from "./part.ts";
import { renderDataRule, renderSystemText } from "./system-text.ts";

export interface WorkflowPromptInput {
  /** The executor's first reply, without its control block. */
  readonly plan: string;
  readonly goal: string;
  /** The decisions of the handover, numbered from 1 in the prompt. */
  readonly decisionsMade: readonly string[];
}

const RULES = [
  "Add no step, leave none out and split none.",
  "Most steps rest on nothing.",
  "Write everything in the plan's language.",
] as const;

/** Asks for the steps of a plan. Pinned by `test/golden/workflow.*.md`. */
export function buildWorkflowPrompt({
  plan,
  goal,
  decisionsMade,
}: WorkflowPromptInput): EnvelopePart[] {
  return [
    stablePart(
      "rules",
      "prompt:workflow",
      renderSystemText({
        duty: "You read the steps and the decisions out of a plan that was given to a person.",
        rules: RULES,
        dataRule: renderDataRule(["plan"], "written by others"),
      }),
    ),
    volatilePart("goal", "handover:execution", section(HEADINGS.goal, oneLine(goal))),
    volatilePart(
      "decisions",
      "handover:execution",
      section(
        HEADINGS.decisionsMade,
        decisionsMade.map((choice, index) => `${index + 1}. ${oneLine(choice)}`).join("\n"),
      ),
    ),
    volatilePart("plan", "reply:executor", section(HEADINGS.plan, fence("plan", plan))),
  ];
}
