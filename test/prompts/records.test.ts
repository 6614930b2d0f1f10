import { expect, test } from "vitest";
import { renderRecords } from "../../prompts/records.ts";
import { makeRecord } from "../support/turn-state.ts";

test("renderRecords() leaves a question to what was said, and says of every other step what came of it", () => {
  const step = {
    description: "Delete the butter",
    stepType: "write" as const,
    subdomain: "inventory",
    note: null,
    entitiesAffected: [],
    warnings: [],
  };
  const record = makeRecord(3, {
    goal: "Delete the butter",
    steps: [
      { ...step, outcome: "Asked: This deletes 1 inventory item: butter. Do it?" },
      { ...step, outcome: "Failed: the database is away" },
    ],
  });

  expect(renderRecords([record])).toBe(
    "Turn 3: Delete the butter\n- Asked\n- Failed: the database is away",
  );
});
