import { deltaChannelHistoryTests, specTest } from "@langchain/langgraph-checkpoint-validation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { testDatabase } from "../../support/database.ts";

const { pool, owner } = await testDatabase();

// LangGraph's suite takes its test functions from the global scope; no other file is to find them there.
const FUNCTIONS = { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it };
Object.assign(globalThis, FUNCTIONS);
afterAll(() => {
  for (const name of Object.keys(FUNCTIONS)) Reflect.deleteProperty(globalThis, name);
});

const CHECKPOINTER = {
  checkpointerName: "PostgresCheckpointer",
  createCheckpointer: () => createCheckpointer(pool),
  // Some of its tests list what is in all threads.
  async destroyCheckpointer() {
    await owner.query(
      "delete from checkpoints; delete from checkpoint_blobs; delete from checkpoint_writes",
    );
  },
};

specTest(CHECKPOINTER);
deltaChannelHistoryTests(CHECKPOINTER);
