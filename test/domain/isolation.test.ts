import { testEffect } from "../support/effect.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { buildShoppingList } from "../../meals/shopping/build-shopping-list.ts";
import { exportCalendar } from "../../meals/tools/export-calendar.ts";
import { findRecipes } from "../../meals/tools/find-recipes.ts";
import { loadProfile } from "../../meals/profile.ts";
import { loadSnapshot } from "../../meals/snapshot.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { saveTurn, storeRefs } from "../../storage/conversations/archive-rows.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { openKitchen } from "../support/kitchen.ts";
import { turnRow } from "../support/replies.ts";
import { deletingAll, tableTool } from "../support/table-tool-names.ts";

/*
 * Every attempt to reach another's rows is made twice: with the row-level policies, and, as a
 * control, without them. Rows that are reached without them are protected by the policies (and the
 * attempt is shown to bite); the others by the code and the foreign keys as well.
 */
const guarded = await testDatabase();
const open = await testDatabase();
const databases = [guarded, open];

/** Every text of the neighbour's; no other row holds it. */
const SECRET = "zyxel";
const TABLES: Readonly<Record<string, string>> = {
  recipes: "(name, instructions) values ($1, $1)",
  ingredients: "(name) values ($1)",
  inventory: "(name) values ($1)",
  meal_plans:
    "(date, slot, title, recipe_id) values ('2026-01-13', 'dinner', $1, (select id from recipes))",
  shopping_list: "(name) values ($1)",
  tasks: "(title) values ($1)",
  preferences: "(equipment) values (array[$1])",
  members: "(name) values ($1)",
  cooking_log: "(cooked_on, title) values ('2026-01-10', $1)",
};
const THREAD = "thread of the neighbour";

async function seed(database: TestDatabase): Promise<void> {
  await database.userData.write(
    "neighbour",
    testEffect("neighbour's write", THREAD),
    async (tx) => {
      for (const [table, row] of Object.entries(TABLES)) {
        await tx.query(`insert into ${table} ${row}`, [SECRET]);
      }
      await tx.query(
        "insert into recipe_ingredients (recipe_id, name) select id, $1 from recipes",
        [`${SECRET} beef`],
      );
      await saveTurn(tx, turnRow(THREAD, 1, { userMessage: SECRET }));
      const entry = { type: "recipe", label: SECRET };
      await storeRefs(tx, { threadId: THREAD, entries: [{ ref: "recipe_9", entry }] });
      return SECRET;
    },
  );
  await openStore(database).enqueue({ ...MESSAGE, userId: "neighbour", messageId: "m1" });
  await openKitchen(database, { userId: "demo" }).call("create_recipes", {
    rows: [{ name: "Own soup" }],
    drafts: [],
  });
}

const MESSAGE = { threadId: THREAD, title: SECRET, text: SECRET, run: {} };

function openStore({ pool }: TestDatabase) {
  return createConversationStore(pool, createCheckpointer(pool));
}

beforeAll(async () => {
  for (const database of databases) await seed(database);
  const { rows } = await open.owner.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'concierge'::regnamespace and relrowsecurity",
  );
  for (const { name } of rows) {
    await open.owner.query(`alter table ${name} disable row level security`);
  }
  // The journal compares owners as well: a second line, which would hide a gap in the first.
  await open.owner.query(`do $$ begin
    execute replace(pg_get_functiondef('concierge_journal_row'::regproc), 'and user_id = own', '');
  end $$`);
});

/** One who tries: the demo user, with refs of the neighbour's as only a defect could have brought them about. */
interface Thief {
  readonly call: (tool: string, args: unknown) => Promise<ToolOutcome>;
  /** The neighbour's row of a table, as a ref. */
  readonly stolen: (table: string) => string;
  /** Its id in the database. */
  readonly findId: (table: string) => string;
  readonly own: string;
}

async function thiefIn(database: TestDatabase): Promise<Thief> {
  const demo = openKitchen(database, {
    userId: "demo",
    tools: [findRecipes, buildShoppingList, exportCalendar],
    discard: true,
  });
  const neighbour = openKitchen(database, { userId: "neighbour" });
  const refs = new Map<string, string>();
  const ids = new Map<string, string>();
  const [own = ""] = await demo.readRefs("read_recipes", {
    where: [{ column: "name", op: "=", value: "Own soup" }],
  });
  for (const table of Object.keys(TABLES)) {
    const word =
      table === "preferences" ? [] : [{ column: findLabel(table), op: "=", value: SECRET }];
    const outcome = await neighbour.call(tableTool("read", table), { where: word, whole: true });
    refs.set(table, demo.refs.take(outcome)[0] ?? "");
    ids.set(table, outcome.reads[0]?.ids[0] ?? "");
  }
  demo.refs.forget();
  return {
    call: (tool, args) => demo.call(tool, args),
    stolen: (table) => refs.get(table) ?? "",
    findId: (table) => ids.get(table) ?? "",
    own,
  };
}

function findLabel(table: string): string {
  return ["meal_plans", "tasks", "cooking_log"].includes(table) ? "title" : "name";
}

/** Result of an attempt: what it reached of the neighbour's, and the words of its refusal. */
interface Reach {
  readonly reached: boolean;
  readonly refusal: string;
}

type Attempt = (thief: Thief) => Promise<ToolOutcome>;

async function runAttempt(database: TestDatabase, attempt: Attempt): Promise<Reach> {
  const thief = await thiefIn(database);
  const ids = Object.keys(TABLES).map(thief.findId);
  expect(ids.every((id) => id !== "")).toBe(true);
  try {
    const { reads, writes, listed, linked, text, failures } = await attempt(thief);
    const outcome = JSON.stringify({ reads, writes, listed, linked, text });
    return {
      reached: [SECRET, ...ids].some((mark) => outcome.includes(mark)),
      refusal: failures.map(({ reason }) => reason).join("; "),
    };
  } catch (error) {
    return { reached: false, refusal: error instanceof Error ? error.message : String(error) };
  }
}

/** Every row of the neighbour's, as only the database's owner sees them. */
async function neighbourRows(): Promise<unknown[]> {
  const rows = [...Object.keys(TABLES), "recipe_ingredients"].map(
    (table) => `select row_to_json(t)::text as row from ${table} t where user_id = 'neighbour'`,
  );
  return (await guarded.owner.query(`${rows.join(" union all ")} order by 1`)).rows;
}

interface Values {
  readonly [name: string]: unknown;
}

/** A creation of one row, as a call. */
function creating(
  table: string,
  values: Values,
  ingredients: readonly Values[] = [],
): [tool: string, args: Values] {
  const row = { ...values, ...(ingredients.length === 0 ? {} : { ingredients }) };
  return [tableTool("create", table), { rows: [row] }];
}

const PROTECTED_BY_POLICIES: Readonly<Record<string, Attempt>> = {
  ...Object.fromEntries(
    Object.keys(TABLES).flatMap((table): [string, Attempt][] => [
      [`reading all ${table}`, ({ call }) => call(tableTool("read", table), { limit: 200 })],
      [
        `reading ${table} by a stolen ref`,
        async ({ call, stolen }) => ({
          ...(await call(tableTool("read", table), { refs: [stolen(table)] })),
          // It repeats the ref's label, which the thief has.
          text: null,
        }),
      ],
      [`deleting all ${table}`, ({ call }) => call(...deletingAll(table))],
      [
        `deleting ${table} by a stolen ref`,
        ({ call, stolen }) => call("delete_rows", { refs: [stolen(table)] }),
      ],
    ]),
  ),
  "changing a row by a stolen ref": ({ call, stolen }) =>
    call("update_tasks", {
      refs: [stolen("tasks")],
      set: { done: true },
    }),
  "filtering by a word": ({ call }) =>
    call("read_tasks", {
      where: [{ column: "title", op: "contains", value: SECRET }],
    }),
  "searching recipes for a word": ({ call }) => call("find_recipes", search({ text: SECRET })),
  "searching recipes for an ingredient": ({ call }) =>
    call("find_recipes", search({ use: [SECRET] })),
  "shopping for a stolen recipe": ({ call, stolen }) =>
    call("build_shopping_list", {
      recipes: [{ ref: stolen("recipes"), servings: null }],
      from: null,
      to: null,
    }),
  "shopping for the days of somebody's plan": ({ call }) =>
    call("build_shopping_list", { recipes: [], from: "2026-01-12", to: "2026-01-18" }),
  "exporting the days of somebody's plan": ({ call }) =>
    call("export_calendar", { from: "2026-01-12", to: "2026-01-18" }),
};

function search(changes: { readonly text?: string; readonly use?: readonly string[] }) {
  return { text: null, use: [], avoid: [], maxMinutes: null, tags: [], limit: null, ...changes };
}

const PROTECTED_BY_CODE_TOO: Readonly<Record<string, Attempt>> = {
  "guessing a ref": ({ call }) => call("read_recipes", { refs: ["recipe_99"] }),
  "reading by a database id": ({ call, findId }) =>
    call("read_recipes", { refs: [findId("recipes")] }),
  "filtering by a database id": ({ call, findId }) =>
    call("read_planned_meals", {
      where: [{ column: "recipe_id", op: "=", value: findId("recipes") }],
    }),
  "filtering by a user": ({ call }) =>
    call("read_recipes", {
      where: [{ column: "user_id", op: "=", value: "neighbour" }],
    }),
  "deleting by a database id": ({ call, findId }) =>
    call("delete_rows", { refs: [findId("tasks")] }),
  "making a row for another user": ({ call }) =>
    call(...creating("tasks", { title: "psst", user_id: "neighbour" })),
  "giving a row of one's own away": ({ call, own }) =>
    call("update_recipes", {
      refs: [own],
      set: { user_id: "neighbour" },
    }),
  "a row that points at a stolen ref": ({ call, stolen }) =>
    call(
      ...creating("meal_plans", {
        date: "2026-01-13",
        slot: "dinner",
        title: "Mine",
        recipe_id: stolen("recipes"),
      }),
    ),
  "a row that points at a database id": ({ call, findId }) =>
    call(
      ...creating("meal_plans", {
        date: "2026-01-13",
        slot: "dinner",
        title: "Mine",
        recipe_id: findId("recipes"),
      }),
    ),
  "a nested create below a stolen parent": ({ call, stolen }) =>
    call(
      ...creating("recipes", { name: "Mine", parent_id: stolen("recipes") }, [{ name: "salt" }]),
    ),
  "a nested row for a stolen parent": ({ call, stolen }) =>
    call(
      ...creating("recipes", { name: "Mine" }, [{ name: "salt", recipe_id: stolen("recipes") }]),
    ),
  "a nested row for another user": ({ call }) =>
    call(...creating("recipes", { name: "Mine" }, [{ name: "salt", user_id: "neighbour" }])),
  "pointing a row of one's own at a stolen ref": ({ call, own, stolen }) =>
    call("update_recipes", {
      refs: [own],
      set: { parent_id: stolen("recipes") },
    }),
};

describe("another's rows, by way of the tools", () => {
  test.each(Object.entries(PROTECTED_BY_POLICIES))(
    "are out of reach, and are not without the policies: %s",
    async (_, attempt) => {
      expect((await runAttempt(guarded, attempt)).reached).toBe(false);
      expect((await runAttempt(open, attempt)).reached).toBe(true);
    },
  );

  test("are as they were after every attempt", async () => {
    const before = await neighbourRows();

    for (const attempt of Object.values({ ...PROTECTED_BY_POLICIES, ...PROTECTED_BY_CODE_TOO })) {
      await runAttempt(guarded, attempt);
    }

    expect(before).toHaveLength(Object.keys(TABLES).length + 1);
    expect(await neighbourRows()).toEqual(before);
  });

  test.each(Object.entries(PROTECTED_BY_CODE_TOO))(
    "are out of reach, with the policies and without: %s",
    async (_, attempt) => {
      const kept = await runAttempt(guarded, attempt);
      expect(kept).toEqual({ reached: false, refusal: expect.stringMatching(/./) });
      expect(await runAttempt(open, attempt)).toEqual(kept);
    },
  );
});

describe("another's conversation", () => {
  const asDemo = { threadId: THREAD, userId: "demo" };

  test("cannot be recalled, and can without the policies", async () => {
    const lookup = { ...asDemo, ref: null, turn: null, words: SECRET, limit: 5 };
    const [kept, lost] = await Promise.all(
      databases.map(async ({ pool }) => (await createTurnArchive(pool).findTurns(lookup)).total),
    );
    expect([kept, lost]).toEqual([0, 1]);
  });

  test("takes no message, and does without the policies", async () => {
    const put = { ...MESSAGE, userId: "demo", messageId: "m2" };
    const [kept, lost] = await Promise.all(
      databases.map((database) => openStore(database).enqueue(put)),
    );
    expect([kept, lost]).toEqual(["foreign", "queued"]);
  });

  test("shows no message that waits, and does without the policies", async () => {
    const [kept, lost] = await Promise.all(
      databases.map((database) => openStore(database).nextMessage(asDemo)),
    );
    expect(kept).toBeNull();
    expect(lost).toMatchObject({ text: SECRET });
  });

  test("tells no result of its writes, and does without the policies", async () => {
    const effect = testEffect("neighbour's write", THREAD);
    const [kept, lost] = await Promise.allSettled(
      databases.map(({ userData }) => userData.write("demo", effect, async () => "mine")),
    );
    expect(kept).toMatchObject({ status: "rejected" });
    expect(lost).toMatchObject({ status: "fulfilled", value: { result: SECRET, repeated: true } });
  });
});

test("a prompt's kitchen is the user's own, with the policies and without", async () => {
  const [kept, bare] = await Promise.all(
    databases.map(({ pool }) =>
      asUser(pool, { userId: "demo" }, async (tx) => ({
        snapshot: await loadSnapshot(tx, { userId: "demo", today: "2026-01-12" }),
        profile: await loadProfile(tx, "demo"),
      })),
    ),
  );
  expect(kept).toMatchObject({
    snapshot: expect.stringContaining("1 recipe"),
    profile: { text: "" },
  });
  expect(bare).toEqual(kept);
});
