import { fc, test as lawTest } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { createTableTools } from "../../domain/table-tools.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { Change } from "../../state/change.ts";
import type { Tool } from "../../state/domain.ts";
import { findKey, listInlineLists, rowKey, type Column } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import { testDatabase } from "../support/database.ts";
import { openHousehold } from "../support/household.ts";
import { toolCall } from "../support/tool-calls.ts";

/** `CONFIRMED_CALLS=1000 npm test -- test/domain/confirmed-changes.test.ts` plays longer. */
const CALLS = Number(process.env["CONFIRMED_CALLS"] ?? 150);

const database = await testDatabase();
const { entityTypes } = mealsDomain;

function asking<T extends Tool>(tool: T): T {
  return Object.assign({}, tool, { confirm: "always" });
}

/** Tools that ask before every change. */
const ASKING = {
  tables: createTableTools(entityTypes).map((tool) => asking(tool)),
  tools: mealsDomain.tools.map((tool) => asking(tool)),
};

/** Changes of another program. */
const FOREIGN = [
  "update inventory set quantity = 77 where user_id = $1 and name = 'Eggs'",
  "update recipes set servings = servings + 1 where user_id = $1",
  "update recipes set name = name || '!' where user_id = $1 and name = 'Pea Soup'",
  "update recipe_ingredients set note = 'foreign' where user_id = $1",
  "update tasks set title = 'Foreign' where user_id = $1",
  "update meal_plans set notes = 'foreign' where user_id = $1",
  "update members set dislikes = '{liver}' where user_id = $1",
  "update preferences set household_size = 9 where user_id = $1",
  "delete from recipes where user_id = $1 and name = 'Cod Tacos'",
  "delete from recipe_ingredients where user_id = $1 and position = 2",
  "delete from meal_plans where user_id = $1",
  "insert into tasks (user_id, title) values ($1, 'Foreign')",
  "insert into meal_plans (user_id, date, slot, recipe_id) select $1, '2026-01-20', 'lunch', id from recipes where user_id = $1 and name = 'Pea Soup'",
];

/** Described values of rows by type and id, with their lists. */
type StoredRows = ReadonlyMap<string, JsonObject>;

async function readRows(userId: string): Promise<StoredRows> {
  const selects = entityTypes.map((type) => {
    const { column: key } = findKey(type);
    const lists = listInlineLists(type).map(
      ({ name, table, foreignKey, orderBy, columns }) =>
        `|| jsonb_build_object('${name}', (select coalesce(jsonb_agg(${buildObject(columns)} order by ${orderBy}), '[]')
              from ${table} where ${foreignKey} = ${type.table}.${key}))`,
    );
    return `select '${type.type}' as type, ${key}::text as id, ${buildObject(type.columns)} ${lists.join(" ")} as values
              from ${type.table} where user_id = $1`;
  });
  const { rows } = await database.owner.query<{ type: string; id: string; values: JsonObject }>(
    selects.join(" union all "),
    [userId],
  );
  return new Map(rows.map(({ type, id, values }) => [rowKey(type, id), values]));
}

function buildObject(columns: readonly Column[]): string {
  return `jsonb_build_object(${columns.map(({ name }) => `'${name}', ${name}`).join(", ")})`;
}

/** Rows that were there, and new ones, whose keys nobody knows before. */
function setApart(rows: StoredRows, before: StoredRows) {
  const isOld = ([key]: readonly [string, JsonObject]): boolean => before.has(key);
  const created = [...rows].filter((row) => !isOld(row)).map(([, values]) => values);
  return { old: new Map([...rows].filter(isOld)), created };
}

/** The rows as listed changes make them. */
function applyListed(rows: StoredRows, changes: readonly Change[]): StoredRows {
  const changed = new Map(rows);
  for (const { type, id, after, changed: names } of changes) {
    const key = rowKey(type, id);
    if (after === null) changed.delete(key);
    else {
      const given = Object.entries(after).filter(([name]) => names.includes(name));
      changed.set(key, { ...rows.get(key), ...Object.fromEntries(given) });
    }
  }
  return changed;
}

/** Yeses after which the changes were stored, and after which nothing was. */
const asked = { stored: 0, dropped: 0 };

lawTest.prop(
  [
    toolCall.filter(([name]) => !name.startsWith("read_")),
    fc.subarray(FOREIGN, { minLength: 1, maxLength: 5 }),
  ],
  { numRuns: CALLS },
)(
  "a yes stores exactly the listed changes or nothing, whatever another program writes before it",
  async ([name, args], foreign) => {
    let listed: readonly Change[] = [];
    let before: StoredRows = new Map();
    const { userId, kitchen } = await openHousehold(database, {
      ...ASKING,
      beforeYes: async ({ changes }) => {
        listed = changes;
        for (const sql of foreign) await database.owner.query(sql, [userId]);
        before = await readRows(userId);
      },
    });
    const writes = await kitchen.call(name, args).then(
      (outcome) => outcome.writes,
      () => [],
    );
    if (listed.length === 0) return;
    const isStored = writes.length > 0;
    asked[isStored ? "stored" : "dropped"] += 1;

    const expected = setApart(isStored ? applyListed(before, listed) : before, before);
    const { old, created } = setApart(await readRows(userId), before);
    expect(old).toEqual(expected.old);
    expect(created).toHaveLength(expected.created.length);
    expect(created).toEqual(expect.arrayContaining(expected.created));
  },
  CALLS * 1_000 + 30_000,
);

test("and there were yeses of both kinds", () => {
  expect(Math.min(asked.stored, asked.dropped)).toBeGreaterThan(0);
});
