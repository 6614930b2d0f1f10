import { domainFolder } from "../domain/list-grants.ts";
import { checkLoaders } from "../domain/check-loaders.ts";
import { verifyDomain } from "../domain/verify-domain.ts";
import { randomUUID } from "node:crypto";
import type { Domain } from "../state/domain.ts";
import type { TurnDriver } from "../driver/turn-driver.ts";
import type { TurnGraph } from "../graph/turn-graph.ts";
import type { Limits } from "../state/limits.ts";
import type { Config } from "./config.ts";
import type { AppLog } from "./log.ts";
import type { LanguageModel } from "../state/model.ts";
import { logRefusals } from "./log-refusals.ts";
import {
  chooseBudget,
  chooseLimits,
  loadModels,
  openModels,
  wrapModels,
  type Models,
} from "./open-models.ts";
import { loadStores, openStorage, type Storage } from "./open-storage.ts";
import { seedDemo } from "./seed-demo.ts";

/** The program put together: a domain, its graph on Postgres, and the driver that runs turns. */
export interface Assistant {
  readonly domain: Domain;
  readonly storage: Storage;
  readonly models: Models;
  readonly limits: Limits;
  readonly graph: TurnGraph;
  readonly driver: TurnDriver;
  /** Closes the database once its users are done. A second call does nothing. */
  close(): Promise<void>;
}

export interface AssistantOptions {
  readonly log: AppLog;
  /** `YYYY-MM-DD`: the day the demo data is made for. */
  readonly today: string;
  /** Resets the demo data. Default: false. */
  readonly resetDemo?: boolean;
  /** Default: planning meals. */
  readonly domain?: Domain;
  /** Default: the configured models. */
  readonly models?: Models;
  /** Wraps each model before the graph gets it. */
  readonly wrapModel?: (model: LanguageModel) => LanguageModel;
  /** The maximum number of connections to the database. Default: 10. */
  readonly poolSize?: number;
}

/**
 * Puts the program together from its configuration: opens and migrates the database, seeds the
 * demo data, and creates the models and the graph. This is the composition root.
 *
 * @throws Error in one sentence that says what to do if the database cannot be opened; DomainError
 * if the domain's description does not fit it.
 */
export async function openAssistant(config: Config, options: AssistantOptions): Promise<Assistant> {
  const domain = options.domain ?? (await loadMeals());
  const load = once(async () =>
    Promise.all([
      loadGraph(),
      loadStores(),
      options.models === undefined ? loadModels(config.model) : null,
    ]),
  );
  const storage = await openStorage(config, {
    migrations: [domainFolder(domain)],
    log: options.log,
    ...(options.poolSize === undefined ? {} : { poolSize: options.poolSize }),
    // A failure here is thrown below, where the database can be closed.
    load: async () => void (await load().catch(() => undefined)),
  });
  try {
    await verifyDomain(domain, storage.database.pool);
    await seedDemo(storage.database.userData, {
      domain,
      today: options.today,
      reset: options.resetDemo ?? false,
    });
    await checkLoaders(domain, storage.database.userData, options.today);
    const [{ createConciergeGraph, createTurnDriver, countTokens }] = await load();
    const { models } = options;
    const plain =
      models === undefined
        ? await openModels(config.model, {
            domain,
            limits: config.limits,
            store: storage.modelProfiles,
            onError: (error) => options.log.error(error, "A model's profile could not be stored"),
          })
        : { models };
    const { wrapModel = (model) => model } = options;
    const opened = wrapModels(plain, (model) => wrapModel(logRefusals(model, options.log)));
    const limits = chooseLimits(config);
    const graph = createConciergeGraph({
      domain,
      ...opened,
      limits,
      budget: chooseBudget(config),
      countTokens,
      log: options.log,
      storage: { ...storage, userData: storage.database.userData },
    });
    const driver = createTurnDriver({
      graph,
      store: storage.store,
      limits,
      now: () => new Date(),
      newId: randomUUID,
      ensureDatabase: () => storage.database.ensureRunning(),
      onFailure: (error) => options.log.error(error, "A turn failed"),
    });
    return {
      domain,
      storage,
      models: opened.models,
      limits,
      graph,
      driver,
      close: () => storage.database.close(),
    };
  } catch (error) {
    await storage.database.close();
    throw error;
  }
}

async function loadMeals(): Promise<Domain> {
  const { mealsDomain } = await import("../meals/index.ts");
  return mealsDomain;
}

async function loadGraph() {
  const [{ createConciergeGraph }, { createTurnDriver }, { countTokens }] = await Promise.all([
    import("../graph/create-concierge-graph.ts"),
    import("../driver/turn-driver.ts"),
    import("../models/tokens.ts"),
  ]);
  // Loads its encoding, while a server of the program's own starts.
  countTokens("");
  return { createConciergeGraph, createTurnDriver, countTokens };
}

/** Returns a function that starts the work once and returns the same promise each time. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null;
  return () => (result ??= work());
}
