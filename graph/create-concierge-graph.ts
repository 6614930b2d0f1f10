import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { Domain } from "../domains/domain.ts";
import { createToolbox } from "../domains/toolbox.ts";
import { DEFAULT_LENSES } from "../prompts/lenses.ts";
import type { Archive, Expert, Lanes, NodeServices } from "../nodes/node.ts";
import { limitsWith, type Limits } from "../state/limits.ts";
import type { ConciergeRole, CountTokens, LanguageModel, ModelRole } from "../state/model.ts";
import type { UserData } from "../state/store.ts";
import { createTurnGraph, type TurnGraph } from "./turn-graph.ts";

/** What a graph needs of storage. */
export interface GraphStorage {
  readonly checkpointer: BaseCheckpointSaver;
  readonly userData: UserData;
  readonly archive: Archive;
}

/** One model a role; several roles may share one. The concierge's default is Reply's, its experts' and mapper's the concierge's. */
export type RoleModels = Readonly<Record<Exclude<ModelRole, ConciergeRole>, LanguageModel>> &
  Readonly<Partial<Record<ConciergeRole, LanguageModel>>>;

export interface ConciergeGraphOptions {
  readonly domain: Domain;
  readonly models: RoleModels;
  /** Who is asked in a batch. Default: the expert model under each of `DEFAULT_LENSES`. */
  readonly experts?: readonly Expert[];
  /** Default: the task lane alone. */
  readonly lanes?: Lanes;
  readonly storage: GraphStorage;
  readonly countTokens: CountTokens;
  /** Replaces defaults of `state/limits.ts`. */
  readonly limits?: Partial<Limits>;
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly clock?: () => number;
  /** Milliseconds since 1970. Default: the process's clock. */
  readonly now?: () => number;
  /** Leaves a section out of a node's prompts: for tests of what a section is good for. */
  readonly omitSection?: (node: string, kind: string) => boolean;
}

/**
 * Makes the compiled graph of a domain.
 *
 * @throws RangeError for limits out of range; TypeError for tools whose schema endpoints would refuse.
 */
export function createConciergeGraph(options: ConciergeGraphOptions): TurnGraph {
  const { domain, storage, countTokens, omitSection } = options;
  const models = everyRole(options.models);
  const services: NodeServices = {
    domain,
    toolbox: createToolbox(domain),
    models,
    experts: options.experts ?? defaultExperts(models.expert),
    lanes: options.lanes ?? { task: true, concierge: false },
    limits: limitsWith(options.limits ?? {}),
    countTokens,
    userData: storage.userData,
    archive: storage.archive,
    clock: options.clock ?? (() => performance.now()),
    now: options.now ?? (() => performance.timeOrigin + performance.now()),
    ...(omitSection === undefined ? {} : { omitSection }),
  };
  return createTurnGraph(services, storage.checkpointer);
}

function everyRole(models: RoleModels): NodeServices["models"] {
  const concierge = models.concierge ?? models.reply;
  return {
    ...models,
    concierge,
    expert: models.expert ?? concierge,
    mapper: models.mapper ?? concierge,
  };
}

function defaultExperts(model: LanguageModel): readonly Expert[] {
  return DEFAULT_LENSES.map(({ id, lens }) => ({ id, lens, model }));
}
