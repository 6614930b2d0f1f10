import { describe, expect, test } from "vitest";
import type { ArchivedTurn } from "../../state/archive.ts";
import { recall } from "../../nodes/steps/recall.ts";
import { findEntry } from "../../registry/entries.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import { memoryArchive } from "../support/memory-archive.ts";
import { NARROWED_REGISTRY } from "../support/narrowing.ts";
import { testServices } from "../support/node-services.ts";
import { makeRecord, TEST_RUN } from "../support/turn-state.ts";
import { storedReply } from "../support/replies.ts";

const OLD: RegistryEntry = {
  ...(findEntry(NARROWED_REGISTRY, "recipe_3") as RegistryEntry),
  ref: "recipe_40",
  id: "00000040-aaaa-4bbb-8ccc-000000000000",
  label: "Beef Goulash",
};
const TURNS: readonly ArchivedTurn[] = [
  {
    turn: 4,
    runId: "run-4",
    messageId: "message-4",
    userMessage: "plan the goulash",
    replies: [storedReply("The goulash is planned.")],
    summary: makeRecord(4, {
      goal: "Plan the goulash",
      reasoning: "It was asked for.",
      steps: [
        {
          description: "Plan it",
          stepType: "write",
          subdomain: "meal_plans",
          outcome: "Created 1 planned meal",
          note: null,
          entitiesAffected: ["meal_9", "recipe_40", "recipe_3"],
          warnings: [],
        },
      ],
    }),
  },
  {
    turn: 3,
    runId: "run-3",
    messageId: "message-3",
    userMessage: "hello",
    replies: [storedReply("Hello!")],
    summary: null,
  },
];

describe("recall()", () => {
  test("gives turns with what was done and why, and makes their refs usable again", async () => {
    const recalled = await recalling({ ref: "recipe_40", turn: null, words: null });

    expect(recalled.entries).toEqual([OLD]);
    expect(recalled.refs).toEqual(["recipe_40", "recipe_3"]);
    expect(recalled.count).toBe(2);
    expect(recalled.text.split("\n")).toEqual(
      expect.arrayContaining([
        'Turn 4: User said "plan the goulash"',
        "  Goal: Plan the goulash",
        "  Why: It was asked for.",
        "  - Plan it: Created 1 planned meal → meal_9, recipe_40, recipe_3",
        "  Answer: The goulash is planned.",
        'Turn 3: User said "hello"',
        "recipe_40: Beef Goulash",
        "recipe_3: Lentil Soup",
      ]),
    );
    expect(recalled.text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/u);
  });

  test("of one turn", async () => {
    const recalled = await recalling({ ref: null, turn: 3, words: null });

    expect(recalled).toMatchObject({ count: 1, entries: [], refs: [] });
    expect(recalled.text).toBe('Turn 3: User said "hello"\n  Answer: Hello!');
  });

  test("that finds nothing says so", async () => {
    const recalled = await recalling({ ref: null, turn: 77, words: null });
    expect(recalled).toEqual({ text: "No earlier turn matches.", count: 0, entries: [], refs: [] });
  });

  test.each([
    [
      "nothing",
      { ref: null, turn: null, words: " " },
      "Cannot recall: give a ref, a turn number or words to look for",
    ],
    ["what is no turn", { ref: null, turn: "three", words: null }, /^Cannot recall: /u],
    ["no object", "everything", /^Cannot recall: /u],
  ])("asked with %s says what to give", async (_, args, message) => {
    await expect(recalling(args)).rejects.toMatchObject({ name: "ToolInputError" });
    await expect(recalling(args)).rejects.toThrow(message);
  });
});

function recalling(args: unknown) {
  const services = testServices({ archive: memoryArchive({ turns: TURNS, refs: [OLD] }) });
  return recall(args, { services, run: TEST_RUN, registry: NARROWED_REGISTRY });
}
