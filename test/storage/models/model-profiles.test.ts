import { expect, test } from "vitest";
import { createModelProfileStore } from "../../../storage/models/model-profiles.ts";
import { testDatabase } from "../../support/database.ts";

const { pool } = await testDatabase();
const store = createModelProfileStore(pool);

test("createModelProfileStore() keeps a profile for each endpoint and model", async () => {
  const key = { endpoint: "https://a.example/v1", model: "m" };
  await store.update(key, () => ({ structured: "tool" }));

  expect(await store.load(key)).toEqual({ structured: "tool" });
  expect(await store.load({ ...key, model: "other" })).toBeNull();
  expect(await store.load({ ...key, endpoint: "https://b.example/v1" })).toBeNull();
});

test("createModelProfileStore() shows each of twenty updates at once what the one before made", async () => {
  const key = { endpoint: "https://c.example/v1", model: "m" };
  const add = () => store.update(key, (stored) => ({ count: Number(stored?.["count"] ?? 0) + 1 }));

  await Promise.all(Array.from({ length: 20 }, add));

  expect(await store.load(key)).toEqual({ count: 20 });
});
