import type { Registry, RegistryEntry } from "../../state/registry.ts";

/** Shorter labels stand in too many texts by chance. */
const SHORTEST_LABEL = 3;

/** A place in a text where a label stands. */
interface Place {
  readonly label: string;
  readonly at: number;
  readonly end: number;
}

/**
 * Returns the refs whose labels a text names, in its order, so that "the first one" can be resolved.
 *
 * Labels stand as whole words, without regard to case. One inside a longer one ("Rice" in "Rice
 * noodles") is not named there. Of several entities with one label, those of the kind referenced
 * last are named, one a place. What is excluded or deleted is not named, but its label counts. A label
 * inside a longer quotation ("add milk to the list") is part of an example and is not named. A line of a
 * list names one thing: what else stands in it, such as the customer of an order, only describes it.
 */
export function refsNamedIn(text: string, registry: Registry): string[] {
  const byLabel = Map.groupBy(
    registry.entries.filter(({ label }) => label.length >= SHORTEST_LABEL),
    ({ label }) => label.toLowerCase(),
  );
  const lower = blankExamples(text.toLowerCase(), byLabel);
  const places = [...byLabel.keys()].flatMap((label) => findPlaces(label, lower));
  const outer = places.filter((place) => !places.some((other) => isWithin(place, other)));
  const named = [...Map.groupBy(outer, ({ label }) => label)].flatMap(([label, found]) => {
    const entries = selectMeantEntries(byLabel.get(label) ?? []);
    return entries
      .slice(0, found.length)
      .map(({ ref, type }, index) => ({ ref, type, at: found[index]?.at ?? 0 }));
  });
  const inOrder = named.toSorted((a, b) => a.at - b.at);
  return selectListed(inOrder, text).map(({ ref }) => ref);
}

/** A named entity, and its place in the text. */
interface Named {
  readonly ref: string;
  readonly type: string;
  readonly at: number;
}

/** Leaves out what only describes the thing that a line of a list is about: one of the type that most lines name, or, of two, begin with. */
function selectListed(named: readonly Named[], text: string): Named[] {
  const lines = listItems(text).map(({ at, end }) =>
    named.filter((one) => one.at >= at && one.at < end),
  );
  const types = lines.map((line) => [...new Set(line.map(({ type }) => type))]);
  const lead = (type: string): number => types.filter(([first]) => first === type).length;
  const main = [...Map.groupBy(types.flat(), (type) => type)]
    .toSorted(([one, a], [other, b]) => b.length - a.length || lead(other) - lead(one))
    .map(([type]) => type)[0];
  const beside = new Set(
    lines.flatMap((line) => {
      const subject = line.find(({ type }) => type === main) ?? line[0];
      return line.filter((one) => one !== subject);
    }),
  );
  return named.filter((one) => !beside.has(one));
}

/** The lines of a text that begin with a number or a bullet. */
function listItems(text: string): { readonly at: number; readonly end: number }[] {
  return [...text.matchAll(/^[ \t]*(?:\d+[.)]|[-*•])[ \t].*$/gmu)].map((line) => ({
    at: line.index,
    end: line.index + line[0].length,
  }));
}

/** Blanks quotations that are no label, so that the places of all else stay. */
function blankExamples(text: string, labels: ReadonlyMap<string, unknown>): string {
  return text.replace(/[“"]([^“”"\n]*)[”"]/gu, (quotation, words: string) =>
    labels.has(words.trim()) ? quotation : " ".repeat(quotation.length),
  );
}

function findPlaces(label: string, text: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(label); at !== -1; at = text.indexOf(label, at + label.length)) {
    const end = at + label.length;
    if (!isCut(text, at) && !isCut(text, end)) places.push({ label, at, end });
  }
  return places;
}

/** Returns true where the position is inside a word. Scripts written without spaces have no such positions. */
function isCut(text: string, position: number): boolean {
  const before = text.slice(Math.max(0, position - 2), position);
  return WORD_END.test(before) && WORD_START.test(text.slice(position, position + 2));
}

const SPACED = String.raw`(?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai})[\p{L}\p{M}\p{N}]`;
const WORD_END = new RegExp(`${SPACED}$`, "u");
const WORD_START = new RegExp(`^${SPACED}`, "u");

function isWithin(place: Place, other: Place): boolean {
  const longer = other.end - other.at > place.end - place.at;
  return longer && other.at <= place.at && place.end <= other.end;
}

/** Returns, of the entities with one label, those of the kind that was referenced last, in order of appearance. */
function selectMeantEntries(entries: readonly RegistryEntry[]): RegistryEntry[] {
  const choosable = entries.filter(
    ({ action, demotion }) => action !== "deleted" && demotion === null,
  );
  const latest = Math.max(...choosable.map(({ referencedTurn }) => referencedTurn));
  const type = choosable.find(({ referencedTurn }) => referencedTurn === latest)?.type;
  return choosable.filter((entry) => entry.type === type);
}
