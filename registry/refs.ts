import { distance } from "fastest-levenshtein";
import type { EntityType } from "../state/entity.ts";
import type { Registry, RegistryEntry } from "../state/registry.ts";

/** A ref taken apart: `gen_recipe_1` is number 1 of `gen_recipe`. */
export interface ParsedRef {
  readonly prefix: string;
  readonly number: number;
}

/** A whole list folds from this many on. */
const WHOLE_RUN = 3;
/** A run inside a list with gaps folds from this many on; shorter ones read better spelled out. */
const PARTIAL_RUN = 5;
const OTHER_KIND = 1e9;
const SPELLING = 1e12;
/** Labels and refs further apart than this share of their length are not near. */
const NEAR_SHARE = 0.4;

/** The prefix of a type's refs: `recipe`, or `gen_recipe` for drafts. */
export function refPrefix(type: EntityType, options: { readonly draft: boolean }): string {
  const prefix = type.refPrefix ?? type.type;
  return options.draft ? `gen_${prefix}` : prefix;
}

/** A ref as prefix and number; null for a text that is not one. */
export function parseRef(ref: string): ParsedRef | null {
  const match = /^(\p{L}[\p{L}\p{N}_]*)_([1-9]\d{0,8})$/u.exec(ref);
  if (match?.[1] === undefined || match[2] === undefined) return null;
  return { prefix: match[1], number: Number(match[2]) };
}

/** Orders refs by prefix, then by number: `recipe_2` before `recipe_10`. */
export function compareRefs(a: string, b: string): number {
  const [left, right] = [splitRef(a), splitRef(b)];
  return compareTexts(left.prefix, right.prefix) || left.number - right.number;
}

function splitRef(ref: string): ParsedRef {
  const at = ref.lastIndexOf("_");
  return { prefix: ref.slice(0, at), number: Number(ref.slice(at + 1)) };
}

/**
 * The refs as people and models read them, in the given order.
 *
 * Contract: a stretch of one prefix that is one run of three or more folds ("recipe_1 through
 * recipe_9"); in a stretch with gaps only runs of five or more do, so that a short choice is
 * spelled out. `parseRefs` reads it back.
 */
export function describeRefs(refs: readonly string[]): string {
  return groupByPrefix(refs).map(describeStretch).join(", ");
}

/** The refs named by a text of `describeRefs`, in order, "through" spelled out. */
export function parseRefs(text: string): string[] {
  return text.split(", ").flatMap((part) => {
    const [first, last] = part.split(" through ");
    const from = parseRef(first ?? "");
    const to = parseRef(last ?? "");
    if (from === null || to === null) return part === "" ? [] : [part];
    return Array.from(
      { length: to.number - from.number + 1 },
      (_, index) => `${from.prefix}_${from.number + index}`,
    );
  });
}

/**
 * Known refs that may have been meant, best first: a label that matches the text, the same prefix
 * by distance of numbers, then similar spellings. Deleted entities are not offered.
 */
export function nearRefs(registry: Registry, ref: string, limit: number): string[] {
  const wanted = parseRef(ref);
  return registry.entries
    .filter((entry) => entry.action !== "deleted")
    .map((entry) => ({ ref: entry.ref, rank: rankRef(entry, ref, wanted) }))
    .filter((candidate) => Number.isFinite(candidate.rank))
    .toSorted((a, b) => a.rank - b.rank || compareRefs(a.ref, b.ref))
    .slice(0, limit)
    .map((candidate) => candidate.ref);
}

/** Labels rank below 1, numbers of the same prefix from 1 on, then drafts and saved ones for each other, then spellings. */
function rankRef(entry: RegistryEntry, ref: string, wanted: ParsedRef | null): number {
  const own = parseRef(entry.ref);
  if (wanted !== null && own !== null && basePrefix(own) === basePrefix(wanted)) {
    const other = own.prefix === wanted.prefix ? 0 : OTHER_KIND;
    return 1 + other + Math.abs(own.number - wanted.number);
  }
  const spelling = ref.toLowerCase();
  return Math.min(
    labelRank(normaliseWords(ref), normaliseWords(entry.label)),
    isSimilar(spelling, entry.ref)
      ? SPELLING + distance(spelling, entry.ref)
      : Number.POSITIVE_INFINITY,
  );
}

function basePrefix(ref: ParsedRef): string {
  return ref.prefix.replace(/^gen_/, "");
}

function labelRank(words: string, label: string): number {
  if (words === "" || label === "") return Number.POSITIVE_INFINITY;
  if (words === label) return 0;
  if (label.includes(words) || words.includes(label)) return 0.3;
  return isSimilar(words, label) ? 0.6 : Number.POSITIVE_INFINITY;
}

function isSimilar(a: string, b: string): boolean {
  return distance(a, b) <= Math.max(a.length, b.length) * NEAR_SHARE;
}

function normaliseWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Groups neighbours in the list that share a prefix. */
function groupByPrefix(refs: readonly string[]): string[][] {
  return groupNeighbours(refs, (previous, next) => {
    const prefix = parseRef(previous)?.prefix;
    return prefix !== undefined && prefix === parseRef(next)?.prefix;
  });
}

function describeStretch(refs: readonly string[]): string {
  const runs = groupNeighbours(refs, (previous, next) => {
    const from = parseRef(previous);
    const to = parseRef(next);
    return from !== null && to !== null && to.number === from.number + 1;
  });
  const least = runs.length === 1 ? WHOLE_RUN : PARTIAL_RUN;
  return runs
    .map((run) => (run.length < least ? run.join(", ") : `${run[0]} through ${run.at(-1)}`))
    .join(", ");
}

function groupNeighbours(
  refs: readonly string[],
  belongs: (previous: string, next: string) => boolean,
): string[][] {
  const groups: string[][] = [];
  for (const ref of refs) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (group !== undefined && previous !== undefined && belongs(previous, ref)) group.push(ref);
    else groups.push([ref]);
  }
  return groups;
}

/** Orders texts by their code units: the same everywhere, whatever the locale. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
