import type { EnvelopePart } from "../state/envelope.ts";
import { HEADINGS } from "./headings.ts";
import { section, stablePart, volatilePart } from "./part.ts";
import { renderSystemText } from "./system-text.ts";

/** A sentence of the program, with placeholders. */
export interface TranslatedTemplate {
  readonly id: string;
  readonly template: string;
}

export interface TranslatePromptInput {
  /** English name of the language: "German". */
  readonly language: string;
  readonly sentences: readonly TranslatedTemplate[];
}

const RULES = [
  "A name in braces, as {rows}, stands for a value: keep each of them once, with its name unchanged.",
  "In {count|row|rows} the second word is for one, the third for several: translate these two words, keep the rest.",
  "Natural, short and plain, as an assistant speaks to a person it knows; “quotation marks” as the language writes them.",
  "Leave none out, and add nothing.",
] as const;

/** Asks for the program's own sentences in another language. Pinned by `test/golden/translate.*.md`. */
export function buildTranslatePrompt({
  language,
  sentences,
}: TranslatePromptInput): EnvelopePart[] {
  return [
    stablePart(
      "rules",
      "prompt:translate",
      renderSystemText({
        duty: "You translate the sentences that an assistant's program says itself.",
        rules: RULES,
        dataRule: null,
      }),
    ),
    volatilePart("language", "state:language", section(HEADINGS.language, language)),
    volatilePart(
      "sentences",
      "text:sentences",
      section(
        HEADINGS.sentences,
        sentences.map(({ id, template }) => `${id}: ${template}`).join("\n"),
      ),
    ),
  ];
}
