import { describe, expect, test } from "vitest";
import { listInterrupts } from "../../graph/interrupts.ts";
import type { Json } from "../../state/json.ts";
import type { Confirmation, Pending, UnconfirmedCall } from "../../state/pending.ts";

const ROW = "0190b7a0-1111-7000-8000-000000000001";

function makeCall(tool: string, args: Json, wording: string): UnconfirmedCall {
  const step = { description: "Tidy up", subdomain: "recipes" };
  return { tool, args, step, changesHash: "h", changes: [], rules: [], wording };
}

const CONFIRMATION: Confirmation = {
  kind: "confirmation",
  id: "confirm_4_1",
  calls: [
    makeCall("delete_rows", { refs: ["recipe_3"] }, "This deletes 1 recipe: Kim."),
    makeCall("delete_rows", { refs: ["recipe_4"] }, "This deletes 1 recipe: Tea."),
    makeCall("book_table", { name: `Kim ${ROW}`, guests: 4 }, "This runs “book table”."),
  ],
  text: "This deletes 1 recipe: Kim.",
  rest: null,
  expiresAt: "2026-01-13T12:00:00Z",
  turn: 4,
};
const NOW = new Date("2026-01-13T11:59:59Z");

describe("listInterrupts()", () => {
  test("lists every call of a confirmation, each tool once with what may be decided, and no id of a row", () => {
    const [interrupt, ...others] = listInterrupts({ pending: CONFIRMATION }, NOW);

    expect(JSON.stringify(interrupt)).not.toContain(ROW);
    expect([interrupt, others]).toEqual([
      {
        id: "confirm_4_1",
        value: {
          action_requests: [
            {
              name: "delete_rows",
              args: { refs: ["recipe_3"] },
              description: "This deletes 1 recipe: Kim.",
            },
            {
              name: "delete_rows",
              args: { refs: ["recipe_4"] },
              description: "This deletes 1 recipe: Tea.",
            },
            {
              name: "book_table",
              args: { name: expect.stringMatching(/^Kim /u), guests: 4 },
              description: "This runs “book table”.",
            },
          ],
          review_configs: [
            { action_name: "delete_rows", allowed_decisions: ["approve", "reject"] },
            { action_name: "book_table", allowed_decisions: ["approve", "reject"] },
          ],
        },
      },
      [],
    ]);
  });

  const question = { text: "Shall I?", turn: 4 };
  test.each<[string, Pending | null | undefined, Date]>([
    ["an expired confirmation", CONFIRMATION, new Date("2026-01-13T12:00:00Z")],
    ["a question", { kind: "question", options: [], waives: [], ...question }, NOW],
    ["a proposal", { kind: "proposal", plan: {}, calls: CONFIRMATION.calls, ...question }, NOW],
    [
      "a question about a budget, also with a confirmation behind it",
      { kind: "budget", message: "hi", waiting: CONFIRMATION, ...question },
      NOW,
    ],
    ["nothing that waits", null, NOW],
    ["a thread without a state", undefined, NOW],
  ])("lists none for %s", (_, pending, now) => {
    expect(listInterrupts({ pending }, now)).toEqual([]);
  });
});
