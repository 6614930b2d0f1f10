import { expect, test } from "vitest";
import { createSentenceStore } from "../../../storage/sentences/sentence-store.ts";
import { testDatabase } from "../../support/database.ts";

const { pool } = await testDatabase();
const store = createSentenceStore(pool);

test("createSentenceStore() keeps the newest text of each sentence and language", async () => {
  const old = { id: "doIt", mark: "1", text: "Soll ich?" };
  const again = { id: "doIt", mark: "2", text: "Soll ich das tun?" };
  const other = { id: "doItAnyway", mark: "1", text: "Trotzdem?" };

  await store.save("de", [old, other]);
  await store.save("de", [again]);
  await store.save("nl", [old]);
  await store.save("fr", []);

  expect(await store.load("de")).toEqual([again, other]);
  expect(await store.load("nl")).toEqual([old]);
  expect(await store.load("fr")).toEqual([]);
});
