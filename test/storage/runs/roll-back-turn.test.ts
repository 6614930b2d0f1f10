import { expect, test } from "vitest";
import { saveBatch, saveJourney, saveTurn } from "../../../storage/conversations/archive.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { mayRollBack, rollBackTurn } from "../../../storage/runs/roll-back-turn.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { batchRow } from "../../support/full-thread.ts";
import { turnRow } from "../../support/replies.ts";

const { pool, owner } = await testDatabase();

test("rollBackTurn() removes a turn from the archive, and nothing of other turns and branches", async () => {
  await asUser(pool, { userId: "ada" }, async (tx) => {
    await claimThread(tx, { threadId: "t" });
    const runs = [
      { runId: "first", turn: 1, parentRunId: null },
      { runId: "other branch", turn: 2, parentRunId: "first" },
      { runId: "undone", turn: 2, parentRunId: "first" },
    ];
    for (const { runId, turn, parentRunId } of runs) {
      const at = { threadId: "t", runId, turn };
      await saveBatch(tx, batchRow("t", { ...at, batchId: runId }));
      await saveJourney(tx, { ...at, opening: null, concierge: {} });
      await saveTurn(tx, turnRow("t", turn, { runId, parentRunId }));
    }
    const undone = { threadId: "t", turn: 2, baseCheckpointId: null };
    expect(await mayRollBack(tx, undone)).toBe(true);
    await rollBackTurn(tx, undone);
  });
  for (const table of ["turns", "batches", "journeys"]) {
    const { rows } = await owner.query(`select run_id from ${table} order by turn`);
    expect([table, rows]).toEqual([table, [{ run_id: "first" }, { run_id: "other branch" }]]);
  }
});
