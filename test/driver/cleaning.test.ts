import { expect, test } from "vitest";
import { createCleaning } from "../../driver/cleaning.ts";

test("afterTurn() cleans up for each user once an hour, also after a failure, which it reports", async () => {
  const cleaned: unknown[] = [];
  const failures: unknown[] = [];
  let minutes = 0;
  const cleaning = createCleaning({
    store: {
      async cleanUp(userId, { repetitionDays, journalDays }) {
        cleaned.push([minutes, userId, repetitionDays, journalDays]);
        if (userId === "bo") throw new Error("It fails");
      },
    },
    limits: { repetitionDays: 90, journalDays: 30, cleanUpMinutes: 60 },
    now: () => new Date(minutes * 60_000),
    onFailure: (error) => failures.push(error),
  });
  for (minutes = 0; minutes <= 60; minutes += 20) {
    await cleaning.afterTurn("ann");
    await cleaning.afterTurn("bo");
  }
  expect(cleaned).toEqual([
    [0, "ann", 90, 30],
    [0, "bo", 90, 30],
    [60, "ann", 90, 30],
    [60, "bo", 90, 30],
  ]);
  expect(failures).toEqual([new Error("It fails"), new Error("It fails")]);
});
