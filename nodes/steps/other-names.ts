import { namesNothing } from "../../output-filter/asked-change.ts";
import type { NameableRow } from "../../state/change.ts";
import { listNouns, listVisibleColumns, type EntityType } from "../../state/entity.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import { CHANGE_FIELDS } from "../../text/change-words.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { nameColumn } from "./row-words.ts";
import { listTimeWords } from "./time-words.ts";

/** A message, and the rows that it may name. */
interface NamedText {
  readonly message: string;
  readonly registry: {
    readonly entries: readonly Pick<RegistryEntry, "type" | "id" | "label" | "facts">[];
  };
  readonly entityTypes: readonly EntityType[];
  /** True where any word beside a part of a label belongs to the name: of a deletion no value stands there. */
  readonly isStrict: boolean;
}

/**
 * Makes the function that tells whether a message has words of a row's label as parts of other names only:
 * "The Great Gatsby" beside The Great Escape, "INV-2026-00900" beside INV-2026-00018, "Dune Messiah" beside
 * Dune. A part of a code, a word in capitals and a number of a label that has numbers belong to the name
 * that they stand in. Pure.
 */
export function createNameCheck(named: NamedText): (row: NameableRow) => boolean {
  const { message, registry, entityTypes, isStrict } = named;
  // Many checks are made and never asked.
  let tokens: readonly Token[] | null = null;
  return ({ type: name, id, label }) => {
    tokens ??= readTokens(message);
    const type = entityTypes.find((one) => one.type === name);
    const entry = registry.entries.find((one) => one.type === name && one.id === id);
    const others = registry.entries.filter((one) => one !== entry).map((one) => one.label);
    const words = [
      ...(type === undefined
        ? []
        : [...listNouns(type), ...listVisibleColumns(type).map(nameColumn)]),
      entry?.facts ?? "",
      ...others,
    ];
    const reader = new NameReader(label, {
      known: new Set(words.flatMap(foldWords)),
      isWhole: foldText(message).includes(foldText(label)),
      isStrict,
    });
    const names = reader.listNames(tokens);
    return names.length > 0 && names.every((tokensOfName) => reader.isForeign(tokensOfName));
  };
}

/** A word of a message. */
interface Token {
  readonly word: string;
  /** Begins with a capital letter, and no sentence. */
  readonly isCapital: boolean;
  /** Its relation to the word before: a part of one code, beside it, or apart. */
  readonly gap: "joined" | "beside" | "apart";
  /** Stands, in small letters, before an article in a part of the message that has no known verb for an end: "bin the tent". */
  readonly isVerb: boolean;
}

/** Dates in figures, which are no codes. */
const DATE = /\p{N}{4}-\p{N}{2}-\p{N}{2}|\p{N}{1,2}([./])\p{N}{1,2}\1(?:\p{N}{4}|\p{N}{2})?/gu;

function readTokens(message: string): readonly Token[] {
  const tokens = splitTokens(message);
  const starts = tokens.flatMap(({ gap }, at) => (gap === "apart" ? [at] : []));
  return starts.flatMap((start, index) => {
    const part = tokens.slice(start, starts[index + 1]);
    const isOpen = !endsSomething(part.map(({ word }) => word).join(" "));
    return part.map((token, at) => {
      const isBeforeArticle = ARTICLES.has(part[at + 1]?.word ?? "");
      const isVerb = isOpen && isBeforeArticle && !token.isCapital && !LINKS.has(token.word);
      return Object.assign(token, { isVerb });
    });
  });
}

/** Articles among the words of `LINKS`; "de" may be "of". */
const ARTICLES = new Set(["the", "der", "den", "la", "le"]);

/** Returns true for words with a verb for an end, or by which something can go. */
function endsSomething(text: string): boolean {
  return [...CHANGE_FIELDS.values()].some((language) =>
    language
      .split(text)
      .some(
        (word) =>
          language.has(word, "orders gone", "done gone", "at gone") ||
          (language.has(word, "requests") && /_(?:go|be|weg)$/u.test(word)),
      ),
  );
}

function splitTokens(message: string): readonly Omit<Token, "isVerb">[] {
  const text = message.normalize("NFKC").replaceAll(DATE, ",");
  const found = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)];
  return found.flatMap(({ 0: raw, index }, at) => {
    const before = found[at - 1];
    const end = before === undefined ? 0 : before.index + before[0].length;
    const between = text.slice(end, index);
    const begins = before === undefined || /[.!?\n]\s/u.test(between);
    const gap = /^[-–/._]$/u.test(between)
      ? "joined"
      : /^\s+#?$/u.test(between)
        ? "beside"
        : "apart";
    const [word] = foldWords(raw);
    if (word === undefined) return [];
    return {
      word,
      isCapital: !begins && /^\p{Lu}/u.test(raw),
      gap: before === undefined ? "apart" : gap,
    };
  });
}

interface NameFacts {
  /** Words that belong to no other name: of the row, its type and other rows. */
  readonly known: ReadonlySet<string>;
  readonly isWhole: boolean;
  readonly isStrict: boolean;
}

/** Words between two parts of a name: "Children of Dune". */
const LINKS = new Set("of de von van der den du di del la le the".split(" "));

/** Finds the names in a message that a label has words of. */
class NameReader {
  /** Its words by which it can be found in a message. */
  readonly #own: ReadonlySet<string>;
  readonly #all: ReadonlySet<string>;
  readonly #hasNumber: boolean;
  readonly #facts: NameFacts;

  constructor(label: string, facts: NameFacts) {
    this.#own = new Set(foldWords(label.replaceAll(DATE, " ")).filter((word) => !isSmall(word)));
    this.#all = new Set(foldWords(label));
    this.#hasNumber = /\p{N}/u.test(label);
    this.#facts = facts;
  }

  /** Lists the names around words of the label. */
  listNames(tokens: readonly Token[]): readonly (readonly Token[])[] {
    return tokens.flatMap((token, at) => {
      if (!this.#own.has(token.word)) return [];
      const [first, end] = [this.#walk(tokens, at, -1), this.#walk(tokens, at, 1)];
      return [tokens.slice(first, end + 1)];
    });
  }

  /** Returns true for a name with words that the label has not. */
  isForeign(name: readonly Token[]): boolean {
    return name.some((token) => !this.#all.has(token.word) && !LINKS.has(token.word));
  }

  /** The last place in a direction up to which words belong to one name. */
  #walk(tokens: readonly Token[], from: number, step: 1 | -1): number {
    let last = from;
    for (let at = from + step; ; at += step) {
      const token = tokens[at];
      const gap = tokens[step === 1 ? at : at + 1]?.gap ?? "apart";
      if (token === undefined || gap === "apart") return last;
      if (step === -1 && token.isVerb) return last;
      if (this.#belongs(token, gap === "joined")) last = at;
      else if (!LINKS.has(token.word)) return last;
    }
  }

  #belongs({ word, isCapital }: Token, isJoined: boolean): boolean {
    if (this.#own.has(word) || isJoined) return true;
    if (this.#facts.known.has(word) || isSmall(word) || listTimeWords().has(word)) return false;
    if (/\p{N}/u.test(word)) return this.#hasNumber && !this.#facts.isWhole;
    return isCapital || (this.#facts.isStrict && !this.#facts.isWhole);
  }
}

/** Forms of address, and words for a thing: no part of a name. */
const NO_NAMES = new Set(
  "mr mrs ms miss dr dra prof frau herr herrn hr fr mme mlle m sr sra sig dott mevr dhr one ones".split(
    " ",
  ),
);

/** Words beside a name that say how or by whom, and belong to none. */
const AROUND = new Set(
  (
    "herself himself itself themselves myself yourself ourselves he she we they anyway instead altogether completely entirely either again away already " +
    "selbst selber eh doch halt wieder trotzdem sowieso mal ganz komplett lieber raus er wir " +
    "meme finalement plutot carrement completement dehors elle nous mismo misma finalmente completamente stesso stessa comunque invece fuori " +
    "zelf toch maar weer helemaal eruit mesmo mesma afinal"
  ).split(" "),
);

/** Returns true for a word beside a name that says how or by whom: "herself", "anyway". Pure. */
export function isBesideName(word: string): boolean {
  return AROUND.has(word);
}

function isSmall(word: string): boolean {
  return (
    NO_NAMES.has(word) ||
    LINKS.has(word) ||
    AROUND.has(word) ||
    namesNothing(word) ||
    [...CHANGE_FIELDS.values()].some((language) => language.knows(word))
  );
}
