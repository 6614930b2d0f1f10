import type { EnvelopePart } from "../state/envelope.ts";
import { oneLine } from "../text/fence.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, section, stablePart, volatilePart } from "./part.ts";
import { DATA_RULE, renderSystemText } from "./system-text.ts";

export interface SummarizePromptInput {
  readonly turn: number;
  /** The person's message, fenced. */
  readonly message: string;
  readonly goal: string;
  /** One line a step. */
  readonly outcomes: readonly string[];
  /** The refs that were excluded, kept or restored; empty where there are none. */
  readonly curation: string;
  /** The reply, fenced. */
  readonly reply: string;
}

const RULES = [
  "Never say that something was stored, changed or removed: that is recorded elsewhere.",
  "Use only what stands below. Refs stay as they are.",
] as const;

/** Asks for the narrative fields of a turn's record. Pinned by `test/golden/summarize.*.md`. */
export function buildSummarizePrompt(input: SummarizePromptInput): EnvelopePart[] {
  const turn = `turn-${input.turn}`;
  return [
    stablePart(
      "rules",
      "prompt:summarize",
      renderSystemText({
        duty: "You keep the minutes of a conversation. You say in a few words what a turn came to, for those who take part in the next one.",
        rules: RULES,
        dataRule: DATA_RULE,
      }),
    ),
    volatilePart("message", `input:${turn}`, section(HEADINGS.message, input.message)),
    volatilePart(
      "execution",
      `plan:${turn}`,
      section(
        HEADINGS.done,
        bullets([...(input.goal === "" ? [] : [`Goal: ${input.goal}`]), ...input.outcomes]),
      ),
    ),
    volatilePart(
      "curation",
      `understanding:${turn}`,
      section(HEADINGS.decided, oneLine(input.curation)),
    ),
    volatilePart("reply", `reply:${turn}`, section(HEADINGS.reply, input.reply)),
  ];
}
