import { silentLog } from "../../state/log.ts";
import { SentenceBook } from "../../nodes/translate/sentence-book.ts";
import { NO_BUDGET } from "../../state/budget.ts";
import { createDomainData } from "../../domain/domain-data.ts";
import { Toolbox } from "../../domain/toolbox.ts";
import { mealsDomain } from "../../meals/index.ts";
import { countTokens } from "../../models/tokens.ts";
import type { ProbeQuestion } from "../../models/probe/probe-steps.ts";
import type { NodeServices } from "../../nodes/node.ts";
import { createThinkNode } from "../../nodes/think.ts";
import { createUnderstandNode } from "../../nodes/understand.ts";
import { foldRegistry } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import type { Domain } from "../../state/domain.ts";
import type { Limits } from "../../state/limits.ts";
import {
  mapRoles,
  ModelError,
  type LanguageModel,
  type ModelRequest,
  type ModelTraits,
} from "../../state/model.ts";
import { NO_CURATION } from "../../state/registry.ts";
import { createEmptyState, type TurnState } from "../../state/turn.ts";
import { EMPTY_ADVICE, NOTHING_RARE, type Understanding } from "../../state/understanding.ts";

/** The kitchen of the probe: small, and always the same. */
const probedDomain: Domain = {
  ...mealsDomain,
  loadProfile: async () => ({ text: "Household of 2: Anna, Ben.", facts: { household_size: 2 } }),
  loadSnapshot: async () => "3 recipes, 12 inventory items.",
};

const SHOW = "which of these take less than 40 minutes?";
const ADD = "add milk and 2 lemons to the shopping list";
const PLAN = "plan the curry for tomorrow";

/**
 * Returns the requests that Understand and Think make of a model with these traits, in the order of
 * a probe: Understand is asked the same twice, so that cached tokens show.
 */
export async function createNodeQuestions(
  traits: ModelTraits,
  limits: Limits,
): Promise<readonly ProbeQuestion[]> {
  const [show, add, ...thoughts] = await Promise.all([
    captureRequest(SHOW, { node: "Understand", traits, limits }),
    captureRequest(ADD, { node: "Understand", traits, limits }),
    captureRequest(ADD, { node: "Think", traits, limits }),
    captureRequest(PLAN, { node: "Think", traits, limits }),
    captureRequest(SHOW, { node: "Think", traits, limits }),
  ]);
  const [first, ...further] = thoughts.map((request) => ({ node: "Think" as const, request }));
  return [
    { node: "Understand", request: show },
    ...(first === undefined ? [] : [first]),
    { node: "Understand", request: show },
    { node: "Understand", request: add },
    ...further,
  ];
}

interface Capture {
  readonly node: ProbeQuestion["node"];
  readonly traits: ModelTraits;
  readonly limits: Limits;
}

/** Runs a node with a model that takes the request and gives no answer. */
async function captureRequest(
  message: string,
  { node, traits, limits }: Capture,
): Promise<ModelRequest> {
  let captured: ModelRequest | null = null;
  const model: LanguageModel = {
    name: "probe",
    traits: () => traits,
    complete: async (request) => {
      captured = request;
      throw new ModelError("model_failed", "Cannot answer: the request is only looked at");
    },
  };
  const services = createServices(model, limits);
  const run = node === "Understand" ? createUnderstandNode(services) : createThinkNode(services);
  await run(createState(message), {
    emit: () => undefined,
    signal: null,
    cut: null,
    lease: null,
  });
  const found: ModelRequest | null = captured;
  if (found === null) throw new Error(`Cannot probe with ${node}: it asked nothing`);
  return found;
}

const refuse = (): Promise<never> =>
  Promise.reject(new Error("Cannot read or write: a probe has no database"));

/** Services without a database: the two nodes read none. */
function createServices(model: LanguageModel, limits: Limits): NodeServices {
  const userData: NodeServices["userData"] = {
    reader: () => ({ query: refuse }),
    read: refuse,
    write: refuse,
    beginCall: refuse,
    answerCall: refuse,
    restore: refuse,
    seed: refuse,
  };
  return {
    domain: probedDomain,
    toolbox: new Toolbox(probedDomain),
    models: mapRoles(() => model),
    sentences: new SentenceBook(null, silentLog),
    experts: [],
    lanes: { task: true, concierge: true },
    budget: NO_BUDGET,
    limits,
    countTokens,
    userData,
    data: createDomainData(userData, probedDomain.entityTypes),
    archive: {
      saveTurn: refuse,
      loadWishes: refuse,
      loadThreadSpending: refuse,
      findTurns: refuse,
      storeRefs: refuse,
      findRefs: refuse,
      saveBatch: refuse,
      listBatches: refuse,
      findBatch: refuse,
      saveJourney: refuse,
      findJourney: refuse,
      listJourneys: refuse,
      listPlanChanges: refuse,
      noteManifest: () => undefined,
    },
    log: silentLog,
    clock: () => 0,
    now: () => 0,
  };
}

const RECIPES = [
  ["Chickpea Curry", 35],
  ["Mushroom Risotto", 40],
  ["French Toast", 15],
] as const;

/** The third turn of a conversation in which three recipes were just listed. */
function createState(text: string): TurnState {
  const rows = RECIPES.map(([name, minutes], index) => ({
    id: `${index + 1}`,
    rowVersion: 1,
    values: { name, cook_minutes: minutes },
  }));
  const registry = foldRegistry(
    EMPTY_REGISTRY,
    [
      {
        kind: "read",
        turn: 1,
        type: "recipe",
        ids: rows.map(({ id }) => id),
        rows,
        detail: "summary",
      },
    ],
    probedDomain.entityTypes,
  );
  return {
    ...createEmptyState(),
    input: { messageId: "m-2", text },
    run: {
      runId: "run-2",
      threadId: "probe",
      userId: "probe",
      today: "2026-01-12",
      timeZone: "UTC",
      locale: "en",
    },
    turn: 2,
    registry: { ...registry, listed: registry.entries.map(({ ref }) => ref) },
    understanding: UNDERSTANDING,
  };
}

/** Understand's answer as Think gets it. */
const UNDERSTANDING: Understanding = {
  reasoning: "It asks for work on the data.",
  lane: "task",
  ...EMPTY_ADVICE,
  references: [],
  curation: NO_CURATION,
  constraints: [],
  expressed: "",
  needs: "change",
  look: null,
  answersPending: null,
  ...NOTHING_RARE,
  route: "task",
  waived: [],
  degraded: false,
};
