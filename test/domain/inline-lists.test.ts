import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { domainFolder, listGrants } from "../../domain/list-grants.ts";
import { Toolbox } from "../../domain/toolbox.ts";
import type { Domain } from "../../state/domain.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen } from "../support/kitchen.ts";
import { AUTHOR, BOOK, CHAPTERS, describeLibrary, LOAN, NOTE } from "../support/library.ts";

/** The library whose chapters have these columns. */
function describeChapters(...columns: readonly Column[]): Domain {
  const book: EntityType = { ...BOOK, lists: [{ ...CHAPTERS, columns }] };
  return describeLibrary({ entityTypes: [book, AUTHOR, NOTE, LOAN] });
}

const [title] = CHAPTERS.columns;
const UNSET = describeChapters({ name: "title", kind: "text", nullable: false });
const MARKED = describeChapters(...(title === undefined ? [] : [title]), {
  name: "mark",
  kind: "text",
});

const database = await testDatabase({ migrations: [domainFolder(MARKED)] });
await database.owner.query("alter table chapters add column mark text");

/** Opens a library with one book of two chapters, the first of which is marked. */
async function openLibrary({ entityTypes }: Domain) {
  const userId = `user-${randomUUID()}`;
  await database.userData.seed(userId, randomUUID(), async (tx) => {
    await tx.query(`with book as (insert into books (title) values ('Emma') returning id)
      insert into chapters (book_id, position, title, mark)
      select id, n, 'Part ' || n, case n when 1 then 'torn' end from book, generate_series(1, 2) n`);
  });
  const library = openKitchen(database, { userId, entityTypes });
  const [ref] = await library.readRefs("read_books", { refs: [], where: [], anyOf: [] });
  const update = (set: object) => library.call("update_books", { refs: [ref], set, clear: [] });
  const readChapters = async () => {
    const { rows } = await database.owner.query(
      "select title, mark from chapters where user_id = $1 order by position",
      [userId],
    );
    return rows.map((row) => `${row["title"]} ${row["mark"]}`);
  };
  return { update, readChapters };
}

test("a list of which nobody may set a column is in no schema of a write, and no login may write it", async () => {
  const tools = new Toolbox(UNSET).listSchemas({ stepType: "write", subdomain: "shelf" });
  const writing = tools.filter(({ name }) => /^(?:create|update)_books$/.test(name));
  expect(writing).toHaveLength(2);
  expect(JSON.stringify(writing)).not.toContain("chapters");
  expect(listGrants({ ...UNSET, tools: [] })).toContainEqual({ table: "chapters", rights: [] });

  const { update, readChapters } = await openLibrary(UNSET);
  await expect(update({ title: "Emma!", chapters: [] })).rejects.toThrow(/chapters/);
  await update({ title: "Emma!" });
  expect(await readChapters()).toEqual(["Part 1 torn", "Part 2 null"]);
});

test.each([
  ["a new chapter", ["Part 1", "Part 2", "Part 3"]],
  ["the same chapters", ["Part 1", "Part 2"]],
  ["another order", ["Part 2", "Part 1"]],
])(
  "a replaced list is refused where an item that stays loses what nobody may set: %s",
  async (_, titles) => {
    const { update, readChapters } = await openLibrary(MARKED);

    await expect(update({ chapters: titles })).rejects.toThrow(
      /may not replace .*chapters.* in a row of type .*book.*: what stays there would lose values/,
    );
    expect(await readChapters()).toEqual(["Part 1 torn", "Part 2 null"]);
  },
);

test("a replaced list may leave an item out, and change one that has no such value", async () => {
  const { update, readChapters } = await openLibrary(MARKED);

  await update({ chapters: ["Part 2", "Part 3"] });

  expect(await readChapters()).toEqual(["Part 2 null", "Part 3 null"]);
});
