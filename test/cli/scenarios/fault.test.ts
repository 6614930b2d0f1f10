import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { faultyUserData } from "../../../cli/scenarios/fault.ts";
import { readTables } from "../../../cli/scenarios/tables.ts";
import { MEALS_ENTITY_TYPES } from "../../../meals/entity-types.ts";
import { createTableTools } from "../../../domain/table-tools.ts";
import { runTool } from "../../../domain/run-tool.ts";
import type { UserData } from "../../../state/store.ts";
import { testDatabase } from "../../support/database.ts";
import { createRefBook } from "../../support/ref-book.ts";
import { TODAY } from "../../support/kitchen.ts";

const database = await testDatabase();

/** Creates three recipes in one call, and says which failed and which are there afterwards. */
async function createThree(userData: UserData) {
  const userId = randomUUID();
  const tool = createTableTools(MEALS_ENTITY_TYPES).find(({ name }) => name === "db_create");
  if (tool === undefined) throw new Error("Cannot find db_create");
  const rows = ["First", "Second", "Third"].map((name) => ({
    fields: [{ name: "name", value: name }],
    children: [],
  }));
  const { result } = await userData.write(
    userId,
    { key: userId, threadId: "t", lease: null },
    (tx) =>
      runTool(
        tool,
        { table: "recipes", rows, drafts: null },
        {
          tx,
          userId,
          today: TODAY,
          timeZone: "Europe/Berlin",
          refs: createRefBook(MEALS_ENTITY_TYPES),
          signal: null,
        },
      ),
  );
  const tables = await readTables(database.userData, { userId, types: MEALS_ENTITY_TYPES });
  return {
    failures: result.failures.map(({ label, reason }) => `${label}: ${reason}`),
    stored: tables["recipes"]?.map(({ values }) => values["name"]),
  };
}

test("faultyUserData() makes the insert of one row fail in the database, and no other", async () => {
  const userData = faultyUserData(database.userData);
  userData.set({ table: "recipes", text: "Second" });

  expect(await createThree(userData)).toEqual({
    failures: ["Second: the storage has no room for it right now"],
    stored: ["First", "Third"],
  });
});

test("faultyUserData() changes nothing once the fault is taken away", async () => {
  const userData = faultyUserData(database.userData);
  userData.set({ table: "recipes", text: "Second" });
  userData.set(null);

  expect(await createThree(userData)).toEqual({
    failures: [],
    stored: ["First", "Second", "Third"],
  });
});
