import { foldRegistry } from "../../registry/apply-event.ts";
import { listNamedInMessage } from "../../registry/named-in-message.ts";
import { renderRegistryTable } from "../../registry/render-registry-table.ts";
import { closeTurn } from "../../registry/window.ts";
import type { EntityType } from "../../state/entity.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import type { CountTokens } from "../../state/model.ts";
import type { Registry, RegistryEntry } from "../../state/registry.ts";
import { joinShown } from "./expected-sections.ts";
import { judgeEntries, judgeTurnEnd } from "./judge-registry.ts";
import { judgeTable } from "./judge-table.ts";
import { judgeWorkingSet } from "./judge-working-set.ts";
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
  return [
    ...judgeEntries(registry, { before, events, types }),
    ...judgeWorkingSet(registry, { events, turn, numbers, countTokens }),
    ...judgeEnds(registry, { numbers, turn }),
    ...judgeTables({ before, registry }, { numbers, countTokens, turn }),
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
    ...compare("9 table, next", text, joinShown([...lines.map((line) => line.text), more])),
    ...compare("9 table, shown", String(shown.length), String(inPlay.length)),
    ...compare("9 table, counted", more.match(/\d+/u)?.[0] ?? "0", String(hidden)),
  ];
}

/** Some entities of whom there is nothing to say. */
function leaveFactsOut(registry: Registry, numbers: Numbers): Registry {
  const entries = registry.entries.map((entry) =>
    numbers.below(3) === 0 ? Object.assign({}, entry, { facts: "" }) : entry,
  );
  return { ...registry, entries };
}
