import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { Domain } from "../state/domain.ts";
import { defineDomain } from "../domain/define-domain.ts";
import { createDomainData } from "../domain/domain-data.ts";
import { guardLabels } from "../domain/guard-labels.ts";
import { NO_DOMAIN } from "../domain/no-domain.ts";
import { openToolbox } from "../domain/toolbox.ts";
import { DEFAULT_LENSES } from "../prompts/lenses.ts";
import type { Archive } from "../state/archive.ts";
import { NO_BUDGET, type Budget } from "../state/budget.ts";
import type { Expert } from "../state/expert.ts";
import type { Lanes, NodeServices } from "../nodes/node.ts";
import { SentenceBook } from "../nodes/translate/sentence-book.ts";
import { limitsWith, type Limits } from "../state/limits.ts";
import { silentLog, type Log } from "../state/log.ts";
import type { ConciergeRole, CountTokens, LanguageModel, ModelRole } from "../state/model.ts";
import type { SentenceStore } from "../state/sentence-store.ts";
import type { UserData } from "../state/store.ts";
import { createTurnGraph, type TurnGraph } from "./turn-graph.ts";

/** The parts of storage that a graph uses. */
export interface GraphStorage {
  readonly checkpointer: BaseCheckpointSaver;
  readonly userData: UserData;
  readonly archive: Archive;
  /** Keeps translations of code's sentences. Default: they last as long as the process. */
  readonly sentences?: SentenceStore;
}

/** One model per role; roles may share one. The concierge defaults to Reply's model, experts and mapper to the concierge's. */
export type RoleModels = Readonly<Record<Exclude<ModelRole, ConciergeRole>, LanguageModel>> &
  Readonly<Partial<Record<ConciergeRole, LanguageModel>>>;

export interface ConciergeGraphOptions {
  /** Domain of the task lane. Without one the graph is a concierge for any subject. */
  readonly domain?: Domain;
  readonly models: RoleModels;
  /** The experts of a batch. Default: the expert model under each of `DEFAULT_LENSES`. */
  readonly experts?: readonly Expert[];
  /** Default: both; without a domain only the concierge lane. */
  readonly lanes?: Lanes;
  readonly storage: GraphStorage;
  readonly countTokens: CountTokens;
  /** Replaces defaults of `state/limits.ts`. */
  readonly limits?: Partial<Limits>;
  /** Bounds the tokens or money of a turn and a thread. Default: what the limits allow. */
  readonly budget?: Budget;
  /** Reports what fails in the domain's own labels and checks. Default: nothing is reported. */
  readonly log?: Pick<Log, "warn" | "info">;
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly clock?: () => number;
  /** Milliseconds since 1970. Default: the process's clock. */
  readonly now?: () => number;
  /** Creates the run of a message that comes without one, as from Studio. Default: a run is required. */
  readonly openRun?: NonNullable<NodeServices["openRun"]>;
}

/**
 * Creates the compiled graph of a domain.
 *
 * @throws RangeError for limits out of range, no lane, the task lane without a domain, or experts
 * that share an id; DomainError for a domain that contradicts itself.
 *
 * @example
 * const graph = createConciergeGraph({
 *   models,
 *   countTokens,
 *   storage: {
 *     checkpointer: createCheckpointer(database.pool),
 *     archive: createTurnArchive(database.pool),
 *     userData: database.userData,
 *   },
 * });
 * graph.getName(); // "concierge"
 */
export function createConciergeGraph(options: ConciergeGraphOptions): TurnGraph {
  const { storage, countTokens } = options;
  const { log = silentLog } = options;
  const domain = guardLabels(defineDomain(options.domain ?? NO_DOMAIN), log);
  const models = everyRole(options.models);
  const experts = options.experts ?? defaultExperts(models.expert);
  const lanes = options.lanes ?? { task: options.domain !== undefined, concierge: true };
  assertLanes(lanes, options.domain);
  assertUnique(experts);
  // A counter may have to load first: within a turn, on a busy machine, that would hold up the renewal of the thread's lease for seconds.
  countTokens("");
  const services: NodeServices = {
    domain,
    toolbox: openToolbox(domain),
    models,
    experts,
    lanes,
    limits: limitsWith(options.limits ?? {}),
    budget: options.budget ?? NO_BUDGET,
    countTokens,
    userData: storage.userData,
    data: createDomainData(storage.userData, domain.entityTypes),
    archive: storage.archive,
    sentences: new SentenceBook(storage.sentences ?? null, log),
    log,
    clock: options.clock ?? (() => performance.now()),
    now: options.now ?? (() => performance.timeOrigin + performance.now()),
    ...(options.openRun === undefined ? {} : { openRun: options.openRun }),
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

function assertLanes(lanes: Lanes, domain: Domain | undefined): void {
  if (!lanes.task && !lanes.concierge) {
    throw new RangeError("Cannot create a graph without a lane: enable task, concierge or both");
  }
  if (lanes.task && domain === undefined) {
    throw new RangeError(
      'Cannot create the task lane without a domain: pass "domain", or leave "lanes" out',
    );
  }
}

function assertUnique(experts: readonly Expert[]): void {
  if (experts.length === 0) {
    throw new RangeError(
      'Cannot use an empty list of experts: name at least one, or leave "experts" out',
    );
  }
  const ids = experts.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return;
  throw new RangeError(`Cannot use the expert "${twice}" twice: give each expert a different id`);
}
