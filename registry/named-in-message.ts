import type { Registry } from "../state/registry.ts";
import { foldText, foldWords } from "../text/fold-words.ts";

/** Shortest label that counts: a shorter one stands in nearly every text. */
const LEAST_LETTERS = 3;
/** Shortest number that people name a row by, such as that of an order. */
const LEAST_DIGITS = 5;

interface NameableEntries {
  readonly entries: readonly Pick<Registry["entries"][number], "ref" | "label" | "facts">[];
}

/**
 * Returns the refs of the rows that a message names: by the whole label, or by a number in label or
 * facts. Case, accents and punctuation do not count. Pure.
 *
 * @example
 * const entries = [{ ref: "order_2", label: "order #W9389413", facts: "" }];
 * listNamedInMessage({ entries }, "where is W9389413?"); // ["order_2"]
 */
export function listNamedInMessage({ entries }: NameableEntries, message: string): string[] {
  const text = foldText(message);
  const words = new Set(foldWords(message));
  return entries
    .filter(({ label, facts }) => {
      const folded = foldText(label);
      const isWritten = folded.trim().length >= LEAST_LETTERS && text.includes(folded);
      return isWritten || listNumbers(`${folded}${foldText(facts)}`).some((one) => words.has(one));
    })
    .map(({ ref }) => ref);
}

function listNumbers(folded: string): readonly string[] {
  return folded.split(" ").filter((word) => word.length >= LEAST_DIGITS && /\p{N}/u.test(word));
}
