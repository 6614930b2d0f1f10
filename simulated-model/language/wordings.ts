import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { splitPhrases } from "../../state/simulated-words.ts";

const phrases = z.string().transform(splitPhrases);
const wordSet = phrases.transform((words): ReadonlySet<string> => new Set(words));
/** Pairs written as `short = words`. */
const pairs = phrases.transform((texts): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.map((text) => text.split(" = "))),
);
/** Words that a contraction is without its apostrophe: "were", "ill". */
const OTHER_WORDS = new Set("well were ill wed shed shell hell id its whore".split(" "));
/** On a phone nobody types an apostrophe: "weve" is "we've". */
const contractions = pairs.transform((known): typeof known => {
  const bare = Object.entries(known).map(([short, words]) => [short.replaceAll("'", ""), words]);
  return {
    ...Object.fromEntries(bare.filter(([short = ""]) => !OTHER_WORDS.has(short))),
    ...known,
  };
});
const numbers = pairs.transform((found) => z.record(z.string(), z.coerce.number()).parse(found));

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
