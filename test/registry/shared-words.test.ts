import { expect, test } from "vitest";
import { sharesWord } from "../../registry/shared-words.ts";

test.each([
  ["chapter", "chaptes", true],
  ["chapter1", "chapters", false],
  ["chapters", "chapter1", false],
  ["room12", "room13", false],
])("sharesWord(%o, %o) is %o: a number is no slip of the finger", (text, message, isShared) => {
  expect(sharesWord(text, message)).toBe(isShared);
});
