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

/** Keeps results that are made of a domain's words, by its verbs: a copy with labels has them in common. */
type DomainKey = SimulatedWords["verbs"];

const domainNames = new WeakMap<DomainKey, ReturnType<typeof splitNames>>();

/** A domain brings hundreds of names, the same for every prompt: they are split once. */
function findDomainNames(words: SimulatedWords) {
  const { names, kinds } = words;
  const found =
    domainNames.get(words.verbs) ??
    splitNames([...names, ...Object.keys(kinds), ...Object.values(kinds).flat()]);
  domainNames.set(words.verbs, found);
  return found;
}

type PhraseTable = Pick<Lexicon, "phrases" | "phraseWords">;

/** Phrases by their words. */
type Phrases = ReadonlyMap<string, Phrase>;

/** A phrase as it is written, with one symbol of the grammar and what it names, if anything. */
type Wording = readonly [
  text: string,
  tag: string,
  meaning?: Partial<Pick<Phrase, "part" | "value">>,
];

let ownPhrases: Phrases | null = null;
const domainPhrases = new WeakMap<DomainKey, Phrases>();
const tables = new WeakMap<DomainKey, Map<string, PhraseTable>>();

/** The grammar has thousands of phrases: they are split once, those of a domain once, and each of its tables is made once. */
function findPhrases(words: SimulatedWords, parts: readonly string[]): PhraseTable {
  const isNamed = (part: string): boolean =>
    Object.keys(words.nouns).some((noun) => noun.split("/")[0] === part);
  const unnamed = parts.filter((part) => !isNamed(part));
  const known = tables.get(words.verbs) ?? new Map<string, PhraseTable>();
  tables.set(words.verbs, known);
  const key = unnamed.join(" ");
  const table = known.get(key) ?? createTable(words, unnamed);
  known.set(key, table);
  return table;
}

function createTable(words: SimulatedWords, unnamed: readonly string[]): PhraseTable {
  ownPhrases ??= mergePhrases(new Map(), listVerbs(WORDINGS.symbols));
  const given =
    domainPhrases.get(words.verbs) ??
    mergePhrases(ownPhrases, [
      ...listVerbs(words.verbs),
      ...Object.entries(words.nouns).flatMap((noun) => listNouns(noun, words)),
      ...Object.entries(words.values).flatMap(listValues),
    ]);
  domainPhrases.set(words.verbs, given);
  const added = unnamed.flatMap((part) => listNouns([part, []], words));
  const all = [...mergePhrases(given, added).values()];
  return {
    phrases: Map.groupBy(all, (phrase) => phrase.words[0] ?? ""),
    phraseWords: new Set(all.flatMap((phrase) => phrase.words)),
  };
}

function mergePhrases(known: Phrases, wordings: readonly Wording[]): Phrases {
  const merged = new Map(known);
  for (const [text, tag, meaning = {}] of wordings) {
    const words = splitWords(text);
    const key = words.join(" ");
    const before = merged.get(key);
    const { part = before?.part ?? null, value = before?.value ?? null } = meaning;
    merged.set(key, { words, tags: [...(before?.tags ?? []), tag], part, value });
  }
  return merged;
}

function listVerbs(verbs: Readonly<Record<string, readonly string[]>>): Wording[] {
  return Object.entries(verbs).flatMap(([tag, texts]) => {
    const [symbol = "", place] = tag.split(" in ");
    const [subdomain = "", value = null] = place?.split("/") ?? [];
    const meaning = place === undefined ? {} : { part: { subdomain, value } };
    return texts.map((text): Wording => [text, symbol, meaning]);
  });
}

function listNouns(
  [noun, texts]: readonly [string, readonly string[]],
  { roles }: SimulatedWords,
): Wording[] {
  const [subdomain = "", value = null] = noun.split("/");
  const tag = subdomain === roles.schedule ? "schedule" : "part";
  const names = [value ?? subdomain.replaceAll("_", " "), ...texts];
  const forms = new Set(names.flatMap((name) => [name, singular(name), `${singular(name)}s`]));
  return [...forms].map((text) => [text, tag, { part: { subdomain, value } }]);
}

function listValues([value, texts]: readonly [string, readonly string[]]): Wording[] {
  const forms = [value, ...texts].flatMap((text) => [text, `${text}s`]);
  return forms.map((text) => [text, "value", { value }]);
}

/** The usual phrase for a part: "shopping list", "fridge". */
export function namePart({ subdomain, value }: Part, { nouns }: SimulatedWords): string {
  const phrases = nouns[value === null ? subdomain : `${subdomain}/${value}`];
  return phrases?.[0] ?? value ?? subdomain.replaceAll("_", " ");
}
