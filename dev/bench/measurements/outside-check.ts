import { randomUUID } from "node:crypto";
import { findOutsideChanges } from "../../../domain/find-outside-changes.ts";
import { MEALS_ENTITY_TYPES } from "../../../meals/entity-types.ts";
import type { WantedRows } from "../../../state/store.ts";
import { testEffect } from "../../../test/support/effect.ts";
import { seedKitchens } from "../../../test/support/kitchen.ts";
import { median } from "../figures.ts";
import type { Measurement } from "../measurement.ts";
import { timed } from "../paired.ts";

const USER = "demo";
const THREAD = "bench";
/** The tables whose rows are known, and the number of those, as after a long conversation. */
const KNOWN = { inventory: 40, recipe: 9, meal: 6, task: 3 } as const;
const MOST_MILLISECONDS = 2;

/** Milliseconds of the look, at the start of a turn, for known rows that something else has changed. */
export const outsideCheck: Measurement = {
  name: "outside-check",
  about: "Milliseconds of a look for rows that were changed outside the conversation",
  async run({ quick, openDatabase }) {
    const database = await openDatabase();
    try {
      await seedKitchens(database);
      const reader = database.userData.reader(USER);
      const rows = await Promise.all(
        Object.entries(KNOWN).map(async ([type, count]): Promise<WantedRows> => {
          const table = MEALS_ENTITY_TYPES.find((one) => one.type === type)?.table;
          const found = await reader.query(`select id::text as id from ${table} limit ${count}`);
          return { type, ids: found.rows.map((row) => String(row["id"])) };
        }),
      );
      let since: string | null = null;
      const times: number[] = [];
      for (let round = 0; round < (quick ? 20 : 300); round += 1) {
        // A write of the conversation's own before each look, as in a turn.
        await database.userData.write(USER, testEffect(randomUUID(), THREAD), async (tx) => {
          const title = randomUUID();
          await tx.query("insert into tasks (user_id, title) values ($1, $2)", [USER, title]);
          return null;
        });
        times.push(
          await timed(async () => {
            const query = { threadId: THREAD, since, rows };
            ({ seen: since } = await findOutsideChanges(reader, query, MEALS_ENTITY_TYPES));
          }),
        );
      }
      const known = rows.reduce((sum, { ids }) => sum + ids.length, 0);
      return [
        {
          title: "A look that finds nothing",
          columns: ["known rows", "types", "ms, median"],
          rows: [[known, rows.length, median(times)]],
          notes: ["The conversation has changed a row of its own before each look."],
          bars: [
            { figure: "ms of a look, median", measured: median(times), most: MOST_MILLISECONDS },
          ],
        },
      ];
    } finally {
      await database.close();
    }
  },
};
