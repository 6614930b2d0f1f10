import { foldRegistry } from "../registry/apply-event.ts";
import { renderRegistryTable } from "../registry/render-registry-table.ts";
import { closeTurn, listForgotten } from "../registry/window.ts";
import { JsonSchema } from "../state/json.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { hasJustFolded } from "../summaries/ledger.ts";
import { updateActiveJourney } from "../summaries/move-journey.ts";
import { writeJourney, toJourneyState } from "./concierge/journey-state.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { requireRun } from "./require-run.ts";

/** Makes the node that ends a turn: folds the registry once, keeps what leaves it, archives the turn. */
export function createFinishNode(services: NodeServices) {
  return async function finish(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { lease } = io;
    const { runId, threadId, userId, today } = requireRun(state);
    const { limits, domain, archive, countTokens } = services;
    const folded = foldRegistry(state.registry, state.registryEvents, domain.entityTypes);
    const { registry, left } = closeTurn(folded, {
      turn: state.turn,
      window: limits.recordTurns,
      limits,
    });
    const entries = [...left, ...listForgotten(state.registry, folded)];
    if (entries.length > 0) await archive.storeRefs({ threadId, userId, lease, entries });
    const summary = state.turnExecutionSummaries.findLast(
      ({ turnNumber }) => turnNumber === state.turn,
    );
    await archive.saveTurn({
      threadId,
      userId,
      lease,
      turn: state.turn,
      runId,
      parentRunId: state.lastRunId,
      messageId: state.input?.messageId ?? runId,
      userMessage: state.input?.text ?? "",
      replies: state.replies,
      summary: summary ?? null,
      usage: JsonSchema.parse(state.calls),
      day: today,
      decisionUntil: state.pending?.kind === "confirmation" ? state.pending.expiresAt : null,
      wishChanges: state.wishChanges,
    });
    const journeys = await keepJourney(state, { services, io });
    const table = renderRegistryTable(registry, {
      types: domain.entityTypes,
      before: state.registryTable,
      turn: state.turn + 1,
      window: limits.recordTurns,
      // A fold rewrites what stands before the table: the one turn in which a cut costs nothing.
      cut: hasJustFolded(state),
      budget: limits.registryTableTokens,
      countTokens,
    });
    return {
      registry,
      registryTable: [...table.lines],
      registryEvents: [],
      lastRunId: runId,
      journeys,
    };
  };
}

interface KeepJourneyOptions {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Brings the line of the journey in the foreground up to date, and stores its row where the turn has changed it. */
async function keepJourney(
  state: TurnState,
  { services, io }: KeepJourneyOptions,
): Promise<TurnState["journeys"]> {
  const { turn, lanesServed, planNews, journeyNews } = state;
  const isSpokenOf = lanesServed.includes("concierge") || planNews !== null || journeyNews !== null;
  if (!isSpokenOf) return state.journeys;
  const kept = toJourneyState(state);
  const { lines, changed } = updateActiveJourney(state.journeys, {
    turn,
    state: kept,
    journeysHeld: services.limits.journeysHeld,
  });
  if (changed !== null) await writeJourney(state, { line: changed, state: kept, services, io });
  return lines;
}
