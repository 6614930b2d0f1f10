import { readRefs, type Thing } from "../prompt/read-entities.ts";
import { linesOf } from "../prompt/read-prompt.ts";

/** What a prompt offers to point at. */
export interface Pointable {
  /** Everything known. */
  readonly things: readonly Thing[];
  /** What was listed last, in its order. */
  readonly listed: readonly string[];
  /** What the last turns were about, the latest turn first. */
  readonly recent: readonly (readonly string[])[];
  /** What the turn that stored something last has created; empty where it only changed or deleted. */
  readonly created: readonly string[];
  /** What stands on days. */
  readonly planned: readonly Thing[];
  /** Words that name no single thing. */
  readonly pale: readonly string[];
  /** The things of the world that a phrase names. */
  readonly worldThings: (phrase: string) => readonly string[];
  /** Whether a phrase names the kind of thing that is chosen among. */
  readonly namesChoice: (phrase: string) => boolean;
}

/** Refs that records of the last turns name, the latest turn first; what was stored before what was seen. */
export function refsOfTurns(records: string): string[][] {
  const blocks: string[][] = [];
  for (const line of linesOf(records)) {
    if (/^Turn \d+: /.test(line)) blocks.push([]);
    blocks.at(-1)?.push(line);
  }
  return blocks.toReversed().map(refsOfTurn);
}

/** What the latest turn that stored anything has created, as its record says. */
export function createdLast(records: string): string[] {
  const turns = records.split(/^(?=Turn \d+: )/m).map(storedLines);
  const stored = turns.findLast((lines) => lines.length > 0) ?? [];
  return stored.flatMap((line) => {
    const created = line.startsWith("- created ") ? line.split(/; (?:updated|deleted) /)[0] : "";
    return readRefs((created ?? "").replaceAll(/\([^()]*\)/g, ""));
  });
}

function storedLines(turn: string): string[] {
  return linesOf(turn).filter((line) => /^- (?:created|updated|deleted) /.test(line));
}

function refsOfTurn(lines: readonly string[]): string[] {
  const told = lines
    .filter((line) => !/^- (?:Demoted|Restored|Said|Expected next)\b/.test(line))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  return [...new Set(told.flatMap(readRefs))];
}

function rankOf(line: string): number {
  if (line.startsWith("- created ") || line.startsWith("- updated ")) return 0;
  if (line.startsWith("- Found ")) return 2;
  return line.startsWith("- deleted ") ? 3 : 1;
}

/** The things of a kind that were spoken of last: of the latest turn that was about any. */
export function latestOf(
  { things, recent }: Pointable,
  isMeant: (thing: Thing) => boolean,
): Thing[] {
  const known = new Map(things.filter(isMeant).map((thing) => [thing.ref, thing]));
  const groups = recent.map((refs) => refs.flatMap((ref) => known.get(ref) ?? []));
  return groups.find((group) => group.length > 0) ?? [];
}

/** The things that are drafts. */
export function draftsIn(things: readonly Thing[]): Thing[] {
  return things.filter(({ draft }) => draft);
}

/** The draft that the conversation is about: of the latest turn that was about anything, else of what was listed. */
export function draftInFocus({ things, recent, listed }: Pointable): Thing | null {
  const drafts = new Map(draftsIn(things).map((thing) => [thing.ref, thing]));
  const latest = recent.find((refs) => refs.length > 0) ?? [];
  return [...latest, ...listed].flatMap((ref) => drafts.get(ref) ?? [])[0] ?? null;
}
