import type { SimulatedWords } from "../../state/simulated-words.ts";
import { singular, splitWords } from "./tokens.ts";
import { WORDINGS } from "./wordings.ts";

/** A part of the data: a subdomain, or the value that narrows it, such as `fridge` of the inventory. */
export interface Part {
  readonly subdomain: string;
  readonly value: string | null;
}

/** The narrower of two parts of which one lies in the other; null where none does. */
export function joinParts(one: Part | null, other: Part | null): Part | null {
  if (one === null || other === null || one.subdomain !== other.subdomain) return null;
  if (one.value === null || one.value === other.value) return other;
  return other.value === null ? one : null;
}

/** A phrase, the symbols of the grammar that it can be, and the part or value that it names. */
export interface Phrase {
  readonly words: readonly string[];
  readonly tags: readonly string[];
  readonly part: Part | null;
  readonly value: string | null;
}

/** All that a message is read with besides the message. */
export interface Lexicon {
  /** Phrases by their first word. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Every word of a phrase. */
  readonly phraseWords: ReadonlySet<string>;
  /** Known names, in words, by their first word in the singular. */
  readonly names: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** The words of known names in the singular: half a label is still a known word. */
  readonly nameWords: ReadonlySet<string>;
  readonly today: string;
  readonly words: SimulatedWords;
  /** The part that the message before was about, by which "it" can go; null where there is none. */
  readonly lastPart: Part | null;
  /** The things that the last reply found missing. */
  readonly missing: readonly string[];
  /** Parts whose things have no amount; with null where that is all of them. A number beside a name belongs to it there. */
  readonly uncounted: ReadonlySet<string | null>;
  /** Set where a number is read as part of a name. */
  readonly namesNumbers: boolean;
  /** Set for the commands of a plan: a ref that a person types is a word without a place. */
  readonly takesRefs: boolean;
}

/** The words of a domain that brings none of its own. */
export const NO_WORDS: SimulatedWords = {
  verbs: {},
  nouns: {},
  values: {},
  kinds: {},
  names: [],
  roles: { list: null, stock: null, choices: null, schedule: null, people: null },
  examples: [],
};

/** Facts of a prompt that decide which words are known. */
export interface LexiconFacts extends Pick<Lexicon, "words" | "today" | "takesRefs"> {
  /** Default: none. */
  readonly lastPart?: Part | null;
  /** Default: none. */
  readonly uncounted?: ReadonlySet<string | null>;
  /** Names of subdomains or tables that the prompt shows. */
  readonly parts: readonly string[];
  readonly labels: readonly string[];
}

/** Collects the words that a prompt and its domain make known. */
export function createLexicon({ words, parts, labels, ...given }: LexiconFacts): Lexicon {
  const table = findPhrases(words, parts);
  // "Show my preferences" means the part, and not the one row in it that is called so, too.
  const isPart = (label: string): boolean => {
    const split = splitWords(label);
    const fitting = (table.phrases.get(split[0] ?? "") ?? []).filter(({ part }) => part !== null);
    return fitting.some((phrase) => phrase.words.join(" ") === split.join(" "));
  };
  const shown = splitNames(labels.filter((label) => !isPart(label)));
  const domain = findDomainNames(words);
  return {
    ...table,
    names: Map.groupBy([...shown.names, ...domain.names], ([first = ""]) => first),
    nameWords: new Set([...shown.nameWords, ...domain.nameWords]),
    words,
    lastPart: null,
    missing: [],
    uncounted: new Set(),
    namesNumbers: false,
    ...given,
  };
}

/** Splits names into words, in the singular. */
function splitNames(texts: readonly string[]) {
  const names = texts
    .map((text) => splitWords(text).map(singular))
    .filter(({ length }) => length > 0);
  const nameWords = names
    .flat()
    .filter((word) => /\p{L}{3}/u.test(word) && !WORDINGS.closed.has(word));
  return { names, nameWords };
}

const domainNames = new WeakMap<SimulatedWords, ReturnType<typeof splitNames>>();

/** A domain brings hundreds of names, the same for every prompt: they are split once. */
function findDomainNames(words: SimulatedWords) {
  const { names, kinds } = words;
  const found =
    domainNames.get(words) ??
    splitNames([...names, ...Object.keys(kinds), ...Object.values(kinds).flat()]);
  domainNames.set(words, found);
  return found;
}

type PhraseTable = Pick<Lexicon, "phrases" | "phraseWords">;

const tables = new WeakMap<SimulatedWords, Map<string, PhraseTable>>();

/** The phrase table is the same for every prompt of a domain: it is made once. */
function findPhrases(words: SimulatedWords, parts: readonly string[]): PhraseTable {
  const known = tables.get(words) ?? new Map<string, PhraseTable>();
  tables.set(words, known);
  const key = parts.join(" ");
  const table = known.get(key) ?? createPhrases(words, parts);
  known.set(key, table);
  return table;
}

function createPhrases(words: SimulatedWords, parts: readonly string[]): PhraseTable {
  const merged = new Map<string, Phrase>();
  const add = (text: string, tag: string, meaning: Partial<Phrase> = {}): void => {
    const split = splitWords(text);
    const before = merged.get(split.join(" "));
    const { part = before?.part ?? null, value = before?.value ?? null } = meaning;
    merged.set(split.join(" "), {
      words: split,
      tags: [...(before?.tags ?? []), tag],
      part,
      value,
    });
  };
  for (const [tag, texts] of [
    ...Object.entries(WORDINGS.symbols),
    ...Object.entries(words.verbs),
  ]) {
    const [symbol = "", place] = tag.split(" in ");
    const [subdomain = "", value = null] = place?.split("/") ?? [];
    for (const text of texts)
      add(text, symbol, place === undefined ? {} : { part: { subdomain, value } });
  }
  const isNamed = (part: string): boolean =>
    Object.keys(words.nouns).some((noun) => noun.split("/")[0] === part);
  const unnamed = parts
    .filter((part) => !isNamed(part))
    .map((part): [string, string[]] => [part, []]);
  for (const [noun, texts] of [...Object.entries(words.nouns), ...unnamed]) {
    const [subdomain = "", value = null] = noun.split("/");
    const tag = subdomain === words.roles.schedule ? "schedule" : "part";
    const names = [value ?? subdomain.replaceAll("_", " "), ...texts];
    for (const text of new Set(
      names.flatMap((name) => [name, singular(name), `${singular(name)}s`]),
    )) {
      add(text, tag, { part: { subdomain, value } });
    }
  }
  for (const [value, texts] of Object.entries(words.values)) {
    for (const text of [value, ...texts])
      for (const form of [text, `${text}s`]) add(form, "value", { value });
  }
  const all = [...merged.values()];
  return {
    phrases: Map.groupBy(all, (phrase) => phrase.words[0] ?? ""),
    phraseWords: new Set(all.flatMap((phrase) => phrase.words)),
  };
}

/** The usual phrase for a part: "shopping list", "fridge". */
export function namePart({ subdomain, value }: Part, { nouns }: SimulatedWords): string {
  const phrases = nouns[value === null ? subdomain : `${subdomain}/${value}`];
  return phrases?.[0] ?? value ?? subdomain.replaceAll("_", " ");
}
