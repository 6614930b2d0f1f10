import { foldRegistry } from "../registry/apply-event.ts";
import { CHOICE_PREFIX } from "../registry/choices.ts";
import { findEntryForRow } from "../registry/entries.ts";
import type { RowIdentity } from "../state/entity.ts";
import type { RegistryEvent } from "../state/registry.ts";
import type { PendingCall } from "../state/step.ts";
import type { ToolOutcome } from "../state/tool.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { foldCalls } from "./steps/fold-calls.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { refsInJson } from "./reply/refs-in-text.ts";
import type { Round } from "./steps/round.ts";
import { runCall, type ExecutedCall } from "./steps/run-call.ts";
import { requireRun } from "./require-run.ts";
import { WrittenCounts } from "./steps/written-counts.ts";
import { completesStep } from "./steps/step-tools.ts";

/**
 * Makes the node that carries out what `act` decided: steps side by side, the calls of one step in
 * order. Refs are allotted afterwards in step order by this one writer, so they are the same every
 * time. A write is applied once per effect key, however often the node runs.
 */
export function createToolsNode(services: NodeServices) {
  return async function tools(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { plan, pendingCalls } = state;
    if (plan === null) throw new TypeError('Cannot run tools without "plan": a plan is made first');
    const round = withEvents(
      { state, plan, services, io, written: new WrittenCounts(state.effects) },
      await restoreReferenced(state, services),
    );
    const steps = [...new Set(pendingCalls.filter(isDomainCall).map(({ step }) => step))];
    const executed = (await Promise.all(steps.map((step) => runStep(step, round)))).flat();
    return foldCalls(executed, withEvents(round, await restoreByRow(executed, round)));
  };
}

/** Returns true for a call that does something, rather than complete its step. */
function isDomainCall({ tool }: PendingCall): boolean {
  return !completesStep({ name: tool });
}

function withEvents(round: Round, events: readonly RegistryEvent[]): Round {
  const { state } = round;
  return { ...round, state: { ...state, registryEvents: [...state.registryEvents, ...events] } };
}

async function runStep(step: number, round: Round): Promise<ExecutedCall[]> {
  const executed: ExecutedCall[] = [];
  for (const pending of round.state.pendingCalls) {
    if (pending.step === step && isDomainCall(pending))
      executed.push(await runCall(pending, round));
  }
  return executed;
}

/** Entries that calls name and that have left the registry come back before a ref is called unknown. */
async function restoreReferenced(
  state: TurnState,
  services: NodeServices,
): Promise<RegistryEvent[]> {
  const registry = foldRegistry(state.registry, state.registryEvents, services.domain.entityTypes);
  const known = new Set(registry.entries.map(({ ref }) => ref));
  const named = refsInJson(state.pendingCalls.map(({ args }) => args));
  return restoreEntries(state, {
    refs: named.filter((ref) => !known.has(ref)),
    rows: [],
    services,
  });
}

/** Rows that were found again under the ref they had before they left the registry: a known id keeps its ref. */
async function restoreByRow(
  executed: readonly ExecutedCall[],
  { state, services }: Round,
): Promise<RegistryEvent[]> {
  const registry = foldRegistry(state.registry, state.registryEvents, services.domain.entityTypes);
  const allotted = registry.counters
    .filter(({ prefix }) => prefix !== CHOICE_PREFIX)
    .reduce((sum, { last }) => sum + last, 0);
  if (allotted <= registry.entries.length) return [];
  const rows = executed
    .flatMap(({ done }) => (done.kind === "outcome" ? listRows(done.outcome) : []))
    .filter((row) => findEntryForRow(registry, row) === undefined);
  return restoreEntries(state, { refs: [], rows, services });
}

function listRows({ reads, writes, listed, linked }: ToolOutcome): RowIdentity[] {
  return [
    ...reads.flatMap(({ type, ids }) => ids.map((id) => ({ type, id }))),
    ...writes.map(({ type, row: { id } }) => ({ type, id })),
    ...[...listed, ...linked].flatMap(({ type, rows }) => rows.map(({ id }) => ({ type, id }))),
  ];
}

interface RestoreEntriesOptions {
  readonly refs: readonly string[];
  readonly rows: readonly RowIdentity[];
  readonly services: NodeServices;
}

async function restoreEntries(
  state: TurnState,
  wanted: RestoreEntriesOptions,
): Promise<RegistryEvent[]> {
  const { refs, rows, services } = wanted;
  if (refs.length + rows.length === 0) return [];
  const entries = await services.archive.findRefs({ ...requireRun(state), refs, rows });
  return entries.map((entry) => ({ kind: "recalled", turn: state.turn, entry }));
}
