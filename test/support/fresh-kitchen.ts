import { randomUUID } from "node:crypto";
import { mealsDomain } from "../../meals/index.ts";
import type { Domain } from "../../state/domain.ts";
import type { TurnContext } from "../../state/turn.ts";
import type { Database } from "../../storage/postgres/database.ts";
import type { TestDatabase } from "./database.ts";
import { TEST_RUN } from "./turn-state.ts";

/** Returns the turn context of a user and thread of their own; the user's kitchen is empty. */
export function newRun(): TurnContext {
  return { ...TEST_RUN, userId: `user-${randomUUID()}`, threadId: `thread-${randomUUID()}` };
}

/** Gives a user the first demo data of a domain. Default: the kitchen. */
export async function seedDemo(
  { userData }: Pick<Database, "userData">,
  { userId, today, domain = mealsDomain }: DemoUser,
): Promise<void> {
  await userData.seed(userId, `seed/${userId}`, async (tx) => {
    await domain.demo?.[0]?.seed(tx, { userId, today });
  });
}

interface DemoUser {
  readonly userId: string;
  readonly today: string;
  readonly domain?: Domain;
}

/** Seeds the demo kitchen for a user and a thread of their own, and says how turns of theirs run. */
export async function freshKitchen(database: TestDatabase): Promise<TurnContext> {
  const run = newRun();
  await seedDemo(database, run);
  return run;
}

/** Counts the writes of the thread that the database has applied. */
export async function appliedWrites(database: TestDatabase, threadId: string): Promise<number> {
  const { rows } = await database.owner.query<{ applied: number }>(
    "select count(*)::int as applied from effects where thread_id = $1",
    [threadId],
  );
  return rows[0]?.applied ?? 0;
}

/** A message of a thread as the inbox keeps it. */
interface InboxMessage {
  readonly text: string;
  readonly attempts: number;
  readonly outcome: string | null;
  readonly turn: number | null;
}

/** Reads the messages of a thread, in their order. */
export async function readInbox(
  database: TestDatabase,
  threadId: string,
): Promise<readonly InboxMessage[]> {
  const { rows } = await database.owner.query<InboxMessage>(
    "select text, attempts, outcome, turn from inbox where thread_id = $1 order by seq",
    [threadId],
  );
  return rows;
}

/** Reads the messages and replies of the archived turns of a thread, in their order. */
export async function readTurns(
  database: TestDatabase,
  threadId: string,
): Promise<readonly { message: string; replies: readonly string[] }[]> {
  const { rows } = await database.owner.query<{ message: string; replies: readonly string[] }>(
    "select user_message as message, jsonb_path_query_array(replies, '$[*].text') as replies from turns where thread_id = $1 order by turn",
    [threadId],
  );
  return rows;
}

/** One column of a user's rows, in order of their names: what is really there. */
export async function namesIn(
  database: TestDatabase,
  where: {
    readonly table: "inventory" | "shopping_list" | "recipes" | "tasks";
    readonly userId: string;
  },
): Promise<string[]> {
  const column = where.table === "tasks" ? "title" : "name";
  const { rows } = await database.owner.query<{ name: string }>(
    `select ${column} as name from ${where.table} where user_id = $1 order by ${column}`,
    [where.userId],
  );
  return rows.map(({ name }) => name);
}
