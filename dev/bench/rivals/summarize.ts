import { countTokens } from "../../../models/tokens.ts";

/** Most tokens of a summary: what this project gives history and ledger together. */
const SUMMARY_TOKENS = 600;
const SAID_CHARACTERS = 160;

/**
 * Stands in for the model that summarises: of the messages in a prompt of LangChain's
 * summarization middleware it keeps what was asked and how each answer began, in their own words,
 * the latest that fit, and of an earlier summary what is left room for.
 */
export function summarizeByRule(prompt: string): string {
  const transcript = /Messages to summarize:\n([\s\S]*)\n<\/messages>/u.exec(prompt)?.[1] ?? "";
  const lines = transcript.split("\n").flatMap(lineOf);
  let tokens = 0;
  const kept: string[] = [];
  for (const line of lines.toReversed()) {
    tokens += countTokens(line) + 1;
    if (tokens > SUMMARY_TOKENS) break;
    kept.unshift(line);
  }
  return kept.join("\n");
}

/** Tools' results, calls and all but the first line of a message are left out. */
function lineOf(line: string): string[] {
  const said = /^(?<who>Human|AI): (?<text>.+)$/u.exec(line)?.groups;
  if (said === undefined) return /^- (?:Asked|Answered): /u.test(line) ? [line] : [];
  const text = said["text"] ?? "";
  if (text.startsWith("[{") || text.startsWith("Here is a summary of the conversation")) return [];
  const verb = said["who"] === "Human" ? "Asked" : "Answered";
  return [`- ${verb}: ${text.slice(0, SAID_CHARACTERS)}`];
}
