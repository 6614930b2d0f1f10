import type { Pool } from "pg";
import { expect } from "vitest";

/** Waits until one statement of the test's database waits for another's lock. */
export async function untilOneWaits(owner: Pool): Promise<void> {
  await expect
    .poll(async () => {
      const { rowCount } = await owner.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount;
    })
    .toBe(1);
}
