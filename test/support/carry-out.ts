import { mealsDomain } from "../../meals/index.ts";
import { foldRegistry } from "../../registry/apply-event.ts";
import type { Registry } from "../../state/registry.ts";
import { routeAfterAct, routeAfterThink, routeAfterTools } from "../../graph/routes.ts";
import { createActNode } from "../../nodes/act.ts";
import type { NodeServices } from "../../nodes/node.ts";
import { createThinkNode } from "../../nodes/think.ts";
import { createToolsNode } from "../../nodes/tools.ts";
import type { TurnState, TurnUpdate } from "../../state/turn.ts";
import { recordedIO, type RecordedIO } from "./node-services.ts";

/** More rounds than any limit lets a turn take: beyond them something goes in circles. */
const MOST_ROUNDS = 60;

/**
 * Carries a plan out, from `act` until it is time to reply, as the graph does; every state in
 * between is what a checkpoint gives back.
 */
export async function carryOut(
  services: NodeServices,
  state: TurnState,
): Promise<{
  readonly state: TurnState;
  readonly io: RecordedIO;
  readonly path: readonly string[];
}> {
  const io = recordedIO();
  const nodes = {
    act: createActNode(services),
    tools: createToolsNode(services),
    think: createThinkNode(services),
  };
  const routes = { act: routeAfterAct, tools: routeAfterTools, think: routeAfterThink };
  const path: string[] = [];
  let current = state;
  let next: keyof typeof nodes | "reply" = "act";
  while (next !== "reply") {
    path.push(next);
    if (path.length > MOST_ROUNDS) throw new Error(`Cannot end the plan: ${path.join(" ")}`);
    current = checkpointed({ ...current, ...toValues(await nodes[next](current, io)) });
    next = routes[next](current);
  }
  return { state: current, io, path };
}

/** The registry of the kitchen once the events of a turn are folded into it. */
export function registryAfter({
  registry,
  registryEvents,
}: Pick<TurnState, "registry" | "registryEvents">): Registry {
  return foldRegistry(registry, registryEvents, mealsDomain.entityTypes);
}

/** Returns a node's update as plain values, without the reducers' own types. */
export function toValues(update: TurnUpdate): Partial<TurnState> {
  return update as Partial<TurnState>;
}

function checkpointed(state: TurnState): TurnState {
  return { ...JSON.parse(JSON.stringify(state)), messages: state.messages };
}
