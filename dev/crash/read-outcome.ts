import type { Pool } from "pg";
import { z } from "zod";
import { mealsDomain } from "../../meals/index.ts";
import { createConciergeGraph } from "../../graph/create-concierge-graph.ts";
import { countTokens } from "../../models/tokens.ts";
import { JsonSchema, type Json } from "../../state/json.ts";
import type { TurnState } from "../../state/turn.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { createUserData } from "../../storage/users/user-data.ts";
import { everyRole } from "../../test/support/every-role.ts";
import { scriptedModel } from "../../test/support/scripted-model.ts";
import { normalise } from "./normalise.ts";
import { PERSON } from "./run-program.ts";

/** The results of a conversation, in a form in which two of them can be compared. */
export interface Outcome {
  /** Rows by table; what differs between equal conversations (ids, times) is left out or named evenly. */
  readonly tables: Readonly<Record<string, Json>>;
  /** The thread's state. */
  readonly state: Json;
}

/** An archived reply. */
export interface ArchivedReply {
  /** `reply_<run>_<n>`. */
  readonly id: string;
  readonly text: string;
}

/** The position of a thread after a kill. */
export interface Standing {
  /** The nodes that would run next, with "(stored)" where their writes are stored; "rested" where none would. */
  readonly goesOnAt: string;
  /** `t1-b1/risk` for every expert whose answer is stored. */
  readonly answered: readonly string[];
}

/** Every table with rows of a conversation, and the columns that are not compared. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  recipes: [],
  recipe_ingredients: [],
  ingredients: [],
  inventory: [],
  members: [],
  meal_plans: [],
  meal_eaters: [],
  shopping_list: [],
  tasks: [],
  preferences: [],
  cooking_log: [],
  threads: [],
  // A crash changes the number of tries, and where they began.
  inbox: ["attempts", "tried_from"],
  // Numbers are used up by transactions that were cut off.
  effects: ["effect_id"],
  journal: ["seq", "xact", "effect_id"],
  // Manifests wait in memory for the turn's row: those of calls before a crash may be lost. The view
  // holds the events of the attempt that ended the turn.
  turns: ["manifests", "words", "view"],
  registry_refs: [],
  batches: [],
  journeys: [],
  wishes: [],
  // A process does not know after its start what an endpoint's cache would have saved.
  spending: ["cached_tokens"],
  // Rows of servers: the terminal creates none.
  runs: [],
  run_events: [],
  api_keys: [],
};

/** Columns by which rows are ordered; rows of one transaction by their content. */
const ORDERS: Readonly<Record<string, string>> = {
  inbox: "seq",
  effects: "key",
  journal: "seq",
  turns: "turn",
  registry_refs: "ref",
  batches: "seq",
  spending: "day",
  run_events: "run_id, seq",
};

/** Reads the results of a conversation. */
export async function readOutcome(owner: Pool): Promise<Outcome> {
  const tables: Record<string, Json> = {};
  for (const [table, left] of Object.entries(TABLES)) {
    const rows = await readRows(owner, table);
    tables[table] = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !left.includes(column))),
    );
  }
  const { values } = await loadState(owner);
  return normalise({ tables, state: JsonSchema.parse(JSON.parse(JSON.stringify(values))) });
}

/** Returns the tables that hold a user's rows and are missing in `TABLES`. */
export async function findUncompared(owner: Pool): Promise<readonly string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'concierge' and column_name = 'user_id' order by 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !(name in TABLES));
}

async function readRows(owner: Pool, table: string): Promise<Record<string, Json>[]> {
  const order = ORDERS[table] ?? "created_at";
  const { rows } = await owner.query<{ row: unknown }>(
    `select to_jsonb(t) as row from ${table} t where user_id = $1 order by ${order}, to_jsonb(t)::text`,
    [PERSON.userId],
  );
  return z
    .record(z.string(), JsonSchema)
    .array()
    .parse(rows.map(({ row }) => row));
}

const TurnRow = z.object({
  replies: z.object({ id: z.string(), text: z.string() }).array(),
});

/** Reads the archived replies, in order. */
export async function readArchivedReplies(owner: Pool): Promise<readonly ArchivedReply[]> {
  const { rows } = await owner.query(
    "select replies from turns where thread_id = $1 and is_current order by turn",
    [PERSON.threadId],
  );
  return TurnRow.array()
    .parse(rows)
    .flatMap(({ replies }) => replies);
}

/** Counts the messages that the inbox has accepted. */
export async function countAccepted(owner: Pool): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    "select count(*)::int as count from inbox where thread_id = $1",
    [PERSON.threadId],
  );
  return rows[0]?.count ?? 0;
}

/** Reads the position of a thread that no process works on. */
export async function readStanding(owner: Pool): Promise<Standing> {
  const { values, tasks } = await loadState(owner);
  const stored = tasks.flatMap(({ result }) => readAnswers(result));
  const nodes = tasks.map(
    ({ name, result }) => `${name}${result === undefined ? "" : " (stored)"}`,
  );
  return {
    goesOnAt: nodes.length === 0 ? "rested" : [...new Set(nodes)].toSorted().join(", "),
    answered: [...(values.answers ?? []), ...stored].map(
      ({ batch, expert }) => `${batch}/${expert}`,
    ),
  };
}

const ResultSchema = z.object({
  answers: z.object({ batch: z.string(), expert: z.string() }).array(),
});

function readAnswers(result: unknown): readonly { batch: string; expert: string }[] {
  const parsed = ResultSchema.safeParse(result);
  return parsed.success ? parsed.data.answers : [];
}

async function loadState(owner: Pool): Promise<{
  readonly values: Partial<TurnState>;
  readonly tasks: readonly { readonly name: string; readonly result?: unknown }[];
}> {
  const graph = createConciergeGraph({
    domain: mealsDomain,
    models: everyRole(scriptedModel([])),
    countTokens,
    storage: {
      checkpointer: createCheckpointer(owner),
      userData: createUserData(owner, owner),
      archive: createTurnArchive(owner),
    },
  });
  return graph.getState({ configurable: { thread_id: PERSON.threadId } });
}
