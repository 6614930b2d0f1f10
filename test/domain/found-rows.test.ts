import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type ToolDefinition } from "../../domain/define-tool.ts";
import { domainFolder } from "../../domain/list-grants.ts";
import type { EntityRow } from "../../state/entity.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen } from "../support/kitchen.ts";
import { describeLibrary } from "../support/library.ts";

const library = describeLibrary();
const database = await testDatabase({ migrations: [domainFolder(library)] });
await database.owner.query("insert into authors (code, name) values ('austen', 'Jane Austen')");

type Run = ToolDefinition<z.ZodObject>["run"];

/** Runs a tool of the library that may write books; it has met no row. */
async function play(run: Run, userId = `user-${randomUUID()}`) {
  const tool = defineTool({
    name: "shelve",
    subdomain: "shelf",
    description: "Shelves books.",
    parameters: z.strictObject({}),
    effect: "write",
    writes: ["book"],
    run,
  });
  const { entityTypes } = library;
  await openKitchen(database, { userId, entityTypes, tools: [tool] }).call("shelve", {});
  const { rows } = await database.owner.query(
    "select title, author_id from books where user_id = $1 order by title",
    [userId],
  );
  return rows;
}

/** The only row of a type. */
async function findOne(tool: Parameters<Run>[1], type: string): Promise<EntityRow> {
  const [row] = await tool.find(type, { where: [], anyOf: [] });
  if (row === undefined) throw new Error(`Cannot find a row of type "${type}"`);
  return row;
}

test("a handler points at a row that it has found itself, in a new row and in a changed one", async () => {
  const rows = await play(async (_args, tool) => {
    const author = { type: "author", id: (await findOne(tool, "author")).id };
    await tool.create("book", { title: "Emma", author_id: author });
    const { id } = await tool.create("book", { title: "Persuasion" });
    await tool.update({ type: "book", id }, { author_id: author });
    return null;
  });

  expect(rows).toEqual([
    { title: "Emma", author_id: "austen" },
    { title: "Persuasion", author_id: "austen" },
  ]);
});

test.each<[string, string, Run]>([
  [
    "a column points at a row of another type",
    'Cannot use value "{"type":"book","id":"x"}" for column "author_id": it does not fit; give a ref of type author',
    (_args, tool) =>
      tool.create("book", { title: "Emma", author_id: { type: "book", id: "x" } }).then(() => null),
  ],
  [
    "a shared row is locked",
    'Cannot change "author": it is not yours to change',
    async (_args, tool) => {
      await tool.lock({ type: "author", id: (await findOne(tool, "author")).id });
      return null;
    },
  ],
  [
    "a shared row is changed",
    'Cannot change "author": it is not yours to change',
    async (_args, tool) => {
      await tool.update({ type: "author", id: (await findOne(tool, "author")).id }, { name: "J." });
      return null;
    },
  ],
])("a handler is refused in a sentence where %s", async (_, sentence, run) => {
  await expect(play(run)).rejects.toMatchObject({ name: "ToolInputError", message: sentence });
});
