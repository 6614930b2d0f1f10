import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { Domain } from "../domains/domain.ts";
import { createToolbox } from "../domains/toolbox.ts";
import type { Archive, NodeServices } from "../nodes/node.ts";
import { limitsWith, type Limits } from "../state/limits.ts";
import type { CountTokens, LanguageModel, ModelRole } from "../state/model.ts";
import type { UserData } from "../state/store.ts";
import { createTurnGraph, type TurnGraph } from "./turn-graph.ts";

/** What a graph needs of storage. */
export interface GraphStorage {
  readonly checkpointer: BaseCheckpointSaver;
  readonly userData: UserData;
  readonly archive: Archive;
}

export interface ConciergeGraphOptions {
  readonly domain: Domain;
  /** One model a role; several roles may share one. */
  readonly models: Readonly<Record<ModelRole, LanguageModel>>;
  readonly storage: GraphStorage;
  readonly countTokens: CountTokens;
  /** Replaces defaults of `state/limits.ts`. */
  readonly limits?: Partial<Limits>;
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly clock?: () => number;
  /** Leaves a section out of a node's prompts: for tests of what a section is good for. */
  readonly omitSection?: (node: string, kind: string) => boolean;
}

/**
 * Makes the compiled graph of a domain.
 *
 * @throws RangeError for limits out of range; TypeError for tools whose schema endpoints would refuse.
 */
export function createConciergeGraph(options: ConciergeGraphOptions): TurnGraph {
  const { domain, models, storage, countTokens, omitSection } = options;
  const services: NodeServices = {
    domain,
    toolbox: createToolbox(domain),
    models,
    lanes: { task: true, concierge: false },
    limits: limitsWith(options.limits ?? {}),
    countTokens,
    userData: storage.userData,
    archive: storage.archive,
    clock: options.clock ?? (() => performance.now()),
    ...(omitSection === undefined ? {} : { omitSection }),
  };
  return createTurnGraph(services, storage.checkpointer);
}
