import { REOPENED, type JourneyLine } from "../state/journey.ts";
import { titleKey } from "../state/plan-words.ts";
import { holdsWords } from "../text/holds-words.ts";
import { measureDistance } from "../text/nearest.ts";

/** The journeys that a name may mean. */
export type NamedJourneys =
  | { readonly kind: "one"; readonly journey: JourneyLine }
  | { readonly kind: "several"; readonly journeys: readonly JourneyLine[] }
  | { readonly kind: "none" };

/** Journeys that Understand is shown by their ids. */
const SHOWN = 2;

/** Returns the newest two journeys that are not active: those that Understand may name by their ids. */
export function selectShownJourneys(lines: readonly JourneyLine[]): readonly JourneyLine[] {
  return sortByTurn(lines.filter(({ status }) => status !== "active")).slice(0, SHOWN);
}

/** Returns journeys by the turn that spoke of them last, the newest first. */
export function sortByTurn(lines: readonly JourneyLine[]): readonly JourneyLine[] {
  return lines.toSorted((a, b) => b.lastTurn - a.lastTurn || b.openedTurn - a.openedTurn);
}

/** Returns the journey whose plan the message before a turn's has dropped; null for none. */
export function findDroppedJourney(
  lines: readonly JourneyLine[],
  turn: number,
): JourneyLine | null {
  const isDropped = ({ status, reason, lastTurn }: JourneyLine): boolean =>
    status === "paused" && reason === REOPENED && lastTurn === turn - 1;
  return lines.find(isDropped) ?? null;
}

/** The journeys that the state names, and after them those that only the archive has. */
export function joinJourneys(
  lines: readonly JourneyLine[],
  archived: readonly JourneyLine[],
): readonly JourneyLine[] {
  const known = new Set(lines.map(({ id }) => id));
  return [...lines, ...archived.filter(({ id }) => !known.has(id))];
}

export interface JourneyNames {
  /** Journeys that may be named by their ids. */
  readonly shown: readonly JourneyLine[];
  /** Every journey of the conversation. */
  readonly all: readonly JourneyLine[];
}

/**
 * Finds the journeys that a name means: an id that was shown, else the very title, else titles with all
 * words of the name or all of whose words it has, else titles with words that are nearest to them, else the
 * titles with most of its longer words ("the sleep thing"). Case and punctuation do not count; any language.
 * Pure, total.
 *
 * Source: living-plan.md §2.
 */
export function findNamedJourneys(name: string, { shown, all }: JourneyNames): NamedJourneys {
  const byId = shown.find(({ id }) => id === name.trim());
  if (byId !== undefined) return { kind: "one", journey: byId };
  const wanted = titleKey(name);
  if (wanted === "") return { kind: "none" };
  const keyed = all.map((journey) => ({ journey, title: titleKey(journey.title) }));
  const tiers = [
    () => keyed.filter(({ title }) => title === wanted),
    () => keyed.filter(({ title }) => holdsAll(title, wanted) || holdsAll(wanted, title)),
    () => selectNearest(keyed, wanted),
    () => selectSharing(keyed, wanted),
  ];
  for (const tier of tiers) {
    const journeys = tier().map(({ journey }) => journey);
    const [journey] = journeys;
    if (journey !== undefined) {
      return journeys.length === 1 ? { kind: "one", journey } : { kind: "several", journeys };
    }
  }
  return { kind: "none" };
}

interface KeyedJourney {
  readonly journey: JourneyLine;
  /** Folded. */
  readonly title: string;
}

function holdsAll(text: string, words: string): boolean {
  return words.split(" ").every((word) => holdsWords(text, word));
}

/** Selects the titles that have a word near every wanted one, those with the fewest other letters. */
function selectNearest(keyed: readonly KeyedJourney[], wanted: string): readonly KeyedJourney[] {
  const far = keyed.map(({ title }) => countOtherLetters(title, wanted));
  const least = Math.min(...far);
  return least === Infinity ? [] : keyed.filter((_, index) => far[index] === least);
}

/** Letters of a word that says what a journey is about; "the" and "to" do not. */
const TELLING_LETTERS = 4;

/** Selects the titles that have the most of the wanted words. */
function selectSharing(keyed: readonly KeyedJourney[], wanted: string): readonly KeyedJourney[] {
  const words = wanted.split(" ").filter((word) => word.length >= TELLING_LETTERS);
  const shared = keyed.map(({ title }) => words.filter((word) => holdsWords(title, word)).length);
  const most = Math.max(0, ...shared);
  return most === 0 ? [] : keyed.filter((_, index) => shared[index] === most);
}

/** Counts the letters by which a title's words differ from the wanted ones; infinite where one is not near. */
function countOtherLetters(title: string, wanted: string): number {
  const words = title.split(" ");
  return wanted
    .split(" ")
    .map((word) => {
      const distance = Math.min(...words.map((each) => measureDistance(word, each)));
      return distance <= Math.floor(word.length / 3) ? distance : Infinity;
    })
    .reduce((sum, distance) => sum + distance, 0);
}
