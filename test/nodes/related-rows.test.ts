import { describe, expect, test } from "vitest";
import { selectUnrelated, type AskedFor } from "../../nodes/steps/related-rows.ts";
import type { Change } from "../../state/change.ts";
import { rowKey, type Column, type EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import { createEffect, makePlan, makeUnderstanding } from "../support/turn-state.ts";

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
  {
    ...type("member", [text("diet"), text("allergies", "tags")]),
    words: words("member", "guests"),
  },
  {
    ...type("line", [text("name"), text("quantity", "number"), text("bought_on", "date")]),
    words: { ...words("line", "list") },
    facts: ({ bought_on: day }: JsonObject) => (day == null ? "" : "paid"),
  },
  type("meal", [{ name: "recipe_id", kind: "text", references: "recipe" }]),
  type("recipe"),
];

function text(name: string, kind: Column["kind"] = "text"): Column {
  return { name, kind, set: "always" };
}

function words(one: string, ...also: readonly string[]): EntityType["words"] {
  return { one, many: `${one}s`, also };
}

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

const ANNA = change("member", {
  before: { diet: null, allergies: [] },
  after: { diet: "vegan", allergies: ["kiwi"] },
  changed: ["diet", "allergies"],
});
const COFFEE = change("line", {
  label: "coffee",
  before: { quantity: 250, bought_on: null },
  after: { quantity: 99, bought_on: "2026-01-13" },
  changed: ["quantity", "bought_on"],
});
const MORE = { ...COFFEE, changed: ["quantity"] };
const BOUGHT = { ...COFFEE, changed: ["bought_on"] };
const TONIGHT = change("line", {
  label: "coffee",
  before: { quantity: 2, bought_on: "2026-01-12" },
  after: { quantity: 4, bought_on: "2026-01-12" },
  changed: ["quantity"],
});
const RENAMED = change("line", {
  label: "decaf",
  before: { name: "coffee" },
  after: { name: "decaf" },
  changed: ["name"],
});
const EMPTIED = change("line", {
  label: "coffee",
  before: { name: "coffee", quantity: 250 },
  after: { name: "decaf", quantity: null },
  changed: ["name", "quantity"],
});
const MORE_COFFEE = {
  registry: {
    listed: [],
    entries: [
      { ...entry("line_1", "line-1", "line"), label: "coffee", facts: "250 g, pantry" },
      { ...entry("line_7", "line-7", "line"), label: "Coffee", facts: "1 kg, cellar" },
    ],
  },
};
const NEW_LINE = change("line", {
  action: "create",
  id: "line-2",
  ref: null,
  label: "oat milk",
  before: null,
  after: { name: "oat milk", quantity: 2 },
  changed: ["name", "quantity"],
});
const MEAL = change("meal", {
  label: "dinner",
  before: { recipe_id: "r-1" },
  after: { recipe_id: "r-2" },
});
const NEW_MEAL = change("meal", { ...MEAL, action: "create", id: "meal-2", before: null });
const OTHER_MEAL = change("meal", {
  label: "#W6584521",
  before: { recipe_id: "r-1" },
  after: { recipe_id: "r-2" },
});
const MEALS = {
  ownTool: "cancel_meal",
  registry: {
    listed: [],
    entries: [
      { ...entry("meal_1", "meal-1", "meal"), label: "#W6584521", facts: "in the kitchen" },
      { ...entry("meal_2", "meal-2", "meal"), label: "#W5065081", facts: "in the garden" },
    ],
  },
};
const RISOTTO = { ...entry("recipe_1", "r-2", "recipe"), label: "Mushroom Risotto" };

const DISHES = [
  RISOTTO,
  { ...entry("recipe_2", "r-3", "recipe"), label: "Cod Tacos" },
  { ...entry("recipe_3", "r-1", "recipe"), label: "Curry" },
];
const MEAL_LINKED = { ...MEAL, changed: ["recipe_id"] };
const NEW_LINKS = { action: "create", id: "meal-2", before: null } as const;
/** A change of nothing that a message could give a value for. */
const MEMBER = change("member");
const DIET = change("member", {
  before: { diet: null },
  after: { diet: "vegan" },
  changed: ["diet"],
});

function select(changes: readonly Change[], asked: Partial<AskedFor> = {}): readonly Change[] {
  return selectUnrelated(changes, {
    message: "what day is it?",
    lastReply: "",
    topic: null,
    understanding: makeUnderstanding({ needs: "change" }),
    plan: makePlan({ steps: [] }),
    effects: [],
    registry: { listed: [], entries: [] },
    entityTypes: TYPES,
    drafts: new Map(),
    ownTool: null,
    isIrrevocable: false,
    today: "2026-01-12",
    language: "en",
    ...asked,
  });
}

function refer(ref: string): Partial<AskedFor> {
  const references = [{ text: "it", ref }];
  return { message: "do it", understanding: makeUnderstanding({ needs: "change", references }) };
}

describe("selectUnrelated() returns", () => {
  test.each<[string, Change, Partial<AskedFor>]>([
    ["an update", COFFEE, {}],
    ["a new row", NEW_LINE, {}],
    ["an update of another row than the message means", ANNA, refer("line_4")],
    [
      "an update that empties a column of which the message has only the row's name",
      change("member", {
        before: { diet: "anna@diet.test", allergies: [] },
        after: { diet: null, allergies: [] },
        changed: ["diet"],
      }),
      { message: "remove the allergies of Anna" },
    ],
    ["an update by the value that the message gives another type", DIET, { message: "vegan list" }],
    [
      "an update by the value that the message gives a row it names",
      { ...COFFEE, label: "oat milk" },
      {
        message: "make it 99 oranges",
        registry: {
          listed: [],
          entries: [{ ...entry("line_9", "line-9", "line"), label: "oranges" }],
        },
      },
    ],
    ["an update of what the last reply named", COFFEE, { lastReply: "Added: coffee" }],
    [
      "a new row whose type alone the last reply named",
      NEW_LINE,
      { lastReply: "The list is short." },
    ],
    [
      "what the last reply named where another thing is ordered",
      COFFEE,
      { message: "add rice to all of them", lastReply: "- coffee: 250 g" },
    ],
    ["an update for a number in another", COFFEE, { message: "add 990 g of rice" }],
    ["a row whose label only begins alike", { ...COFFEE, label: "dairy" }, {}],
    ["rows that a call has found", { ...COFFEE, cause: "found" }, {}],
    ["changes of a tool of the domain", COFFEE, { ownTool: "close_month" }],
    ["a new row in another script", NEW_LINE, { message: "今日は何曜日?" }],
    ["an update that empties a column beside", EMPTIED, { message: "call coffee decaf" }],
    [
      "what a tool changes of another row than the one that is named",
      OTHER_MEAL,
      { ...MEALS, message: "Please cancel #W5065081, I no longer need it." },
    ],
    [
      "the same where a reference takes the name for the other, and the type is named",
      OTHER_MEAL,
      {
        ...MEALS,
        message: "cancel meal #W5065081",
        understanding: makeUnderstanding({ references: [{ text: "#W5065081", ref: "meal_1" }] }),
      },
    ],
    ...["Harbour dinner", "the meal", "that one"].map(
      (text): [string, Change, Partial<AskedFor>] => [
        `the same where a reference means the other by words of its own: ${text}`,
        OTHER_MEAL,
        {
          ...MEALS,
          message: "cancel the meal #W5065081",
          lastReply: "#W6584521 is planned.",
          understanding: makeUnderstanding({ references: [{ text, ref: "meal_1" }] }),
        },
      ],
    ),
    [
      "the same where the named row is not known",
      OTHER_MEAL,
      { message: "cancel meal #W5065081", ownTool: "cancel_meal" },
    ],
    [
      "a row that shares but a word with the named one",
      { ...MEAL, label: "Lentil Curry" },
      {
        message: "move the meal Chickpea Curry",
        registry: {
          listed: [],
          entries: [{ ...entry("meal_2", "m-2", "meal"), label: "Chickpea Curry" }],
        },
      },
    ],
    [
      "a row of which the message has fewer words than of another",
      { ...ANNA, label: "Anna Hansen" },
      {
        message: "kiwi for hansen-boysen",
        registry: {
          listed: [],
          entries: [{ ...entry("member_2", "m-2", "member"), label: "Anna Hansen-Boysen" }],
        },
      },
    ],
    [
      "what cannot be taken back of one of several rows",
      OTHER_MEAL,
      { ...MEALS, isIrrevocable: true, message: "cancel my meal" },
    ],
    ["an update of one of two rows", COFFEE, { message: "99 coffee", ...MORE_COFFEE }],
  ])("%s", (_, one, asked) => {
    expect(select([one], asked)).toEqual([one]);
  });

  test.each<[string, Change, string]>([
    ["a link to another row than the named one", MEAL_LINKED, "plan the cod tacos"],
    ["a link in place of the named one", MEAL_LINKED, "curry for dinner"],
    [
      "no link in place of the named one",
      { ...MEAL_LINKED, after: { recipe_id: null } },
      "curry for dinner",
    ],
    ["a new row with such a link", { ...MEAL_LINKED, ...NEW_LINKS }, "the cod tacos for dinner"],
    ["words that an order to take away does not have", DIET, "remove anna"],
  ])("%s", (_, one, message) => {
    expect(select([one], { message, registry: { listed: [], entries: DISHES } })).toEqual([one]);
  });

  test("of several changes those that were not asked for", () => {
    expect(select([NEW_LINE, ANNA, COFFEE], { message: "add oat milk" })).toEqual([ANNA, COFFEE]);
  });
});

describe("selectUnrelated() holds an update against the place that the message names in the last list", () => {
  const lines = ["tea", "coffee", "rice"].map((label, at) =>
    Object.assign(entry(`line_${at + 1}`, `line-${at + 1}`, "line"), { label }),
  );
  const registry = { entries: lines, listed: lines.map(({ ref }) => ref) };
  const tea = change("line", { ...MORE, id: "line-1", ref: "line_1", label: "tea" });
  const coffee = change("line", { ...MORE, id: "line-2", ref: "line_2", label: "coffee" });
  const rice = change("line", { ...MORE, id: "line-3", ref: "line_3", label: "rice" });

  test.each<[string, Change, boolean]>([
    ["make the third one 99", rice, false],
    ["make the third one 99", coffee, true],
    ["make number 1 99", coffee, true],
    ["make the last line 99", tea, true],
    ["make the first and the third one 99", tea, false],
    ["make the second one, so coffee, 99", coffee, false],
    ["make coffee 99, the third one I do not know", coffee, false],
  ])("%s, of %o: asked about %s", (message, update, isAsked) => {
    const references = [{ text: message, ref: update.ref ?? "" }];
    const understanding = makeUnderstanding({ needs: "change", references });

    expect(select([update], { message, registry, understanding })).toEqual(isAsked ? [update] : []);
  });
});

describe("selectUnrelated() leaves out", () => {
  test.each<[string, Change, Partial<AskedFor>]>([
    ["a row whose label the message has", MEMBER, { message: "add bread for anna" }],
    [
      "what the last reply named where it is ordered",
      MORE,
      {
        message: "increase everything a bit",
        lastReply: "- coffee: 250 g",
        registry: {
          listed: [],
          entries: [{ ...entry("line_1", "line-1", "line"), label: "coffee" }],
        },
      },
    ],
    ["a row by its day", TONIGHT, { message: "four people tonight" }],
    ["a row by the label that it had", RENAMED, { message: "decaf, no coffee" }],
    ["a column that is to be emptied", EMPTIED, { message: "call coffee decaf, no quantity" }],
    ["one of two rows by its facts", MORE, { message: "99 coffee in the pantry", ...MORE_COFFEE }],
    ["a mistyped label", MORE, { message: "99 cofee please" }],
    ["a row whose type the message speaks of", MEMBER, { message: "change the members" }],
    ["a row by another word for its type", MEMBER, { message: "one guest is no meat eater" }],
    [
      "a row by a column",
      { ...ANNA, changed: ["allergies"] },
      { message: "no allergies any more" },
    ],
    ["a row by a value", DIET, { message: "we have a vegan here" }],
    [
      "a row by an item of a list",
      { ...ANNA, changed: ["allergies"] },
      { message: "no kiwis please" },
    ],
    ["a row by a number", MORE, { message: "make it 99" }],
    ["a row by a day", BOUGHT, { message: "that was on Tuesday" }],
    ["a row by a day as seen from today", BOUGHT, { message: "not before tomorrow" }],
    ["a row by a day in the language", BOUGHT, { message: "erst morgen", language: "de" }],
    [
      "a row by a new word of its facts",
      { ...BOUGHT, after: { bought_on: "2026-01-12" } },
      { message: "that is paid" },
    ],
    ["a new row by a word of its name", NEW_LINE, { message: "we are out of milk" }],
    [
      "a new row by a plural in -ies",
      { ...NEW_LINE, label: "strawberry", after: { name: "strawberry" } },
      { message: "add strawberries" },
    ],
    ["a new row by its type", NEW_LINE, { message: "put what is missing on the list" }],
    ["a new row by a number", NEW_LINE, { message: "make it 2" }],
    [
      "a new row that the last reply named",
      NEW_LINE,
      { message: "sounds good, add it", lastReply: "Oat milk would do." },
    ],
    ["a deletion", { ...COFFEE, action: "delete" }, {}],
    [
      "an answer to a question",
      ANNA,
      { understanding: makeUnderstanding({ answersPending: "adjust" }) },
    ],
    ["what was agreed to", ANNA, { plan: makePlan({ origin: "proposal", steps: [] }) }],
    [
      "a row that a reference means",
      MEMBER,
      {
        ...refer("member_1"),
        registry: { listed: [], entries: [entry("member_1", "member-1", "member")] },
      },
    ],
    [
      "a row that the turn has changed",
      MEMBER,
      {
        effects: [createEffect({ ref: "member_1", type: "member" })],
        registry: { listed: [], entries: [entry("member_1", "member-1", "member")] },
      },
    ],
    [
      "a row that points at one that the message names",
      MEAL,
      { message: "and the risotto", registry: { listed: [], entries: [RISOTTO] } },
    ],
    [
      "a new row that points at one that the message means",
      NEW_MEAL,
      { ...refer("recipe_1"), registry: { listed: [], entries: [RISOTTO] } },
    ],
    [
      "a new row that points at one that the last reply named",
      NEW_MEAL,
      {
        message: "yes, that",
        lastReply: "How about the risotto?",
        registry: { listed: [], entries: [RISOTTO] },
      },
    ],
    [
      "a new row that saves a draft that the message means",
      NEW_LINE,
      {
        ...refer("gen_line_1"),
        drafts: new Map([[rowKey("line", "line-2"), "gen_line_1"]]),
        registry: { listed: [], entries: [{ ...entry("gen_line_1", "", "line"), id: null }] },
      },
    ],
    [
      "a row that is named beside another",
      OTHER_MEAL,
      { ...MEALS, message: "cancel meal #W6584521 as I did #W5065081" },
    ],
    [
      "another row than the named one where a reference means it",
      OTHER_MEAL,
      {
        ...MEALS,
        message: "keep #W5065081 and cancel the other one",
        understanding: makeUnderstanding({
          references: [{ text: "the other one", ref: "meal_1" }],
        }),
      },
    ],
    [
      "what cannot be taken back of the only row",
      OTHER_MEAL,
      {
        ownTool: "cancel_meal",
        isIrrevocable: true,
        message: "cancel my meal",
        registry: { listed: [], entries: MEALS.registry.entries.slice(0, 1) },
      },
    ],
    [
      "what cannot be taken back of a row that its facts tell from others",
      OTHER_MEAL,
      { ...MEALS, isIrrevocable: true, message: "cancel my meal in the kitchen" },
    ],
    [
      "what cannot be taken back of the row that the last reply named",
      OTHER_MEAL,
      {
        ...MEALS,
        isIrrevocable: true,
        message: "then cancel my meal",
        lastReply: "#W6584521 is planned.",
      },
    ],
    [
      "a link to the row that stands in place of the named one",
      MEAL_LINKED,
      {
        message: "something else than curry for dinner",
        registry: { listed: [], entries: DISHES },
      },
    ],
    [
      "a link to a row that a reference means",
      MEAL_LINKED,
      {
        message: "cod tacos, or no: the second one for dinner",
        registry: { listed: [], entries: DISHES },
        understanding: makeUnderstanding({
          needs: "change",
          references: [{ text: "the second one", ref: "recipe_1" }],
        }),
      },
    ],
    [
      "a new row's link beside a row that is named since it is changed",
      { ...MEAL_LINKED, ...NEW_LINKS },
      {
        message: "call the cod tacos fish tacos, and add dinner",
        registry: { listed: [], entries: DISHES },
        effects: [createEffect({ type: "recipe", ref: "recipe_2" })],
      },
    ],
    ["words of an order to take away", DIET, { message: "take anna off the vegan list" }],
    [
      "a choice that says that something is gone",
      { ...DIET, after: { diet: "cancelled" } },
      { message: "annule Anna" },
    ],
    [
      "the changes of a tool that the message calls",
      COFFEE,
      { message: "close the books", ownTool: "close_month" },
    ],
  ])("%s", (_, one, asked) => {
    expect(select([one], asked)).toEqual([]);
  });

  test("the link of a new row by a part of a name, beside one that stands whole", () => {
    const risotto = { ...MEAL_LINKED, ...NEW_LINKS };
    const tacos = { ...risotto, id: "meal-3", after: { recipe_id: "r-3" } };
    const asked = {
      message: "plan the cod tacos and the risotto",
      registry: { listed: [], entries: DISHES },
    };

    expect(select([tacos, risotto], asked)).toEqual([]);
    expect(select([risotto], asked)).toEqual([risotto]);
  });

  test.each<[string, readonly Change[], Partial<AskedFor>]>([
    [
      "of a call",
      [
        { ...COFFEE, cause: "found" },
        { ...ANNA, type: "line", cause: "found" },
      ],
      {},
    ],
    ["of a tool of the domain", [COFFEE, ANNA], { ownTool: "stock_up" }],
  ])("all that one change %s has brought along", (_, all, asked) => {
    expect(select(all, { message: "enough coffee", ...asked })).toEqual([]);
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
