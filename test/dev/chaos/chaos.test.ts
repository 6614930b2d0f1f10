import { afterAll, expect, inject, test } from "vitest";
import { playChaos } from "../../../dev/chaos/play.ts";
import { startRestartablePostgres } from "../../../dev/chaos/postgres.ts";

/** Processes are started, and what a dead one held is taken over after a while. */
const TIMEOUT_MS = 300_000;

const postgres = await startRestartablePostgres();
afterAll(() => postgres.close(), TIMEOUT_MS);

test(
  "workers are killed and the database is restarted: every message is answered once and in order, every stream is whole",
  { timeout: TIMEOUT_MS },
  async () => {
    const { problems, runs, kills, restarts } = await playChaos({
      postgres,
      programs: inject("programs"),
      threads: 8,
      messages: 3,
      pauseMs: 0,
      modelMs: 150,
      limitMs: TIMEOUT_MS - 60_000,
      async disturb({ fleet, model, restart }) {
        await model.asked(8);
        await fleet.killWorker();
        await model.asked(14);
        await restart();
        // While what either of them held waits to be taken over.
        await fleet.killWorker();
        fleet.startWorker();
        fleet.startWorker();
      },
    });

    expect(problems).toEqual([]);
    expect({ runs, kills, restarts }).toEqual({ runs: 24, kills: 2, restarts: 1 });
  },
);
