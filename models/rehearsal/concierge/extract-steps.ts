import { type Answer, asJson } from "../answer.ts";
import { type ParsedPrompt, unfenced } from "../prompt/read-prompt.ts";
import { readSteps } from "./read-notes.ts";
import { inline } from "./sayings.ts";

/** What a plan is for, where nobody says it. */
const UNTOLD = "Carry out the plan";

/** Reads the steps out of a plan. */
export function extractSteps({ section }: ParsedPrompt): Answer {
  const steps = readSteps(unfenced("plan", section("Plan"))).map(
    ({ title, description, doneWhen }) => ({ title, description, doneWhen }),
  );
  const goal = inline(section("Goal"));
  return { kind: "value", value: asJson({ goal: goal === "" ? UNTOLD : goal, steps }) };
}
