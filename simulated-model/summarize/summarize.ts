import { HEADINGS } from "../../prompts/headings.ts";
import type { Narrative } from "../../state/turn-summary.ts";
import type { WorkflowProgress } from "../../state/workflow.ts";
import { type Answer, answerValue } from "../answer.ts";
import { finishedSteps, reopenedSteps } from "../concierge/read-person.ts";
import { nonEmptyLines, type ParsedPrompt, readFenced } from "../prompt/read-prompt.ts";

/** Says what was replied, and what the message says is done of a plan. */
export function summarize({ section, message }: ParsedPrompt): Answer {
  const [first = "Nothing"] = nonEmptyLines(readFenced("reply", section(HEADINGS.reply)));
  const narrative: Partial<Narrative> = { responseSummary: clip(first) };
  const plan = section(HEADINGS.planProgress);
  return answerValue(
    plan === "" ? narrative : { ...narrative, workflow: readProgress(message, plan) },
  );
}

/** The steps that the message says are done, and those that it takes up again. */
function readProgress(message: string, plan: string): WorkflowProgress {
  const steps = [...plan.matchAll(/^- (step_\d+) \((\w+)\): /gm)];
  const findStep = (number: number): string[] => {
    // "That is done" speaks of the step they are on.
    const step = number === 0 ? steps.find(([, , each]) => each === "active") : steps[number - 1];
    return step?.[1] === undefined ? [] : [step[1]];
  };
  const complete = new Set(steps.filter(([, , each]) => each === "complete").map(([, id]) => id));
  const reopened = reopenedSteps(message)
    .flatMap(findStep)
    .filter((id) => complete.has(id));
  const completed = finishedSteps(message).flatMap(findStep);
  return { completed: completed.filter((id) => !reopened.includes(id)), reopened };
}

function clip(text: string): string {
  const points = Array.from(text);
  return points.length <= 120 ? text : `${points.slice(0, 119).join("")}…`;
}
