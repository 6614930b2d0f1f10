import { z } from "zod";
import {
  splitPhrases,
  type SimulatedWords,
  SimulatedWordsSchema,
} from "../state/simulated-words.ts";
import { STANDARD_CATALOGUE } from "./catalogue.ts";
import { readYaml } from "./read-yaml.ts";

const phrases = z.string().transform(splitPhrases);
const table = z.record(z.string(), phrases);

/** The file as it is written: phrases in one text, separated by bars. */
const FileSchema = z
  .looseObject({
    verbs: table,
    nouns: table,
    values: table,
    kinds: table,
    names: phrases,
    columns: phrases.optional(),
    examples: phrases,
  })
  .pipe(SimulatedWordsSchema);

const words = readYaml(new URL("simulated.yaml", import.meta.url), FileSchema);

const catalogue = STANDARD_CATALOGUE.flatMap(({ name, aliases }) => [name].concat(aliases));

/** The words of a kitchen for the simulated model; the names of the catalogue are among them. */
export const SIMULATED_WORDS: SimulatedWords = {
  ...words,
  names: [...words.names, ...catalogue],
};
