import { expect, test } from "vitest";
import { claimThread, listThreads, threadOwner } from "../../storage/threads.ts";
import { testDatabase } from "../support/database.ts";

const { pool, owner } = await testDatabase();

test("claimThread() makes a thread the first claimer's, for good", async () => {
  expect(await threadOwner(pool, "t1")).toBeNull();
  expect(await claimThread(pool, { threadId: "t1", userId: "ada" })).toBe("created");
  expect(await claimThread(pool, { threadId: "t1", userId: "ada" })).toBe("owned");
  expect(await claimThread(pool, { threadId: "t1", userId: "bob" })).toBe("foreign");
  expect(await threadOwner(pool, "t1")).toBe("ada");
});

test("claimThread() gives one of several claimers at once the thread", async () => {
  const users = ["u1", "u2", "u3", "u4", "u5"];
  const claims = await Promise.all(
    users.map((userId) => claimThread(pool, { threadId: "contested", userId })),
  );
  expect(claims.toSorted()).toEqual(["created", "foreign", "foreign", "foreign", "foreign"]);
  expect(await threadOwner(pool, "contested")).toBe(users[claims.indexOf("created")]);
});

test("listThreads() lists a user's own, last used first, with the first title", async () => {
  for (const threadId of ["a", "b", "c"]) {
    await claimThread(pool, { threadId, userId: "eve", title: `about ${threadId}` });
  }
  await owner.query("update threads set updated_at = '2026-01-01' where user_id = 'eve'");
  await claimThread(pool, { threadId: "b", userId: "eve", title: "another title" });
  await claimThread(pool, { threadId: "a", userId: "mallory" });

  const threads = await listThreads(pool, "eve");

  expect(threads.map(({ threadId, title }) => [threadId, title])).toEqual([
    ["b", "about b"],
    ["a", "about a"],
    ["c", "about c"],
  ]);
  expect(threads[1]).toMatchObject({ userId: "eve", updatedAt: "2026-01-01T00:00:00.000Z" });
  expect(await listThreads(pool, "nobody")).toEqual([]);
});
