import { test as lawTest } from "@fast-check/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { domainFolder } from "../../domain/list-grants.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { Check } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import { testDatabase } from "../support/database.ts";
import { testEffect } from "../support/effect.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";
import { toolCall } from "../support/tool-calls.ts";
import { wholeDatabase } from "../support/whole-database.ts";
import { tableTool } from "../support/table-tool-names.ts";

/** Breaches with every change there is. */
const FORBIDDING: Check = {
  name: "nothing",
  types: mealsDomain.entityTypes.map(({ type }) => type),
  actions: ["create", "update", "delete"],
  run: () => [
    { kind: "breach", rule: "nothing", reason: "Nothing may change", overridable: false },
  ],
};

describe("a check that forbids everything", async () => {
  const database = await testDatabase();
  let kitchen: Kitchen;
  let before: Awaited<ReturnType<typeof wholeDatabase>>;
  beforeAll(async () => {
    await seedKitchens(database);
    const { tools } = mealsDomain;
    kitchen = openKitchen(database, { userId: "demo", tools, checks: [FORBIDDING] });
    for (const { table } of mealsDomain.entityTypes)
      await kitchen.call(tableTool("read", table), {});
    kitchen.refs.draft("recipe", { name: "Draft soup", ingredients: [{ name: "leek" }] });
    before = await wholeDatabase(database);
  });

  lawTest.prop([toolCall], { numRuns: 1_000 })(
    "leaves every table as it was, whatever is called",
    async ([name, args]) => {
      await kitchen.call(name, args).catch(() => undefined);
    },
    120_000,
  );

  test("and so do all of them together, effects and journal included", async () => {
    expect(await wholeDatabase(database)).toEqual(before);
  });
});

test("domainFolder() grants no write on tables whose rows may only be read", () => {
  const entityTypes = mealsDomain.entityTypes.map((type): EntityType => ({
    ...type,
    rights: ["read"],
  }));
  const { grants } = domainFolder({ ...mealsDomain, entityTypes, tools: [] });
  expect(grants.filter(({ rights }) => rights.length > 0)).toEqual([]);
});

describe("the program's login", async () => {
  const database = await testDatabase();
  const { owner, pool, userData } = database;

  test("changes no row without an effect, and none through a right that it was not granted", async () => {
    await expect(
      userData.read("ada", (tx) => tx.query("insert into tasks (title) values ('x')")),
    ).rejects.toThrow(/read-only/);
    await expect(
      pool.query(
        "begin; set local concierge.user_id = 'ada'; insert into tasks (title) values ('x')",
      ),
    ).rejects.toMatchObject({ code: "ZE001" });
    await owner.query("revoke insert, update, delete on tasks from concierge_app");
    for (const sql of [
      "insert into tasks (title) values ('x')",
      "update tasks set title = 'x'",
      "delete from tasks",
    ]) {
      const write = userData.write("ada", testEffect(sql), async (tx) => {
        await tx.query(sql);
        return null;
      });
      await expect(write).rejects.toMatchObject({ code: "42501" });
    }
    await expect(pool.query("insert into journal default values")).rejects.toMatchObject({
      code: "42501",
    });
  });

  test("changes no row of another user, even where a handler works as that user", async () => {
    const add = "insert into shopping_list (name) values ('Oats')";
    await userData.seed("eve", "eve's list", async (tx) => void (await tx.query(add)));

    const write = userData.write("ada", testEffect("as eve"), async (tx) => {
      await tx.query("select set_config('concierge.user_id', 'eve', true)");
      await tx.query("update shopping_list set purchased = true");
      await tx.query("select set_config('concierge.user_id', 'ada', true)");
      return null;
    });

    await expect(write).rejects.toThrow(
      'Cannot change "shopping_list": the row belongs to another user than the effect',
    );
  });

  test("is the only one: another program writes on, and the journal has it", async () => {
    await owner.query(
      "insert into tasks (user_id, title) values ('bob', 'Water the herbs'); update tasks set done = true where user_id = 'bob'",
    );
    const { rows } = await owner.query(
      `select effect_id, action, before ->> 'done' as before, after ->> 'done' as after
         from journal where table_name = 'tasks' and user_id = 'bob' order by seq`,
    );
    expect(rows).toEqual([
      { effect_id: null, action: "insert", before: null, after: "false" },
      { effect_id: null, action: "update", before: "false", after: "true" },
    ]);
  });
});
