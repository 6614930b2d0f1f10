import { expect, test } from "vitest";
import {
  readTurns,
  saveBatch,
  saveJourney,
  saveTurn,
} from "../../../storage/conversations/archive-rows.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { mayRollBack, rollBackTurn } from "../../../storage/runs/roll-back-turn.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { batchRow } from "../../support/full-thread.ts";
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
        await saveJourney(tx, { ...at, opening: null, concierge: {} });
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
        `select run_id from ${table} where thread_id = $1 order by turn`,
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
