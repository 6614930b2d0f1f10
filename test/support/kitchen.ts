import { randomUUID } from "node:crypto";
import type { DomainTool, ToolContext } from "../../state/domain.ts";
import { runTool } from "../../domain/run-tool.ts";
import { createTableTools } from "../../domain/table-tools.ts";
import { DEMO_KITCHENS } from "../../meals/demo/demo-kitchen.ts";
import { MEALS_ENTITY_TYPES } from "../../meals/entity-types.ts";
import type { EffectIdentity } from "../../state/store.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import type { TestDatabase } from "./database.ts";
import { createRefBook, type TestRefBook } from "./ref-book.ts";

/** The day on which the demo kitchens are seeded in tests: a Monday. */
export const TODAY = "2026-01-12";

/** One person's conversation with the tools: refs are kept from call to call. */
export interface Kitchen {
  readonly refs: TestRefBook;
  /** Runs a tool in a transaction of its own and takes its rows into the ref book. */
  call(tool: string, args: unknown): Promise<ToolOutcome>;
  /** The refs that a call's rows got. */
  refsOf(tool: string, args: unknown): Promise<string[]>;
}

/** Seeds both demo kitchens. */
export async function seedKitchens(database: TestDatabase): Promise<void> {
  for (const { userId, seed } of DEMO_KITCHENS) {
    await database.userData.write(
      userId,
      { key: randomUUID(), threadId: "seed", lease: null },
      async (tx) => {
        await seed(tx, { userId, today: TODAY });
        return null;
      },
    );
  }
}

/** Lets a user call the table tools and the tools given. */
export function openKitchen(
  database: TestDatabase,
  options: {
    readonly userId: string;
    readonly tools?: readonly DomainTool[];
    /** Undo every write after its outcome is known. */
    readonly discard?: boolean;
  },
): Kitchen {
  const refs = createRefBook(MEALS_ENTITY_TYPES);
  const tools = [...createTableTools(MEALS_ENTITY_TYPES), ...(options.tools ?? [])];
  const { userId } = options;
  const run = async (name: string, args: unknown): Promise<ToolOutcome> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`Cannot find the tool "${name}"`);
    const work = (tx: ToolContext["tx"]): Promise<ToolOutcome> =>
      runTool(tool, args, {
        tx,
        userId,
        today: TODAY,
        timeZone: "Europe/Berlin",
        refs,
        signal: null,
      });
    if (tool.effect === "read") return database.userData.read(userId, work);
    const effect = { key: randomUUID(), threadId: "kitchen", lease: null };
    if (options.discard === true) return discarded(database, { userId, effect, work });
    return (await database.userData.write(userId, effect, work)).result;
  };
  return {
    refs,
    async call(tool, args) {
      const outcome = await run(tool, args);
      refs.take(outcome);
      return outcome;
    },
    async refsOf(tool, args) {
      return refs.take(await run(tool, args));
    },
  };
}

class Discarded extends Error {
  readonly outcome: ToolOutcome;

  constructor(outcome: ToolOutcome) {
    super("the outcome is known");
    this.outcome = outcome;
  }
}

async function discarded(
  database: TestDatabase,
  write: {
    readonly userId: string;
    readonly effect: EffectIdentity;
    readonly work: (tx: ToolContext["tx"]) => Promise<ToolOutcome>;
  },
): Promise<ToolOutcome> {
  try {
    await database.userData.write(write.userId, write.effect, async (tx) => {
      throw new Discarded(await write.work(tx));
    });
  } catch (error) {
    if (error instanceof Discarded) return error.outcome;
    throw error;
  }
  throw new Error("Cannot come here: the write always throws");
}
