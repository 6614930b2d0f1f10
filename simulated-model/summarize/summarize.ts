import { HEADINGS } from "../../prompts/headings.ts";
import type { Narrative } from "../../state/turn-summary.ts";
import { type Answer, answerValue } from "../answer.ts";
import { nonEmptyLines, type ParsedPrompt, readFenced } from "../prompt/read-prompt.ts";

/** Says what was replied. */
export function summarize({ section }: ParsedPrompt): Answer {
  const [first = "Nothing"] = nonEmptyLines(readFenced("reply", section(HEADINGS.reply)));
  const points = Array.from(first);
  const responseSummary = points.length <= 120 ? first : `${points.slice(0, 119).join("")}…`;
  const narrative: Partial<Narrative> = { responseSummary };
  return answerValue(narrative);
}
