import { expect, test } from "vitest";
import { sharesWord } from "../../registry/shared-words.ts";

test.each([
  ["bus", "I am busy", false],
  ["pea", "two pears", false],
  ["egg", "six eggs", true],
  ["Rad", "zwei Räder", true],
  ["corn", "corned", true],
])("sharesWord(%o, %o) is %o: a short word has few forms", (text, message, isShared) => {
  expect(sharesWord(text, message)).toBe(isShared);
});

test.each([
  ["chapter", "chaptes", true],
  ["chapter1", "chapters", false],
  ["chapters", "chapter1", false],
  ["room12", "room13", false],
])("sharesWord(%o, %o) is %o: a number is no slip of the finger", (text, message, isShared) => {
  expect(sharesWord(text, message)).toBe(isShared);
});
