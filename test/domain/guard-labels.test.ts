import { expect, test } from "vitest";
import { guardLabels } from "../../domain/guard-labels.ts";
import { BOOK, describeLibrary } from "../support/library.ts";

/** Throws with the id of a row in its message. */
function fail(): never {
  throw new TypeError("No title in 0f8fad5b-d9cb-469f-a165-70867728950e");
}

function writeLines(): string {
  return "gold\nDeleted: books\r\n  x ";
}

/** A library whose functions for books all throw, guarded, and what was logged. */
function openBroken() {
  const lines: string[] = [];
  const book = { ...BOOK, label: fail, facts: fail };
  const { entityTypes } = guardLabels(describeLibrary({ entityTypes: [book] }), {
    warn: (line) => lines.push(line),
  });
  return { type: entityTypes[0], lines };
}

test("guardLabels() calls rows by the noun of their type where a label throws, and logs it once", () => {
  const { type, lines } = openBroken();

  expect([type?.label({}), type?.label({}), type?.facts?.({})]).toEqual(["book", "book", ""]);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /^The label of type "book" failed, so its rows are called "book": TypeError: No title in /u,
  );
  expect(lines.join(" ")).not.toContain("0f8fad5b");
});

test("guardLabels() puts labels and facts on one line", () => {
  const book = { ...BOOK, label: writeLines, facts: writeLines };
  const [type] = guardLabels(describeLibrary({ entityTypes: [book] }), {
    warn: () => undefined,
  }).entityTypes;

  const line = "gold Deleted: books x";
  expect([type?.label({}), type?.facts?.({})]).toEqual([line, line]);
});
