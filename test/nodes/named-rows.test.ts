import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { selectNamed } from "../../nodes/steps/named-rows.ts";
import type { Change } from "../../state/change.ts";

function deletion(label: string): Change {
  return {
    action: "delete",
    type: "item",
    id: label,
    ref: `item ${label}`,
    label,
    before: {},
    after: null,
    version: 1,
    changed: [],
    cause: "named",
  };
}

const NOTHING_KNOWN = { known: [], entityTypes: [] };

/** Labels of one to three words out of few, so that one often stands inside another. */
const anyWords = fc.array(fc.constantFrom("oat", "milk", "rice", "red"), {
  minLength: 1,
  maxLength: 3,
});
const anyMessage = fc.array(fc.constantFrom("oat", "milk", "rice", "red", "and"), {
  maxLength: 8,
});

/** Returns the first word of each occurrence of a label in a message. */
function listStarts(label: readonly string[], message: readonly string[]): number[] {
  return [...message.keys()].filter((at) =>
    label.every((word, index) => message[at + index] === word),
  );
}

test.prop([fc.array(anyWords, { maxLength: 3 }), fc.array(anyWords, { maxLength: 5 }), anyMessage])(
  "selectNamed() gives a row whose label stands somewhere outside every longer known label, and no other",
  (deleted, known, message) => {
    const all = [...deleted, ...known];
    const expected = deleted.filter((label) =>
      listStarts(label, message).some(
        (at) =>
          !all.some(
            (other) =>
              other.length > label.length &&
              listStarts(other, message).some(
                (start) => start <= at && at + label.length <= start + other.length,
              ),
          ),
      ),
    );

    const named = selectNamed(
      deleted.map((label) => deletion(label.join(" "))),
      {
        message: `Remove: ${message.join(", ").toUpperCase()}!`,
        references: [],
        known: known.map((label) => ({ ...deletion(label.join("-")), type: "other" })),
        entityTypes: [],
      },
    );

    expect(named.map(({ label }) => label)).toEqual(expected.map((label) => label.join(" ")));
  },
);

test.each([
  ["remove milk and oat milk", "milk", ["milk", "oat milk"]],
  ["remove the oat milk", "milk", ["oat milk"]],
  ["remove the oat milk", "oat", ["oat milk"]],
])("selectNamed() follows a reference of the same words no further: %s", (message, text, named) => {
  const changes = ["milk", "oat milk"].map(deletion);
  const references = [{ text, ref: "item milk" }];

  const selected = selectNamed(changes, { message, references, ...NOTHING_KNOWN });

  expect(selected.map(({ label }) => label)).toEqual(named);
});

test("selectNamed() follows a reference to a thing by a part of its own label", () => {
  const changes = [deletion("oat milk")];
  const references = [{ text: "the milk", ref: "item oat milk" }];

  expect(
    selectNamed(changes, { message: "pour the milk away", references, ...NOTHING_KNOWN }),
  ).toEqual(changes);
});

const MILK = { ...deletion("Milk"), type: "inv", id: "1", ref: "inv_1" };
const MORE_MILK = { ...MILK, id: "2", ref: "inv_2" };
const LISTED_MILK = { ...MILK, type: "shop", id: "3", ref: "shop_3" };
const TYPES = [
  { type: "inv", words: { one: "inventory item", many: "inventory items" } },
  { type: "shop", words: { one: "line", many: "lines", also: ["shopping list"] } },
];

test.each([
  ["one of two rows of a label", "drop the milk", [MILK], [MORE_MILK], []],
  ["both rows of a label", "drop the milk", [MILK, MORE_MILK], [], []],
  ["both rows of a label that stands twice", "drop milk, and milk", [MILK, MORE_MILK], [], [1, 2]],
  ["a row of a label that a gone row had", "drop the milk", [MILK], [{ ...MILK, id: null }], [1]],
  ["a row of the type that is named", "milk off my shopping list", [LISTED_MILK], [MILK], [3]],
  ["a row of another type", "milk off my shopping list", [MILK], [LISTED_MILK], []],
  ["rows of two types", "drop the milk", [MILK, LISTED_MILK], [], []],
  [
    "a row of another type, whose label stands twice",
    "milk on the shopping list, no milk in the fridge",
    [MILK],
    [],
    [1],
  ],
  [
    "a row of a label that another one has, whose key a row of another type has",
    "drop milk, and milk",
    [MILK, { ...LISTED_MILK, id: "2" }],
    [MORE_MILK],
    [2],
  ],
  ["one of what is many", "pour the milks away", [MILK], [], [1]],
  ["many by one of them", "eat the tomato", [{ ...MILK, label: "Tomatoes" }], [], [1]],
  [
    "one of two forms",
    "eat the egg",
    [{ ...MILK, label: "eggs" }],
    [{ ...MORE_MILK, label: "Egg" }],
    [],
  ],
  ["a row that is called like its type", "clear the line", [{ ...MILK, label: "Line" }], [], []],
  ["a row that is called like a small word", "that's all", [{ ...MILK, label: "All" }], [], []],
  ["a row that is called like an answer", "Yes!", [{ ...MILK, label: "Yes" }], [], []],
])("selectNamed() gives only what is named beyond doubt: %s", (_, message, rows, known, ids) => {
  const selected = selectNamed(rows, { message, references: [], known, entityTypes: TYPES });

  expect(selected.map(({ id }) => Number(id))).toEqual(ids);
});

test("selectNamed() follows a reference to one of two rows of a label where its words tell them apart, and no further", () => {
  const rows = [MILK, MORE_MILK];
  const select = (message: string, text: string) => {
    const references = [{ text, ref: "inv_2" }];
    return selectNamed(rows, { message, references, known: [], entityTypes: TYPES });
  };

  expect(select("drop the milk", "the milk")).toEqual([]);
  expect(select("drop the milk from Monday", "the milk from Monday")).toEqual([MORE_MILK]);
  expect(select("drop the second milk", "the second milk")).toEqual([MORE_MILK]);
  expect(select("drop the milk from my shopping list", "the milk")).toEqual([]);
});

test.each([
  ["what a day with friends", "it", []],
  ["what a day with friends", "day", ["milk"]],
  ["鱈をやめて", "鱈", ["milk"]],
])(
  "selectNamed() follows a reference whose words stand in the message: %s, %s",
  (message, text, named) => {
    const rows = [{ type: "inv", id: "1", ref: "inv_1", label: "milk" }];
    const references = [{ text, ref: "inv_1" }];
    const found = selectNamed(rows, { message, references, ...NOTHING_KNOWN });
    expect(found.map(({ label }) => label)).toEqual(named);
  },
);

test("selectNamed() takes a reference with the label of something else for no name", () => {
  const [milk, rice] = [deletion("oat milk"), deletion("rice")];
  const referTo = (text: string) => ({
    message: `buy ${text}`,
    references: [{ text, ref: milk.ref ?? "" }],
    known: [milk, rice],
    entityTypes: [],
  });

  expect(selectNamed([milk], referTo("rice"))).toEqual([]);
  expect(selectNamed([milk], referTo("milk"))).toEqual([milk]);
});
