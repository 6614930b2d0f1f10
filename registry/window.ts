import type { Limits } from "../state/limits.ts";
import type { Registry, RegistryEntry } from "../state/registry.ts";
import { alternateTypes } from "./alternate-types.ts";
import { isInPlay, isUnsavedDraft, withoutRow } from "./entries.ts";
import { mentions } from "./translate.ts";

/** The current turn, and how many finished turns before it count (the same N as the records). */
export interface Window {
  readonly turn: number;
  readonly window: number;
}

/**
 * Returns true when an entity is active: it exists, is not excluded, and was referenced in this turn
 * or one of the last `window` ones, or is retained, or is a draft that is not saved.
 */
export function isActive(entry: RegistryEntry, at: Window): boolean {
  return isInPlay(entry) && (isKept(entry) || entry.referencedTurn >= at.turn - at.window);
}

/** The active entries, in order of appearance. */
export function activeEntries(registry: Registry, at: Window): RegistryEntry[] {
  return registry.entries.filter((entry) => isActive(entry, at));
}

/** Refs that were taken out of the choice and can be restored, in order of appearance. */
export function hiddenRefs(registry: Registry): string[] {
  return registry.entries
    .filter((entry) => entry.demotion !== null && entry.action !== "deleted")
    .map((entry) => entry.ref);
}

/** The window of a turn that ends, and the limits of what stays. */
interface ClosedWindow extends Window {
  readonly limits: Pick<Limits, "rowsHeld" | "registryRefs" | "deletedRefTurns" | "openChoices">;
}

/**
 * The registry at the end of a turn, and the entries that left it for the table of older refs.
 *
 * Rows stay for what will be active in the next turn; a demoted row stays hidden for the window
 * after its demotion. Over `openChoices` the ones touched longest ago close. Over `rowsHeld` the longest unreferenced rows are let go, over
 * `registryRefs` the longest unreferenced entries leave, of those equally old the ones of the most
 * numerous type first; and what was deleted leaves after
 * `deletedRefTurns`: else a thread that buys and strikes off would grow with every turn.
 *
 * Contract: a draft that is not saved loses nothing and never leaves; retained and active entries,
 * those of an open choice, and what a held row points at, never leave.
 */
export function closeTurn(
  registry: Registry,
  options: ClosedWindow,
): { registry: Registry; left: RegistryEntry[] } {
  const next = { turn: options.turn + 1, window: options.window };
  const windowed = registry.entries.map((entry) =>
    keepsRow(entry, next) ? entry : withoutRow(entry),
  );
  const entries = capRows(windowed, options.limits.rowsHeld);
  const choices = registry.choices.slice(-options.limits.openChoices);
  const left = leaving(entries, { ...next, limits: options.limits, choices });
  const gone = new Set(left.map((entry) => entry.ref));
  return {
    registry: {
      ...registry,
      entries: entries.filter((entry) => !gone.has(entry.ref)),
      choices,
    },
    left,
  };
}

/** Returns true for what is retained and for drafts: they stay whatever the window says. */
export function isKept(entry: RegistryEntry): boolean {
  return entry.retention !== null || isUnsavedDraft(entry);
}

function keepsRow(entry: RegistryEntry, at: Window): boolean {
  return isKept(entry) || lastTouched(entry) >= at.turn - at.window;
}

function lastTouched(entry: RegistryEntry): number {
  return Math.max(entry.referencedTurn, entry.demotion?.turn ?? 0);
}

/** Of equally old rows the first of each type stay: lists are read from the top. */
function capRows(entries: readonly RegistryEntry[], cap: number): RegistryEntry[] {
  const held = entries.filter((entry) => entry.row !== null && !isUnsavedDraft(entry));
  const over = new Set(latestFirst(held).slice(cap));
  return entries.map((entry) => (over.has(entry) ? withoutRow(entry) : entry));
}

/** Orders the latest touched first, of those equally old one of each type in turn. */
export function latestFirst(entries: readonly RegistryEntry[]): RegistryEntry[] {
  return [...Map.groupBy(entries, lastTouched)]
    .toSorted(([a], [b]) => b - a)
    .flatMap(([, together]) => alternateTypes(together, ({ type }) => type));
}

const FORGOTTEN = { facts: "", retention: null, demotion: null, restoredTurn: null };

/** Lists the stored rows that a turn has forgotten, without what was known of them but their refs: read again, they have these. */
export function listForgotten(before: Registry, after: Registry): RegistryEntry[] {
  const kept = new Set(after.entries.map(({ ref }) => ref));
  return before.entries
    .filter(({ ref, id }) => id !== null && !kept.has(ref))
    .map((entry) => Object.assign({ ...withoutRow(entry) }, FORGOTTEN));
}

interface LeavingOptions extends ClosedWindow {
  readonly choices: Registry["choices"];
}

function leaving(entries: readonly RegistryEntry[], options: LeavingOptions): RegistryEntry[] {
  const { turn, limits } = options;
  const over = entries.length - limits.registryRefs;
  const isLongGone = (entry: RegistryEntry): boolean =>
    entry.action === "deleted" && lastTouched(entry) < turn - limits.deletedRefTurns;
  // Most turns end so, and looking through all rows takes longer than the rest of their end.
  if (over <= 0 && !entries.some(isLongGone)) return [];
  const rows = entries.flatMap((entry) => entry.row ?? []);
  const chosen = new Set(options.choices.flatMap(({ refs }) => refs));
  const idle = entries.filter(
    (entry) =>
      !isKept(entry) &&
      !(chosen.has(entry.ref) && entry.action !== "deleted") &&
      !isActive(entry, options),
  );
  return latestFirst(idle)
    .toReversed()
    .filter((entry) => !rows.some((row) => mentions(row, entry.ref)))
    .filter((entry, index) => index < over || isLongGone(entry));
}
