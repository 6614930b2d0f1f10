import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { splitPhrases } from "../../state/simulated-words.ts";

const phrases = z.string().transform(splitPhrases);
const wordSet = phrases.transform((words): ReadonlySet<string> => new Set(words));
/** Pairs written as `short = words`. Looked up by a person's words, of which "constructor" is one: no object would do. */
const pairs = phrases.transform(
  (texts): ReadonlyMap<string, string> =>
    new Map(
      texts.map((text): [string, string] => {
        const [short = "", words = ""] = text.split(" = ");
        return [short, words];
      }),
    ),
);
/** Words that a contraction is without its apostrophe: "were", "ill". */
const OTHER_WORDS = new Set("well were ill wed shed shell hell id its whore".split(" "));
/** On a phone nobody types an apostrophe: "weve" is "we've". */
const contractions = pairs.transform((known): typeof known => {
  const bare = [...known].map(([short, words]): [string, string] => [
    short.replaceAll("'", ""),
    words,
  ]);
  return new Map([...bare.filter(([short]) => !OTHER_WORDS.has(short)), ...known]);
});
const numbers = pairs.transform((found) => z.map(z.string(), z.coerce.number()).parse(found));

const WordingsSchema = z.strictObject({
  contractions,
  symbols: z.record(z.string(), phrases),
  closed: wordSet,
  remarks: z.strictObject({
    links: wordSet,
    exclaims: wordSet,
    pasts: wordSet,
    binds: wordSet,
    subjects: wordSet,
    articles: wordSet,
    pointers: wordSet,
    pronouns: wordSet,
    joins: wordSet,
    adverbs: wordSet,
    verbs: wordSet,
    safe: wordSet,
    limits: wordSet,
    denials: wordSet,
    doubts: wordSet,
    owns: wordSet,
    keeps: wordSet,
    idle: wordSet,
  }),
  numbers,
  ordinals: numbers,
  ordinaltails: phrases,
  units: phrases,
});

/** The phrase table: what a person may type for each symbol of the grammar. */
export const WORDINGS = WordingsSchema.parse(
  parse(readFileSync(new URL("wordings.yaml", import.meta.url), "utf8")),
);
