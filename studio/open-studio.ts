import { domainFolder } from "../domain/list-grants.ts";
import { verifyDomain } from "../domain/verify-domain.ts";
import { randomUUID } from "node:crypto";
import { systemPerson } from "../app/system-person.ts";
import { dayIn } from "../state/calendar.ts";
import type { Config } from "../app/config.ts";
import type { AppLog } from "../app/log.ts";
import { chooseBudget, chooseLimits, openModels, type Models } from "../app/open-models.ts";
import { openStorage } from "../app/open-storage.ts";
import { seedDemo } from "../app/seed-demo.ts";
import { mealsDomain } from "../meals/index.ts";
import { createConciergeGraph } from "../graph/create-concierge-graph.ts";
import { computeRecursionLimit, type TurnGraph } from "../graph/turn-graph.ts";
import { countTokens } from "../models/tokens.ts";
import type { PostgresCheckpointer } from "../storage/checkpoints/checkpointer.ts";
import type { ContextDefaults } from "./context.ts";
import { CLOSED_DOOR, type Door } from "./door.ts";
import { createOpenRun } from "./open-run.ts";

/** The program inside LangGraph's dev server: a graph that is invoked with a message only. */
export interface Studio {
  readonly graph: TurnGraph;
  /** The context of a run that passes none. */
  readonly defaults: ContextDefaults;
  /** The callers that are admitted. */
  readonly door: Door;
  /** Closes the database, after everything that uses it has ended. */
  close(): Promise<void>;
}

export interface StudioOptions {
  readonly log: AppLog;
  /** Default: closed to every page but Studio's, and to every user but the default one. */
  readonly door?: Door;
  /** Default: what the configuration says. */
  readonly models?: Models;
  /** Default: the process's clock. */
  readonly now?: () => Date;
}

const LANES = { task: true, concierge: true } as const;

/**
 * Opens the program for Studio, with the configuration and the database of the terminal.
 *
 * @throws Error in a sentence that says what to do, for a database that cannot be opened.
 */
export async function openStudio(config: Config, options: StudioOptions): Promise<Studio> {
  const { log, now = () => new Date(), door = CLOSED_DOOR } = options;
  const storage = await openStorage(config, { migrations: [domainFolder(mealsDomain)], log });
  const { database, checkpointer, archive } = storage;
  try {
    const limits = chooseLimits(config);
    const defaults = { limits, anyUser: door.anyUser, ...systemPerson() };
    await verifyDomain(mealsDomain, database.pool);
    await seedDemo(database.userData, {
      domain: mealsDomain,
      today: dayIn(defaults.timeZone, now()),
      reset: false,
    });
    const opened =
      options.models === undefined
        ? await openModels(config.model, {
            limits: config.limits,
            store: storage.modelProfiles,
            onError: (error) => log.warn(`A model's profile could not be stored: ${String(error)}`),
          })
        : { models: options.models };
    const { pool, userData } = database;
    const graph = createConciergeGraph({
      domain: mealsDomain,
      ...opened,
      lanes: LANES,
      limits,
      budget: chooseBudget(config),
      countTokens,
      log,
      storage: { checkpointer, userData, archive, sentences: storage.sentences },
      openRun: createOpenRun({ pool, lanes: LANES, now, newId: randomUUID, ...defaults }),
    });
    return {
      graph: keepCheckpointer(withSteps(graph, computeRecursionLimit(limits)), checkpointer),
      defaults,
      door,
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Sets the recursion limit that the limits of a turn require; callers may override it. */
function withSteps(graph: TurnGraph, recursionLimit: number): TurnGraph {
  return Object.assign(graph, { config: { ...graph.config, recursionLimit } });
}

/** Keeps the graph's checkpointer: LangGraph's dev server would replace it with its own. */
function keepCheckpointer(graph: TurnGraph, checkpointer: PostgresCheckpointer): TurnGraph {
  return Object.defineProperty(graph, "checkpointer", {
    get: () => checkpointer,
    set() {},
  });
}
