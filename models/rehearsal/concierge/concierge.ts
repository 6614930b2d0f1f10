import type { Advice } from "../advice/advice.ts";
import type { Answer } from "../answer.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import { speakAsExecutor } from "./executor.ts";
import { speakAsExplorer } from "./explorer.ts";
import { readInstance } from "./instance.ts";
import { speakAsStarter } from "./starter.ts";

/** Speaks as the concierge that the thread's first prompt describes. */
export function converse(prompt: ParsedPrompt, advice: Advice): Answer {
  const instance = readInstance(prompt);
  switch (instance.phase) {
    case "starter":
      return { kind: "text", text: speakAsStarter(instance, advice) };
    case "explorer":
      return { kind: "text", text: speakAsExplorer(instance) };
    case "executor":
      return { kind: "text", text: speakAsExecutor(instance, advice) };
    case null:
      return {
        kind: "text",
        text: "I do not know my part here: the prompt does not say what I am to do.",
      };
    default:
      return instance.phase satisfies never;
  }
}
