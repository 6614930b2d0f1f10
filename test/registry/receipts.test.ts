import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import {
  composeReply,
  createReceipt,
  listStored,
  renderReceipts,
} from "../../registry/receipts.ts";
import type { Receipt } from "../../state/receipt.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import { createEffect } from "../support/turn-state.ts";

describe("listStored()", () => {
  test("lists each changed row once, with its last label and facts, and the effect to undo", () => {
    const effects = [
      createEffect({ effectId: 1, ref: "meal_1", label: "Soup", facts: "Tue" }),
      createEffect({ effectId: 2, ref: "meal_1", label: "Soup", facts: "Wed", action: "updated" }),
      createEffect({ effectId: 3, ref: "meal_1", label: "Stew", facts: "Thu", action: "updated" }),
    ];

    const stored = { type: "meal", ref: "meal_1", reason: null };
    expect(listStored(effects, { isUndo: false })).toEqual([
      { kind: "created", ...stored, label: "Soup", facts: "Tue", effect: "e1" },
      { kind: "updated", ...stored, label: "Stew", facts: "Thu", effect: "e3" },
    ]);
  });
});

describe("renderReceipts()", () => {
  test("gives one line a kind, names six rows and counts the others", () => {
    const items = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const added = items.map((label) => createReceipt({ kind: "created", label, facts: "4" }));
    const deleted = createReceipt({ kind: "deleted", label: "oats" });

    expect(render(deleted, ...added)).toBe(
      "Added: a (4), b (4), c (4), d (4), e (4), f (4) and 2 more\nDeleted: oats",
    );
  });

  test("names a reason once for all rows that share it", () => {
    expect(
      render(
        refused("soap", "no room"),
        refused("oats", "limit of calls"),
        refused("lemons", "limit of calls"),
      ),
    ).toBe("Not done: soap (no room); oats, lemons (limit of calls)");
  });

  test.prop([fc.array(fc.string({ maxLength: 300 }), { minLength: 1, maxLength: 9 })])(
    "keeps to one line a kind, whatever the labels hold",
    (labels) => {
      const receipts = labels.map((label) =>
        createReceipt({ kind: "updated", label, facts: label }),
      );
      const text = render(...receipts);
      expect(text.split(/[\n\r\u2028]/u)).toHaveLength(1);
      expect(text.length).toBeLessThan(6 * 260 + 40);
    },
  );
});

test("composeReply() puts the receipts first, as a paragraph of their own", () => {
  const receipts = [createReceipt({ kind: "created", label: "milk" })];
  const parts = { id: "reply_r_1", at: "2026-01-12T12:00:00.000Z", registry: EMPTY_REGISTRY };

  expect(composeReply({ ...parts, body: "Anything else?", receipts }).text).toBe(
    "Added: milk\n\nAnything else?",
  );
  expect(composeReply({ ...parts, body: "", receipts }).text).toBe("Added: milk");
  expect(composeReply({ ...parts, body: "Hello", receipts: [] }).text).toBe("Hello");
});

function refused(label: string, reason: string): Receipt {
  return createReceipt({ kind: "notDone", label, reason });
}

function render(...receipts: readonly Receipt[]): string {
  return renderReceipts(receipts, EMPTY_REGISTRY);
}
