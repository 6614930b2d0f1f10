import { foldRegistry } from "../registry/apply-event.ts";
import type { RegistryEvent } from "../state/registry.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { foldCalls } from "./fold-calls.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { refsInJson } from "./refs-in-text.ts";
import type { Round } from "./round.ts";
import { runCall, type ExecutedCall } from "./run-call.ts";
import { runOf } from "./run-of.ts";

/**
 * Makes the node that carries out what `act` decided: steps side by side, the calls of one step in
 * order. Refs are allotted afterwards in step order by this one writer, so they are the same every
 * time. A write is applied once per effect key, however often the node runs.
 */
export function createToolsNode(services: NodeServices) {
  return async function tools(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { plan, pendingCalls } = state;
    if (plan === null) throw new TypeError('Cannot run tools without "plan": a plan is made first');
    const back = await bringBack(state, services);
    const known = { ...state, registryEvents: [...state.registryEvents, ...back] };
    const round: Round = { state: known, plan, services, io };
    const steps = [...new Set(pendingCalls.map(({ step }) => step))];
    const executed = await Promise.all(steps.map((step) => runStep(step, round)));
    return foldCalls(executed.flat(), round);
  };
}

async function runStep(step: number, round: Round): Promise<ExecutedCall[]> {
  const executed: ExecutedCall[] = [];
  for (const pending of round.state.pendingCalls) {
    if (pending.step === step) executed.push(await runCall(pending, round));
  }
  return executed;
}

/** Entries that calls name and that have left the registry come back before a ref is called unknown. */
async function bringBack(state: TurnState, services: NodeServices): Promise<RegistryEvent[]> {
  const registry = foldRegistry(state.registry, state.registryEvents, services.domain.entityTypes);
  const known = new Set(registry.entries.map(({ ref }) => ref));
  const named = refsInJson(state.pendingCalls.map(({ args }) => args));
  const gone = named.filter((ref) => !known.has(ref));
  if (gone.length === 0) return [];
  const entries = await services.archive.findRefs({ ...runOf(state), refs: gone });
  return entries.map((entry) => ({ kind: "recalled", turn: state.turn, entry }));
}
