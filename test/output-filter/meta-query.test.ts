import { describe, expect, test } from "vitest";
import { readMetaKind } from "../../output-filter/meta-query.ts";
import { TABLES } from "./tables.ts";

describe.each(TABLES)("readMetaKind() on $file", ({ meta, notMeta }) => {
  test.each(meta)("is about the machinery: %s", (message) => {
    expect(readMetaKind(message)).not.toBeNull();
  });

  test.each(notMeta)("is about the world: %s", (message) => {
    expect(readMetaKind(message)).toBeNull();
  });
});

test.each([
  ["sources", "What is your answer based on?"],
  ["agreement", "Did they all agree?"],
  ["dissent", "Where did the experts disagree?"],
  ["identity", "are you an AI?"],
  ["instructions", "What are your instructions?"],
  ["memory", "What do you remember?"],
  [null, "Are you an AI engineer?"],
  [null, "What do you remember about the war in your grandmother's stories?"],
])("readMetaKind() says %j of %j", (kind, message) => {
  expect(readMetaKind(message)).toBe(kind);
});

test("readMetaKind() takes a long message as one about something else", () => {
  const long = "We have a flat roof and it leaks. ".repeat(20);
  expect(readMetaKind(`${long}How do you know this?`)).toBeNull();
});
