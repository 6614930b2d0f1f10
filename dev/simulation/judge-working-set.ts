import {
  renderChoices,
  renderDrafts,
  renderListed,
  type WorkingSetDetail,
} from "../../registry/render-working-set.ts";
import { renderOutsideChanges } from "../../registry/view-outside-changes.ts";
import {
  computeWorkingSet,
  listShownRefs,
  selectChoices,
  selectDrafts,
  type WorkingItem,
  type WorkingSet,
} from "../../registry/working-set.ts";
import type { CountTokens } from "../../state/model.ts";
import type { Registry, RegistryEntry, RegistryEvent } from "../../state/registry.ts";
import { makeUnderstanding } from "../../test/support/turn-state.ts";
import { renderSentence } from "../../text/sentences.ts";
import {
  clipTo,
  expectChoices,
  expectDrafts,
  expectListed,
  expectOutsideLines,
} from "./expected-sections.ts";
import type { Numbers } from "./numbers.ts";
import { compare, type Violation } from "./violation.ts";

interface SetContext {
  readonly events: readonly RegistryEvent[];
  readonly turn: number;
  readonly numbers: Numbers;
  readonly countTokens: CountTokens;
}

/** 2, 9: the working set of a registry, its parts, and each section that shows it. */
export function judgeWorkingSet(
  registry: Registry,
  { events, turn, numbers, countTokens }: SetContext,
): Violation[] {
  const named = registry.entries.slice(-3).map(({ ref }) => ref);
  const references = [...named, ...named, "nothing_7"].map((ref) => ({ text: "it", ref }));
  const understanding = makeUnderstanding({ references });
  const found = computeWorkingSet({ registry, events, turn, understanding });
  const set = expectWorkingSet(registry, { events, turn, named });
  const refs = registry.entries.map(({ ref }) => ref).filter(() => numbers.below(3) === 0);
  return [
    ...compareSets("2 working set", set, found),
    ...compareSets("2 choices of a step", keepChoices(set, refs), selectChoices(set, refs)),
    ...compareSets("2 drafts of a step", keepDrafts(set, refs), selectDrafts(set, refs)),
    ...compare(
      "2 shown refs",
      listAll(set).toSorted().join(),
      listShownRefs(set).toSorted().join(),
    ),
    ...judgeForms(set, { numbers, countTokens }),
  ];
}

function compareSets(invariant: string, expected: WorkingSet, found: WorkingSet): Violation[] {
  return compare(invariant, writeSet(expected), writeSet(found));
}

function writeSet(set: WorkingSet): string {
  return JSON.stringify(set, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

interface ExpectedTurn {
  readonly events: readonly RegistryEvent[];
  readonly turn: number;
  readonly named: readonly string[];
}

/** The working set as a person would draw it from the entries. */
function expectWorkingSet(
  { entries, choices, listed, unchecked = [] }: Registry,
  { events, turn, named }: ExpectedTurn,
): WorkingSet {
  const there = new Map(
    entries.flatMap((entry) => (entry.action === "deleted" ? [] : [[entry.ref, entry] as const])),
  );
  const show = (refs: readonly string[]): RegistryEntry[] =>
    refs.flatMap((ref) => there.get(ref) ?? []);
  const out = [...there.values()].filter(({ demotion }) => demotion !== null);
  return {
    turn,
    choices: choices.toReversed().map(({ refs, ...choice }) => {
      const items = show(refs);
      const left = items.filter((entry) => !out.includes(entry)).map(toItem);
      const excluded = items.filter((entry) => out.includes(entry)).map(toItem);
      return Object.assign(choice, { left, excluded });
    }),
    excludedElsewhere: out
      .filter(({ ref }) => choices.every(({ refs }) => !refs.includes(ref)))
      .toSorted((a, b) => (b.demotion?.turn ?? 0) - (a.demotion?.turn ?? 0))
      .map(toItem),
    drafts: [...there.values()]
      .filter(({ id, demotion }) => id === null && demotion === null)
      .map(toItem),
    listed: listed.flatMap((ref, at) =>
      show([ref]).map((entry) => Object.assign(toItem(entry), { place: at + 1 })),
    ),
    named: show(named).map(toItem),
    changes: events.flatMap((event, at) => expectChange(event, entries, events.slice(at + 1))),
    unchecked: unchecked.flatMap(({ ref }) =>
      show([ref]).some((one) => one.demotion === null && one.readTurn !== turn) ? [ref] : [],
    ),
  };
}

function toItem(entry: RegistryEntry): WorkingItem {
  const { ref, type, label, facts, detail, demotion, restoredTurn, retention } = entry;
  return { ref, type, label, facts, detail, excluded: demotion, restoredTurn, retained: retention };
}

function expectChange(
  event: RegistryEvent,
  entries: readonly RegistryEntry[],
  later: readonly RegistryEvent[],
): WorkingSet["changes"][number][] {
  if (event.kind !== "outside") return [];
  const entry = entries.find(({ type, id }) => type === event.type && id === event.id);
  if (entry === undefined) return [];
  const { who, row } = event;
  const writes = later.flatMap((one) => (one.kind === "written" ? one : []));
  const isOwn = writes.some(({ type, row: { id } }) => type === event.type && id === event.id);
  const now = isOwn ? [event.before, ""] : [entry.label, entry.facts];
  const [from, to, facts] = [event.before, ...now].map((one) => clipTo(one, 80));
  const place = who === "conversation" ? "Elsewhere" : "";
  const { ref } = entry;
  if (row === null) {
    const text = renderSentence(`outsideDeleted${place}`, { label: from ?? "" });
    return [{ ref, action: "deleted", who, text }];
  }
  if (event.isBack === true) {
    const text = renderSentence(`outsideRestored${place}`, { label: to ?? "" });
    return [{ ref, action: "updated", who, text }];
  }
  const changed = renderSentence(`outsideChanged${place}`, { label: from ?? "" });
  const text =
    from === to
      ? [changed, facts].filter((part) => part !== "").join(": ")
      : renderSentence(`outsideRenamed${place}`, { from: from ?? "", to: to ?? "" });
  return [{ ref, action: "updated", who, text }];
}

function keepChoices(set: WorkingSet, refs: readonly string[]): WorkingSet {
  const choices = set.choices.filter(({ left, excluded }) =>
    [left, excluded].flat().some(({ ref }) => refs.includes(ref)),
  );
  return { ...set, choices, excludedElsewhere: [] };
}

function keepDrafts(set: WorkingSet, refs: readonly string[]): WorkingSet {
  return { ...set, drafts: set.drafts.filter(({ ref }) => refs.includes(ref)) };
}

function listAll({ choices, excludedElsewhere, drafts, listed }: WorkingSet): readonly string[] {
  const own = choices.flatMap(({ left, excluded }) => [left, excluded].flat());
  const refs = [own, excludedElsewhere, drafts, listed].flat().map(({ ref }) => ref);
  return refs.filter((ref, at) => refs.indexOf(ref) === at);
}

/** Each section in the richest form that has room, however little there is. */
function judgeForms(set: WorkingSet, { numbers, countTokens }: FormContext): Violation[] {
  const forms = [true, false, true, false, true, false];
  return forms.flatMap((refs) => judgeForm(set, refs, { numbers, countTokens }));
}

type FormContext = Pick<SetContext, "numbers" | "countTokens">;

function judgeForm(
  set: WorkingSet,
  refs: boolean,
  { numbers, countTokens }: FormContext,
): Violation[] {
  const limits = {
    choiceLines: numbers.pick([9, 4, 2]),
    choiceTokens: numbers.pick([1_000, 120, 60, 25, 5]),
    excludedTokens: numbers.pick([1_000, 60, 25, 5]),
  };
  const facts = numbers.below(2) === 0;
  const form: WorkingSetDetail = { refs, facts, limits, countTokens };
  const shown = numbers.pick([9, 1, 0]);
  return [
    ...compare("9 choices", expectChoices(set, form), renderChoices(set, form)),
    ...compare("9 listed", expectListed(set, form), renderListed(set, form)),
    ...compare("9 drafts", expectDrafts(set, form), renderDrafts(set, form)),
    ...compare(
      "9 outside",
      expectOutsideLines(set, { refs, most: shown }),
      renderOutsideChanges(set, { refs, shown }),
    ),
  ];
}
