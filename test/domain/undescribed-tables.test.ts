import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { domainFolder } from "../../domain/list-grants.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen } from "../support/kitchen.ts";
import { describeLibrary } from "../support/library.ts";
import { undoInKitchen } from "../support/undo.ts";

const library = describeLibrary();
const { entityTypes } = library;
const database = await testDatabase({ migrations: [domainFolder(library)] });

test("undoEffects() brings back rows that no type describes, once they are recorded as verifyDomain() says", async () => {
  await database.owner.query(`
    create table marks (book_id uuid references books (id) on delete cascade, page int, primary key (book_id, page));
    alter table marks add row_id uuid not null unique default gen_random_uuid();
    select concierge_watch_rows('marks', 'row_id');
    grant all on marks to concierge_admin`);
  await database.userData.seed("ann", randomUUID(), async (tx) => {
    await tx.query(`with book as (insert into books (title) values ('Emma') returning id)
      insert into marks select id, n from book, generate_series(1, 2) n`);
  });
  const countMarks = async () => (await database.owner.query("select page from marks")).rows.length;
  const kitchen = openKitchen(database, { userId: "ann", entityTypes });
  const refs = await kitchen.readRefs("read_books", { refs: [], where: [], anyOf: [] });

  const deleted = await kitchen.call("delete_rows", { refs, all: null });
  expect(deleted.undescribed).toBe(0);
  expect(await countMarks()).toBe(0);
  const { rows } = await database.owner.query<{ id: number }>(
    "select max(effect_id)::int as id from effects",
  );
  const undone = await undoInKitchen(database.userData, {
    entityTypes,
    effectIds: rows.map(({ id }) => id),
  });

  // Rows that only went along are not counted beside the one that they went with.
  expect(undone).toMatchObject({ kind: "undone", outcome: { undescribed: 0 } });
  expect(await countMarks()).toBe(2);
});

test.each(["no action", "restrict"])(
  "a row that others keep by `on delete %s` is not deleted, and the reason says so",
  async (rule) => {
    const table = `kept_${rule.replace(" ", "_")}`;
    await database.owner.query(
      `create table ${table} (book_id uuid references books (id) on delete ${rule});
       grant all on ${table} to concierge_admin`,
    );
    const userId = randomUUID();
    await database.userData.seed(userId, randomUUID(), async (tx) => {
      await tx.query(`with book as (insert into books (title) values ('Emma') returning id)
        insert into ${table} select id from book`);
    });
    const kitchen = openKitchen(database, { userId, entityTypes });
    const refs = await kitchen.readRefs("read_books", { refs: [], where: [], anyOf: [] });

    const { failures } = await kitchen.call("delete_rows", { refs, all: null });
    expect(failures).toMatchObject([{ label: "Emma", reason: "other things still need it" }]);
  },
);
