import { namesNothing } from "../../output-filter/asked-change.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import { listNouns, type EntityType } from "../../state/entity.ts";
import type { Registry } from "../../state/registry.ts";
import type { Understanding } from "../../state/understanding.ts";
import { foldWords } from "../../text/fold-words.ts";
import { readOrdinal } from "../../text/count-words.ts";

type Entry = Registry["entries"][number];
type Reference = Understanding["references"][number];

/** Parts of the conversation that words may point at. */
export interface ShownRows {
  readonly lastReply: string;
  readonly registry: Pick<Registry, "entries" | "listed">;
  readonly entityTypes: readonly Pick<EntityType, "type" | "words">[];
}

/** Words for one of a list, beside its place. */
const ONES = new Set(["one", "ones", "number", "nr", "numero"]);

/**
 * Returns the references whose words can mean their row: words of its label or facts; its place in the list
 * that was shown last; or, where it was shown, nothing but words that stand for things ("it", "those") or for its
 * type. What a model reads into other words names no row. Pure.
 */
export function selectPointing(
  references: readonly Reference[],
  shown: ShownRows,
): readonly Reference[] {
  return references.filter(({ ref, text }) => {
    const entry = shown.registry.entries.find((one) => one.ref === ref);
    return entry !== undefined && pointsAt(text, entry, shown);
  });
}

function pointsAt(text: string, entry: Entry, { lastReply, registry, entityTypes }: ShownRows) {
  if (sharesWord(`${entry.label} ${entry.facts}`, text)) return true;
  const { listed } = registry;
  const words = foldWords(text);
  const places = words.map((word) => readPlace(word, listed.length));
  const type = entityTypes.find((one) => one.type === entry.type);
  const nouns = type === undefined ? "" : listNouns(type).join(" ");
  const rest = words.filter(
    (word, at) => places[at] === null && !ONES.has(word) && !sharesWord(word, nouns),
  );
  if (rest.length > 0 && !namesNothing(rest.join(" "))) return false;
  const given = places.filter((place) => place !== null);
  return given.length > 0
    ? given.some((place) => listed[place - 1] === entry.ref)
    : listed.includes(entry.ref) || sharesWord(entry.label, lastReply);
}

/** The list that was shown last, and what its rows may be called. */
export interface PlacedRows {
  readonly registry: { readonly listed: readonly string[] };
  readonly entityTypes: readonly Pick<EntityType, "words">[];
}

/** Words before the figure of a place. */
const NUMBERS = new Set(["number", "nr", "nummer", "numero"]);

/**
 * Returns the refs of the rows at the places of the last list that a text names: "the third one", "number 3",
 * "the second job". An ordinal without a word for what it counts may be a day. Pure.
 */
export function listPlaced(
  text: string,
  { registry: { listed }, entityTypes }: PlacedRows,
): readonly string[] {
  const words = foldWords(text);
  const nouns = entityTypes.flatMap(listNouns).join(" ");
  const isCounted = (word = ""): boolean =>
    ONES.has(word) || (word !== "" && sharesWord(word, nouns));
  return words.flatMap((word, at) => {
    const figure = NUMBERS.has(words[at - 1] ?? "") ? readPlace(word, listed.length) : null;
    const place = figure ?? (isCounted(words[at + 1]) ? readOrdinal(word, listed.length) : null);
    return place === null ? [] : (listed[place - 1] ?? []);
  });
}

/** Returns true for a text with an ordinal or a figure, however it stands, that is a row's place in the last list. Pure. */
export function mayBePlaced(
  text: string,
  ref: string,
  { listed }: Pick<Registry, "listed">,
): boolean {
  return foldWords(text).some((word) => {
    const place = readPlace(word, listed.length);
    return place !== null && listed[place - 1] === ref;
  });
}

function readPlace(word: string, last: number): number | null {
  return /^\d{1,3}$/u.test(word) ? Number(word) : readOrdinal(word, last);
}
