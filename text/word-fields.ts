import { foldText } from "./fold-words.ts";

/** The letters by which forms of one verb are seen to be the same. */
const STEM = 4;

/** Finds words of one language by the fields of its table, in which `_` joins the words of a phrase. */
export class WordFields {
  readonly #fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Each phrase as it stands in a folded text, and as one word, the longest first. */
  readonly #phrases: readonly (readonly [apart: string, joined: string])[];

  constructor(fields: Readonly<Record<string, string>>) {
    const lists = Object.entries(fields).map(([name, words]): [string, ReadonlySet<string>] => [
      name,
      new Set(words.split(" ")),
    ]);
    this.#fields = new Map(lists);
    const phrases = lists.flatMap(([, words]) => [...words].filter((word) => word.includes("_")));
    this.#phrases = phrases
      .toSorted((one, other) => other.length - one.length)
      .map((phrase) => [` ${phrase.replaceAll("_", " ")} `, ` ${phrase} `]);
  }

  /** The words of a text, those of a phrase of the table as one. */
  split(text: string): readonly string[] {
    const joined = this.#phrases.reduce(
      (folded, [apart, whole]) => folded.replaceAll(apart, whole),
      foldText(text),
    );
    return joined.trim().split(" ");
  }

  has(word: string | undefined, ...fields: readonly string[]): boolean {
    return word !== undefined && fields.some((name) => this.#fields.get(name)?.has(word) === true);
  }

  /** Returns true for a word of any field. */
  knows(word: string): boolean {
    return this.has(word, ...this.#fields.keys());
  }

  /** Returns true for a word of four letters or more that begins as one of a field does. */
  begins(word: string, field: string): boolean {
    const stem = word.slice(0, STEM);
    return (
      stem.length === STEM &&
      [...(this.#fields.get(field) ?? [])].some((one) => one.startsWith(stem))
    );
  }

  /** The place of the first word of a field; -1 where there is none. */
  find(words: readonly string[], ...fields: readonly string[]): number {
    return words.findIndex((word) => this.has(word, ...fields));
  }

  /** The number of words that the language knows. */
  count(text: string): number {
    return this.split(text).filter((word) => this.knows(word)).length;
  }
}
