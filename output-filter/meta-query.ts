import type { MetaKind } from "../state/understanding.ts";

const THAT = String.raw`(?:this|that|it|all this|your (?:answer|advice|plan))`;
const ASKED = String.raw`(?:experts|(?:ai )?models|ais|sources|people)`;

/** The plainest wordings, in English: what a model understands is not listed. */
const QUESTIONS: readonly (readonly [MetaKind, RegExp])[] = [
  [
    "agreement",
    new RegExp(
      String.raw`\bdid (?:they|all|both)?(?: ?(?:of )?(?:the|your) ${ASKED})? (?:all )?agree\b`,
      "u",
    ),
  ],
  [
    "dissent",
    new RegExp(
      String.raw`\b(?:where|how) did (?:they|(?:the|your) ${ASKED}) (?:disagree|differ)\b`,
      "u",
    ),
  ],
  ["sources", /\bwhat are your sources\b/u],
  ["sources", new RegExp(String.raw`\bhow do you know ${THAT}(?=[?!. ]*$)`, "u")],
  [
    "sources",
    new RegExp(String.raw`\bwhere did you get ${THAT}\b(?=[?!. ]*$| from| information| idea)`, "u"),
  ],
  ["sources", new RegExp(String.raw`\bwhat (?:is ${THAT} based|do you base ${THAT}) on\b`, "u")],
  [
    "sources",
    new RegExp(String.raw`\b(?:who|(?:which|how many) ${ASKED}) did you (?:ask|consult)\b`, "u"),
  ],
  [
    "sources",
    /\bdid you (?:ask|consult) (?:several|many|other|different) (?:experts|(?:ai )?models|ais)\b/u,
  ],
  [
    "identity",
    /\bare you (?:an? )?(?:ai|bot|robot|human|chatbot|chatgpt|language model|real person)\b(?! \p{L})/u,
  ],
  ["identity", /\b(?:which|what) (?:ai |language )?model are you\b/u],
  [
    "instructions",
    /\b(?:what are your instructions|show me your (?:system )?prompt|how does this assistant work)\b/u,
  ],
  ["memory", /\bwhat do you (?:remember|know about me)(?=[?!. ]*$)/u],
];

/** In characters: a question about the machinery is short; a long message asks for something else. */
const SHORT = 280;

/**
 * Returns what an unmistakable question about the assistant is about; null for everything else. For a
 * message that no model has read. Total; it says rather too little than too much.
 *
 * @example
 * readMetaKind("What are your sources?"); // "sources"
 */
export function readMetaKind(text: string): MetaKind | null {
  if (text.length > SHORT) return null;
  const plain = text.replace(/\s+/gu, " ").trim().toLowerCase();
  return QUESTIONS.find(([, question]) => question.test(plain))?.[0] ?? null;
}
