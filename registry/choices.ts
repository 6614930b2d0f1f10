import type { EntityType } from "../state/entity.ts";
import type { Choice, Registry, RegistryEntry, RegistryEvent } from "../state/registry.ts";
import { findEntry } from "./entries.ts";
import { clip } from "./shorten.ts";
import { typeNamed } from "./types.ts";

type Judged = Extract<RegistryEvent, { kind: "judged" }>;

/** The prefix of the ids of choices, counted like refs. */
export const CHOICE_PREFIX = "choice";

/** A choice's title is one short phrase. */
const TITLE_CHARACTERS = 60;

/**
 * The registry with the result of an analysis. It replaces what remained of the choice that the
 * message is about, else of the last one of that type with which it has an entity in common;
 * otherwise it opens one. What was left out of a replaced choice stays in it, with its reason.
 */
export function judgeChoice(registry: Registry, judged: Judged): Registry {
  const { type, turn, title, conclusion } = judged;
  const refs = judged.refs.filter((ref) => findEntry(registry, ref)?.type === type);
  const before = findJudged(registry, { ...judged, refs });
  if (before === undefined) {
    const known = registry.entries.filter(
      (entry) => entry.type === type && entry.row !== null && entry.id !== null,
    );
    const of = Math.max(refs.length, judged.of ?? known.length);
    return openChoice(registry, { type, turn, refs, of, title, basis: "analysis", conclusion });
  }
  const excluded = before.refs.filter((ref) => isExcluded(registry, ref));
  const all = [...new Set([...refs, ...excluded])];
  return moveToEnd(registry, {
    ...before,
    title: before.basis === "list" ? clip(title, TITLE_CHARACTERS) : before.title,
    refs: all,
    of: Math.max(before.of, all.length),
    basis: "analysis",
    conclusion,
    touchedTurn: turn,
  });
}

function findJudged({ choices }: Registry, { type, refs, topic }: Judged): Choice | undefined {
  if (topic === "new") return undefined;
  const own = choices.filter((choice) => choice.type === type);
  return (
    own.find(({ id }) => id === topic) ??
    own.findLast((choice) => refs.length === 0 || choice.refs.some((ref) => refs.includes(ref)))
  );
}

function isExcluded(registry: Registry, ref: string): boolean {
  return (findEntry(registry, ref)?.demotion ?? null) !== null;
}

interface Touch {
  readonly refs: readonly string[];
  readonly turn: number;
  readonly types: readonly EntityType[];
}

/**
 * The registry after something was named, left out or brought back: the choices that hold it come
 * into focus. Where none does, and it stands in the list that was shown last, the list becomes a
 * choice. A list by itself is none: nothing has been done with it yet.
 */
export function touchChoices(registry: Registry, { refs, turn, types }: Touch): Registry {
  return refs.reduce((current, ref) => {
    const holding = current.choices.filter((choice) => choice.refs.includes(ref));
    if (holding.length > 0) {
      return holding.reduce(
        (next, choice) => moveToEnd(next, { ...choice, touchedTurn: turn }),
        current,
      );
    }
    return openFromList(current, ref, { turn, types });
  }, registry);
}

/** The registry with what was brought back in the focused choice of its type, where no choice holds it. */
export function restoreToChoices(
  registry: Registry,
  refs: readonly string[],
  turn: number,
): Registry {
  return refs.reduce((current, ref) => {
    const type = findEntry(current, ref)?.type;
    const isHeld = current.choices.some((choice) => choice.refs.includes(ref));
    const focus = current.choices.findLast((choice) => choice.type === type);
    if (isHeld || focus === undefined) return current;
    const all = [...focus.refs, ref];
    const of = Math.max(focus.of, all.length);
    return moveToEnd(current, { ...focus, refs: all, of, touchedTurn: turn });
  }, registry);
}

/** The registry with the choice of that id in focus. Pure. */
export function focusChoice(registry: Registry, id: string, turn: number): Registry {
  const choice = registry.choices.find((candidate) => candidate.id === id);
  return choice === undefined ? registry : moveToEnd(registry, { ...choice, touchedTurn: turn });
}

/** The registry without choices of which nothing exists any more. */
export function closeEmptyChoices(registry: Registry): Registry {
  const exists = (ref: string): boolean => {
    const entry = findEntry(registry, ref);
    return entry !== undefined && entry.action !== "deleted";
  };
  const choices = registry.choices.filter(
    ({ refs, basis }) => refs.some(exists) || (basis === "analysis" && refs.length === 0),
  );
  return choices.length === registry.choices.length ? registry : { ...registry, choices };
}

interface ListContext {
  readonly turn: number;
  readonly types: readonly EntityType[];
}

/** Opens a choice from all entities of one type in the list that was shown last; a single one is no choice. */
function openFromList(registry: Registry, ref: string, { turn, types }: ListContext): Registry {
  const type = findEntry(registry, ref)?.type;
  if (type === undefined || !registry.listed.includes(ref)) return registry;
  const refs = registry.listed.filter((each) => {
    const entry = findEntry(registry, each);
    return entry?.type === type && entry.action !== "deleted";
  });
  if (refs.length < 2) return registry;
  const title = typeNamed(types, type).words.many;
  return openChoice(registry, {
    type,
    turn,
    refs,
    of: refs.length,
    title,
    basis: "list",
    conclusion: "",
  });
}

interface NewChoice extends Pick<
  Choice,
  "type" | "refs" | "of" | "title" | "basis" | "conclusion"
> {
  readonly turn: number;
}

function openChoice(registry: Registry, { turn, title, ...choice }: NewChoice): Registry {
  const counter = registry.counters.find(({ prefix }) => prefix === CHOICE_PREFIX);
  const number = (counter?.last ?? 0) + 1;
  const others = registry.counters.filter(({ prefix }) => prefix !== CHOICE_PREFIX);
  return {
    ...registry,
    counters: [...others, { prefix: CHOICE_PREFIX, last: number }],
    choices: [
      ...registry.choices,
      {
        ...choice,
        id: `${CHOICE_PREFIX}_${number}`,
        title: clip(title, TITLE_CHARACTERS),
        openedTurn: turn,
        touchedTurn: turn,
      },
    ],
  };
}

function moveToEnd(registry: Registry, choice: Choice): Registry {
  const others = registry.choices.filter(({ id }) => id !== choice.id);
  return { ...registry, choices: [...others, choice] };
}

/** Returns the entities of a choice in its order; those that have left the registry are left out. */
export function listChoiceEntries(registry: Registry, { refs }: Choice): RegistryEntry[] {
  return refs.flatMap((ref) => findEntry(registry, ref) ?? []);
}
