import { expect, test } from "vitest";
import {
  claimThread,
  listThreads,
  tryClaim,
  type ThreadClaim,
} from "../../../storage/conversations/threads.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";

const { pool, owner, userData } = await testDatabase();

function claim(userId: string, thread: { threadId: string; title?: string }): Promise<ThreadClaim> {
  return asUser(pool, { userId }, (tx) => claimThread(tx, thread));
}

function tryAs(userId: string, threadId: string): Promise<ThreadClaim> {
  return asUser(pool, { userId }, (tx) => tryClaim(tx, threadId));
}

test("claimThread() makes a thread the first claimer's, for good", async () => {
  expect(await claim("ada", { threadId: "t1", title: "Ada's" })).toBe("created");
  expect(await claim("ada", { threadId: "t1" })).toBe("owned");
  const stored = await owner.query("select * from threads where thread_id = 't1'");
  expect(await claim("bob", { threadId: "t1", title: "Bob's" })).toBe("foreign");
  expect(stored.rows).toMatchObject([{ user_id: "ada", title: "Ada's" }]);
  expect((await owner.query("select * from threads where thread_id = 't1'")).rows).toEqual(
    stored.rows,
  );
});

test("tryClaim() tells what a claim would come to, and changes nothing", async () => {
  expect([await tryAs("ada", "t2"), await tryAs("bob", "t2")]).toEqual(["created", "created"]);
  await claim("ada", { threadId: "t2" });
  const before = await owner.query("select * from threads");

  expect([await tryAs("ada", "t2"), await tryAs("bob", "t2")]).toEqual(["owned", "foreign"]);

  expect((await owner.query("select * from threads")).rows).toEqual(before.rows);
});

test("claimThread() gives one of several claimers at once the thread", async () => {
  const users = ["u1", "u2", "u3", "u4", "u5"];
  const claims = await Promise.all(users.map((userId) => claim(userId, { threadId: "contested" })));
  expect(claims.toSorted()).toEqual(["created", "foreign", "foreign", "foreign", "foreign"]);
  const owning = await Promise.all(users.map((userId) => tryAs(userId, "contested")));
  expect(owning).toEqual(claims.map((outcome) => (outcome === "created" ? "owned" : "foreign")));
});

test("claimThread() makes a thread anew that its user deletes while it is looked at", async () => {
  await claim("ada", { threadId: "deleted", title: "old" });

  const found = await asUser(pool, { userId: "ada" }, (tx) =>
    claimThread(
      {
        async query(text, values) {
          const answer = await tx.query(text, values);
          if (values?.[1] === "new") await owner.query(DELETE_OLD);
          return answer;
        },
      },
      { threadId: "deleted", title: "new" },
    ),
  );

  expect(found).toBe("created");
  const { rows } = await owner.query("select title from threads where thread_id = 'deleted'");
  expect(rows).toEqual([{ title: "new" }]);
});

const DELETE_OLD = "delete from threads where thread_id = 'deleted' and title = 'old'";

test("listThreads() lists a user's own, last used first, with the first title", async () => {
  for (const threadId of ["a", "b", "c"]) {
    await claim("eve", { threadId, title: `about ${threadId}` });
  }
  await owner.query("update threads set updated_at = '2026-01-01' where user_id = 'eve'");
  await claim("eve", { threadId: "b", title: "another title" });
  await claim("mallory", { threadId: "a" });

  const threads = await userData.read("eve", listThreads);

  expect(threads.map(({ threadId, title }) => [threadId, title])).toEqual([
    ["b", "about b"],
    ["a", "about a"],
    ["c", "about c"],
  ]);
  expect(threads[1]).toMatchObject({ userId: "eve", updatedAt: "2026-01-01T00:00:00.000Z" });
  expect(await userData.read("nobody", listThreads)).toEqual([]);
});
