import { describe, expect, test } from "vitest";
import { selectAgreed } from "../../nodes/steps/planned-writes.ts";
import type { Change } from "../../state/change.ts";
import { rowKey, type EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";

const LINE: EntityType = {
  type: "line",
  table: "lines",
  words: { one: "line", many: "lines" },
  columns: [
    { name: "name", kind: "text", set: "always" },
    { name: "quantity", kind: "number", set: "always" },
    { name: "tags", kind: "tags", set: "always" },
    { name: "created_at", kind: "timestamp", set: "never" },
  ],
  summary: ["name"],
  orderBy: ["name"],
  label: () => "line",
};

function change(action: Change["action"], changes: Partial<Change> = {}): Change {
  return {
    action,
    type: "line",
    id: "1",
    ref: action === "create" ? null : "line_1",
    label: "oranges",
    before: null,
    after: null,
    version: null,
    changed: [],
    cause: "named",
    ...changes,
  };
}

interface Agreed {
  readonly description: string;
  readonly refs?: readonly string[];
  readonly draft?: string;
}

function isAgreed(one: Change, { description, refs = ["line_1"], draft }: Agreed): boolean {
  const drafts = draft === undefined ? [] : [[rowKey("line", "1"), draft] as const];
  return selectAgreed([one], {
    writes: [{ action: one.action, type: "line", refs: one.action === "create" ? [] : [...refs] }],
    drafts: new Map(drafts),
    seen: new Set(["gen_line_1"]),
    description,
    given: null,
    entityTypes: [LINE],
  }).includes(one);
}

const createRow = (after: JsonObject): Change =>
  change("create", { after, changed: Object.keys(after) });
const updateRow = (before: JsonObject, after: JsonObject): Change =>
  change("update", { before, after, changed: Object.keys(after) });

describe("selectAgreed() covers", () => {
  test.each<[string, Change, Agreed]>([
    ["a listed row that is deleted", change("delete"), { description: "Clear" }],
    [
      "a draft that was seen",
      createRow({ name: "soup" }),
      { description: "Save", draft: "gen_line_1" },
    ],
    [
      "a new row whose values were shown",
      createRow({ name: "figs", quantity: 3, tags: [], created_at: "2026-01-12T10:00:00Z" }),
      { description: "Add 3 figs" },
    ],
    [
      "a value that was shown",
      updateRow({ quantity: 6 }, { quantity: 99 }),
      { description: "Set oranges to 99" },
    ],
    [
      "a tag more",
      updateRow({ tags: ["nuts"] }, { tags: ["nuts", "sesame"] }),
      { description: "Note sesame" },
    ],
  ])("%s", (_, one, agreed) => {
    expect(isAgreed(one, agreed)).toBe(true);
  });
});

describe("selectAgreed() does not cover", () => {
  test.each<[string, Change, Agreed]>([
    ["a deletion of another row", change("delete"), { description: "Clear", refs: ["line_2"] }],
    [
      "a draft that was not seen",
      createRow({ name: "soup" }),
      { description: "soup", draft: "gen_line_2" },
    ],
    ["a new row that was not shown", createRow({ name: "whisky" }), { description: "Add figs" }],
    [
      "a value that was not shown",
      updateRow({ quantity: 6 }, { quantity: 99 }),
      { description: "Tick off oranges" },
    ],
    [
      "a value that is emptied",
      updateRow({ quantity: 6 }, { quantity: null }),
      { description: "oranges" },
    ],
    ["a tag less", updateRow({ tags: ["nuts"] }, { tags: [] }), { description: "Note nuts" }],
    [
      "a row that was not listed",
      updateRow({ quantity: 6 }, { quantity: 99 }),
      { description: "Set to 99", refs: ["line_2"] },
    ],
  ])("%s", (_, one, agreed) => {
    expect(isAgreed(one, agreed)).toBe(false);
  });
});
