import { foldWords } from "../../text/fold-words.ts";
import { readCodes } from "../../text/read-codes.ts";

/** A row as a message may name it. */
export interface LabelledRow {
  /** By `rowKey`. */
  readonly key: string;
  readonly labels: readonly string[];
}

/** A place of a message at which a row is named, as far as its name goes. */
interface NamePlace {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the parts of a message by the rows that they are about, by key: each clause is about the row that it
 * names, one of several rows about each in the words behind its name, or before it where the values stand
 * first. A clause without a name goes on about the row before. Empty where fewer than two rows are named. Pure.
 *
 * @example
 * const rows = [{ key: "1", labels: ["Kim"] }, { key: "2", labels: ["Tom"] }];
 * splitByRow("Kim 370 pages, Tom 120 pages", rows).get("2"); // "  Tom 120 pages"
 */
export function splitByRow(
  message: string,
  rows: readonly LabelledRow[],
): ReadonlyMap<string, string> {
  const places = findNames(message, rows);
  const parts = new Map<string, string>();
  if (new Set(places.map(({ key }) => key)).size < 2) return parts;
  const add = (key: string, text: string): void => {
    parts.set(key, `${parts.get(key) ?? ""} ${text}`);
  };
  let last = places[0]?.key ?? "";
  for (const { start, end } of listClauses(message)) {
    const own = places.filter((place) => place.start >= start && place.end <= end);
    const isLate = /\d/u.test(message.slice(start, own[0]?.start ?? start));
    own.forEach((place, at) => {
      const from = at === 0 ? start : isLate ? (own[at - 1]?.end ?? start) : place.start;
      const to = at === own.length - 1 ? end : isLate ? place.end : (own[at + 1]?.start ?? end);
      add(place.key, message.slice(from, to));
    });
    last = own.at(-1)?.key ?? last;
    if (own.length === 0) add(last, message.slice(start, end));
  }
  return parts;
}

/** A comma between figures is a part of their number. */
const CLAUSE_END = /[,;](?!\d)|[.!?](?=\s|$)|\n/gu;

function listClauses(message: string): readonly Omit<NamePlace, "key">[] {
  const ends = [...message.matchAll(CLAUSE_END)].map(({ index }) => index + 1);
  return [...ends, message.length].map((end, at) => ({ start: ends[at - 1] ?? 0, end }));
}

/** Shortest word of a label that names its row. */
const SHORTEST = 3;

/** The codes of a text, "K-101", each as one word. */
function foldCodes(text: string): readonly string[] {
  return readCodes(text).map((code) => foldWords(code).join("-"));
}

/** Finds the words and codes of the message that stand in the labels of one row alone; those side by side are one name. */
function findNames(message: string, rows: readonly LabelledRow[]): readonly NamePlace[] {
  const owners = new Map<string, Set<string>>();
  for (const { key, labels } of rows) {
    for (const word of [...labels.flatMap(foldWords), ...labels.flatMap(foldCodes)]) {
      owners.set(word, (owners.get(word) ?? new Set()).add(key));
    }
  }
  const find = (form: RegExp, fold: (raw: string) => string): readonly NamePlace[] =>
    [...message.matchAll(form)].flatMap(({ 0: raw, index }) => {
      const word = fold(raw);
      const [key, ...others] = [...(owners.get(word) ?? [])];
      const isName = key !== undefined && others.length === 0 && /\p{L}/u.test(word);
      return isName && word.length >= SHORTEST
        ? [{ key, start: index, end: index + raw.length }]
        : [];
    });
  const codes = find(/\S+/gu, (raw) => foldCodes(raw)[0] ?? "");
  const words = find(/[\p{L}\p{M}\p{N}]+/gu, (raw) => foldWords(raw).join("")).filter(
    ({ start }) => !codes.some((code) => code.start <= start && start < code.end),
  );
  const found = [...codes, ...words].toSorted((one, other) => one.start - other.start);
  return found.reduce<readonly NamePlace[]>((places, place) => {
    const before = places.at(-1);
    const isOne = before?.key === place.key && place.start - before.end <= 1;
    return isOne && before !== undefined
      ? [...places.slice(0, -1), { ...before, end: place.end }]
      : [...places, place];
  }, []);
}
