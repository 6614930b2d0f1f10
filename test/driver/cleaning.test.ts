import { expect, test } from "vitest";
import { createCleaning } from "../../driver/cleaning.ts";

test("afterTurn() cleans up for each user once an hour, also after a failure, which it reports", async () => {
  const cleaned: unknown[] = [];
  const failures: unknown[] = [];
  let minutes = 0;
  const cleaning = createCleaning({
    store: {
      async cleanUp(user) {
        cleaned.push([minutes, user]);
        if (user.userId === "bo") throw new Error("It fails");
      },
    },
    limits: { repetitionDays: 30, cleanUpMinutes: 60 },
    now: () => new Date(minutes * 60_000),
    onFailure: (error) => failures.push(error),
  });
  for (minutes = 0; minutes <= 60; minutes += 20) {
    await cleaning.afterTurn("ann");
    await cleaning.afterTurn("bo");
  }
  expect(cleaned).toEqual([
    [0, { userId: "ann", days: 30 }],
    [0, { userId: "bo", days: 30 }],
    [60, { userId: "ann", days: 30 }],
    [60, { userId: "bo", days: 30 }],
  ]);
  expect(failures).toEqual([new Error("It fails"), new Error("It fails")]);
});
