import type { Registry, RegistryEntry } from "../../state/registry.ts";

/** Shorter labels stand in too many texts by chance. */
const SHORTEST_LABEL = 3;

/** A place in a text where a label stands. */
interface Place {
  readonly label: string;
  readonly at: number;
  readonly end: number;
}

/** A list as a text shows it, and what else the text names. */
export interface NamedRefs {
  /** In the order of the text. Of numbered lines one for each number: empty where the line names nothing known. */
  readonly refs: readonly string[];
  /** True for the numbered lines of a text. */
  readonly isNumbered: boolean;
  /** Named beside the numbered lines. */
  readonly beside: readonly string[];
}

/**
 * Returns what a text of a turn lists, so that "the first one" can be resolved: its numbered lines, else
 * what it names, in its order.
 *
 * Labels stand as whole words, without regard to case. One inside a longer one ("Rice" in "Rice
 * noodles") is not named there. Of several entities with one label, those of the kind referenced
 * last are named, one a place. What is excluded is named by a line of a list, or where the text names
 * only what earlier turns have excluded; what is deleted is not, but its label counts. A label inside a
 * longer quotation ("add milk to the list") is part of an example and is not named. A line of a list names
 * one thing: what else stands in it, such as the customer of an order, only describes it.
 */
export function refsNamedIn(text: string, registry: Registry, turn: number): NamedRefs {
  const byLabel = Map.groupBy(
    registry.entries.filter(({ label }) => label.length >= SHORTEST_LABEL),
    ({ label }) => label.toLowerCase(),
  );
  const lower = blankExamples(text.toLowerCase(), byLabel);
  const places = [...byLabel.keys()].flatMap((label) => findPlaces(label, lower));
  const outer = places.filter((place) => !places.some((other) => isWithin(place, other)));
  const named = [...Map.groupBy(outer, ({ label }) => label)].flatMap(([label, found]) =>
    selectMeantEntries(byLabel.get(label) ?? [])
      .slice(0, found.length)
      .map(({ ref, type, demotion }, index) => ({
        ref,
        type,
        excludedTurn: demotion?.turn ?? null,
        at: found[index]?.at ?? 0,
      })),
  );
  const lines = listItems(text);
  const inOrder = named.toSorted((a, b) => a.at - b.at);
  const meant = withoutAsides(selectListed(inOrder, lines), lines, turn);
  const numbered = selectNumbered(lines).map((line) => meant.find(({ at }) => isIn(line, at)));
  const inNumbered = numbered.flatMap((one) => one ?? []);
  if (inNumbered.length < 2)
    return { refs: meant.map(({ ref }) => ref), isNumbered: false, beside: [] };
  return {
    refs: numbered.map((one) => one?.ref ?? ""),
    isNumbered: true,
    beside: meant.filter((one) => !inNumbered.includes(one)).map(({ ref }) => ref),
  };
}

/** The numbered lines of a text, where the numbers count up from one: the last such list. */
function selectNumbered(lines: readonly Line[]): readonly Line[] {
  const numbered = lines.filter(({ number }) => number !== null);
  const start = numbered.findLastIndex(({ number }) => number === 1);
  const own = start === -1 ? [] : numbered.slice(start);
  return own.every(({ number }, index) => number === index + 1) ? own : [];
}

/** Leaves out the excluded things that a text only mentions. */
function withoutAsides(named: readonly Named[], lines: readonly Line[], turn: number): Named[] {
  const isAbout = named.every(({ excludedTurn }) => excludedTurn !== null && excludedTurn < turn);
  return named.filter(
    ({ excludedTurn, at }) =>
      excludedTurn === null || isAbout || lines.some((line) => isIn(line, at)),
  );
}

function isIn({ at, end }: Line, place: number): boolean {
  return place >= at && place < end;
}

/** A named entity, and its place in the text. */
interface Named {
  readonly ref: string;
  readonly type: string;
  /** Null where it is not excluded. */
  readonly excludedTurn: number | null;
  readonly at: number;
}

/** Leaves out what only describes the thing that a line of a list is about: one of the type that most lines name, or, of two, begin with. */
function selectListed(named: readonly Named[], items: readonly Line[]): Named[] {
  const lines = items.map((line) => named.filter(({ at }) => isIn(line, at)));
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

/** A line of a list: its place in the text, and its number; null for a bullet. */
interface Line {
  readonly at: number;
  readonly end: number;
  readonly number: number | null;
}

/** The lines of a text that begin with a number or a bullet. */
function listItems(text: string): Line[] {
  return [...text.matchAll(/^[ \t]*(?:[*_]{0,2}(\d+)[.)]|[-*•])[ \t].*$/gmu)].map((line) => ({
    at: line.index,
    end: line.index + line[0].length,
    number: line[1] === undefined ? null : Number(line[1]),
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

/** Returns, of the entities with one label, those of the kind that was referenced last: what is not excluded first, each in order of appearance. */
function selectMeantEntries(entries: readonly RegistryEntry[]): RegistryEntry[] {
  const present = entries.filter(({ action }) => action !== "deleted");
  const inPlay = present.filter(({ demotion }) => demotion === null);
  const out = present.filter(({ demotion }) => demotion !== null);
  const pool = inPlay.length > 0 ? inPlay : out;
  const latest = Math.max(...pool.map(({ referencedTurn }) => referencedTurn));
  const type = pool.find(({ referencedTurn }) => referencedTurn === latest)?.type;
  return [...inPlay, ...out].filter((entry) => entry.type === type);
}
