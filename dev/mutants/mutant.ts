import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { parse } from "yaml";
import { z } from "zod";

const MistakesSchema = z.array(
  z.strictObject({
    file: z.string(),
    /** Test files or folders that run against the mistakes. */
    tests: z.array(z.string()).min(1),
    mistakes: z.array(
      z.strictObject({
        /** The promise that the mistake breaks, in a few words. */
        breaks: z.string(),
        /** Text that occurs exactly once in the file. */
        find: z.string(),
        replace: z.string(),
      }),
    ),
  }),
);
type Mistakes = z.infer<typeof MistakesSchema>[number];

/** A mistake that a careless change could make, and the tests that must notice it. */
export interface Mutant extends Omit<Mistakes, "mistakes"> {
  readonly breaks: string;
  readonly find: string;
  readonly replace: string;
}

/** Reads the mutants that are listed in `mutants.yaml`. */
export function readMutants(): readonly Mutant[] {
  const text = readFileSync(new URL("mutants.yaml", import.meta.url), "utf8");
  return MistakesSchema.parse(parse(text)).flatMap(({ mistakes, ...place }) =>
    mistakes.map((mistake) => ({ ...place, ...mistake })),
  );
}

/**
 * Returns the text of a mutant's file with the mistake in it.
 *
 * @throws RangeError where the text to replace does not occur exactly once; SyntaxError where what comes of it cannot be read.
 */
export function applyMutant(text: string, { file, find, replace }: Mutant): string {
  const times = text.split(find).length - 1;
  if (times !== 1) {
    throw new RangeError(
      `Cannot apply a mutant to ${file}: ${JSON.stringify(find)} occurs ${times} times, not once; bring dev/mutants/mutants.yaml up to date`,
    );
  }
  const mutated = text.replace(find, () => replace);
  if (file.endsWith(".ts")) stripTypeScriptTypes(mutated);
  return mutated;
}
