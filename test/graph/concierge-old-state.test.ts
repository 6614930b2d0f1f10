import { expect, test } from "vitest";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";
import { conciergeThread, OPENING, SAID } from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { repliesIn } from "../support/test-thread.ts";

const database = await testDatabase();

const CONCIERGE_CHANNELS = [
  "concierge",
  "opening",
  "conciergeThread",
  "expertThreads",
  "unansweredMessages",
  "signal",
  "passedOnReply",
  "batchInfo",
  "answers",
  "claimMap",
  "analysis",
  "batchSteps",
];

test("a thread stored before there was a concierge goes on with empty channels", async () => {
  const thread = await conciergeThread(database);
  await thread.send(SAID.question);
  const { rowCount } = await database.owner.query(
    `update checkpoints
        set checkpoint = jsonb_set(
              jsonb_set(checkpoint, '{channel_versions}', (checkpoint -> 'channel_versions') - $2::text[]),
              '{channel_values}', coalesce(checkpoint -> 'channel_values', '{}') - $2::text[])
      where thread_id = $1`,
    [thread.run.threadId, CONCIERGE_CHANNELS],
  );
  expect(rowCount).toBeGreaterThan(0);
  // Without its channels, nothing is left of the journey.
  expect(await thread.state()).toMatchObject({ turn: 1, opening: null });
  expect((await thread.state()).concierge).toEqual(INITIAL_PHASE_STATE);

  const events = await thread.send(SAID.question);

  expect(repliesIn(events)).toEqual([OPENING]);
  expect((await thread.state()).concierge).toMatchObject({
    currentPhase: "starter",
    turnInPhase: 1,
  });
});
