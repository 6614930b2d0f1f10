import { keyText } from "../../domain/changes/key-text.ts";
import { listNames } from "../../output-filter/asked-change.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import { isDay, wordDay } from "../../state/calendar.ts";
import type { Change } from "../../state/change.ts";
import { listVisibleColumns, rowKey, type Column, type EntityType } from "../../state/entity.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import { foldWords } from "../../text/fold-words.ts";
import { holdsWords } from "../../text/holds-words.ts";
import { leaveOutNames, nameColumn } from "./row-words.ts";
import { countDays } from "./spoken-days.ts";
import { isClock } from "./spoken-times.ts";
import { SpokenValues, type SpokenWords } from "./spoken-values.ts";

/** A row as a message may point at it. */
type PointedRow = Pick<RegistryEntry, "label" | "row">;

/** Parts of a row that a message has: words of its name, or of the name of a row that it points at, its days and times. */
interface Pointers {
  /** Those that stand there as they are. */
  readonly exact: readonly string[];
  /** The same, and those that stand there in another form. */
  readonly all: readonly string[];
}

/** Compares how a message points at the rows of a type. */
export class RowPointers {
  readonly #words: SpokenWords;
  readonly #columns: readonly Column[];
  /** Words that point at no row of the type. */
  readonly #common: string;
  readonly #spoken: SpokenValues;
  /** Each row is held against many updates. */
  readonly #known = new Map<PointedRow, Pointers>();

  constructor(type: EntityType, words: SpokenWords) {
    this.#words = words;
    this.#columns = listVisibleColumns(type);
    this.#common = [words.nouns, ...type.columns.map(nameColumn)].join(" ");
    this.#spoken = new SpokenValues(words);
  }

  /**
   * Makes the function that returns the words by which the message points at a row, where they are all that points
   * at an updated one, and more that is none of the values which it is given; empty for every other row.
   */
  compareWith({ label, changed, before, after }: Change): (rival: PointedRow) => string {
    const given = this.#columns
      .filter(({ name }) => changed.includes(name))
      .map((column) => this.#nameValue(column, after));
    const message = leaveOutNames(this.#words.message, given);
    const own = this.#read({ label, row: before }, new SpokenValues({ ...this.#words, message }));
    return (rival) => {
      const other = this.#known.get(rival) ?? this.#read(rival, this.#spoken);
      this.#known.set(rival, other);
      const hasMore = (): boolean =>
        other.exact.some(
          (each) => !own.exact.includes(each) && !given.some((value) => means(each, value)),
        );
      return own.all.every((each) => other.all.includes(each)) && hasMore()
        ? other.all.map((each) => wordDay(each, this.#words)).join(" ")
        : "";
    };
  }

  /** The name of the row that a value points at, or the value. */
  #nameValue({ name, references }: Column, row: PointedRow["row"]): string {
    const value = keyText(row?.[name]);
    return references === undefined
      ? value
      : (this.#words.labels.get(rowKey(references, value)) ?? "");
  }

  #read({ label, row }: PointedRow, spoken: SpokenValues): Pointers {
    const { message } = this.#words;
    const values = this.#columns.map((column) => ({ column, text: this.#nameValue(column, row) }));
    const names = values.filter(
      ({ column: { kind, references }, text }) =>
        references !== undefined || (kind === "text" && NAME.test(text)),
    );
    const name = [label, ...names.map(({ text }) => text)].join(" ");
    const own = readNames(name);
    const written = readNames(message);
    const words = written.filter((word) => own.includes(word));
    const moments = values.flatMap(({ column, text }) =>
      (isClock(text) || isDay(text)) && spoken.gives({ column, before: null, after: text })
        ? [text]
        : [],
    );
    return {
      exact: [
        ...words.filter((word) => listNames(word).length > 0 && !sharesWord(this.#common, word)),
        ...moments.filter((text) => isDay(text) || holdsClock(message, text)),
      ],
      all: [...words, ...written.filter((word) => sharesWord(name, word)), ...moments],
    };
  }
}

/** Returns true for a word, a day or a time that is, or may be, said of a value. */
function means(pointer: string, value: string): boolean {
  return isDay(pointer) && isDay(value)
    ? countDays(pointer, value) % WEEK === 0 || pointer.slice(8) === value.slice(8)
    : value === pointer || foldWords(value).includes(pointer);
}

const WEEK = 7;

/** "On the 9th" is no 09:00. */
function holdsClock(message: string, time: string): boolean {
  return holdsWords(message, time) || holdsWords(message, time.replace(/^0/u, ""));
}

/** Three words at most, not of figures alone: longer texts are no names. */
const NAME = /^(?=.*\p{L})\S+(?:\s\S+){0,2}$/u;

/** Reads the words of a text and its whole numbers, but no dates and times. */
function readNames(text: string): readonly string[] {
  return text.split(/\s+/u).flatMap((token) => {
    const plain = token.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    return /\p{L}|^\p{N}+$/u.test(plain) ? foldWords(plain) : [];
  });
}
