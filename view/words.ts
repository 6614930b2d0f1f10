import type { BatchPurpose, ExpertOutcome } from "../state/batch.ts";
import type { Phase } from "../state/phase.ts";
import type { TurnOutcome } from "../state/turn-summary.ts";

/** The current activity of each node that a person has words for. */
export const NODE_WORDS: Readonly<Record<string, string>> = {
  understand: "reading the message",
  think: "planning",
  act: "working",
  reply: "writing",
  summarize: "taking notes",
  mapper: "comparing the answers",
  starter: "writing",
  explorer: "writing",
  executor: "writing",
};

/** The purpose of each phase. */
export const PHASE_WORDS = {
  starter: "getting the question clear",
  explorer: "exploring what could be done",
  executor: "carrying out the plan",
} as const satisfies Record<Phase, string>;

/** The subject of each kind of batch, as the end of "answered about …". */
export const SUBJECT = {
  opening: "the question",
  workflow: "the plan",
  "step-help": "the step",
} as const satisfies Record<BatchPurpose, string>;

export const OUTCOME_WORDS = {
  answered: "answered",
  partial: "answered in part",
  late: "late",
  cut: "cut short",
  failed: "failed",
} as const satisfies Record<ExpertOutcome, string>;

/** The end of a turn that was not simply answered. */
export const END_WORDS = {
  degraded: "answered in part: the language model failed in between",
  failed: "not answered: the language model failed",
} as const satisfies Partial<Record<TurnOutcome, string>>;

export const WEIGHING = "weighing the answers";
export const STEP_HELP = "The experts are working on the step; you can continue at any time.";
export const NOT_COMPARED = "too few answers to compare";
export const REPLY_AGAIN = "starting the reply again";

/** Returns the name of a table in plain words. */
export function nameTable(table: string): string {
  return table.replaceAll("_", " ");
}

/** Returns a number with its noun: "1 claim", "2 claims". */
export function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Shortens a text to one line of at most `characters` characters. */
export function shortenToWidth(text: string, characters: number): string {
  const line = [...text.replaceAll(/\s+/gu, " ").trim()];
  return line.length <= characters ? line.join("") : `${line.slice(0, characters - 1).join("")}…`;
}
