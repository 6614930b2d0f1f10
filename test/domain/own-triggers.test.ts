import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { EntityType } from "../../state/entity.ts";
import { testDatabase } from "../support/database.ts";
import { testEffect } from "../support/effect.ts";
import { undoInKitchen } from "../support/undo.ts";

/** Bikes of a database that numbers, stamps and normalises them itself, with notes that hang on them. */
const BIKE: EntityType = {
  type: "bike",
  table: "bikes",
  words: { one: "bike", many: "bikes" },
  rights: ["read", "create", "update", "delete"],
  key: { column: "code", kind: "text" },
  version: "content",
  columns: [
    { name: "price", kind: "integer", set: "always" },
    { name: "color", kind: "text", set: "always" },
    { name: "state", kind: "text", set: "always" },
    { name: "changed_at", kind: "timestamp", volatile: true },
  ],
  summary: ["price"],
  orderBy: ["code"],
  label: ({ code }) => (typeof code === "string" ? code : ""),
};
const NOTE: EntityType = {
  ...BIKE,
  type: "note",
  table: "bike_notes",
  words: { one: "note", many: "notes" },
  columns: [{ name: "bike", kind: "text", references: "bike" }],
};
const database = await testDatabase();
const { owner, userData } = database;
await owner.query(`
  create table bikes (code text primary key, user_id text not null, price int, color text, state text, changed_at timestamptz,
    serial int generated always as identity);
  create table bike_notes (code text primary key, user_id text not null, bike text references bikes on delete cascade);
  select concierge_protect('bikes', 'code'), concierge_protect('bike_notes', 'code');
  grant all on bikes, bike_notes to concierge_app, concierge_admin;
  create function own_rules() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then return case when old.state = 'sold' then null else old end; end if;
      new.changed_at := clock_timestamp();
      new.color := upper(new.color);
      if tg_op = 'UPDATE' and old.state = 'sold' then new.state := 'sold'; end if;
      return new;
    end $$;
  create trigger own_rules before insert or update or delete on bikes for each row execute function own_rules()`);

async function write(sql: string): Promise<number> {
  const effect = testEffect(randomUUID(), "kitchen");
  const { effectId } = await userData.write("ann", effect, async (tx) => {
    await tx.query(sql);
    return null;
  });
  return effectId;
}

function undo(...effectIds: readonly number[]) {
  return undoInKitchen(userData, { entityTypes: [BIKE, NOTE], effectIds });
}

async function readBikes() {
  const { rows } = await owner.query("select code, price, color, state from bikes order by code");
  return rows;
}

beforeEach(async () => {
  await owner.query(`alter table bikes disable trigger user; delete from bikes;
    insert into bikes values ('city', 'ann', 900, 'red', 'new', '2026-01-01');
    alter table bikes enable trigger user`);
});

const CITY = { code: "city", price: 900, color: "RED", state: "new" };

test.each([
  ["an update", "update bikes set price = 850"],
  ["an update of a value that the trigger writes otherwise", "update bikes set color = 'blue'"],
  ["a deletion", "delete from bikes"],
])("undoEffects() takes back %s, and leaves a trigger's values to it", async (_case, sql) => {
  expect(await undo(await write(sql))).toMatchObject({ kind: "undone" });
  expect(await readBikes()).toEqual([CITY]);
});

test("undoEffects() says which value a trigger has held back in a row that is back otherwise", async () => {
  const effectId = await write("update bikes set state = 'sold', price = 850");

  expect(await undo(effectId)).toMatchObject({
    kind: "undone",
    outcome: {
      warnings: [
        "city is not all as it was, by a rule of the database: color RED instead of red, state sold instead of new",
      ],
    },
  });
  expect(await readBikes()).toEqual([{ ...CITY, state: "sold" }]);
});

test.each([
  ["an update", "update bikes set state = 'sold'"],
  ["a creation", "insert into bikes values ('race', 'ann', 5, 'red', 'sold')"],
])("undoEffects() refuses %s that a trigger does not let go, and says so", async (_case, sql) => {
  const effectId = await write(sql);
  const before = await readBikes();

  const code = sql.startsWith("insert") ? "race" : "city";
  expect(await undo(effectId)).toEqual({
    kind: "refused",
    reason: `${code} cannot be as it was: a rule of the database keeps it as it is`,
  });
  expect(await readBikes()).toEqual(before);
});

test("undoEffects() says of a row that hangs on a creation that it belongs to it", async () => {
  const effectId = await write("insert into bikes values ('race', 'ann', 5, 'red', 'new')");
  await owner.query("insert into bike_notes values ('new saddle', 'ann', 'race')");

  expect(await undo(effectId)).toEqual({
    kind: "refused",
    reason: "new saddle belongs to it by now",
  });
  await owner.query("delete from bike_notes");
  expect(await undo(effectId)).toMatchObject({ kind: "undone" });
});

test("undoEffects() refuses a row that has been changed since, whatever a trigger stamped", async () => {
  const effectId = await write("update bikes set price = 850");
  await owner.query("update bikes set price = 800");

  expect(await undo(effectId)).toEqual({
    kind: "refused",
    reason: "city has been changed since (800 instead of 850)",
  });
});
