import { z } from "zod";
import { buildTranslatePrompt } from "../../prompts/translate.ts";
import type { CountTokens } from "../../state/model.ts";
import type { TurnState } from "../../state/turn.ts";
import { nameLanguage } from "../../text/spoken-language.ts";
import { askForAnswer } from "../ask/ask-model.ts";
import { answerSchema } from "../ask/read-checked.ts";
import { isTurnNearlySpent } from "../ask/turn-meter.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";
import type { SentenceTemplate } from "./sentence-book.ts";

const TranslationSchema = z.object({
  sentences: z
    .array(
      z.object({
        id: z.string().describe("its id, as it stands"),
        text: z.string().describe("the sentence in the other language"),
      }),
    )
    .describe("every sentence that is listed"),
});

/** The answer that translates sentences. */
export const TRANSLATION_ANSWER = answerSchema(
  "translation",
  "The sentences in the other language.",
  TranslationSchema,
);

interface TranslateOptions {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/**
 * Translates sentences of code into the conversation's language, as many as one answer holds, and keeps
 * them for the whole installation. Returns the calls. No reply waits for it: what is not translated is
 * said in English.
 */
export async function translateSentences(
  state: TurnState,
  { services, io }: TranslateOptions,
): Promise<TurnState["calls"]> {
  const { sentences, limits, countTokens } = services;
  const { language } = state;
  const missing = await sentences.listMissing(language);
  if (missing.length === 0 || isTurnNearlySpent(state.calls, services, io)) return [];
  const asked = takeAnswer(missing, limits.translationOutputTokens, countTokens);
  const answer = await askForAnswer(
    {
      node: "translate",
      role: "summarize",
      run: requireRun(state),
      turn: state.turn,
      parts: buildTranslatePrompt({ language: nameLanguage(language), sentences: asked }),
      required: ["rules", "language", "sentences"],
      thread: [],
      maxOutputTokens: limits.translationOutputTokens,
    },
    { schema: TRANSLATION_ANSWER, check: () => [], services, io },
  );
  // A model that gave no answer is asked again with the next turn, one that gave a useless one is not.
  if (answer.kind === "failed" && answer.code !== "invalid") return [...answer.calls];
  const given = answer.kind === "answered" ? answer.value.sentences : [];
  await sentences.keep(language, asked, new Map(given.map(({ id, text }) => [id, text])));
  return [...answer.calls];
}

/** A translation, its id and the syntax around it need about so many times the tokens of the English sentence. */
const GROWTH = 3;

/** Takes the first sentences whose translations fit into an answer; one at least. */
function takeAnswer(
  sentences: readonly SentenceTemplate[],
  tokens: number,
  countTokens: CountTokens,
): readonly SentenceTemplate[] {
  let left = tokens;
  const end = sentences.findIndex(({ id, template }) => {
    left -= countTokens(`${id}: ${template}`) * GROWTH;
    return left < 0;
  });
  return end === -1 ? sentences : sentences.slice(0, Math.max(1, end));
}
