import { expect, test } from "vitest";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { finishRun, findRun, insertRun, requestCancel } from "../../../storage/runs/runs.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { newRun } from "../../support/stored-run.ts";

const { pool } = await testDatabase();
const FAILED = { code: "internal", message: "Broken" };

test("requestCancel() keeps a rollback that an interrupt follows", async () => {
  const cancels = await asUser(pool, { userId: "ada" }, async (tx) => {
    await claimThread(tx, { threadId: "t" });
    const seen: unknown[] = [];
    for (const [runId, ...actions] of [
      ["first", "rollback", "interrupt"],
      ["second", "interrupt", "rollback"],
      ["third", "interrupt"],
    ] as const) {
      await insertRun(tx, newRun({ runId, threadId: "t", messageId: runId }));
      for (const action of actions) await requestCancel(tx, { runId, action });
      seen.push((await findRun(tx, runId))?.cancel);
    }
    return seen;
  });
  expect(cancels).toEqual(["rollback", "rollback", "interrupt"]);
});

test("finishRun() lets the first end stand, and refuses a status that is no end", async () => {
  await asUser(pool, { userId: "grace" }, async (tx) => {
    await claimThread(tx, { threadId: "u" });
    await insertRun(tx, newRun({ runId: "ended", threadId: "u", messageId: "m" }));
    await finishRun(tx, { runId: "ended", status: "success" });
    await finishRun(tx, { runId: "ended", status: "error", error: FAILED });
    await requestCancel(tx, { runId: "ended", action: "rollback" });
    expect(await findRun(tx, "ended")).toMatchObject({
      status: "success",
      error: null,
      cancel: null,
    });
    await expect(finishRun(tx, { runId: "ended", status: "running" })).rejects.toThrow(RangeError);
  });
});
