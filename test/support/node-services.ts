import { SentenceBook } from "../../nodes/translate/sentence-book.ts";
import { createDomainData, type DomainData } from "../../domain/domain-data.ts";
import { Toolbox } from "../../domain/toolbox.ts";
import type { Domain } from "../../state/domain.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { Expert } from "../../state/expert.ts";
import type { Lanes, NodeIO, NodeServices } from "../../nodes/node.ts";
import type { EventBody } from "../../state/event.ts";
import { NO_BUDGET, type Budget } from "../../state/budget.ts";
import { limitsWith, type Limits } from "../../state/limits.ts";
import type { ModelRole } from "../../state/model.ts";
import type { UserData } from "../../state/store.ts";
import { countRoughly } from "./arbitraries.ts";
import { memoryArchive, type MemoryArchive } from "./memory-archive.ts";
import { scriptedModel, type ScriptedModel, type ScriptEntry } from "./scripted-model.ts";

/** One script a role; roles left out may not be asked. */
export type Scripts = Partial<Record<ModelRole, ScriptEntry | readonly ScriptEntry[]>>;
/** A scripted model of each role. */
export type ScriptedRoles = Readonly<Record<ModelRole, ScriptedModel>>;

/** Makes a scripted model for every role. */
export function scriptedRoles(scripts: Scripts): ScriptedRoles {
  return {
    understand: scriptedModel(scripts.understand ?? []),
    think: scriptedModel(scripts.think ?? []),
    act: scriptedModel(scripts.act ?? []),
    reply: scriptedModel(scripts.reply ?? []),
    summarize: scriptedModel(scripts.summarize ?? []),
    concierge: scriptedModel(scripts.concierge ?? []),
    expert: scriptedModel(scripts.expert ?? []),
    mapper: scriptedModel(scripts.mapper ?? []),
  };
}

/** The meals domain with a person and a kitchen that need no database. */
export const stillDomain: Domain = {
  ...mealsDomain,
  loadProfile: async () => ({
    text: "Household of 2: Anna (ALLERGIES (hard): peanuts).",
    facts: { household_size: 2, members: [{ name: "Anna", allergies: ["peanuts"] }] },
  }),
  loadSnapshot: async () => "9 recipes, 59 inventory items.",
};

/** User data without a database: what is done in a transaction must not query. */
export const noDatabase: UserData = {
  reader: () => NO_TRANSACTION,
  read: async (_userId, work) => work(NO_TRANSACTION),
  write: async (_userId, _effect, work) => ({
    effectId: 1,
    result: await work(NO_TRANSACTION, Promise.resolve(1)),
    repeated: false,
  }),
  restore: async (_userId, _effect, work) => ({
    effectId: 1,
    result: await work(NO_TRANSACTION, Promise.resolve(1)),
    repeated: false,
  }),
  beginCall: async () => ({ kind: "begun" }),
  answerCall: async () => undefined,
  seed: async () => ({ repeated: false }),
};

const NO_TRANSACTION = {
  query: () => Promise.reject(new Error("Cannot query: this test has no database")),
};

/** Without a database no row is found. */
const NO_ROWS: Pick<DomainData, "fetchRows" | "findOutsideChanges"> = {
  fetchRows: async () => ({ reads: [], listed: [], linked: [] }),
  findOutsideChanges: async () => ({ seen: "1", changes: [] }),
};

/** The services of nodes in tests, with the parts that a test looks at. */
export interface TestServices extends NodeServices {
  readonly models: ScriptedRoles;
  readonly archive: MemoryArchive;
  /** The lines of the log. */
  readonly logged: readonly string[];
}

/** Makes what nodes are handed: scripted models, an archive in memory, a still clock, no database unless one is given. */
export function testServices(
  options: {
    readonly scripts?: Scripts;
    /** Default: none. */
    readonly experts?: readonly Expert[];
    /** Default: the task lane alone. */
    readonly lanes?: Lanes;
    readonly limits?: Partial<Limits>;
    readonly budget?: Budget;
    readonly domain?: Domain;
    readonly userData?: UserData;
    readonly archive?: MemoryArchive;
    /** Default: a clock that stands still. */
    readonly now?: () => number;
  } = {},
): TestServices {
  const domain = options.domain ?? stillDomain;
  const logged: string[] = [];
  return {
    domain,
    toolbox: new Toolbox(domain),
    models: scriptedRoles(options.scripts ?? {}),
    experts: options.experts ?? [],
    lanes: options.lanes ?? { task: true, concierge: false },
    limits: limitsWith(options.limits ?? {}),
    budget: options.budget ?? NO_BUDGET,
    countTokens: countRoughly,
    userData: options.userData ?? noDatabase,
    data: {
      ...createDomainData(options.userData ?? noDatabase, domain.entityTypes),
      ...(options.userData === undefined ? NO_ROWS : {}),
    },
    archive: options.archive ?? memoryArchive(),
    sentences: new SentenceBook(null, { warn: (line) => void logged.push(line) }),
    log: { info: () => undefined, warn: (line) => void logged.push(line) },
    logged,
    clock: () => 0,
    now: options.now ?? (() => 0),
  };
}

/** Returns the io of a node's call, which keeps what the node emits. */
export interface RecordedIO extends NodeIO {
  readonly events: readonly EventBody[];
  /** The events of one type. */
  of<T extends EventBody["type"]>(type: T): Extract<EventBody, { type: T }>[];
}

/** Makes an IO that keeps events in order. */
export function recordedIO(
  signal: AbortSignal | null = null,
  cut: AbortSignal | null = null,
): RecordedIO {
  const events: EventBody[] = [];
  return {
    events,
    signal,
    cut,
    lease: null,
    emit: (event) => {
      events.push(event);
    },
    of: (type) => events.filter((event) => hasType(event, type)),
  };
}

function hasType<T extends EventBody["type"]>(
  event: EventBody,
  type: T,
): event is Extract<EventBody, { type: T }> {
  return event.type === type;
}
