import { clip } from "../registry/shorten.ts";
import { gated } from "../control-blocks/gate.ts";
import { oneLine } from "../text/fence.ts";
import type { LastQuestion } from "../summaries/is-asked-for.ts";
import type { ConciergeThread } from "../state/phase.ts";

const CHARACTERS = 240;

/** The question that the concierge's last answer ended with, on one line; empty where it asked none. */
export function conciergeQuestion(thread: ConciergeThread): string {
  return readLastQuestion(thread).question;
}

/** The concierge's last answer on one line, and the question that it ended with. */
export function readLastQuestion({ messages }: ConciergeThread): LastQuestion {
  const last = messages.findLast(({ role }) => role === "assistant");
  if (last === undefined) return { question: "", answer: "" };
  const answer = oneLine(gated(last.text));
  const sentences = answer.match(/[^.!?]+[.!?]+/gu) ?? [];
  const question = sentences.findLast((sentence) => sentence.endsWith("?"))?.trim() ?? "";
  return { question: clip(question, CHARACTERS), answer };
}
