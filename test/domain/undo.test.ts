import { randomUUID } from "node:crypto";
import { fc, test as lawTest } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { UndoResult } from "../../domain/undo.ts";
import { MEALS_ENTITY_TYPES } from "../../meals/entity-types.ts";
import { defineTool } from "../../domain/define-tool.ts";
import type { Check } from "../../state/change.ts";
import type { Tool } from "../../state/domain.ts";
import { findKey, listInlineLists } from "../../state/entity.ts";
import type { EffectIdentity, Queryable } from "../../state/store.ts";
import { testDatabase } from "../support/database.ts";
import { testEffect } from "../support/effect.ts";
import { openHousehold, type Household } from "../support/household.ts";
import { toolCall } from "../support/tool-calls.ts";
import { undoInKitchen, type UndoneEffects } from "../support/undo.ts";

/** `UNDO_CASES=10000 npm test -- test/domain/undo.test.ts` plays longer. */
const CASES = Number(process.env["UNDO_CASES"] ?? 25);

const database = await testDatabase();
const { owner, userData } = database;

interface StoredRow {
  /** Id of the row, or of the row that it is listed with. */
  readonly owner: string;
  readonly text: string;
}

/** Returns all rows of a user in the domain's tables, versions and times aside. */
async function readRows(userId: string): Promise<readonly StoredRow[]> {
  const tables = TABLES.map(
    ({ table, key }) =>
      `select ${key}::text as owner, '${table}' || (to_jsonb(t) - array['row_version', 'updated_at'])::text as text
         from ${table} t where user_id = $1`,
  );
  const { rows } = await owner.query<{ owner: string; text: string }>(
    `${tables.join(" union all ")} order by text`,
    [userId],
  );
  return rows;
}

/** Returns the rows as one text. */
async function dump(userId: string): Promise<string> {
  return joinTexts(await readRows(userId));
}

function joinTexts(rows: readonly StoredRow[]): string {
  return rows.map(({ text }) => text).join("\n");
}

/** Sets a row with its lists apart from all others. */
function setApart(rows: readonly StoredRow[], id: string) {
  const [own = [], others = []] = [true, false].map((isOwn) =>
    rows.filter((row) => (row.owner === id) === isOwn),
  );
  return { own: joinTexts(own), others: joinTexts(others) };
}

const TABLES = MEALS_ENTITY_TYPES.flatMap((type) => [
  { table: type.table, key: findKey(type).column },
  ...listInlineLists(type).map(({ table, foreignKey }) => ({ table, key: foreignKey })),
]);

async function lastEffect(userId: string): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    "select coalesce(max(effect_id), 0)::int as id from effects where user_id = $1",
    [userId],
  );
  return rows[0]?.id ?? 0;
}

async function listEffects(userId: string, after: number): Promise<readonly number[]> {
  const { rows } = await owner.query<{ id: number }>(
    "select effect_id::int as id from effects where user_id = $1 and effect_id > $2 order by 1",
    [userId, after],
  );
  return rows.map(({ id }) => id);
}

const EAT = defineTool({
  name: "eat",
  subdomain: "inventory",
  description: "Takes an egg from the stock.",
  parameters: z.strictObject({}),
  effect: "write",
  writes: ["inventory"],
  run: async () => null,
});

/** Tools that take their effects back themselves; what is eaten comes back to what is there by now. */
const UNDO_TOOLS: readonly Tool[] = [
  {
    ...EAT,
    undo: async ({ changes }, tool) => {
      for (const { type, id, before, after } of changes) {
        const { values } = await tool.lock({ type, id });
        if (values["unit"] === "boxes") tool.refuse("Eggs are kept in boxes by now");
        const eaten = Number(before?.["quantity"]) - Number(after?.["quantity"]);
        await tool.update({ type, id }, { quantity: Number(values["quantity"]) + eaten });
      }
    },
  },
  {
    ...EAT,
    name: "eat_wrongly",
    undo: async (_effect, tool) => {
      await tool.create("task", { title: "Buy eggs" });
    },
  },
];

function undo(
  userId: string,
  effectIds: readonly number[],
  options: Partial<UndoneEffects> = {},
): Promise<UndoResult> {
  const domain = { entityTypes: MEALS_ENTITY_TYPES, tools: UNDO_TOOLS };
  return undoInKitchen(userData, { ...domain, userId, effectIds, ...options });
}

/** Applies SQL as a domain's own tool does, and returns the number of the effect. */
async function applySql(
  userId: string,
  sql: string,
  parts: Pick<EffectIdentity, "final"> & Partial<Pick<EffectIdentity, "tool">> = {},
): Promise<number> {
  const identity = { ...testEffect(randomUUID(), "kitchen"), ...parts };
  const { effectId } = await userData.write(userId, identity, async (tx: Queryable) => {
    await tx.query(sql);
    return null;
  });
  return effectId;
}

/** Writes that the generated tools do not make: several tables at once, and values handed from row to row. */
const STATEMENTS = [
  "update inventory set quantity = quantity / 3, unit = 'pieces'",
  "delete from recipes where name = (select max(name) from recipes)",
  "delete from recipes",
  "delete from meal_plans",
  "with gone as (delete from ingredients returning name, aliases) insert into ingredients (name, category) select name, 'other' from gone",
  "update ingredients set name = 'x' || name; update ingredients set name = substr(name, 2) || 's'; insert into ingredients (name) values ('egg')",
  "update recipes set parent_id = (select min(id::text)::uuid from recipes)",
  "insert into recipes (name, parent_id) select 'Copy of ' || name, id from recipes; update meal_plans set recipe_id = (select max(id::text)::uuid from recipes)",
  "update recipe_ingredients set recipe_id = (select min(id::text)::uuid from recipes), note = 'moved'",
  "update meal_plans set title = 'Guests', notes = 'late'; delete from recipe_ingredients where position = 2",
  "insert into tasks (title) values ('Bake'); delete from tasks where title = 'Bake'; update tasks set done = not done",
  "update meal_plans set recipe_id = null; delete from cooking_log; insert into cooking_log (cooked_on, title) values ('2026-01-11', 'Out')",
  "delete from preferences; insert into preferences (household_size) values (5)",
  "insert into recipe_ingredients (recipe_id, name, quantity) select id, 'salt', 0.123456789012345678901 from recipes",
];

const effect = fc.oneof(
  { weight: 3, arbitrary: toolCall.filter(([name]) => !name.startsWith("read_")) },
  { weight: 2, arbitrary: fc.constantFrom(...STATEMENTS) },
);

async function applyEffect(
  { userId, kitchen }: Household,
  one: string | readonly [string, unknown],
): Promise<void> {
  try {
    if (typeof one === "string") await applySql(userId, one);
    else await kitchen.call(one[0], one[1]);
  } catch {
    // What is refused is no effect.
  }
}

describe("undoEffects()", () => {
  lawTest.prop(
    [fc.array(effect, { minLength: 1, maxLength: 20 }), fc.nat(19), fc.constantFrom("each", "all")],
    { numRuns: CASES },
  )(
    "makes every table as it was before any last effects, and an undo of the undo makes it as it was after them",
    async (effects, kept, way) => {
      const household = await openHousehold(database);
      const { userId } = household;
      const dumps = [await dump(userId)];
      const ids: number[] = [];
      for (const one of effects) {
        const before = await lastEffect(userId);
        await applyEffect(household, one);
        const id = await lastEffect(userId);
        if (id === before) continue;
        const now = await dump(userId);
        if (now === dumps.at(-1)) continue;
        ids.push(id);
        dumps.push(now);
      }
      const taken = ids.slice(kept % (ids.length + 1));
      if (taken.length === 0) return;
      const requests = way === "all" ? [taken] : taken.toReversed().map((id) => [id]);
      const undone: number[] = [];
      for (const request of requests) {
        const result = await undo(userId, request);
        expect(result).toMatchObject({ kind: "undone" });
        if (result.kind === "undone") undone.push(result.effectId);
      }
      expect(await dump(userId)).toBe(dumps[ids.length - taken.length]);
      for (const id of undone.toReversed()) {
        expect(await undo(userId, [id])).toMatchObject({ kind: "undone" });
      }
      expect(await dump(userId)).toBe(dumps.at(-1));
    },
    CASES * 1_000 + 30_000,
  );
});

/** Changes of another program: a table, what it sets in one row, and the row that this belongs to. */
const FOREIGN = [
  ["inventory", "quantity = 77", "id"],
  ["tasks", "title = 'Foreign'", "id"],
  ["shopping_list", "name = 'Foreign'", "id"],
  ["meal_plans", "notes = 'foreign'", "id"],
  ["recipes", "servings = 77", "id"],
  ["recipe_ingredients", "note = 'foreign'", "recipe_id"],
] as const;

/** Changes one row that the effects have changed, where it does not hold that already, and returns whose it is; null where there is none. */
async function changeOneRow(
  effectIds: readonly number[],
  [foreign, ...others]: readonly (typeof FOREIGN)[number][],
): Promise<string | null> {
  if (foreign === undefined) return null;
  const [table, set, key] = foreign;
  const { rows } = await owner.query<{ id: string }>(
    `update ${table} set ${set}
      where id = (select id from ${table}
                   where id::text in (select row_key from journal where effect_id = any($1))
                     and (${set}) is not true
                   order by id limit 1)
     returning ${key}::text as id`,
    [effectIds],
  );
  return rows[0]?.id ?? changeOneRow(effectIds, others);
}

lawTest.prop(
  [
    fc.array(
      effect.filter((one) => typeof one !== "string" || !one.includes("moved")),
      {
        minLength: 3,
        maxLength: 8,
      },
    ),
    fc.nat(2),
    fc.shuffledSubarray([...FOREIGN], { minLength: FOREIGN.length }),
  ],
  { numRuns: CASES },
)(
  "undoEffects() without a row that was changed since makes every other row as it was before, and leaves that one",
  async (effects, kept, foreign) => {
    const household = await openHousehold(database);
    const { userId } = household;
    for (const one of effects.slice(0, kept)) await applyEffect(household, one);
    const before = await lastEffect(userId);
    const old = await readRows(userId);
    for (const one of effects.slice(kept)) await applyEffect(household, one);
    const taken = await listEffects(userId, before);
    const id = await changeOneRow(taken, foreign);
    if (id === null) return;
    const changed = setApart(await readRows(userId), id);

    const asked = await undo(userId, taken);
    expect(setApart(await readRows(userId), id)).toEqual(changed);
    if (asked.kind === "refused") return;
    const confirmedHash = asked.kind === "unconfirmed" ? asked.rest.changesHash : "";

    expect(await undo(userId, taken, { confirmedHash })).toMatchObject({ kind: "undone" });
    const { others } = setApart(old, id);
    expect(setApart(await readRows(userId), id)).toEqual({ own: changed.own, others });
  },
  CASES * 1_000 + 30_000,
);

const DELETE_TACOS = "delete from recipes where name = 'Cod Tacos'";

/** Changes a user's rows as another program does. */
async function changeOutside(userId: string, sql: string): Promise<void> {
  await owner.query(sql, [userId]);
}

test("undoEffects() leaves a row out together with its lists, and counts the rest", async () => {
  const { userId } = await openHousehold(database);
  const id = await applySql(
    userId,
    `update recipes set servings = 9 where name = 'Pea Soup';
     delete from recipe_ingredients where name = 'Pea Soup part 2';
     update recipe_ingredients set quantity = 9 where name = 'Pea Soup part 1';
     update inventory set quantity = 7 where name = 'Eggs'`,
  );
  await changeOutside(
    userId,
    "update recipe_ingredients set quantity = 8 where user_id = $1 and name = 'Pea Soup part 1'",
  );
  const soup = (await readRows(userId)).filter(({ text }) => text.includes("Pea Soup"));

  const asked = await undo(userId, [id]);

  const { rest } = asked.kind === "unconfirmed" ? asked : { rest: null };
  expect(rest).toMatchObject({
    effectIds: [id],
    conflicts: "Pea Soup has been changed since",
    changes: [{ action: "update", type: "inventory", label: "Eggs" }],
  });
  const confirmedHash = rest?.changesHash ?? "";
  expect(await undo(userId, [id], { confirmedHash })).toMatchObject({ kind: "undone" });
  expect((await readRows(userId)).filter(({ text }) => text.includes("Pea Soup"))).toEqual(soup);
});

const NO_FISH: Check = {
  name: "fish",
  types: ["recipe"],
  actions: ["create"],
  run: (changes, { origin }) =>
    changes.map(({ label }) => ({
      kind: "breach",
      rule: "no fish",
      reason: `${label} has fish, by ${origin}`,
      overridable: true,
    })),
};

test("undoEffects() offers no rest that a check speaks against", async () => {
  const { userId } = await openHousehold(database);
  const sql = `${DELETE_TACOS}; update inventory set quantity = 7 where name = 'Eggs'`;
  const id = await applySql(userId, sql);
  await changeOutside(userId, "delete from inventory where user_id = $1 and name = 'Eggs'");

  expect(await undo(userId, [id], { checks: [NO_FISH] })).toEqual({
    kind: "refused",
    reason: "Eggs has been deleted since",
  });
  expect(await undo(userId, [id])).toMatchObject({ kind: "unconfirmed" });
});

test("undoEffects() offers no rest that would change other rows", async () => {
  const { userId } = await openHousehold(database);
  const id = await applySql(
    userId,
    `insert into recipes (name) values ('Bean Stew');
     update inventory set quantity = 7 where name = 'Eggs';
     update meal_plans set recipe_id = (select id from recipes where name = 'Bean Stew') where title = 'Date night'`,
  );
  await changeOutside(
    userId,
    "update meal_plans set notes = 'late' where user_id = $1 and title = 'Bean Stew'",
  );
  const before = await dump(userId);

  expect(await undo(userId, [id])).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(/ has been changed since \(late instead of nothing\)$/u),
  });
  expect(await dump(userId)).toBe(before);
});

describe("undoEffects() refuses, and changes nothing,", () => {
  test.each([
    [
      "a row that has been changed since",
      "update inventory set quantity = 7 where name = 'Eggs'",
      "update inventory set quantity = 8 where user_id = $1 and name = 'Eggs'",
      "Eggs has been changed since (8 instead of 7)",
    ],
    [
      "a row of which several values have been changed since",
      "update inventory set quantity = 7 where name = 'Eggs'",
      "update inventory set quantity = 8, unit = 'boxes' where user_id = $1 and name = 'Eggs'",
      "Eggs has been changed since (quantity 8 instead of 7, unit boxes instead of nothing)",
    ],
    [
      "a row that has been deleted since",
      "insert into tasks (title) values ('Bake bread')",
      "delete from tasks where user_id = $1 and title = 'Bake bread'",
      "Bake bread has been deleted since",
    ],
    [
      "a list of which an item has been changed since",
      "update recipe_ingredients set quantity = 9 where name = 'Pea Soup part 1'",
      "update recipe_ingredients set quantity = 8 where user_id = $1 and name = 'Pea Soup part 1'",
      "Pea Soup has been changed since",
    ],
    [
      "a row that another one points at by now",
      "insert into recipes (name) values ('Bean Stew')",
      "update meal_plans set recipe_id = (select id from recipes where name = 'Bean Stew' and user_id = $1) where user_id = $1 and title = 'Date night'",
      "Bean Stew, Wed 14 Jan dinner belongs to it by now",
    ],
    [
      "a value that another row has by now",
      "delete from ingredients where name = 'egg'",
      "insert into ingredients (user_id, name) values ($1, 'Egg')",
      "egg cannot be as it was: there is already one with the same “name”; change that one",
    ],
  ])("%s", async (_case, sql, foreign, reason) => {
    const { userId } = await openHousehold(database);
    const id = await applySql(userId, sql);
    await changeOutside(userId, foreign);
    const before = await dump(userId);

    const result = await undo(userId, [id]);

    expect(result).toEqual({
      kind: "refused",
      reason: reason,
    });
    expect(await dump(userId)).toBe(before);
  });

  test("effects between which a row was changed by something else", async () => {
    const { userId } = await openHousehold(database);
    const first = await applySql(userId, "update inventory set quantity = 7 where name = 'Eggs'");
    await changeOutside(
      userId,
      "update inventory set quantity = 5 where user_id = $1 and name = 'Eggs'",
    );
    const second = await applySql(userId, "update inventory set quantity = 4 where name = 'Eggs'");

    expect(await undo(userId, [first, second])).toEqual({
      kind: "refused",
      reason: "Eggs has been changed since (5 instead of 7)",
    });
    expect(await undo(userId, [second])).toMatchObject({ kind: "undone" });
  });

  test("effects of another user or another thread, those undone already, final ones and old ones", async () => {
    const { userId } = await openHousehold(database);
    const other = await openHousehold(database);
    const id = await applySql(userId, DELETE_TACOS);
    const unknown = { kind: "refused", reason: "this conversation has made no such change" };
    expect(await undo(other.userId, [id])).toEqual(unknown);
    expect(await undo(userId, [id], { threadId: "another" })).toEqual(unknown);

    await undo(userId, [id]);
    expect(await undo(userId, [id])).toEqual({
      kind: "refused",
      reason: "it has been undone already",
    });

    const final = await applySql(userId, "delete from tasks", {
      final: "the refund has been made",
    });
    expect(await undo(userId, [final])).toEqual({
      kind: "refused",
      reason: "the refund has been made",
    });

    const old = await applySql(userId, "delete from cooking_log");
    await owner.query(
      "update effects set created_at = now() - interval '31 days' where effect_id = $1",
      [old],
    );
    expect(await undo(userId, [old])).toEqual({
      kind: "refused",
      reason: "it is older than 30 days",
    });
  });

  test("a row that a check of the domain forbids", async () => {
    const { userId } = await openHousehold(database);
    const id = await applySql(userId, DELETE_TACOS);
    expect(await undo(userId, [id], { checks: [NO_FISH] })).toEqual({
      kind: "refused",
      reason: "Cod Tacos has fish, by undo (no fish)",
    });
  });
});

test("undoEffects() brings a deleted recipe back with its ingredients and the meals that were planned with it", async () => {
  const { userId } = await openHousehold(database);
  const before = await dump(userId);
  const id = await applySql(userId, DELETE_TACOS);

  const result = await undo(userId, [id]);

  expect(await dump(userId)).toBe(before);
  const { outcome } = result.kind === "undone" ? result : { outcome: null };
  expect(
    outcome?.writes
      .map(
        ({ action, type, row }) =>
          `${action} ${type} ${JSON.stringify(row.values["name"] ?? row.values["title"])}`,
      )
      .toSorted(),
  ).toEqual([
    'created recipe "Cod Tacos"',
    'updated cooked "Cod Tacos"',
    'updated meal "Cod Tacos"',
    'updated meal "Date night"',
  ]);
});

test("undoEffects() is applied once for an effect key", async () => {
  const { userId } = await openHousehold(database);
  const id = await applySql(userId, DELETE_TACOS);
  const key = randomUUID();

  const first = await undo(userId, [id], { key });

  expect(await undo(userId, [id], { key })).toEqual(first);
});

const EAT_EGG = "update inventory set quantity = quantity - 1 where name = 'Eggs'";

async function readEggs(userId: string): Promise<unknown> {
  const { rows } = await owner.query(
    "select quantity::int as eggs, unit from inventory where user_id = $1 and name = 'Eggs'",
    [userId],
  );
  return rows[0];
}

describe("undoEffects() with a tool that takes its effects back itself", () => {
  test("works from the rows as they are by now, beside the journal, and can be undone", async () => {
    const { userId } = await openHousehold(database);
    const added = await applySql(userId, "insert into tasks (title) values ('Bake bread')");
    const eaten = await applySql(userId, EAT_EGG, { tool: "eat" });
    await changeOutside(
      userId,
      "update inventory set quantity = 3 where user_id = $1 and name = 'Eggs'",
    );

    const result = await undo(userId, [added, eaten]);

    const written = result.kind === "undone" ? result.outcome.writes : [];
    expect(written.map(({ action, type }) => `${action} ${type}`).toSorted()).toEqual([
      "deleted task",
      "updated inventory",
    ]);
    expect(await readEggs(userId)).toEqual({ eggs: 4, unit: null });
    const undone = result.kind === "undone" ? result.effectId : 0;
    expect(await undo(userId, [undone])).toMatchObject({ kind: "undone" });
    expect(await readEggs(userId)).toEqual({ eggs: 3, unit: null });
  });

  test("takes the newest effect back first: rows that the journal gave to the tool come back whole", async () => {
    const { userId } = await openHousehold(database);
    const before = await dump(userId);
    const bought = await applySql(userId, "update inventory set quantity = 20 where name = 'Eggs'");
    const eaten = await applySql(userId, EAT_EGG, { tool: "eat" });

    expect(await undo(userId, [bought, eaten])).toMatchObject({ kind: "undone" });
    expect(await dump(userId)).toBe(before);
  });

  test.each([
    ["refuses", "eat", "Eggs are kept in boxes by now"],
    [
      "writes what the tool may not",
      "eat_wrongly",
      '"eat_wrongly" may not create rows of type "task"',
    ],
  ])("changes nothing where it %s", async (_case, tool, reason) => {
    const { userId } = await openHousehold(database);
    const id = await applySql(userId, EAT_EGG, { tool });
    await changeOutside(
      userId,
      "update inventory set unit = 'boxes' where user_id = $1 and name = 'Eggs'",
    );
    const before = await dump(userId);

    expect(await undo(userId, [id])).toEqual({ kind: "refused", reason });
    expect(await dump(userId)).toBe(before);
  });
});
