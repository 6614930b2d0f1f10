import { measureDistance, nearest } from "../../text/nearest.ts";

/** A name that stands for nothing, and those that it might have meant. */
export interface UnknownName {
  readonly name: string;
  readonly known: readonly string[];
  /** The known things, for a list of them: "the columns". */
  readonly what: string;
}

/** The end of a sentence about an unknown name: the near one, or all there are. */
export function adviseName({ name, known, what }: UnknownName): string {
  const near = nearest(name, known);
  // Of a word of three letters, two are not alike enough.
  const far = near === null ? 0 : measureDistance(name.toLowerCase(), near.toLowerCase());
  if (near !== null && far * 2 <= name.length) return `did you mean "${near}"?`;
  return known.length === 0 ? `there are none` : `${what} are ${known.join(", ")}`;
}

/** Joins names for a sentence: `"a", "b" and "c"`. */
export function quoteNames(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)]
    .filter((part) => part !== "")
    .join(" and ");
}

/** The values that stand more than once in a list, each once. */
export function findRepeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

/** The text with a capital letter at its start. */
export function startSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
