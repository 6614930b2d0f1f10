import type { CountTokens } from "../../state/model.ts";
import type { Registry, RegistryEntry, TableLine } from "../../state/registry.ts";
import { clipTo, foldRefs } from "./expected-sections.ts";
import { compare, violation, type Violation } from "./violation.ts";

/** A table of a prompt, and what stands below it. */
interface ShownTable {
  readonly text: string;
  readonly changes: string;
}

/** Everything that a table is made from. */
export interface TableParts {
  readonly registry: Registry;
  /** The table before it; empty where there was none. */
  readonly before: readonly TableLine[];
  /** True where it was to begin anew. */
  readonly isCut: boolean;
  readonly message: string;
  readonly turn: number;
  /** The turns that count as recent. */
  readonly window: number;
  /** Tokens, at the most. */
  readonly most: number;
  readonly countTokens: CountTokens;
}

/** The line that counts what a table leaves out. */
const MORE = /^\+ (\d+) older, ask recall$/u;

/** The table: every line holds, or what has changed of it stands below; nothing hidden is uncounted. */
export function judgeTable({ text, changes }: ShownTable, made: TableParts): Violation[] {
  const entries = new Map(made.registry.entries.map((entry) => [entry.ref, entry]));
  const all = text === "" ? [] : text.split("\n");
  const lines = all.filter((line) => !MORE.test(line));
  const below = changes === "" ? [] : changes.split("\n");
  const refs = lines.map(readRef);
  const known = refs.flatMap((ref) => entries.get(ref) ?? []);
  const inPlay = made.registry.entries.filter(isLive);
  const standing = new Set(refs);
  const missing = inPlay.filter(({ ref }) => !standing.has(ref)).length;
  const gone = known.filter(({ action }) => action === "deleted").map(({ ref }) => ref);
  const corrected = new Map(below.map((line) => [readRef(line), line]));
  const wrong = known.filter(isLive).filter((entry) => {
    const line = corrected.get(entry.ref) ?? lines[refs.indexOf(entry.ref)];
    return line !== writeLine(entry, true) && line !== writeLine(entry, false);
  });
  const needless = known
    .filter(isLive)
    .filter((entry) => corrected.get(entry.ref) === lines[refs.indexOf(entry.ref)]);
  const counted = MORE.exec(all.at(-1) ?? "")?.[1] ?? "0";
  const deleted = /^Deleted: (.*)$/mu.exec(changes)?.[1] ?? "";
  const { most } = made;
  const tokens = made.countTokens([...all, ...below].join("\n"));
  return [
    ...compare("9 table", "each ref once, none unknown or left out", describeRefs(refs, known)),
    ...compare("9 table, deleted", foldRefs(gone), deleted),
    ...compare("9 table, hidden", String(missing), counted),
    ...wrong.map((entry) => violation("9 table, line", writeLine(entry, true), text)),
    ...needless.map(({ ref }) => violation("9 table, needless", ref, changes)),
    ...(tokens <= most || lines.length === 0
      ? []
      : [violation("9 table, tokens", `at most ${most}`, String(tokens))]),
    ...judgeTableOrder(lines, made),
  ];
}

/** Lines stay where they were; a table that was cut begins anew, in order of appearance, and what is active stays longest. */
function judgeTableOrder(lines: readonly string[], made: TableParts): Violation[] {
  const { entries } = made.registry;
  const byRef = new Map(entries.map((entry) => [entry.ref, entry]));
  const before = made.before.filter(({ ref }) => byRef.get(ref)?.demotion === null);
  const isNamed = makeNamed(made.message);
  const isRecent = makeActive(made);
  const isActive = (entry: RegistryEntry): boolean => isNamed(entry) || isRecent(entry);
  const live = entries.filter(isLive);
  const stood = new Set(before.map(({ ref }) => ref));
  const added = live.filter((entry) => isActive(entry) && !stood.has(entry.ref));
  const grown = [...before.map(({ text }) => text), ...added.map((one) => writeLine(one, true))];
  const isCut = made.isCut || made.before.length === 0;
  const { most, countTokens } = made;
  const correction = writeCorrection(before, { byRef, isNamed });
  const gone = before.filter(({ ref }) => byRef.get(ref)?.action === "deleted").length;
  const hidden = live.length - added.length - (before.length - gone);
  const whole = [...grown, writeMore(hidden), correction].filter((part) => part !== "");
  const fits = countTokens(whole.join("\n")) <= most && countTokens(correction) <= most / 4;
  if (!isCut && fits) return compare("9 table, grown", grown.join("\n"), lines.join("\n"));
  const cut = cutTable(live, { isActive, isNamed, most, countTokens });
  return compare("9 table, cut", cut, lines.join("\n"));
}

interface Cut {
  readonly isActive: (entry: RegistryEntry) => boolean;
  readonly isNamed: (entry: RegistryEntry) => boolean;
  readonly most: number;
  readonly countTokens: CountTokens;
}

/** The longest untouched leave until four fifths are full; were that too little, facts go, then lines. */
function cutTable(
  live: readonly RegistryEntry[],
  { isActive, isNamed, most, countTokens }: Cut,
): string {
  const bare = new Set<RegistryEntry>();
  const gone = new Set<RegistryEntry>();
  const write = (): readonly string[] =>
    live.filter((one) => !gone.has(one)).map((one) => writeLine(one, !bare.has(one)));
  const fits = (room: number): boolean => {
    const more = writeMore(gone.size);
    const tokens = write().reduce((sum, line) => sum + countTokens(`${line}\n`), 0);
    return tokens <= room && countTokens([...write(), more].join("\n")) <= most;
  };
  const idle = live
    .filter((one) => !isActive(one))
    .toSorted((a, b) => readTouched(b) - readTouched(a));
  const ages = [...Map.groupBy(idle, readTouched).values()];
  for (const entry of ages.flatMap(takeTurns).toReversed()) {
    if (fits(most * 0.8)) break;
    gone.add(entry);
  }
  const rest = live
    .filter((one) => !gone.has(one))
    .toSorted((a, b) => b.referencedTurn - a.referencedTurn);
  const worth = [
    ...takeTurns(rest.filter(isKept)),
    ...takeTurns(rest.filter((one) => !isKept(one) && isNamed(one))),
    ...takeTurns(rest.filter((one) => !isKept(one) && !isNamed(one))),
  ].toReversed();
  for (const entry of worth) if (!fits(most)) bare.add(entry);
  if (!fits(most)) {
    const types = [...Map.groupBy(rest, ({ type }) => type).values()];
    const few = types.filter((own) => own.length * types.length < rest.length).flat();
    for (const entry of [...few, ...rest.filter(isNamed)]) bare.delete(entry);
  }
  for (const entry of worth) if (!fits(most)) gone.add(entry);
  return write().join("\n");
}

function isKept({ retention, id }: RegistryEntry): boolean {
  return retention !== null || id === null;
}

/** The first of each type, then the second of each, and so on. */
function takeTurns(entries: readonly RegistryEntry[]): readonly RegistryEntry[] {
  const findPlace = (entry: RegistryEntry): number =>
    entries.filter(({ type }) => type === entry.type).indexOf(entry);
  return entries.toSorted((a, b) => findPlace(a) - findPlace(b));
}

/** The last line of a table that leaves some entities out. */
function writeMore(hidden: number): string {
  return hidden === 0 ? "" : `+ ${hidden} older, ask recall`;
}

interface Grown {
  readonly byRef: ReadonlyMap<string, RegistryEntry>;
  readonly isNamed: (entry: RegistryEntry) => boolean;
}

/** Writes what no longer holds of a table that has grown. */
function writeCorrection(before: readonly TableLine[], { byRef, isNamed }: Grown): string {
  const outdated = before.flatMap(({ ref, text, turn }) => {
    const entry = byRef.get(ref);
    if (entry === undefined || !isLive(entry) || text === writeLine(entry, true)) return [];
    // What is spoken of again has its facts again.
    const isSpokenOf = entry.referencedTurn >= turn || isNamed(entry);
    return text === writeLine(entry, false) && !isSpokenOf ? [] : [writeLine(entry, true)];
  });
  const gone = before.flatMap(({ ref }) => (byRef.get(ref)?.action === "deleted" ? [ref] : []));
  return [...outdated, ...(gone.length === 0 ? [] : [`Deleted: ${foldRefs(gone)}`])].join("\n");
}

/** Returns whether a message has the whole label of a row, or a longer number out of its label or facts. */
function makeNamed(message: string): (entry: RegistryEntry) => boolean {
  const words = readWords(message);
  const text = ` ${words.join(" ")} `;
  return ({ label, facts }) => {
    const own = readWords(label);
    const numbers = [...own, ...readWords(facts)].filter((word) => /\d/u.test(word));
    return (
      (own.join(" ").length > 0 && text.includes(` ${own.join(" ")} `)) ||
      numbers.some((one) => one.length > 4 && words.includes(one))
    );
  };
}

function readWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+/gu) ?? [];
}

function makeActive({
  registry: { choices, listed },
  turn,
  window,
}: TableParts): (entry: RegistryEntry) => boolean {
  const chosen = new Set([...choices.flatMap(({ refs }) => refs), ...listed]);
  return ({ ref, retention, id, referencedTurn }) =>
    chosen.has(ref) || retention !== null || id === null || referencedTurn >= turn - window;
}

function readTouched({ referencedTurn, demotion }: RegistryEntry): number {
  return Math.max(referencedTurn, demotion?.turn ?? 0);
}

function isLive({ action, demotion }: RegistryEntry): boolean {
  return action !== "deleted" && demotion === null;
}

function writeLine(entry: RegistryEntry, hasFacts: boolean): string {
  const { ref, label, facts, id, action } = entry;
  const draft = id === null && action !== "deleted" ? " (draft, not saved)" : "";
  return `${ref} ${clipTo(label, 80)}${draft}${hasFacts && facts !== "" ? `: ${clipTo(facts, 120)}` : ""}`;
}

function describeRefs(refs: readonly string[], known: readonly RegistryEntry[]): string {
  const twice = refs.filter((ref, index) => refs.indexOf(ref) !== index);
  const out = known.filter(({ demotion }) => demotion !== null).map(({ ref }) => ref);
  const bad = [...twice, ...out];
  if (known.length === refs.length && bad.length === 0)
    return "each ref once, none unknown or left out";
  return `${bad.join(", ")} among ${refs.join(", ")}`;
}

function readRef(line: string): string {
  return line.slice(0, line.indexOf(" "));
}
