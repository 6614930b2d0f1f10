import { z } from "zod";

/**
 * Words by which the simulated model knows a domain. A domain without them still has show, add,
 * remove and exclude: parts are then named by its subdomains, rows by their labels.
 */
export const SimulatedWordsSchema = z.strictObject({
  /** Phrases for symbols of the grammar, beside its own: `options: ["what can I cook"]`; with the place that a verb names: `istored in inventory/freezer: ["froze"]`. */
  verbs: z.record(z.string(), z.array(z.string())),
  /** Phrases for a part of the data, as `subdomain` or `subdomain/value`; the first of each is the usual one. */
  nouns: z.record(z.string(), z.array(z.string())),
  /** Phrases for the values of choice columns: `dinner: ["supper"]`. */
  values: z.record(z.string(), z.array(z.string())),
  /** Members of each kind: `fish: ["cod", "salmon"]`. */
  kinds: z.record(z.string(), z.array(z.string())),
  /** Things that a person may name without being asked whether they are meant. */
  names: z.array(z.string()),
  /** The subdomain of each role; null where the domain has none. */
  roles: z.strictObject({
    /** Receives an addition that names no part. */
    list: z.string().nullable(),
    /** Holds what is there. */
    stock: z.string().nullable(),
    /** Holds what can be chosen and put on days. */
    choices: z.string().nullable(),
    /** Holds what is on which day. */
    schedule: z.string().nullable(),
    /** Holds the people, each with `allergies`; the first is the one who talks. */
    people: z.string().nullable(),
  }),
  /**
   * Columns that a message sets without naming them: an amount with its unit, a place, a flag by which
   * a thing is marked, a day. Without them a number beside a name belongs to the name. Default: none.
   */
  columns: z.array(z.string()).optional(),
  /** Messages that the model understands, shown where it did not understand one. */
  examples: z.array(z.string()),
});
/** The words of a domain. Where its types are known, `labels` are added: nobody writes them. */
export interface SimulatedWords extends z.infer<typeof SimulatedWordsSchema> {
  /** Columns that the label of each type reads: the first text among them names its rows. Default: the first text does. */
  readonly labels?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Splits phrases that are separated by bars; `{a,b}` stands for either, `{a,}` for one that may be missing. */
export function splitPhrases(text: string): string[] {
  const phrases = text.split("|").flatMap(expandBraces);
  return phrases
    .map((phrase) => phrase.trim().replaceAll(/ {2,}/g, " "))
    .filter((phrase) => phrase !== "");
}

function expandBraces(phrase: string): string[] {
  const [braces, choices] = /\{([^{}]*)\}/.exec(phrase) ?? [];
  if (braces === undefined || choices === undefined) return [phrase];
  return choices.split(",").flatMap((choice) => expandBraces(phrase.replace(braces, () => choice)));
}
