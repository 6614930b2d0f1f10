import { clip } from "../registry/shorten.ts";
import { gated } from "../control-blocks/gate.ts";
import { oneLine } from "../text/fence.ts";
import type { ConciergeThread } from "../state/phase.ts";

const CHARACTERS = 240;

/** The question that the concierge's last answer ended with, on one line; empty where it asked none. */
export function conciergeQuestion({ messages }: ConciergeThread): string {
  const last = messages.findLast(({ role }) => role === "assistant");
  if (last === undefined) return "";
  const sentences = oneLine(gated(last.text)).match(/[^.!?]+[.!?]+/gu) ?? [];
  const question = sentences.findLast((sentence) => sentence.endsWith("?"))?.trim() ?? "";
  return clip(question, CHARACTERS);
}
