import { namesNothing } from "../../output-filter/asked-change.ts";
import type { NameableRow } from "../../state/change.ts";
import { listNouns, rowKey, type EntityType } from "../../state/entity.ts";
import type { Registry } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Understanding } from "../../state/understanding.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { readYesNo } from "../../text/read-yes-no.ts";

/** Words of the person, the refs that they mean, and what the conversation knows by label. */
export interface WrittenWords {
  readonly message: string;
  readonly references: readonly Understanding["references"][number][];
  readonly known: readonly NameableRow[];
  readonly entityTypes: readonly Pick<EntityType, "type" | "words">[];
}

/** Shortest label that counts as named by standing in a text: a shorter one stands in nearly every text. */
const SHORTEST = 3;

/**
 * Returns those of the rows (or of their changes, or of items of their lists) that the person has
 * named beyond doubt: by a reference whose words stand in the message, or by their labels. A label
 * that several rows of a type have, or several of the given rows, names them only where it stands as
 * often; so does one in a message that speaks of another type than the row's own. The word for a
 * type is no name, and neither is "yes" or "all". What a model put into a plan or a call does not count. Pure.
 */
export function selectNamed<T extends NameableRow>(
  rows: readonly T[],
  words: WrittenWords,
): readonly T[] {
  const found = rows.map((row) => findLabel(row, words.known));
  const naming = new Naming(found, words);
  return rows.filter((_, index) => naming.covers(found[index]));
}

/** Returns what a conversation knows by label. What is gone still has its name: "remove the oat milk" never names the milk. */
export function listNameable({ entries }: Pick<Registry, "entries">): readonly NameableRow[] {
  return entries.map((entry) => (entry.action === "deleted" ? { ...entry, id: null } : entry));
}

/**
 * Returns those of the rows that the message names by a label that another row of the type has, and that
 * no word of their facts, as the person has seen them, tells from it. Pure.
 */
export function selectMistakable<T extends NameableRow>(
  rows: readonly T[],
  words: WrittenWords,
  findFacts: (row: NameableRow) => string,
): readonly T[] {
  const naming = new Naming(rows, words);
  const message = new Set(foldWords(words.message));
  return rows.filter((row) => {
    const doubles = naming.listDoubles(row);
    const others = new Set(doubles.flatMap((other) => foldWords(findFacts(other))));
    const isDistinct = foldWords(findFacts(row)).some(
      (word) => message.has(word) && !others.has(word),
    );
    return doubles.length > 0 && !isDistinct;
  });
}

/** Returns those of the rows whose label stands in the message by itself, whichever row it means there. Pure. */
export function selectLabelled<T extends NameableRow>(
  rows: readonly T[],
  words: WrittenWords,
): readonly T[] {
  const naming = new Naming(rows, words);
  return rows.filter(({ label }) => naming.countLabel(label) > 0);
}

/** Rows that are to be changed, held against the words of the person. */
class Naming {
  readonly #rows: readonly NameableRow[];
  readonly #words: WrittenWords;
  readonly #text: Words;
  /** The words for each type. */
  readonly #nouns: ReadonlyMap<string, readonly string[]>;
  /** The types that the message speaks of. */
  readonly #mentioned: ReadonlySet<string>;

  constructor(rows: readonly NameableRow[], words: WrittenWords) {
    this.#rows = rows;
    this.#words = words;
    this.#text = readWords(words.message, [...words.known, ...rows]);
    this.#nouns = new Map(
      words.entityTypes.map((type) => [type.type, listNouns(type).map(foldForms)]),
    );
    const isMentioned = (nouns: readonly string[]): boolean =>
      nouns.some((noun) => countPlaces(noun, this.#text) > 0);
    this.#mentioned = new Set(
      [...this.#nouns].filter(([, nouns]) => isMentioned(nouns)).map(([type]) => type),
    );
  }

  /** Returns true for one of the rows that is named beyond doubt. */
  covers(row: NameableRow | undefined): boolean {
    if (row === undefined) return false;
    // Each type that is spoken of in place of the row's own may be what a mention means.
    const strangers = this.#isMeant(row) ? 0 : this.#mentioned.size;
    const places = this.countLabel(row.label);
    if (places === 0) return strangers === 0 && this.#isReferred(row);
    const rivals = this.#listRivals(row);
    return rivals.includes(row) && countRows(rivals) + strangers <= places;
  }

  /** Counts the places where the message has a label that names something. */
  countLabel(label: string): number {
    const name = foldForms(label);
    return this.#isName(name) ? countPlaces(name, this.#text) : 0;
  }

  /** The rows of its type that a mention of a row's label may mean as well; none where the row is named beyond doubt. */
  listDoubles(row: NameableRow): readonly NameableRow[] {
    if (this.countLabel(row.label) === 0 || this.covers(row)) return [];
    return this.#listAlike(row).filter(
      (other) => other.type === row.type && !isSameRow(other, row),
    );
  }

  /** The rows that a mention of the row's label may mean: those that the message refers to, where there are such. */
  #listRivals(row: NameableRow): readonly NameableRow[] {
    const rivals = this.#listAlike(row).filter(
      (other) => this.#isMeant(other) || !this.#isMeant(row),
    );
    const referred = rivals.filter((other) => this.#isReferred(other, isMoreThanLabel));
    return referred.length === 0 ? rivals : referred;
  }

  /** The given rows of the row's label, and the known ones of its type. */
  #listAlike(row: NameableRow): readonly NameableRow[] {
    const label = foldForms(row.label);
    const isAlike = (other: NameableRow): boolean => foldForms(other.label) === label;
    const given = this.#rows.filter(isAlike);
    const known = this.#words.known.filter(
      (other) =>
        other.id !== null &&
        other.type === row.type &&
        isAlike(other) &&
        !given.some((one) => isSameRow(one, other)),
    );
    return [...given, ...known];
  }

  #isMeant({ type }: NameableRow): boolean {
    return this.#mentioned.size === 0 || this.#mentioned.has(type);
  }

  /** A reference whose words are the label of something else means that, whatever ref it gives. */
  #isReferred(
    row: NameableRow,
    distinguishes: (text: string, row: NameableRow) => boolean = () => true,
  ): boolean {
    const { references, known } = this.#words;
    const own = references.filter(({ text }) => {
      if (!distinguishes(text, row)) return false;
      const label = foldForms(text);
      const named = [row, ...known].filter((other) => foldForms(other.label) === label);
      return named.length === 0 || named.some((other) => isSameRow(other, row));
    });
    return isReferred(row, own, this.#text);
  }

  #isName(label: string): boolean {
    const isNoun = [...this.#nouns.values()].some((nouns) => nouns.includes(label));
    return (
      label.trim().length >= SHORTEST &&
      !isNoun &&
      !namesNothing(label) &&
      readYesNo(label) === null
    );
  }
}

/** Returns true for words that say more of a row than its label, which other rows have too: "the milk in the fridge". */
function isMoreThanLabel(text: string, { label }: NameableRow): boolean {
  const rest = foldForms(text).replaceAll(foldForms(label), " ");
  return rest.trim() !== "" && !namesNothing(rest);
}

function isSameRow(one: NameableRow, other: NameableRow): boolean {
  return one === other || (one.id !== null && one.id === other.id && one.type === other.type);
}

/** A row whose label is left out, with the label by which the conversation knows it. */
function findLabel(row: NameableRow, known: readonly NameableRow[]): NameableRow {
  if (row.label !== "" || row.id === null) return row;
  const entry = known.find(({ type, id }) => type === row.type && id === row.id);
  return entry === undefined ? row : { ...row, ref: entry.ref, label: entry.label };
}

/** Counts rows; a row that is changed twice is one. */
function countRows(rows: readonly NameableRow[]): number {
  const keys = new Set(rows.flatMap(({ type, id }) => (id === null ? [] : [rowKey(type, id)])));
  return keys.size + rows.filter(({ id }) => id === null).length;
}

/**
 * Returns the refs of the rows that the message of the turn may name, those of one label side by
 * side: for prompts, which show them first.
 */
export function listNamedRefs(
  { entries }: Registry,
  { input, understanding }: Pick<TurnState, "input" | "understanding">,
): readonly string[] {
  const text = readWords(input?.text ?? "", entries);
  const references = understanding?.references ?? [];
  return entries
    .filter((entry) => {
      const label = foldForms(entry.label);
      const isWritten = label.trim().length >= SHORTEST && countPlaces(label, text) > 0;
      return isWritten || isReferred(entry, references, text);
    })
    .map(({ ref }) => ref);
}

/** A message in words, and the places of all known labels in it. */
interface Words {
  readonly text: string;
  readonly labels: readonly Place[];
}

/** The words of a text, those of a plural as of one thing: "the tomato" names the tomatoes. */
function foldForms(text: string): string {
  return foldText(text).replaceAll(PLURAL, "");
}

/** The end of a plural in English, Spanish, French and Portuguese, behind three letters. */
const PLURAL = /(?<=\p{L}{3})(?:(?<=[sxzo]|[cs]h)e)?(?<!s)s(?= )/gu;

function readWords(message: string, rows: readonly Pick<NameableRow, "label">[]): Words {
  const text = foldForms(message);
  const labels = new Set(rows.map(({ label }) => foldForms(label)));
  return { text, labels: [...labels].flatMap((label) => findPlaces(label, text)) };
}

function isReferred(
  { ref }: Pick<NameableRow, "ref">,
  references: WrittenWords["references"],
  text: Words,
): boolean {
  return references.some(
    (reference) => reference.ref === ref && countPlaces(foldReference(reference.text), text) > 0,
  );
}

/**
 * Counts the places where words stand by themselves: inside the longer label of something else they
 * name that. "Remove the oat milk" does not name the milk.
 */
function countPlaces(words: string, { text, labels }: Words): number {
  const others = labels.filter((place) => place.words !== words);
  return findPlaces(words, text).filter((place) => !others.some((other) => isWithin(place, other)))
    .length;
}

/** A place in a text where words stand. */
interface Place {
  readonly words: string;
  readonly at: number;
  readonly end: number;
}

/** Finds the places of words in a text. The spaces around them are not counted in. */
function findPlaces(words: string, text: string): Place[] {
  const inner = words.trim();
  const places: Place[] = [];
  if (inner === "") return places;
  const lead = words.indexOf(inner);
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    places.push({ words, at: at + lead, end: at + lead + inner.length });
  }
  return places;
}

function isWithin(place: Place, other: Place): boolean {
  const isLonger = other.end - other.at > place.end - place.at;
  return isLonger && other.at <= place.at && place.end <= other.end;
}

/** The words of a reference as a message must have them: whole words, where words have spaces between them. */
function foldReference(text: string): string {
  const words = foldForms(text);
  return /[a-z]/u.test(words) ? words : words.trim();
}
