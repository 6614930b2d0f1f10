import { expect, test } from "vitest";
import type { AskedFor } from "../../nodes/steps/related-rows.ts";
import { selectUnasked } from "../../nodes/steps/stated-changes.ts";
import type { Change } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import { makePlan, makeUnderstanding } from "../support/turn-state.ts";

const TOOL: EntityType = {
  type: "tool",
  table: "tools",
  words: { one: "tool", many: "tools" },
  columns: [
    { name: "name", kind: "text", set: "always" },
    { name: "status", kind: "choice", values: ["booked", "returned", "broken"], set: "always" },
    { name: "fee", kind: "number", set: "always" },
    { name: "pickup", kind: "date", set: "always" },
    { name: "note", kind: "text", set: "always" },
  ],
  summary: ["name"],
  orderBy: ["name"],
  label: ({ name }) => (typeof name === "string" ? name : ""),
  facts: () => "",
};
const BEFORE = { name: "ladder", status: "booked", fee: 250, pickup: "2026-01-14", note: "" };

/** An update of the ladder. 12 January 2026 is a Monday. */
function select(
  message: string,
  values: JsonObject,
  asked: Partial<AskedFor> = {},
  action: "create" | "update" = "update",
): string[] {
  const change: Change = {
    action,
    type: "tool",
    id: "t-1",
    ref: "tool_1",
    label: "ladder",
    version: null,
    before: action === "create" ? null : BEFORE,
    after: { ...BEFORE, ...values },
    changed: Object.keys(values),
    cause: "named",
  };
  return selectUnasked([change], {
    message,
    lastReply: "",
    topic: null,
    understanding: makeUnderstanding({ needs: "change" }),
    plan: makePlan({ steps: [] }),
    effects: [],
    registry: { listed: [], entries: [] },
    entityTypes: [TOOL],
    drafts: new Map(),
    ownTool: null,
    isIrrevocable: false,
    today: "2026-01-12",
    language: "en",
    ...asked,
  }).map(({ label }) => label);
}

test.each<[string, readonly string[]]>([
  ["delete the ladder", ["ladder"]],
  ["bitte lösch die ladder", ["ladder"]],
  ["do not add a ladder", ["ladder"]],
  ["delete the old ladder and add a new ladder", []],
  ["a ladder, please", []],
  ["throw a ladder on the list", []],
])(
  "selectUnasked() takes a new row for unasked where only something is to go: %s",
  (message, unasked) => {
    expect(select(message, BEFORE, {}, "create")).toEqual(unasked);
  },
);

test.each<[string, JsonObject]>([
  ["the owner told me the ladder is 300 now", { fee: 300 }],
  ["the fee of the ladder will be 300", { fee: 300 }],
  ["ladder returned already", { status: "returned" }],
  ["the ladder was returned this morning", { status: "returned" }],
  ["the ladder was picked up yesterday", { pickup: "2026-01-11" }],
  ["the ladder has been moved to friday", { pickup: "2026-01-16" }],
  ["leave the ladder at 300 then", { fee: 300 }],
  ["leave a note for the ladder: two steps are loose", { note: "two steps are loose" }],
  ["keep the ladder on wednesday but make it 300", { fee: 300 }],
  ["die Leiter (ladder) wird am Freitag abgeholt", { pickup: "2026-01-16" }],
  ["l'échelle (ladder) sera à 300", { fee: 300 }],
])("selectUnasked() takes %j for an order of what it tells", (message, values) => {
  expect(select(message, values)).toEqual([]);
});

test.each<[string, JsonObject]>([
  ["another value", { fee: 350 }],
  ["a further value", { fee: 300, status: "broken" }],
  ["another column", { pickup: "2026-01-16" }],
])("selectUnasked() returns an update with %s than the message tells", (_, values) => {
  expect(select("the owner told me the ladder is 300 now", values)).toEqual(["ladder"]);
});

test.each<[string, JsonObject]>([
  ["the ladder was 300 before", { fee: 300 }],
  ["the ladder was here on friday", { pickup: "2026-01-16" }],
  ["I'll return the ladder myself, it was returned late", { note: "late" }],
  ["maybe the ladder will be 300", { fee: 300 }],
  ["she wants 300 for the ladder", { fee: 300 }],
  ["the ladder was not returned", { status: "returned" }],
  ["if it rains, the ladder will be 300", { fee: 300 }],
  ["the drill was returned", { status: "returned" }],
])("selectUnasked() finds no order in %j", (message, values) => {
  expect(select(message, values)).toEqual(["ladder"]);
});
