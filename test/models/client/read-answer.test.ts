import { AIMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { readAnswer } from "../../../models/client/read-answer.ts";

test.each([
  [{ finish_reason: "length" }, true],
  [{ finish_reason: "MAX_TOKENS" }, true],
  [{ finish_reason: "stop" }, false],
  [{ finish_reason: "tool_calls" }, false],
  [{ finish_reason: "content_filter" }, false],
  [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, true],
  [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, false],
  [{ status: "incomplete", incomplete_details: null }, true],
  [{ status: "completed", incomplete_details: null }, false],
  [{}, false],
])("readAnswer() finds out whether an answer with %j was cut", (response_metadata, truncated) => {
  const message = new AIMessage({ content: "Soup", response_metadata });

  expect(readAnswer(message).truncated).toBe(truncated);
});

test("readAnswer() keeps all digits of a number in a call's arguments", () => {
  const args = '{"big": 9007199254740993, "exact": 19.999999999999999999, "plain": 0.1}';
  const calls = [{ id: "1", name: "add", args }];
  const message = new AIMessage({ content: "", invalid_tool_calls: calls });

  expect(readAnswer(message).toolCalls.map((call) => call.args)).toEqual([
    { big: "9007199254740993", exact: "19.999999999999999999", plain: 0.1 },
  ]);
});
