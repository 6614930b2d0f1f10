import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { createTableTools } from "../../../domain/table-tools.ts";
import { MEALS_ENTITY_TYPES } from "../../../meals/entity-types.ts";
import { testEffect } from "../../../test/support/effect.ts";
import { openKitchen, seedKitchens } from "../../../test/support/kitchen.ts";
import { median } from "../figures.ts";
import type { Measurement } from "../measurement.ts";
import { playRounds, timed } from "../paired.ts";

const USER = "demo";
const INSERT = "insert into tasks (user_id, title) values ($1, $2)";
/** Milliseconds that the pipeline may add to a write. */
const MOST_ADDED = 1;
/**
 * Rounds by which the engine has compiled what a write needs: times fall until then. The bar is for a
 * fresh program and for one that has run for a while.
 */
const WARM = 1_000;
/** Rounds that each figure is the median of. */
const COUNTED = 300;

/**
 * Milliseconds of one new row in a transaction of its own: inserted without any trigger, inserted
 * with its effect and journal, and created by the tool through the whole pipeline, with rights
 * and confirmation rules. The ways take turns row by row.
 */
export const writes: Measurement = {
  name: "writes",
  about: "Milliseconds that the pipeline adds to a write",
  async run({ quick, openDatabase }) {
    const database = await openDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await seedKitchens(database);
      await client.query("set session_replication_role = replica");
      // The program makes its tools once.
      const tables = createTableTools(MEALS_ENTITY_TYPES);
      const rounds = await playRounds(
        {
          plain: () =>
            timed(async () => {
              await client.query("begin");
              await client.query(INSERT, [USER, randomUUID()]);
              await client.query("commit");
            }),
          journalled: () =>
            timed(() =>
              database.userData.write(USER, testEffect(randomUUID()), async (tx) => {
                await tx.query(INSERT, [USER, randomUUID()]);
                return null;
              }),
            ),
          pipeline: () => {
            // A conversation of its own: the refs of earlier rows are no part of a write.
            const kitchen = openKitchen(database, { userId: USER, tables });
            return timed(() => kitchen.call("create_tasks", createTask()));
          },
        },
        quick ? 20 : WARM + COUNTED,
      );
      const added = rounds.pipeline.map(
        (time, round) => time - (rounds.plain[round] ?? Number.NaN),
      );
      const rows = Object.entries({ ...rounds, added }).map(([way, times]) => [
        way,
        median(times.slice(0, COUNTED)),
        median(times.slice(-COUNTED)),
      ]);
      return [
        {
          title: "One new row in a transaction of its own",
          columns: ["way", "ms of a fresh program", `ms after ${WARM} rounds`],
          rows,
          notes: [
            "plain: no trigger, no effect; journalled: with effect and journal; pipeline: the tool, with rights and confirmation rules; added: by the pipeline to a plain write of the same round.",
          ],
          bars: [
            {
              figure: "ms that the pipeline adds to a write of a fresh program",
              measured: median(added.slice(0, COUNTED)),
              most: MOST_ADDED,
            },
            {
              figure: `ms that the pipeline adds to a write after ${WARM} rounds`,
              measured: median(added.slice(-COUNTED)),
              most: MOST_ADDED,
            },
          ],
        },
      ];
    } finally {
      await client.end();
      await database.close();
    }
  },
};

function createTask() {
  const row = { title: randomUUID(), due_on: null, category: null, done: null };
  return { rows: [row], drafts: [] };
}
