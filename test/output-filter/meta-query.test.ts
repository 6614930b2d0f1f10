import { describe, expect, test } from "vitest";
import { isMetaQuery } from "../../output-filter/meta-query.ts";
import { TABLES } from "./tables.ts";

describe.each(TABLES)("isMetaQuery() on $file", ({ meta, notMeta }) => {
  test.each(meta)("is about the machinery: %s", (message) => {
    expect(isMetaQuery(message)).toBe(true);
  });

  test.each(notMeta)("is about the world: %s", (message) => {
    expect(isMetaQuery(message)).toBe(false);
  });
});

test("isMetaQuery() reads a typographic apostrophe like a plain one", () => {
  expect(["what's your confidence", "what’s your confidence"].map(isMetaQuery)).toEqual([
    true,
    true,
  ]);
});

test("isMetaQuery() takes a long message as one about something else", () => {
  expect(
    isMetaQuery(`${"We have a flat roof and it leaks. ".repeat(20)}How do you know this?`),
  ).toBe(false);
});
