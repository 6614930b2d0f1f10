import { expect, test } from "vitest";
import { endsAsQuestion } from "../../text/ends-as-question.ts";

test.each<[string, boolean]>([
  ["Which week?", true],
  ["**Which week?**\n", true],
  ["Which one (“the first?”)", true],
  ["どの週ですか？", true],
  ["أي أسبوع؟", true],
  ["Which week? I am putting it together now.", false],
  ["I am putting it together now.", false],
  ["", false],
])("endsAsQuestion() reads the mark at the end, in any script: %j is %s", (text, expected) => {
  expect(endsAsQuestion(text)).toBe(expected);
});
