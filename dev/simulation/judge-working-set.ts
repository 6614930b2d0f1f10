import { foldRegistry } from "../../registry/apply-event.ts";
import { listNamedInMessage } from "../../registry/named-in-message.ts";
import { renderRegistryTable } from "../../registry/render-registry-table.ts";
import {
  renderChoices,
  renderDrafts,
  renderListed,
  type WorkingSetDetail,
} from "../../registry/render-working-set.ts";
import { closeTurn } from "../../registry/window.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { renderOutsideChanges } from "../../registry/view-outside-changes.ts";
import {
  computeWorkingSet,
  listShownRefs,
  selectChoices,
  selectDrafts,
  type WorkingItem,
  type WorkingSet,
} from "../../registry/working-set.ts";
import type { EntityType } from "../../state/entity.ts";
import type { CountTokens } from "../../state/model.ts";
import type { Registry, RegistryEntry, RegistryEvent } from "../../state/registry.ts";
import { renderSentence } from "../../text/sentences.ts";
import {
  clipTo,
  expectChoices,
  expectDrafts,
  expectListed,
  expectOutsideLines,
  joinShown,
} from "./expected-sections.ts";
import { makeUnderstanding } from "../../test/support/turn-state.ts";
import { judgeTable } from "./judge-table.ts";
import { judgeEntries, judgeTurnEnd } from "./judge-registry.ts";
import { makeEvents } from "./made-up-events.ts";
import type { Numbers } from "./numbers.ts";
import { compare, type Violation } from "./violation.ts";

interface MadeUpTurn {
  readonly types: readonly EntityType[];
  readonly numbers: Numbers;
  readonly countTokens: CountTokens;
  readonly turn: number;
}

/** 2, 9, 12: after events that few conversations come to, the registry and what prompts show of it. */
export function judgeMadeUpEvents(
  before: Registry,
  { numbers, countTokens, turn, ...world }: MadeUpTurn,
): Violation[] {
  const types = world.types.map(({ facts, ...type }) =>
    facts === undefined || numbers.below(3) === 0 ? type : Object.assign(type, { facts }),
  );
  const events = makeEvents(before, { types, numbers, turn, count: 14 });
  const registry = foldRegistry(before, events, types);
  const named = registry.entries.slice(-3).map(({ ref }) => ref);
  const references = [...named, ...named, "nothing_7"].map((ref) => ({ text: "it", ref }));
  const understanding = makeUnderstanding({ references });
  const found = computeWorkingSet({ registry, events, turn, understanding });
  const set = expectWorkingSet(registry, { events, turn, named });
  const refs = registry.entries.map(({ ref }) => ref).filter(() => numbers.below(3) === 0);
  return [
    ...judgeEntries(registry, { before, events, types }),
    ...compareSets("2 working set", set, found),
    ...compareSets("2 choices of a step", keepChoices(set, refs), selectChoices(set, refs)),
    ...compareSets("2 drafts of a step", keepDrafts(set, refs), selectDrafts(set, refs)),
    ...compare(
      "2 shown refs",
      listAll(set).toSorted().join(),
      listShownRefs(set).toSorted().join(),
    ),
    ...judgeForms(set, { numbers, countTokens }),
    ...judgeEnds(registry, { numbers, turn }),
    ...judgeTables({ before, registry }, { numbers, countTokens, turn }),
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
    changes: events.flatMap((event) => expectChange(event, entries)),
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
): WorkingSet["changes"][number][] {
  if (event.kind !== "outside") return [];
  const entry = entries.find(({ type, id }) => type === event.type && id === event.id);
  if (entry === undefined) return [];
  const { who, row } = event;
  const [from, to, facts] = [event.before, entry.label, entry.facts].map((one) => clipTo(one, 80));
  const place = who === "conversation" ? "Elsewhere" : "";
  const { ref } = entry;
  if (row === null) {
    const text = renderSentence(`outsideDeleted${place}`, { label: from ?? "" });
    return [{ ref, action: "deleted", who, text }];
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

type FormContext = Pick<MadeUpTurn, "numbers" | "countTokens">;

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

/** The end of a turn with limits of all sizes. */
function judgeEnds(
  folded: Registry,
  { numbers, turn }: Pick<MadeUpTurn, "numbers" | "turn">,
): Violation[] {
  const { length } = folded.entries;
  return [1, 2, 4].flatMap((part) => {
    const limits = {
      ...DEFAULT_LIMITS,
      rowsHeld: numbers.pick([0, 2, 5, 100]),
      registryRefs: Math.floor(length / part),
      deletedRefTurns: numbers.below(3),
      openChoices: 1 + numbers.below(4),
      recordTurns: numbers.below(3),
    };
    const { registry: kept, left } = closeTurn(folded, {
      turn,
      window: limits.recordTurns,
      limits,
    });
    const stays = new Set(kept.entries.map(({ ref }) => ref));
    const gone = folded.entries.filter(({ ref }) => !stays.has(ref));
    return judgeTurnEnd({ folded, kept, turn, limits }).concat(
      compare("12 archived", listSorted(gone), listSorted(left)),
    );
  });
}

function listSorted(entries: readonly RegistryEntry[]): string {
  return entries
    .map(({ ref }) => ref)
    .toSorted()
    .join();
}

interface MetRegistries {
  readonly before: Registry;
  readonly registry: Registry;
}

/** Tables one after the other, with room for all of it, some of it and next to nothing. */
function judgeTables(met: MetRegistries, turn: TableTurn): Violation[] {
  return [1_000, 200, 90, 45, 15].flatMap((most) => judgeTwoTables(met, most, turn));
}

type TableTurn = Omit<MadeUpTurn, "types">;

function judgeTwoTables(
  { before, registry }: MetRegistries,
  most: number,
  { numbers, countTokens, turn }: TableTurn,
): Violation[] {
  const bounds = { window: numbers.below(3), budget: most, countTokens };
  const earlier = leaveFactsOut(before, numbers);
  const first = renderRegistryTable(earlier, { ...bounds, before: [], turn: turn - 1 });
  const met = leaveFactsOut(registry, numbers);
  const message = `about ${met.entries.at(-1 - numbers.below(4))?.label}`;
  const isCut = numbers.below(4) === 0;
  const named = listNamedInMessage(met, message);
  const options = { ...bounds, before: first.lines, turn, named, cut: isCut };
  const { lines, shown, more, changes, hidden, ...found } = renderRegistryTable(met, options);
  const text = joinShown([found.text, more]);
  const parts = { registry: met, before: first.lines, isCut, message, turn, most, countTokens };
  const inPlay = met.entries.filter(({ ref }) => shown.includes(ref));
  return [
    ...judgeTable({ text, changes }, { ...parts, window: bounds.window }),
    ...compare("9 table, next", text, joinShown([...lines.map(readText), more])),
    ...compare("9 table, shown", String(shown.length), String(inPlay.length)),
    ...compare("9 table, counted", more.match(/\d+/u)?.[0] ?? "0", String(hidden)),
  ];
}

function readText({ text }: { readonly text: string }): string {
  return text;
}

/** Some entities of whom there is nothing to say. */
function leaveFactsOut(registry: Registry, numbers: Numbers): Registry {
  const entries = registry.entries.map((entry) =>
    numbers.below(3) === 0 ? Object.assign({}, entry, { facts: "" }) : entry,
  );
  return { ...registry, entries };
}
