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
        labels: known.map((label) => label.join("-")),
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
  const references = [{ text, ref: "item milk", how: "exact" as const }];

  const selected = selectNamed(changes, { message, references, labels: [] });

  expect(selected.map(({ label }) => label)).toEqual(named);
});

test("selectNamed() follows a reference to a thing by a part of its own label", () => {
  const changes = [deletion("oat milk")];
  const references = [{ text: "the milk", ref: "item oat milk", how: "inferred" as const }];

  expect(selectNamed(changes, { message: "pour the milk away", references, labels: [] })).toEqual(
    changes,
  );
});

test.each([
  ["what a day with friends", "it", []],
  ["what a day with friends", "day", ["milk"]],
  ["鱈をやめて", "鱈", ["milk"]],
])(
  "selectNamed() follows a reference whose words stand in the message: %s, %s",
  (message, text, named) => {
    const rows = [{ ref: "inv_1", label: "milk" }];
    const references = [{ text, ref: "inv_1", how: "inferred" as const }];
    const found = selectNamed(rows, { message, references, labels: [] });
    expect(found.map(({ label }) => label)).toEqual(named);
  },
);
