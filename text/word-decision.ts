import type { ConfirmationDecision } from "../state/pending.ts";
import { renderSentence } from "./sentences.ts";
import { SHIPPED_SENTENCES } from "./shipped-sentences.ts";
import { speakIn } from "./spoken-language.ts";

/** Returns the words that a decision stands for, in a shipped language or in English. */
export function wordDecision(type: ConfirmationDecision["type"], language: string): string {
  const templates = new Map(Object.entries(SHIPPED_SENTENCES[language] ?? {}));
  return speakIn({ language, templates }, () =>
    renderSentence(type === "approve" ? "decisionApproves" : "decisionRejects"),
  );
}
