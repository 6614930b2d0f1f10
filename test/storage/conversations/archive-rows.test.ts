import { expect, test } from "vitest";
import { fc, test as property } from "@fast-check/vitest";
import type { Json } from "../../../state/json.ts";
import {
  findRefs,
  readTurns,
  saveTurn,
  saveTurnView,
  storeRefs,
  type TurnRow,
} from "../../../storage/conversations/archive-rows.ts";
import { findTurns, type TurnSearch } from "../../../storage/conversations/search-turns.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import type { Queryable } from "../../../state/store.ts";
import { testDatabase } from "../../support/database.ts";
import { storedReply, turnRow as storedTurn } from "../../support/replies.ts";
import { anyCharacter } from "../../support/any-character.ts";

const { pool, userData } = await testDatabase();

function asAda<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
  return asUser(pool, { userId: "ada" }, work);
}

function turnRow(threadId: string, turn: number, parts: Partial<TurnRow> = {}): TurnRow {
  return storedTurn(threadId, turn, {
    userMessage: `message ${turn}`,
    replies: [storedReply(`reply ${turn}`)],
    summary: { turnNumber: turn, steps: [] },
    ...parts,
  });
}

function save(...rows: TurnRow[]): Promise<void> {
  return asAda(async (tx) => {
    for (const row of rows) await saveTurn(tx, row);
  });
}

function find(threadId: string, search: Partial<TurnSearch>) {
  return asAda((tx) => findTurns(tx, { threadId, query: null, ref: null, limit: 9, ...search }));
}

test("saveTurn() stores a turn, replaces it when it is stored again, and keeps its view", async () => {
  const row = turnRow("upsert", 1, { summary: null, usage: [{ node: "think" }] });
  await save(row);
  const [first] = await asAda((tx) => readTurns(tx, { threadId: "upsert", limit: 5 }));
  expect(first).toEqual({
    ...row,
    view: null,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const view = { message: "hi" };
  await asAda((tx) => saveTurnView(tx, { threadId: "upsert", runId: row.runId, view }));

  const changed = turnRow("upsert", 1, { summary: { goal: "changed" } });
  await save(changed);

  const turns = await asAda((tx) => readTurns(tx, { threadId: "upsert", limit: 5 }));
  expect(turns).toEqual([{ ...changed, view, createdAt: first?.createdAt }]);
});

test("saveTurn() makes its branch the current one, and keeps the turns of others", async () => {
  const threadId = "branches";
  const branch = (runId: string, turn: number, parentRunId: string | null) =>
    save(turnRow(threadId, turn, { runId, parentRunId }));
  const current = () =>
    asAda(async (tx) => {
      const turns = await readTurns(tx, { threadId, limit: 9 });
      return turns.map(({ turn, runId }) => `${turn}${runId}`);
    });

  for (const [turn, run] of ["a", "b", "c"].entries()) {
    await branch(run, turn + 1, ["a", "b", "c"][turn - 1] ?? null);
  }
  expect(await current()).toEqual(["1a", "2b", "3c"]);
  await branch("d", 2, "a");
  expect(await current()).toEqual(["1a", "2d"]);
  await branch("e", 3, "d");
  expect(await current()).toEqual(["1a", "2d", "3e"]);
  await branch("f", 4, "c");
  expect(await current()).toEqual(["1a", "2b", "3c", "4f"]);
  await branch("f", 4, "c");
  expect(await current()).toEqual(["1a", "2b", "3c", "4f"]);
  expect((await find(threadId, { query: "message" })).total).toBe(4);
});

const readNumbers = (wanted: { turn?: number; limit: number }) =>
  asAda(async (tx) => {
    const turns = await readTurns(tx, { threadId: "range", ...wanted });
    return turns.map(({ turn }) => turn);
  });

test("readTurns() reads the newest, or those of one number, oldest first", async () => {
  await save(...[1, 2, 3, 4, 5].map((turn) => turnRow("range", turn)));
  expect(await readNumbers({ limit: 2 })).toEqual([4, 5]);
  expect(await readNumbers({ limit: 9 })).toEqual([1, 2, 3, 4, 5]);
  expect(await readNumbers({ turn: 3, limit: 2 })).toEqual([3]);
  expect(await readNumbers({ turn: 6, limit: 2 })).toEqual([]);
});

async function seedKitchen(threadId: string): Promise<void> {
  await save(
    turnRow(threadId, 1, {
      userMessage: "Show me recipes with Hähnchen",
      summary: { steps: [{ entitiesAffected: ["recipe_3", "recipe_31"] }] },
    }),
    turnRow(threadId, 2, {
      userMessage: "save the draft",
      summary: { steps: [{ entitiesAffected: ["gen_recipe_3"] }] },
    }),
    turnRow(threadId, 3, { replies: [storedReply("100% cocoa, under_score\n")] }),
    turnRow(threadId, 4, { userMessage: "is recipe_3 with HÄHNCHEN or cocoa?" }),
  );
}

test.each<[string, Partial<TurnSearch>, number[], number]>([
  ["a word in any case, newest first", { query: "hähnchen" }, [4, 1], 2],
  ["most words first", { query: "cocoa recipes Hähnchen" }, [4, 1, 3], 3],
  ["part of a word, said before noted", { query: "recip" }, [4, 1, 2], 3],
  ["signs that mean something to the database", { query: "%" }, [3], 1],
  ["an underscore is itself", { query: "under_score" }, [3], 1],
  ["names of fields are not words", { query: "entitiesAffected" }, [], 0],
  ["a ref as a whole", { ref: "recipe_3" }, [4, 1], 2],
  ["a draft's ref", { ref: "gen_recipe_3" }, [2], 1],
  ["a ref and a word", { ref: "recipe_3", query: "cocoa" }, [4], 1],
  ["a ref that is none", { ref: "recipe_3|cocoa(" }, [], 0],
  ["the limit, with the number in all", { query: "hähnchen", limit: 1 }, [4], 2],
  ["everything", { limit: 3 }, [4, 3, 2], 4],
])("findTurns() finds %s", async (name, search, turns, total) => {
  const threadId = `search ${name}`;
  await seedKitchen(threadId);
  const found = await find(threadId, search);
  expect([found.turns.map(({ turn }) => turn), found.total]).toEqual([turns, total]);
});

test("findTurns() puts what the person said of a thing before what was listed to them later", async () => {
  const threadId = "said before listed";
  const listed = [storedReply("You could cook the fried rice or the curry.")];
  await save(
    turnRow(threadId, 1, { userMessage: "not the fried rice please" }),
    ...[2, 3, 4].map((turn) => turnRow(threadId, turn, { replies: listed })),
  );
  const found = await find(threadId, { query: "fried rice", limit: 2 });
  expect(found.turns.map(({ turn }) => turn)).toEqual([1, 4]);
});

property.prop([fc.string({ unit: anyCharacter })], { numRuns: 60 })(
  "findTurns() takes any words as words",
  async (query) => {
    const words = query.replaceAll("\0", "");
    const found = await find("any", { query: words, ref: words || null });
    expect(found).toEqual({ turns: [], total: 0 });
  },
);

property.prop(
  [fc.string({ minLength: 3, unit: fc.constantFrom("ä", "ß", "%", "_", "\\", "'", "x", " ") })],
  {
    numRuns: 60,
  },
)("a text that was said is found by its own words", async (text) => {
  await save(turnRow("own words", 1, { userMessage: text }));
  const found = await find("own words", { query: text, limit: 1 });
  expect(found.turns.map(({ userMessage }) => userMessage)).toEqual([text]);
});

/** zod leaves the key `__proto__` out of whatever it reads, so that no JSON can reach a prototype. */
const anyJson = fc
  .jsonValue({ stringUnit: "grapheme" })
  .filter((value) => !JSON.stringify(value).includes('"__proto__"'));

property.prop([anyJson], {
  numRuns: 60,
})("any JSON comes back as it was", async (value) => {
  // -0 is no JSON: it is written as 0.
  const json = JSON.parse(JSON.stringify(value)) as Json;
  await save(turnRow("any json", 1, { usage: json }));
  const [turn] = await asAda((tx) => readTurns(tx, { threadId: "any json", limit: 1 }));
  expect(turn?.usage).toEqual(json);
});

test("NUL characters are left out of what is stored", async () => {
  const row = turnRow("nul", 1, {
    userMessage: "a\0b",
    replies: ["c\0d", "\udc00"].map((text) => storedReply(text)),
  });
  await save(row);
  const [turn] = await asAda((tx) => readTurns(tx, { threadId: "nul", limit: 1 }));
  expect(turn).toMatchObject({ userMessage: "ab", replies: [{ text: "cd" }, { text: "\ufffd" }] });
});

test("turns and refs are their user's alone", async () => {
  await asAda(async (tx) => {
    await saveTurn(tx, turnRow("private", 1));
    await storeRefs(tx, { threadId: "private", entries: [{ ref: "recipe_1", entry: { a: 1 } }] });
  });
  const seen = await userData.read("bob", async (tx) => ({
    turns: await readTurns(tx, { threadId: "private", limit: 5 }),
    found: await findTurns(tx, { threadId: "private", query: "message", ref: null, limit: 5 }),
    refs: await findRefs(tx, { threadId: "private", refs: ["recipe_1"] }),
  }));
  expect(seen).toEqual({ turns: [], found: { turns: [], total: 0 }, refs: [] });
});

test("findRefs() returns kept entries in the order of the question, the newest version of each", async () => {
  const keep = (entries: { ref: string; entry: { label: string } }[]) =>
    asAda((tx) => storeRefs(tx, { threadId: "refs", entries }));
  await keep([]);
  await keep([
    { ref: "recipe_1", entry: { label: "Soup" } },
    { ref: "recipe_2", entry: { label: "Pie" } },
  ]);
  await keep([
    { ref: "recipe_2", entry: { label: "Cake" } },
    { ref: "recipe_2", entry: { label: "Apple pie" } },
  ]);
  const found = await asAda((tx) =>
    findRefs(tx, { threadId: "refs", refs: ["recipe_2", "recipe_9", "recipe_1"] }),
  );
  expect(found).toEqual([
    { ref: "recipe_2", entry: { label: "Apple pie" } },
    { ref: "recipe_1", entry: { label: "Soup" } },
  ]);
  expect(await asAda((tx) => findRefs(tx, { threadId: "other", refs: ["recipe_1"] }))).toEqual([]);
});

test("findRefs() finds the kept entry of a row, not that of another type with the same key", async () => {
  const entries = ["task", "plant"].map((type) => ({ ref: `${type}_1`, entry: { type, id: "1" } }));
  await asAda((tx) => storeRefs(tx, { threadId: "rows", entries }));

  const rows = [{ type: "plant", id: "1" }];
  const found = await asAda((tx) => findRefs(tx, { threadId: "rows", refs: [], rows }));

  expect(found.map(({ ref }) => ref)).toEqual(["plant_1"]);
});
