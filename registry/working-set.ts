import type { Detail } from "../state/entity.ts";
import type { Choice, Registry, RegistryEntry, RegistryEvent } from "../state/registry.ts";
import type { Understanding } from "../state/understanding.ts";
import { listChoiceEntries } from "./choices.ts";
import { viewOutsideChanges, type OutsideChange } from "./view-outside-changes.ts";
import { findEntry, isInPlay, isUnsavedDraft } from "./entries.ts";

/** An entity as prompts show it. */
export interface WorkingItem {
  readonly ref: string;
  readonly type: string;
  readonly label: string;
  readonly facts: string;
  /** Detail in which the registry holds its row now. */
  readonly detail: Detail;
  readonly excluded: { readonly turn: number; readonly reason: string } | null;
  /** Turn in which it was last brought back; null if never. */
  readonly restoredTurn: number | null;
  /** Why it is kept; null where it is not. */
  readonly retained: string | null;
}

/** An entity of the list that was shown last. */
export interface ListedItem extends WorkingItem {
  /** Its place in that list, from 1: it keeps it when others are gone. */
  readonly place: number;
}

/** An open choice with its entities. */
export interface ChoiceView extends Omit<Choice, "refs"> {
  /** In order: the only things that may be offered. */
  readonly left: readonly WorkingItem[];
  readonly excluded: readonly WorkingItem[];
}

/** The entities that a turn works with: what may be chosen, what was left out and why, what is a draft. */
export interface WorkingSet {
  readonly turn: number;
  /** The one in focus first, then those touched last. */
  readonly choices: readonly ChoiceView[];
  /** Left out, and in no choice; latest first. */
  readonly excludedElsewhere: readonly WorkingItem[];
  readonly drafts: readonly WorkingItem[];
  /** The list shown last in its order, excluded ones included. */
  readonly listed: readonly ListedItem[];
  /** Named by this message. */
  readonly named: readonly WorkingItem[];
  /** Known rows that something outside the conversation has changed since its last turn. */
  readonly changes: readonly OutsideChange[];
  /** Refs of known rows that nobody has checked for such changes, and that this turn has not read. */
  readonly unchecked: readonly string[];
}

interface WorkingSetInput {
  readonly registry: Registry;
  readonly turn: number;
  /** The turn's events, which name what has changed outside. */
  readonly events: readonly RegistryEvent[];
  /** Null before Understand has answered. */
  readonly understanding: Understanding | null;
}

/**
 * Computes the working set of a turn. Every prompt and every turn summary takes from it what can be
 * chosen, so that no two nodes are shown different worlds. Pure: the same before and after a restart.
 */
export function computeWorkingSet({
  registry,
  events,
  turn,
  understanding,
}: WorkingSetInput): WorkingSet {
  const choices = registry.choices.toReversed().map((choice) => viewChoice(registry, choice));
  const chosen = new Set(registry.choices.flatMap(({ refs }) => refs));
  const find = (refs: readonly string[]): WorkingItem[] =>
    refs.flatMap((ref) => {
      const entry = findEntry(registry, ref);
      return entry === undefined || entry.action === "deleted" ? [] : [toItem(entry)];
    });
  return {
    turn,
    choices,
    excludedElsewhere: registry.entries
      .filter((entry) => isExcluded(entry) && !chosen.has(entry.ref))
      .toSorted((a, b) => (b.demotion?.turn ?? 0) - (a.demotion?.turn ?? 0))
      .map(toItem),
    drafts: registry.entries
      .filter((entry) => isUnsavedDraft(entry) && entry.demotion === null)
      .map(toItem),
    listed: registry.listed.flatMap((ref, index) =>
      find([ref]).map((item) => Object.assign({ place: index + 1 }, item)),
    ),
    named: find([...new Set(understanding?.references.map(({ ref }) => ref))]),
    changes: viewOutsideChanges(registry, events),
    unchecked: (registry.unchecked ?? [])
      .map(({ ref }) => ref)
      .filter((ref) => {
        const entry = findEntry(registry, ref);
        return entry !== undefined && isInPlay(entry) && entry.readTurn !== turn;
      }),
  };
}

function viewChoice(registry: Registry, choice: Choice): ChoiceView {
  const { refs: _refs, ...rest } = choice;
  const entries = listChoiceEntries(registry, choice);
  return {
    ...rest,
    left: entries.filter(isInPlay).map(toItem),
    excluded: entries.filter(isExcluded).map(toItem),
  };
}

function isExcluded({ demotion, action }: RegistryEntry): boolean {
  return demotion !== null && action !== "deleted";
}

function toItem(entry: RegistryEntry): WorkingItem {
  const { ref, type, label, facts, detail, demotion, restoredTurn, retention } = entry;
  return { ref, type, label, facts, detail, excluded: demotion, restoredTurn, retained: retention };
}

/** Returns the working set with only the choices that hold one of the refs. Pure. */
export function selectChoices(set: WorkingSet, refs: readonly string[]): WorkingSet {
  const holds = ({ left, excluded }: ChoiceView): boolean =>
    [...left, ...excluded].some(({ ref }) => refs.includes(ref));
  return { ...set, choices: set.choices.filter(holds), excludedElsewhere: [] };
}

/** Returns the working set with only the drafts among the refs. Pure. */
export function selectDrafts(set: WorkingSet, refs: readonly string[]): WorkingSet {
  return { ...set, drafts: set.drafts.filter(({ ref }) => refs.includes(ref)) };
}

/** Returns the choice in focus: the one touched last; undefined where none is open. */
export function findFocus({ choices }: WorkingSet): ChoiceView | undefined {
  return choices[0];
}

/** Lists every ref that the sections of the working set show, each once. Pure. */
export function listShownRefs(set: WorkingSet): string[] {
  const { choices, excludedElsewhere, drafts, listed } = set;
  const items = [
    ...choices.flatMap(({ left }) => left),
    ...choices.flatMap(({ excluded }) => excluded),
    ...excludedElsewhere,
    ...drafts,
    ...listed,
  ];
  return [...new Set(items.map(({ ref }) => ref))];
}
