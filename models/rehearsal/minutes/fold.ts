import { countTokens } from "../../tokens.ts";
import type { Answer } from "../answer.ts";
import { linesOf, type ParsedPrompt } from "../prompt/read-prompt.ts";

/** Folds new lines into the history: what was done or decided stays, what was only looked at goes. */
export function fold(prompt: ParsedPrompt): Answer {
  const fresh = prompt.section("New lines");
  const budget = Number(/At most (\d+) tokens in all/.exec(fresh)?.[1] ?? 400);
  const lines = [
    ...linesOf(prompt.section("History so far")).filter((line) => !/^<\/?\w+>$/.test(line)),
    ...linesOf(fresh).flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : [])),
  ];
  const kept = fitted(lines.filter(isKept), budget);
  return { kind: "text", text: kept.length === 0 ? "Nothing was changed." : kept.join("\n") };
}

const TOLD =
  /\b(?:created|updated|deleted|drafted|Demoted|Restored|Dropped|blocked|saved|wish|rule)\b/;

/** The first turn is how the conversation began: it is always worth a line. */
function isKept(line: string): boolean {
  return line.startsWith("Turn 1: ") || TOLD.test(line);
}

/** Where there is too much, the oldest lines after the first go. */
function fitted(lines: readonly string[], budget: number): readonly string[] {
  let kept = lines;
  while (kept.length > 1 && countTokens(kept.join("\n")) > budget) kept = kept.toSpliced(1, 1);
  return kept;
}
