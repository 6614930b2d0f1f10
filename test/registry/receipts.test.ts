import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import {
  composeReply,
  createReceipt,
  listStored,
  renderReceipts,
} from "../../registry/receipts.ts";
import type { Effect } from "../../state/step.ts";
import type { Receipt } from "../../state/receipt.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import { createEffect } from "../support/turn-state.ts";

const listFacts = (effects: readonly Effect[]) =>
  listStored(effects, { isUndo: false }).map(({ facts }) => facts);

describe("listStored()", () => {
  const rename = createEffect({ effectId: 2, label: "Stew", facts: "Wed", action: "updated" });
  const remove = createEffect({ effectId: 3, label: "Stew", action: "deleted" });
  const stored = { type: "meal", ref: "meal_1", reason: null, label: "Stew" };

  test("names a row once, by what its changes come to, with the first effect to undo", () => {
    const create = createEffect({ effectId: 1, label: "Soup", facts: "Tue" });
    const again = { ...rename, effectId: 4, facts: "Thu" };

    expect(listStored([create, rename], { isUndo: false })).toEqual([
      { kind: "created", ...stored, facts: "Wed", effect: "e1" },
    ]);
    expect(listStored([rename, again], { isUndo: false })).toEqual([
      { kind: "updated", ...stored, facts: "Thu", effect: "e2" },
    ]);
    expect(listStored([create, rename, remove], { isUndo: false })).toEqual([]);
    const back = { ...create, effectId: 4 };
    expect(listStored([rename, remove, back], { isUndo: false })).toMatchObject([
      { kind: "updated", effect: "e2" },
    ]);
  });

  test("says what an update has changed, each change once, and the row's facts where nothing says it", () => {
    const lifted = { ...rename, change: "servings: 2 → 4" };
    const moved = { ...lifted, effectId: 4, facts: "Thu", change: "date: Wed → Thu" };

    expect(listFacts([lifted, moved, lifted])).toEqual(["servings: 2 → 4, date: Wed → Thu"]);
    expect(listFacts([{ ...rename, change: null }])).toEqual(["Wed"]);
  });

  test("shows the facts of a new row, and behind them the values that nobody has named", () => {
    const create = createEffect({ effectId: 1, facts: "Tue", change: "servings 7" });
    const lifted = { ...rename, change: "servings: 7 → 4" };

    expect(listFacts([create])).toEqual(["Tue; servings 7"]);
    expect(listFacts([create, lifted])).toEqual(["Wed; servings 7, servings: 7 → 4"]);
    expect(listFacts([{ ...create, facts: "" }])).toEqual(["servings 7"]);
  });

  test("calls a row that is back after an undo so", () => {
    const back = createEffect({ effectId: 5, label: "Stew" });
    expect(listStored([back], { isUndo: true })).toEqual([
      { kind: "undone", ...stored, facts: "back again", effect: "e5" },
    ]);
  });
});

describe("renderReceipts()", () => {
  test("gives one line a kind, names fifty rows and counts the others", () => {
    const items = Array.from({ length: 52 }, (_, at) => `item ${at + 1}`);
    const added = items.map((label) => createReceipt({ kind: "created", label, facts: "4" }));
    const deleted = createReceipt({ kind: "deleted", label: "oats" });

    const named = items.slice(0, 50).map((label) => `${label} (4)`);
    expect(render(deleted, ...added)).toBe(`Added: ${named.join(", ")} and 2 more\nDeleted: oats`);
  });

  test("tells rows of one label apart by type and facts, those that are known and not changed too", () => {
    const book = createReceipt({ kind: "deleted", type: "book", ref: "book_1", label: "Kim" });
    const named = { ...book, facts: "370 pages" };
    const film = createReceipt({ kind: "created", type: "film", ref: "film_1", label: "Kim" });
    const other = { ...named, ref: "book_2", facts: "12 pages" };

    expect(render(named)).toBe("Deleted: Kim");
    expect(render(named, film)).toBe("Added: Kim (film)\nDeleted: Kim (book)");
    expect(render(named, other)).toBe("Deleted: Kim (370 pages), Kim (12 pages)");
  });

  test("leaves a label as the person wrote it, on one line", () => {
    const label = "3f2504e0-4f89-11d3-9a0c-0305e82c3301\nbook_1";
    expect(render(createReceipt({ kind: "created", label }))).toBe(
      "Added: 3f2504e0-4f89-11d3-9a0c-0305e82c3301 book_1",
    );
  });

  test("words moments as they are where the person is, in names, facts and reasons", () => {
    const moment = "2026-01-13T17:00:00.000Z";
    const lamp = { label: `lamp of ${moment}`, facts: `sold ${moment}` };

    expect(
      render(
        createReceipt({ kind: "updated", ...lamp }),
        refused("desk", `not before ${moment}`),
        createReceipt({ kind: "warning", reason: `Note: closed from ${moment} on.` }),
      ),
    ).toBe(
      [
        "Changed: lamp of Tue 13 Jan 2026, 18:00 (sold Tue 13 Jan 2026, 18:00)",
        "Not done: desk (not before Tue 13 Jan 2026, 18:00)",
        "Note: closed from Tue 13 Jan 2026, 18:00 on.",
      ].join("\n"),
    );
  });

  test("cuts long reasons, and no change of the plan", () => {
    const long = "no room ".repeat(1_000).trim();
    const cut = `${"no room ".repeat(74)}no room…`;

    expect(
      render(
        refused("soap", long),
        createReceipt({ kind: "plan", reason: long }),
        createReceipt({ kind: "warning", reason: long }),
      ),
    ).toBe(`Not done: soap (${cut})\n${long}\n${cut}`);
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
  const parts = {
    id: "reply_r_1",
    at: "2026-01-12T12:00:00.000Z",
    registry: EMPTY_REGISTRY,
    timeZone: "UTC",
  };

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
  return renderReceipts(receipts, { registry: EMPTY_REGISTRY, timeZone: "Europe/Berlin" });
}
