import { expect, test } from "vitest";
import { createDatabaseCheck } from "../../app/check-database.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";

test("createDatabaseCheck() logs an outage once, and again after a recovery", async () => {
  const gone = new DatabaseUnavailableError("Cannot bring it back: its folder is gone");
  const full = new DatabaseUnavailableError("Cannot bring it back: the disk is full");
  const found = [gone, gone, full, full, null, full];
  const logged: unknown[] = [];
  const check = createDatabaseCheck(
    {
      async ensureRunning() {
        const next = found.shift();
        if (next === undefined) throw new Error("Looked too often");
        if (next !== null) throw next;
      },
    },
    { error: (error) => void logged.push(error) },
  );

  while (found.length > 0) await check();

  expect(logged).toEqual([gone, full, full]);
});
