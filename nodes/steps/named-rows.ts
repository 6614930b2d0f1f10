import type { Registry } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Understanding } from "../../state/understanding.ts";

/** Words of the person, the refs that they mean, and what the conversation knows by label. */
export interface WrittenWords {
  readonly message: string;
  readonly references: Understanding["references"];
  readonly labels: readonly string[];
}

/** Shortest label that counts as named by standing in a text: a shorter one stands in nearly every text. */
const SHORTEST = 3;

/** A row as a person can name it. */
interface NameableRow {
  readonly ref: string | null;
  readonly label: string;
}

/**
 * Returns those of the rows (or of their changes) that the person has named: by a reference whose words stand in the
 * message, or by their labels. Words inside the longer label of something else name that: "remove
 * the oat milk" does not name the milk. What a model put into a plan or a call does not count. Pure.
 */
export function selectNamed<T extends NameableRow>(
  rows: readonly T[],
  { message, references, labels }: WrittenWords,
): readonly T[] {
  const text = foldWords(message);
  const known = new Set([...labels, ...rows.map(({ label }) => label)].map(foldWords));
  const taken = [...known].flatMap((label) => findPlaces(label, text));
  return rows.filter(({ ref, label }) => {
    const own = foldWords(label);
    const others = taken.filter(({ words }) => words !== own);
    const stands = (words: string): boolean =>
      findPlaces(words, text).some((place) => !others.some((other) => isWithin(place, other)));
    const isReferred = references.some(
      (reference) => reference.ref === ref && stands(foldReference(reference.text)),
    );
    return isReferred || (own.trim().length >= SHORTEST && stands(own));
  });
}

/** Returns the refs of the rows that the person has named in the message of the turn. */
export function listNamedRefs(
  { entries }: Registry,
  { input, understanding }: Pick<TurnState, "input" | "understanding">,
): readonly string[] {
  const message = input?.text ?? "";
  const references = understanding?.references ?? [];
  return selectNamed(entries, { message, references, labels: [] }).map(({ ref }) => ref);
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
  const words = foldWords(text);
  return /[a-z]/u.test(words) ? words : words.trim();
}

/** Lowercase words with single spaces around them, accents and punctuation left out. */
function foldWords(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return ` ${plain.match(/[\p{L}\p{N}]+/gu)?.join(" ") ?? ""} `;
}
