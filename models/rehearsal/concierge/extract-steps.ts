import { type Answer, asJson } from "../answer.ts";
import { type ParsedPrompt, unfenced } from "../prompt/read-prompt.ts";
import { readSteps } from "./read-notes.ts";
import { inline } from "./sayings.ts";

/** Reads the steps out of a plan. */
export function extractSteps({ section }: ParsedPrompt): Answer {
  const steps = readSteps(unfenced("plan", section("Plan"))).map(
    ({ title, description, doneWhen }) => ({ title, description, doneWhen }),
  );
  return { kind: "value", value: asJson({ goal: inline(section("Goal")), steps }) };
}
