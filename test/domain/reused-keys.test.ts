import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { EntityType } from "../../state/entity.ts";
import { testDatabase } from "../support/database.ts";
import { testEffect } from "../support/effect.ts";
import { undoInKitchen } from "../support/undo.ts";

/** Herbs whose names are their keys, each in a pot of its own. */
const HERB: EntityType = {
  type: "herb",
  table: "herbs",
  words: { one: "herb", many: "herbs" },
  rights: ["read", "create", "delete"],
  key: { column: "name", kind: "text" },
  version: "content",
  columns: [
    { name: "name", kind: "text", nullable: false, set: "create" },
    { name: "pot", kind: "text", set: "always" },
    { name: "sown_at", kind: "timestamp", set: "always" },
  ],
  summary: ["name"],
  orderBy: ["name"],
  label: ({ name }) => (typeof name === "string" ? name : ""),
};

const database = await testDatabase();
await database.owner.query(`
  create table herbs (name text primary key, user_id text not null,
    pot text unique deferrable initially deferred, sown_at timestamptz);
  select concierge_protect('herbs', 'name');
  grant all on herbs to concierge_app, concierge_admin;
  create function refuse_sage() returns trigger language plpgsql as $$
    begin
      if new.name = 'sage' and new.pot = 'old' then raise exception 'the season is over'; end if;
      return new;
    end $$;
  create trigger refuse_sage before insert on herbs for each row execute function refuse_sage()`);

async function write(userId: string, sql: string): Promise<number> {
  const effect = testEffect(randomUUID(), "kitchen");
  const { effectId } = await database.userData.write(userId, effect, async (tx) => {
    await tx.query(sql);
    return null;
  });
  return effectId;
}

function undo(effectId: number) {
  return undoInKitchen(database.userData, { entityTypes: [HERB], effectIds: [effectId] });
}

test.each([
  [
    "a row of the person's with its key",
    "mint",
    "ann",
    "mint', 'new",
    "mint has been created again since",
  ],
  [
    "a row of somebody else's with its key",
    "dill",
    "bob",
    "dill', 'green",
    "dill cannot be as it was: there is already one with the same values; change that one",
  ],
  [
    "a row with a value that has to be its own at the end of the transaction",
    "basil",
    "ann",
    "thyme', 'old",
    "basil cannot be as it was: there is already one with the same “pot”; change that one",
  ],
  [
    "a trigger of the domain",
    "sage",
    "ann",
    "rue', 'blue",
    "sage cannot be as it was: the season is over",
  ],
])(
  "undoEffects() refuses a deleted row by its label where it meets %s",
  async (_, name, other, values, reason) => {
    await database.owner.query("alter table herbs disable trigger user; delete from herbs");
    await database.owner.query(
      `insert into herbs (user_id, name, pot) values ('ann', '${name}', 'old')`,
    );
    await database.owner.query("alter table herbs enable trigger user");
    const deleted = await write("ann", `delete from herbs where name = '${name}'`);
    await write(other, `insert into herbs (user_id, name, pot) values ('${other}', '${values}')`);

    const result = await undo(deleted);

    expect(result).toEqual({ kind: "refused", reason });
  },
);

test("undoEffects() words a time that has been changed since as it is where the person is", async () => {
  await write("ann", "insert into herbs (user_id, name) values ('ann', 'lovage')");
  const sow = (at: string) =>
    write("ann", `update herbs set sown_at = '${at}' where name = 'lovage'`);
  const sown = await sow("2026-03-02T17:00:00Z");
  await sow("2026-07-02T17:00:00Z");

  expect(await undo(sown)).toEqual({
    kind: "refused",
    reason:
      "lovage has been changed since (Thu 2 Jul 2026, 19:00 instead of Mon 2 Mar 2026, 18:00)",
  });
});
