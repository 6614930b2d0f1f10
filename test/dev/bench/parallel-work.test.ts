import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { expect, test } from "vitest";
import { openCrowd, runInParallel } from "../../../dev/bench/parallel-work.ts";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();

test("runInParallel() makes so many runs in all, each in a thread of its own", async () => {
  const saver = new MemorySaver();

  await runInParallel(saver, { threads: 3, runs: 7 });

  expect(Object.keys(saver.storage)).toHaveLength(7);
});

test(
  "openCrowd() lets each message of a crowd be the same mixture",
  { timeout: 120_000 },
  async () => {
    const crowd = await openCrowd(4, { database, checkpointer: createCheckpointer(database.pool) });
    await crowd.talk(1);
    await crowd.talk(2);

    const { rows } = await database.owner.query<{ turn: number; said: string[] }>(
      `select turn, array_agg(user_message order by user_message) as said
         from concierge.turns group by turn order by turn`,
    );
    const said = [
      "add 3 lemons to my shopping list",
      "clear my shopping list",
      "thanks",
      "what's in my fridge?",
    ];
    expect(rows).toEqual([1, 2, 3].map((turn) => ({ turn, said })));
  },
);
