import { expect, test } from "vitest";
import { createDatabaseCheck } from "../../app/check-database.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";

test("what keeps a database away is said once, and again after it was back", async () => {
  const gone = new DatabaseUnavailableError("Cannot bring it back: its folder is gone");
  const full = new DatabaseUnavailableError("Cannot bring it back: the disk is full");
  const found = [gone, gone, full, full, null, full];
  const told: unknown[] = [];
  const look = createDatabaseCheck(
    {
      async ensureRunning() {
        const next = found.shift();
        if (next === undefined) throw new Error("Looked too often");
        if (next !== null) throw next;
      },
    },
    { error: (error) => void told.push(error) },
  );

  while (found.length > 0) await look();

  expect(told).toEqual([gone, full, full]);
});
