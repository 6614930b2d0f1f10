import { expect, test } from "vitest";
import { wordChanges } from "../../domain/word-changes.ts";
import { wordUpdate } from "../../domain/word-values.ts";
import type { Change } from "../../state/change.ts";
import { rowKey, type EntityType, type InlineList } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";

const PAYMENTS: InlineList = {
  kind: "inline",
  name: "payments",
  table: "payments",
  foreignKey: "order_id",
  orderBy: "position",
  columns: [
    { name: "method_id", kind: "text", references: "method" },
    { name: "kind", kind: "choice", values: ["payment", "refund"] },
    { name: "amount", kind: "number" },
    { name: "provider", kind: "text", visible: false },
  ],
};

const ORDER: EntityType = {
  type: "order",
  table: "orders",
  words: { one: "order", many: "orders" },
  columns: [
    { name: "number", kind: "text" },
    { name: "address", kind: "json" },
    { name: "method_id", kind: "text", references: "method" },
    { name: "note", kind: "text", visible: false },
    { name: "total", kind: "number" },
  ],
  lists: [PAYMENTS],
  summary: ["number"],
  orderBy: ["number"],
  label: ({ number }) => (typeof number === "string" ? number : ""),
  facts: ({ total }) => (typeof total === "number" ? `total ${total}` : ""),
};

const LABELS = new Map([
  [rowKey("method", "card_1"), "Visa ending in 12"],
  [rowKey("method", "card_2"), "gift card"],
]);

const PAID = { method_id: "card_1", kind: "payment", amount: 54, provider: "a bank" };
const REFUND = { method_id: "card_2", kind: "refund", amount: 12.5, provider: "a bank" };

const PLACED: JsonObject = {
  number: "#W1",
  address: { street: "Mill Lane 2", city: "Bath", zip_code: "BA1" },
  method_id: "card_1",
  note: "old",
  total: 54,
  payments: [PAID],
};

function makeChange(before: JsonObject | null, after: JsonObject | null): Change {
  const changed = Object.keys(PLACED).filter(
    (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  );
  return {
    action: before === null ? "create" : after === null ? "delete" : "update",
    type: "order",
    id: "1",
    ref: "order_1",
    label: "#W1",
    before,
    after,
    version: 1,
    changed,
    cause: "named",
  };
}

test.each([
  [
    "columns that point at rows by label",
    makeChange(PLACED, { ...PLACED, method_id: "card_2", note: "new" }),
    "This changes 1 order: #W1 (method: Visa ending in 12 → gift card).",
  ],
  [
    "a row that points nowhere any more, and one without a label",
    makeChange({ ...PLACED, method_id: "card_9" }, { ...PLACED, method_id: null }),
    "This changes 1 order: #W1 (method: method → none).",
  ],
  [
    "nested values by the keys that differ",
    makeChange(PLACED, {
      ...PLACED,
      address: { street: "Mill Lane 3", city: "Bath", zip_code: null },
    }),
    "This changes 1 order: #W1 (address: street: Mill Lane 2, zip code: BA1 → street: Mill Lane 3).",
  ],
  [
    "lists by the items that come and go, with their amounts",
    makeChange(PLACED, { ...PLACED, payments: [PAID, REFUND] }),
    "This changes 1 order: #W1 (payments: none → refund (method gift card, amount 12.5)).",
  ],
  ["new rows with their facts", makeChange(null, PLACED), "This creates 1 order: #W1 (total 54)."],
  [
    "deleted rows with their facts, and one item of a list that goes with one",
    makeChange(PLACED, null),
    "This deletes 1 order: #W1 (total 54); 1 entry of payments goes with it.",
  ],
])("wordChanges() words %s", (_, change, wording) => {
  const words = wordChanges([change], {
    entityTypes: [ORDER],
    labels: LABELS,
    timeZone: "Europe/Berlin",
    reasons: [],
    undoDays: 30,
  });

  expect(words).toBe(`${wording} You can undo it for 30 days. Do it?`);
});

const VISIT: EntityType = {
  ...ORDER,
  type: "visit",
  words: { one: "visit", many: "visits" },
  columns: [
    { name: "title", kind: "text" },
    { name: "at", kind: "timestamp" },
    { name: "order_id", kind: "text", references: "order" },
  ],
  lists: [],
  facts: () => "",
};

function makeVisit(title: string, at: string): Change {
  const before = { title, at, order_id: "1" };
  return { ...makeChange(before, null), type: "visit", label: title, id: at, ref: null };
}

test("wordChanges() tells rows of one name apart, by times as they are where the person is", () => {
  const visits = ["2026-01-13T17:00:00+00:00", "2026-07-13T17:00:00+00:00"];

  const words = wordChanges(
    visits.map((at) => makeVisit("Dentist", at)),
    { entityTypes: [VISIT], labels: LABELS, timeZone: "Europe/Berlin", reasons: [], undoDays: 30 },
  );

  expect(words).toContain(
    "This deletes 2 visits: Dentist (at Tue 13 Jan 2026, 18:00), Dentist (at Mon 13 Jul 2026, 19:00).",
  );
});

test("wordChanges() words times in names, facts, texts and reasons as they are where the person is", () => {
  const moment = "2026-01-13T17:00:00.000Z";
  const type = { ...VISIT, facts: () => `${"x".repeat(90)} ${moment}` };
  const gone = makeVisit(`Dentist at ${moment}`, moment);
  const [before, after] = ["Dentist", `Closed until ${moment}, and then open`];
  const renamed: Change = {
    ...makeChange({ title: before }, { title: after }),
    type: "visit",
    changed: ["title"],
  };
  const berlin = { labels: LABELS, timeZone: "Europe/Berlin" };
  const options = { ...berlin, entityTypes: [type], reasons: [`Late at ${moment}`], undoDays: 30 };

  expect(wordChanges([gone], options)).toBe(
    `Late at Tue 13 Jan 2026, 18:00. This deletes 1 visit: Dentist at Tue 13 Jan 2026, 18:00 (${"x".repeat(90)} Tue 13 Jan 2026, 18:00). You can undo it for 30 days. Do it anyway?`,
  );
  expect(wordUpdate(renamed, type, berlin)).toBe(
    "title: Dentist → Closed until Tue 13 Jan 2026, 18:00, and…",
  );
});

test("wordUpdate() names the column of a number where rows of the type have several", () => {
  const words = { labels: LABELS, timeZone: "UTC" };
  const raised = makeChange(PLACED, { ...PLACED, total: 60 });
  const counted = {
    ...ORDER,
    columns: [...ORDER.columns, { name: "count", kind: "integer" }],
  } as const;

  expect(wordUpdate(raised, ORDER, words)).toBe("54 → 60");
  expect(wordUpdate(raised, counted, words)).toBe("total: 54 → 60");
});

test("wordChanges() names the rows that are deleted along", () => {
  const follower: Change = { ...makeVisit("Dentist", "2026-01-13T17:00:00Z"), cause: "follows" };

  const words = wordChanges([makeChange(PLACED, null), follower], {
    entityTypes: [ORDER, VISIT],
    labels: LABELS,
    timeZone: "UTC",
    reasons: [],
    undoDays: 30,
  });

  expect(words).toContain("; 1 visit goes with it: Dentist. You can");
});
