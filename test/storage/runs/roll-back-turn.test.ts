import { expect, test } from "vitest";
import { readTurns, saveBatch, saveTurn } from "../../../storage/conversations/archive-rows.ts";
import { findJourney, saveJourney } from "../../../storage/conversations/journey-rows.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { mayRollBack, rollBackTurn } from "../../../storage/runs/roll-back-turn.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { batchRow, journeyRow } from "../../support/full-thread.ts";
import { turnRow } from "../../support/replies.ts";

const { pool, owner } = await testDatabase();

test.each([
  ["was archived", true],
  ["was not archived yet", false],
])(
  "rollBackTurn() removes a turn that %s, and nothing of other turns and branches",
  async (what, isArchived) => {
    const threadId = what;
    await asUser(pool, { userId: "ada" }, async (tx) => {
      await claimThread(tx, { threadId });
      const runs = [
        { runId: "first", turn: 1, parentRunId: null },
        { runId: "other branch", turn: 2, parentRunId: "first" },
        { runId: "undone", turn: 2, parentRunId: "first" },
      ];
      for (const { runId, turn, parentRunId } of runs) {
        const at = { threadId, runId, turn };
        await saveBatch(tx, batchRow(threadId, { ...at, batchId: runId }));
        await saveJourney(tx, journeyRow(threadId, { runId, changedTurn: turn, title: runId }));
        if (isArchived || runId !== "undone") {
          await saveTurn(tx, turnRow(threadId, turn, { runId, parentRunId }));
        }
      }
      const begun = { turn: 2, runId: "undone" };
      const undone = { threadId, begun, baseCheckpointId: null };
      expect(await mayRollBack(tx, undone)).toBe(true);
      await rollBackTurn(tx, undone);
    });
    for (const table of ["turns", "batches", "journeys"]) {
      const { rows } = await owner.query(
        `select run_id from ${table} where thread_id = $1
          order by ${table === "journeys" ? "changed_turn" : "turn"}`,
        [threadId],
      );
      expect([table, rows]).toEqual([table, [{ run_id: "first" }, { run_id: "other branch" }]]);
    }
    const current = await asUser(pool, { userId: "ada" }, (tx) =>
      readTurns(tx, { threadId, limit: 9 }),
    );
    expect(current.map(({ runId }) => runId)).toEqual(["first", "other branch"]);
  },
);

test("rollBackTurn() leaves a journey as the turn before it did, and no row that no turn knows", async () => {
  const threadId = "journeys";
  const found = await asUser(pool, { userId: "ada" }, async (tx) => {
    await claimThread(tx, { threadId });
    const rows = [
      { runId: "first", changedTurn: 1, status: "active", isArchived: true },
      { runId: "second", changedTurn: 2, status: "paused", isArchived: true },
      { runId: "undone", changedTurn: 3, status: "active", isArchived: true },
      { runId: "cut off", changedTurn: 3, status: "closed", isArchived: false },
    ] as const;
    for (const { isArchived, ...row } of rows) {
      await saveJourney(tx, journeyRow(threadId, row));
      const { runId, changedTurn } = row;
      const parentRunId = rows[changedTurn - 2]?.runId ?? null;
      if (isArchived) await saveTurn(tx, turnRow(threadId, changedTurn, { runId, parentRunId }));
    }
    const begun = { turn: 3, runId: "undone" };
    await rollBackTurn(tx, { threadId, begun, baseCheckpointId: null });
    return findJourney(tx, { threadId, journeyId: "journey_1" });
  });

  expect(found).toEqual(
    journeyRow(threadId, { runId: "second", changedTurn: 2, status: "paused" }),
  );
});
