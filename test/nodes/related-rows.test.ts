import { describe, expect, test } from "vitest";
import { selectUnrelated, type AskedFor } from "../../nodes/steps/related-rows.ts";
import type { Change } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import { createEffect, makePlan, makeStep, makeUnderstanding } from "../support/turn-state.ts";

const type = (name: string, columns: EntityType["columns"] = []): EntityType => ({
  type: name,
  table: name,
  words: { one: name, many: `${name}s` },
  columns,
  summary: [],
  orderBy: [],
  label: () => name,
});
const TYPES = [
  type("member"),
  type("line"),
  type("meal", [{ name: "recipe_id", kind: "text", references: "recipe" }]),
  type("recipe"),
];

function change(of: string, changes: Partial<Change> = {}): Change {
  return {
    action: "update",
    type: of,
    id: `${of}-1`,
    ref: `${of}_1`,
    label: "Anna",
    before: {},
    after: {},
    version: 1,
    changed: [],
    cause: "named",
    ...changes,
  };
}

const ANNA = change("member");

const CREATES_LINE = makePlan({
  steps: [
    makeStep({ stepType: "write", writes: [{ action: "create", type: "line", refs: [] }] }),
    makeStep({
      stepType: "write",
      writes: [{ action: "update", type: "member", refs: ["member_1"] }],
    }),
  ],
});

function select(changes: readonly Change[], asked: Partial<AskedFor> = {}): readonly Change[] {
  return selectUnrelated(changes, {
    message: "add bread",
    understanding: makeUnderstanding({ needs: "change" }),
    plan: CREATES_LINE,
    effects: [],
    registry: { entries: [] },
    entityTypes: TYPES,
    ...asked,
  });
}

describe("selectUnrelated() returns an update", () => {
  test("beside a creation of another type that the plan makes", () => {
    expect(select([ANNA])).toEqual([ANNA]);
  });

  test("of another row than the message refers to", () => {
    const references = [{ text: "coffee", ref: "line_4" }];
    const understanding = makeUnderstanding({ needs: "change", references });

    expect(select([ANNA], { plan: makePlan({ steps: [] }), understanding })).toEqual([ANNA]);
  });
});

describe("selectUnrelated() leaves out an update", () => {
  test.each<[string, Partial<AskedFor>]>([
    ["whose label shares a word with the message", { message: "add bread for anna" }],
    ["whose type the message speaks of", { message: "add bread, and change the members" }],
    [
      "that a reference means",
      {
        understanding: makeUnderstanding({
          needs: "change",
          references: [{ text: "me", ref: "member_1" }],
        }),
        registry: { entries: [entry("member_1", "member-1", "member")] },
      },
    ],
    ["that is the only kind of change", { plan: makePlan({ steps: [] }) }],
    ["that answers a question", { understanding: makeUnderstanding({ answersPending: "adjust" }) }],
    [
      "of a row that the turn has changed",
      {
        effects: [createEffect({ ref: "member_1", type: "member" })],
        registry: { entries: [entry("member_1", "member-1", "member")] },
      },
    ],
  ])("%s", (_, asked) => {
    expect(select([ANNA], asked)).toEqual([]);
  });

  test("of a row that points at one the message names", () => {
    const meal = change("meal", {
      label: "dinner",
      before: { recipe_id: "r-1" },
      after: { recipe_id: "r-2" },
    });
    const registry = {
      entries: [{ ...entry("recipe_1", "r-1", "recipe"), label: "Mushroom Risotto" }],
    };

    expect(select([meal], { message: "add bread, and the risotto on Friday", registry })).toEqual(
      [],
    );
  });

  test("of a row that a tool has found itself", () => {
    expect(select([change("member", { cause: "found" })])).toEqual([]);
  });
});

function entry(ref: string, id: string, of: string): AskedFor["registry"]["entries"][number] {
  return {
    ref,
    id,
    type: of,
    label: "Someone",
    facts: "",
    action: "read",
    byUser: false,
    detail: "summary",
    createdTurn: 1,
    referencedTurn: 1,
    readTurn: 1,
    retention: null,
    demotion: null,
    restoredTurn: null,
    row: null,
    rowVersion: 1,
  };
}
