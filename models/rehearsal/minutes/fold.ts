import { countTokens } from "../../tokens.ts";
import type { Answer } from "../answer.ts";
import { linesOf, type ParsedPrompt } from "../prompt/read-prompt.ts";

/** What was done, taken out, drafted or decided is worth more than what was only looked at. */
const WORTH = /\b(?:created|updated|deleted|drafted|Demoted|Restored|Dropped|blocked|saved)\b/;

/** Folds new lines into the history: what matters stays, what was only looked at goes first. */
export function fold(prompt: ParsedPrompt): Answer {
  const fresh = prompt.section("New lines");
  const budget = Number(/At most (\d+) tokens in all/.exec(fresh)?.[1] ?? 400);
  const lines = [
    ...linesOf(prompt.section("History so far")).filter((line) => !/^<\/?\w+>$/.test(line)),
    ...linesOf(fresh).flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : [])),
  ];
  return { kind: "text", text: fitted(lines, budget).join("\n") };
}

/** The first turn is how the conversation began: it is kept as long as anything is. */
function fitted(lines: readonly string[], budget: number): readonly string[] {
  let kept = lines;
  const over = (): boolean => kept.length > 1 && countTokens(kept.join("\n")) > budget;
  while (over()) {
    const weak = kept.findIndex((line, index) => index > 0 && !WORTH.test(line));
    kept = kept.toSpliced(weak === -1 ? 1 : weak, 1);
  }
  return kept;
}
