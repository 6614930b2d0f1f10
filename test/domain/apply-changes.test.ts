import { randomUUID } from "node:crypto";
import { fc, test as lawTest } from "@fast-check/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { domainFolder } from "../../domain/list-grants.ts";
import { createTableTools } from "../../domain/table-tools.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { Check } from "../../state/change.ts";
import { hasRight, type EntityType } from "../../state/entity.ts";
import { testDatabase } from "../support/database.ts";
import { testEffect } from "../support/effect.ts";
import { openKitchen, TODAY, type Kitchen } from "../support/kitchen.ts";
import { describeLibrary } from "../support/library.ts";
import { toolCall } from "../support/tool-calls.ts";
import { wholeDatabase } from "../support/whole-database.ts";
import { undoInKitchen } from "../support/undo.ts";
import { shopDomain } from "../shop/domain.ts";

/** `FORBIDDEN_UNDOS=1000 npm test -- test/domain/apply-changes.test.ts` plays longer. */
const UNDOS = Number(process.env["FORBIDDEN_UNDOS"] ?? 50);

/** Breaches with every change there is. */
function forbid(entityTypes: readonly EntityType[]): Check {
  return {
    name: "nothing",
    types: entityTypes.map(({ type }) => type),
    actions: ["create", "update", "delete"],
    run: () => [
      { kind: "breach", rule: "nothing", reason: "Nothing may change", overridable: false },
    ],
  };
}

function anyRef(type: string): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: 10 }).map((number) => `${type}_${number}`);
}

const order = anyRef("order");
const swap = fc.record({ item: anyRef("item"), variant: anyRef("variant") });
const swaps = fc.record({ order, swaps: fc.array(swap, { minLength: 1, maxLength: 2 }) });
/** Calls of the shop's tools: most of them well made, others anything at all. */
const shopCall: fc.Arbitrary<[string, unknown]> = fc.oneof(
  fc.tuple(
    fc.constant("cancel_order"),
    fc.record({ order, reason: fc.constant("no longer needed") }),
  ),
  fc.tuple(fc.constant("change_address"), fc.record({ order, address: fc.string() })),
  fc.tuple(fc.constantFrom("change_items", "exchange_items"), swaps),
  fc.tuple(
    fc.constant("return_items"),
    fc.record({ order, items: fc.array(anyRef("item"), { maxLength: 2 }) }),
  ),
  fc.tuple(fc.constant("hand_over"), fc.record({ summary: fc.string() })),
  fc.tuple(
    fc.constantFrom(
      ...[...createTableTools(shopDomain.entityTypes), ...shopDomain.tools].map(({ name }) => name),
    ),
    fc.jsonValue(),
  ),
);

describe.each([
  { domain: mealsDomain, userId: "demo", calls: toolCall },
  { domain: shopDomain, userId: "customer_1", calls: shopCall },
])("a check that forbids everything in $domain.name", async ({ domain, userId, calls }) => {
  const database = await testDatabase({ migrations: [domainFolder(shopDomain)] });
  const { entityTypes, tools } = domain;
  const checks = [forbid(entityTypes)];
  let kitchen: Kitchen;
  let effectIds: readonly number[];
  let before: Awaited<ReturnType<typeof wholeDatabase>>;
  /** Changes that the check has kept from happening. */
  const refused = { called: 0, undone: 0 };
  beforeAll(async () => {
    for (const { userId: id, seed } of domain.demo ?? []) {
      await database.userData.seed(id, randomUUID(), (tx) =>
        seed(tx, { userId: id, today: TODAY }),
      );
    }
    const open = async (options: { readonly checks?: readonly Check[] }): Promise<Kitchen> => {
      const opened = openKitchen(database, { userId, entityTypes, tools, ...options });
      for (const { name } of createTableTools(entityTypes)) {
        if (name.startsWith("read_")) await opened.call(name, {});
      }
      return opened;
    };
    const free = await open({});
    for (const [name, args] of fc.sample(calls, 60)) {
      await free.call(name, args).catch(() => undefined);
    }
    const { rows } = await database.owner.query<{ id: number }>(
      "select effect_id::int as id from effects where thread_id = 'kitchen' order by 1",
    );
    effectIds = rows.map(({ id }) => id);
    kitchen = await open({ checks });
    if (domain === mealsDomain) {
      kitchen.refs.draft("recipe", { name: "Draft soup", ingredients: [{ name: "leek" }] });
    }
    before = await wholeDatabase(database);
  });

  lawTest.prop([calls], { numRuns: 1_000 })(
    "leaves every table as it was, whatever is called",
    async ([name, args]) => {
      const text = await kitchen.call(name, args).then(() => "", String);
      if (text.includes("Nothing may change")) refused.called += 1;
    },
    120_000,
  );

  lawTest.prop([fc.nat(), fc.integer({ min: 1, max: 3 })], { numRuns: UNDOS })(
    "leaves every table as it was, whatever is undone",
    async (at, length) => {
      const first = at % effectIds.length;
      const result = await undoInKitchen(database.userData, {
        userId,
        entityTypes,
        tools,
        checks,
        effectIds: effectIds.slice(first, first + length),
      });
      expect(result.kind).toBe("refused");
      if (JSON.stringify(result).includes("Nothing may change")) refused.undone += 1;
    },
    UNDOS * 1_000 + 30_000,
  );

  test("and so do all of them together, effects and journal included", async () => {
    expect(await wholeDatabase(database)).toEqual(before);
    expect(Math.min(refused.called, refused.undone)).toBeGreaterThan(0);
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

const DOMAINS = [mealsDomain, shopDomain, describeLibrary()];

/** A statement for each right that a type has not, where no tool writes the type. */
const LACKED = DOMAINS.flatMap(({ entityTypes, tools }) =>
  entityTypes
    .filter(({ type }) => tools.every(({ writes = [] }) => !writes.includes(type)))
    .flatMap((type) => {
      const { table, columns } = type;
      const column = columns.at(-1)?.name ?? "";
      const statements = [
        ["create", `insert into ${table} (${column}) values (null)`],
        ["update", `update ${table} set ${column} = null`],
        ["delete", `delete from ${table}`],
      ] as const;
      return statements.filter(([right]) => !hasRight(type, right)).map(([, sql]) => sql);
    }),
);

describe("the program's login", async () => {
  const migrations = DOMAINS.slice(1).map((domain) => domainFolder(domain));
  const { owner, pool, userData } = await testDatabase({ migrations });

  test.each(LACKED)("may not %s", async (sql) => {
    const write = userData.write("ada", testEffect(randomUUID()), async (tx) => {
      await tx.query(sql);
      return null;
    });
    await expect(write).rejects.toMatchObject({ code: "42501" });
  });

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
