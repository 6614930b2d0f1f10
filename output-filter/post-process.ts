import { claimCitations } from "./claim-citations.ts";
import { markCode } from "./mark-code.ts";

/**
 * The text without what a model left over and what can go without touching the meaning: citations
 * of claims in brackets behind a sentence, and white space at the ends of lines. No word is taken
 * away; what cannot be repaired is left for `detectMachineryLeakage` to name.
 *
 * Contract: idempotent, linear. Code is left as it is (fenced, indented, inline), and so are links
 * and hard line breaks. Outside code fences each paragraph is treated by itself, so that
 * `postProcess(a + "\n\n" + b)` is `postProcess(a) + "\n\n" + postProcess(b)` and a stream may be
 * cut at blank lines; inside a fence it may not.
 *
 * @example
 * postProcess("Soup is quick. [c3]"); // "Soup is quick."
 */
export function postProcess(text: string): string {
  const lines = text.split("\n");
  return markCode(lines)
    .map(({ line, code }, index) => {
      if (code === "block") return line;
      const cleaned = code === "span" ? line : withoutCitations(line);
      return trimEnd(cleaned, lines[index + 1] ?? "");
    })
    .join("\n");
}

function withoutCitations(line: string): string {
  const citations = claimCitations(line);
  const starts = [0, ...citations.map(({ end }) => end)];
  return starts.map((start, index) => line.slice(start, citations[index]?.start)).join("");
}

/** Two blanks or more before a line that goes on are a line break of Markdown. */
function trimEnd(line: string, next: string): string {
  const trimmed = line.replace(/(?<![ \t])[ \t]+$/u, "");
  const blanks = line.slice(trimmed.length);
  const isBreak = trimmed !== "" && blanks.startsWith("  ") && next.trim() !== "";
  return isBreak ? line : trimmed;
}
