import { randomUUID } from "node:crypto";
import { applyChanges, type ChangeRequest } from "../../domain/apply-changes.ts";
import type { UnconfirmedChanges } from "../../domain/changes/find-objection.ts";
import { runReadTool } from "../../domain/run-tool.ts";
import type { Check } from "../../state/change.ts";
import type { DomainTool, Tool } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import { JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";
import { createTableTools } from "../../domain/table-tools.ts";
import { DEMO_KITCHENS } from "../../meals/demo/demo-kitchen.ts";
import { loadProfile } from "../../meals/profile.ts";
import { MEALS_ENTITY_TYPES } from "../../meals/entity-types.ts";
import type { EffectIdentity, EffectWork, UserData } from "../../state/store.ts";
import { ToolInputError, type ToolOutcome } from "../../state/tool.ts";
import type { TestDatabase } from "./database.ts";
import { testEffect } from "./effect.ts";
import { createRefBook, type TestRefBook } from "./ref-book.ts";

/** The day on which the demo kitchens are seeded in tests: a Monday. */
export const TODAY = "2026-01-12";

/** One person's conversation with the tools: refs are kept from call to call. */
export interface Kitchen {
  readonly refs: TestRefBook;
  /** Runs a tool in a transaction of its own and takes its rows into the ref book. */
  call(tool: string, args: unknown): Promise<ToolOutcome>;
  /** The refs that a call's rows got. */
  readRefs(tool: string, args: unknown): Promise<string[]>;
}

/** Seeds both demo kitchens. */
export async function seedKitchens(database: Pick<TestDatabase, "userData">): Promise<void> {
  for (const { userId, seed } of DEMO_KITCHENS) {
    await database.userData.seed(userId, randomUUID(), (tx) => seed(tx, { userId, today: TODAY }));
  }
}

/** Person and tools of a kitchen. */
export interface KitchenOptions {
  readonly userId: string;
  readonly tools?: readonly DomainTool[];
  /** Default: those of meals. */
  readonly entityTypes?: readonly EntityType[];
  /** The table tools, where many conversations share them as in the program. Default: made anew. */
  readonly tables?: ReturnType<typeof createTableTools>;
  /** Undo every write after its outcome is known. */
  readonly discard?: boolean;
  /** Default: none. */
  readonly checks?: readonly Check[];
  /** Happens between each question and the person's yes. */
  readonly beforeYes?: (asked: UnconfirmedChanges) => Promise<void>;
}

/** Lets a user call the table tools and the tools given. */
export function openKitchen(
  database: Pick<TestDatabase, "userData">,
  options: KitchenOptions,
): Kitchen {
  const { entityTypes = MEALS_ENTITY_TYPES } = options;
  const refs = createRefBook(entityTypes);
  const { tables = createTableTools(entityTypes) } = options;
  const tools: readonly Tool[] = [...tables, ...(options.tools ?? [])];
  const { userId } = options;
  // A kitchen without checks needs nobody's profile.
  const loadFacts = async (): Promise<JsonObject> =>
    options.checks === undefined
      ? {}
      : (await loadProfile(database.userData.reader(userId), userId)).facts;
  const run = async (name: string, args: unknown): Promise<ToolOutcome> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`Cannot find the tool "${name}"`);
    const context = {
      userId,
      threadId: "kitchen",
      today: TODAY,
      timeZone: "Europe/Berlin",
      refs,
      signal: null,
      effectKey: null,
    };
    if (tool.effect === "read") {
      return database.userData.read(userId, (tx) =>
        runReadTool(tool, args, { ...context, tx, entityTypes }),
      );
    }
    const userData =
      options.discard === true
        ? { ...database.userData, write: discarding(database) }
        : database.userData;
    const request: ChangeRequest = {
      userId,
      effect: {
        ...testEffect(randomUUID(), "kitchen"),
        origin: tables.some((table) => table === tool) ? "tool" : "domain-tool",
      },
      tool,
      args: readObject(args),
      run: context,
      consent: {
        selectNamed: (changes) => changes,
        selectPlanned: (changes) => changes,
        selectAgreed: null,
        countEarlier: () => 0,
        isUnasked: false,
        ordersNoDeletion: false,
        isPreview: false,
        selectUnrelated: () => [],
        listUnspoken: () => [],
        confirmed: null,
        isRepeated: false,
      },
      rules: {
        entityTypes,
        checks: options.checks ?? [],
        facts: { ...NO_FACTS, profile: await loadFacts() },
        onCheckFailure: () => undefined,
      },
    };
    const asked = await applyChanges(userData, request);
    if (asked.kind === "unconfirmed") await options.beforeYes?.(asked.unconfirmed);
    const consent = {
      ...request.consent,
      confirmed: asked.kind === "unconfirmed" ? asked.unconfirmed : null,
    };
    // The person says yes to everything.
    const result =
      asked.kind === "unconfirmed" ? await applyChanges(userData, { ...request, consent }) : asked;
    if (result.kind === "applied") return result.outcome;
    throw new Error(JSON.stringify(result));
  };
  return {
    refs,
    async call(tool, args) {
      const outcome = await run(tool, args);
      refs.take(outcome);
      return outcome;
    },
    async readRefs(tool, args) {
      return refs.take(await run(tool, args));
    },
  };
}

function readObject(args: unknown): JsonObject {
  const parsed = JsonObjectSchema.safeParse(args);
  if (parsed.success) return parsed.data;
  throw new ToolInputError("Cannot call a tool: its arguments are not an object");
}

class Discarded extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super("the outcome is known");
    this.result = result;
  }
}

/** Writes as the database does, and takes everything back once the outcome is known. */
function discarding({ userData }: Pick<TestDatabase, "userData">): UserData["write"] {
  return async <T extends Json>(userId: string, effect: EffectIdentity, work: EffectWork<T>) => {
    try {
      return await userData.write<T>(userId, effect, async (tx, id) => {
        throw new Discarded(await work(tx, id));
      });
    } catch (error) {
      if (!(error instanceof Discarded)) throw error;
      const result = error.result as T;
      return { effectId: 0, result, repeated: false };
    }
  };
}

const NO_FACTS = { constraints: [], today: TODAY, turn: null };
