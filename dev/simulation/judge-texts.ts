import { distance } from "fastest-levenshtein";
import { checkCuration, decidesSomething, listUndone } from "../../registry/curation.ts";
import { fittingLines } from "../../registry/fit-lines.ts";
import { createIdHider } from "../../registry/hide-ids.ts";
import { createRefBook } from "../../registry/ref-book.ts";
import { describeRefs, nearRefs, parseRefs } from "../../registry/refs.ts";
import { shorten } from "../../registry/shorten.ts";
import type { CountTokens } from "../../state/model.ts";
import {
  NO_CURATION,
  type Curation,
  type Registry,
  type RegistryEntry,
} from "../../state/registry.ts";
import { UnknownRefError } from "../../state/tool.ts";
import { foldRefs } from "./expected-sections.ts";
import { makeWord } from "./made-up-domain.ts";
import type { Numbers } from "./numbers.ts";
import { compare, compareValues, type Violation } from "./violation.ts";

/** 2, 7, 9, 12: laws of refs, decisions, ids and cut texts, on the registry that a turn comes to. */
export function judgeTexts(
  registry: Registry,
  numbers: Numbers,
  countTokens: CountTokens,
): Violation[] {
  return [
    ...judgeRefs(registry, numbers),
    ...judgeCuration(registry, numbers),
    ...judgeIds(registry, numbers),
    ...judgeCuts(numbers, countTokens),
  ];
}

/** Refs in words are read back, and what may have been meant by a wrong one is found. */
function judgeRefs(registry: Registry, numbers: Numbers): Violation[] {
  const refs = [...registry.entries.map(({ ref }) => ref), "other", "words"];
  const some = refs.filter(() => numbers.below(6) > 0);
  const words = describeRefs(some);
  const entries = [...registry.entries, ...makeTwins(registry.entries)];
  const { ref = "", label = "" } = entries[numbers.below(entries.length)] ?? {};
  const [prefix, number] = splitRef(ref);
  const meant = [
    `${prefix}_${number + 2}`,
    `gen_${prefix}_${number}`,
    `${label.toUpperCase()}!`,
    `${label.slice(0, 1)}${label.slice(2)}`,
    `the ${label}`,
    `${ref.slice(0, 1)}${ref.slice(2)}`,
    ref,
    "§".repeat(40),
  ];
  return [
    ...compare("12 refs in words", foldRefs(some), words),
    ...compareValues("12 refs read back", some, parseRefs(words)),
    ...compare("12 no refs", "[]", JSON.stringify(parseRefs(describeRefs([])))),
    ...meant.flatMap((text) =>
      [1, 3, 100].flatMap((most) =>
        compare(
          `12 refs near ${text}`,
          listNear(entries, text).slice(0, most).join(),
          nearRefs({ ...registry, entries: entries.toReversed() }, text, most).join(),
        ),
      ),
    ),
    ...judgeRefBook({ ...registry, entries }, [...refs, ...meant]),
  ];
}

/** Entries of like names: a draft beside a saved row, a label without words, one that holds another. */
function makeTwins(entries: readonly RegistryEntry[]): readonly RegistryEntry[] {
  return entries.slice(0, 2).flatMap((entry, at) => {
    const prefix = splitRef(entry.ref)[0].replace(/^gen_/u, "");
    return [
      { ...entry, ref: `gen_${prefix}_${90 + at}`, label: `${entry.label} again` },
      { ...entry, ref: `${prefix}_${90 + at}`, label: "!", action: "deleted" as const },
      { ...entry, ref: `${prefix}n_${at + 1}`, label: "!" },
    ];
  });
}

/** The refs that a text may mean: by label, by number, by spelling. */
function listNear(entries: readonly RegistryEntry[], text: string): readonly string[] {
  const [prefix, number] = splitRef(text);
  const words = toWords(text);
  const rank = ({ ref, label }: RegistryEntry): readonly [kind: number, far: number] | null => {
    const [own, at] = splitRef(ref);
    if (number > 0 && own.replace(/^gen_/u, "") === prefix.replace(/^gen_/u, ""))
      return [own === prefix ? 3 : 4, Math.abs(at - number)];
    const name = toWords(label);
    if (name !== "" && words !== "") {
      if (name === words) return [0, 0];
      if (name.includes(words) || words.includes(name)) return [1, 0];
      if (isLike(name, words)) return [2, 0];
    }
    return isLike(text.toLowerCase(), ref) ? [5, distance(text.toLowerCase(), ref)] : null;
  };
  return entries
    .filter(({ action }) => action !== "deleted")
    .flatMap((entry) => {
      const [kind, far] = rank(entry) ?? [];
      const [own, at] = splitRef(entry.ref);
      return kind === undefined || far === undefined
        ? []
        : [{ ref: entry.ref, kind, far, own, at }];
    })
    .toSorted(
      (a, b) =>
        a.kind - b.kind || a.far - b.far || (a.own < b.own ? -1 : a.own > b.own ? 1 : a.at - b.at),
    )
    .map(({ ref }) => ref);
}

function isLike(one: string, other: string): boolean {
  return distance(one, other) <= 0.4 * Math.max(one.length, other.length);
}

function toWords(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join(" ");
}

/** Splits a ref; of any other text the number is 0. */
function splitRef(ref: string): readonly [prefix: string, number: number] {
  const [, prefix = ref, number = "0"] = /^(\p{L}[\p{L}\p{N}_]*)_([1-9]\d*)$/u.exec(ref) ?? [];
  return [prefix, Number(number)];
}

/** Tools are given every row by its ref, deleted ones and others not. */
function judgeRefBook(registry: Registry, refs: readonly string[]): Violation[] {
  const book = createRefBook(registry);
  return refs.flatMap((ref) => {
    const entry = registry.entries.find((one) => one.ref === ref);
    const known = entry === undefined ? null : { type: entry.type, id: entry.id };
    return [
      ...compareValues("12 ref found", known, book.find(ref)),
      ...compareValues(
        "12 ref resolved",
        expectResolved(registry.entries, ref, entry),
        tryToResolve(() => book.resolve(ref)),
      ),
      ...(entry === undefined || entry.id === null ? [] : judgeHeld(registry, entry, entry.id)),
    ];
  });
}

function expectResolved(
  entries: readonly RegistryEntry[],
  ref: string,
  entry: RegistryEntry | undefined,
) {
  const near = listNear(entries, ref).slice(0, 5);
  if (entry === undefined) return new UnknownRefError(ref, near).message;
  const { type, id, label, action, row } = entry;
  if (action === "deleted") return new UnknownRefError(ref, near, { deleted: label }).message;
  return { type, id, label, draft: id === null ? row : null };
}

function tryToResolve(resolve: () => unknown): unknown {
  try {
    return resolve();
  } catch (error) {
    return error instanceof UnknownRefError ? error.message : String(error);
  }
}

function judgeHeld({ entries, ...registry }: Registry, { type }: RegistryEntry, id: string) {
  const book = createRefBook({ ...registry, entries });
  const first = entries.find((one) => one.type === type && one.id === id);
  const { ref, row = null, rowVersion = null, detail } = first ?? {};
  const held = row === null || rowVersion === null ? null : { ref, rowVersion, detail };
  return [
    ...compare("12 ref of a row", String(ref), String(book.refFor(type, id))),
    ...compareValues("12 row held", held, book.held(type, id)),
    ...compare(
      "12 no row",
      "[null,null]",
      JSON.stringify([book.refFor(type, "x"), book.held("x", id)]),
    ),
  ];
}

/** Of decisions that contradict one another one stands, and why the others do not is told. */
function judgeCuration(registry: Registry, numbers: Numbers): Violation[] {
  const known = registry.entries.slice(0, 4).map(({ ref }) => ref);
  const refs = [...known, "§§§_99", ...known.slice(0, 1).map((ref) => `${splitRef(ref)[0]}_99`)];
  const draw = () =>
    [...refs, ...refs]
      .filter(() => numbers.below(3) === 0)
      .map((ref, at) => ({ ref, reason: `reason ${at}` }));
  const asked: Curation = {
    retain: draw(),
    demote: draw(),
    restore: draw(),
    drop: draw().map(({ ref }) => ref),
    clearAll: numbers.below(6) === 0,
    summary: "why",
  };
  const found = checkCuration(registry, asked);
  const { curation: done } = found;
  const isDone = (ref: string): boolean =>
    done.drop.includes(ref) || has([...done.demote, ...done.restore], ref);
  const undone = [
    ...once(asked.demote).map(({ ref }) => ({ action: "demote", ref })),
    ...once(asked.restore).map(({ ref }) => ({ action: "restore", ref })),
  ].filter(({ ref }) => !isDone(ref));
  const { retain, demote, restore, drop, clearAll } = asked;
  const decides = clearAll || [retain, demote, restore, drop].some((list) => list.length > 0);
  return [
    ...compareValues("2 decisions", expectCuration(registry, asked), found),
    ...compareValues("2 decisions undone", undone, listUndone(asked, done)),
    ...compare("2 decides", String(decides), String(decidesSomething(asked))),
    ...compare("2 decides nothing", "false", String(decidesSomething(NO_CURATION))),
  ];
}

function expectCuration({ entries }: Registry, asked: Curation): ReturnType<typeof checkCuration> {
  const problems: string[] = [];
  const keep = (action: string, ref: string): boolean => {
    const entry = entries.find((one) => one.ref === ref);
    const refuse = (why: string): boolean => {
      problems.push(`Cannot ${action} "${ref}": ${why}`);
      return false;
    };
    if (asked.clearAll) return refuse("everything is forgotten in the same turn");
    if (entry === undefined) {
      const near = listNear(entries, ref).slice(0, 3).join(", ");
      const hint = near === "" ? "no such ref is known" : `known refs near it: ${near}`;
      return refuse(`it does not exist in this conversation; ${hint}`);
    }
    const isGone = entry.action === "deleted";
    if (isGone && action !== "drop") return refuse(`it was deleted ("${entry.label}")`);
    const isBack = has(asked.restore, ref) && (entry.demotion !== null || !has(asked.demote, ref));
    const stands = asked.drop.includes(ref)
      ? "drop"
      : isBack
        ? "restore"
        : has(asked.demote, ref)
          ? "demote"
          : action;
    if (action === stands || (action === "retain" && stands === "restore")) return true;
    return refuse(`the same turn asks to ${stands} it, which stands`);
  };
  const drop = once(asked.drop.map((ref) => ({ ref }))).filter(({ ref }) => keep("drop", ref));
  const demote = once(asked.demote).filter(({ ref }) => keep("demote", ref));
  const restore = once(asked.restore).filter(({ ref }) => keep("restore", ref));
  const retain = once(asked.retain).filter(({ ref }) => keep("retain", ref));
  return {
    curation: {
      retain: [...retain],
      demote: [...demote],
      restore: [...restore],
      drop: drop.map(({ ref }) => ref),
      clearAll: asked.clearAll,
      summary: asked.summary,
    },
    problems,
  };
}

function has(list: readonly WithRef[], ref: string): boolean {
  return list.some((one) => one.ref === ref);
}

function once<T extends WithRef>(list: readonly T[]): readonly T[] {
  return list.filter(({ ref }, at) => list.findIndex((one) => one.ref === ref) === at);
}

interface WithRef {
  readonly ref: string;
}

/** Long ids that are known are hidden by their refs, whatever their form; one of two rows stands for neither. */
function judgeIds({ entries }: Registry, numbers: Numbers): Violation[] {
  const ids = [
    "5EED0000-0000-4000-A000-00000000000A",
    "row(7).of+all",
    "no-uuid-0123",
    "short-id-12",
  ];
  const known = entries
    .slice(0, 4)
    .map((entry, at) => Object.assign({}, entry, { id: ids[at] ?? null }));
  const all = [...known, ...entries.slice(4)];
  const hideIds = createIdHider({ entries: all }, []);
  const parts = all.flatMap(({ id, ref }): [string, string][] => {
    if (id === null || numbers.below(3) === 0) return [];
    const isOnly = all.filter((one) => one.id === id).length === 1;
    const hidden = isOnly ? ref : "[id]";
    const shown = numbers.below(2) === 0 ? id.toLowerCase() : id;
    return [[shown, id.length > 11 ? hidden : shown]];
  });
  const unknown = "5eed0000-0000-4000-9000-999999999999";
  const text = ["see", ...parts.map(([id]) => id), unknown].join(" ");
  const expected = ["see", ...parts.map(([, ref]) => ref), unknown].join(" ");
  return compare("7 ids", expected, hideIds(text));
}

/** Counts as tokenizers do: a whole can have less than its parts. */
function countUnevenly(text: string): number {
  return Math.ceil(text.length / 9);
}

/** A text that is too long shows its ends around the number of what is missing; of lines the first are shown. */
function judgeCuts(numbers: Numbers, countTokens: CountTokens): Violation[] {
  return [countTokens, countUnevenly].flatMap((count) => judgeCutsBy(count, numbers));
}

function judgeCutsBy(countTokens: CountTokens, numbers: Numbers): Violation[] {
  const text = Array.from({ length: 40 }, () => makeWord(numbers)).join(numbers.pick(["", " "]));
  const lines = Array.from({ length: numbers.below(9) }, () => makeWord(numbers, 4));
  const total = countTokens(text);
  const ending = numbers.pick([writeShortEnding, writeLongEnding]);
  return [0, 1, 8, 10, 12, 16, 20, 30, total - 1, total].flatMap((tokens) => {
    const options = { budget: tokens, countTokens, ending };
    const shown = lines.map((_, at) =>
      [...lines.slice(0, at), ending(lines.length - at)].join("\n"),
    );
    const all = lines.join("\n");
    const fits = (one: string): boolean => countTokens(one) <= tokens;
    const fitting = fits(all) ? lines.length : Math.max(0, shown.findLastIndex(fits));
    const cut = shorten(text, { tokens, countTokens });
    return compare("9 cut", expectCut(text, tokens, countTokens), cut).concat(
      compareValues(
        "9 lines",
        { text: shown[fitting] ?? all, fitting },
        fittingLines(lines, options),
      ),
    );
  });
}

function writeShortEnding(left: number): string {
  return left === 0 ? "" : "…";
}

function writeLongEnding(left: number): string {
  return left === 0 ? "" : `and ${left} more`;
}

function expectCut(text: string, tokens: number, countTokens: CountTokens): string {
  const total = countTokens(text);
  if (total <= tokens) return text;
  const sizes = Array.from({ length: text.length }, (_, size) => text.length - 1 - size);
  const cuts = sizes.map((size) => {
    const [before, after] = [Math.ceil((size * 2) / 3), Math.floor(size / 3)];
    const head = text.slice(0, before);
    const tail = text.slice(text.length - after);
    const left = total - countTokens(head) - countTokens(tail);
    return `${head.trim()} [… ${Math.max(left, 1)} tokens left out …] ${tail.trim()}`.trim();
  });
  const all = [...cuts, ...sizes.map((size) => text.slice(0, size))];
  return all.find((one) => countTokens(one) <= tokens) ?? "";
}
