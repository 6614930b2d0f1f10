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

const SOUP = { text: "soup, [hot,] {", limit: 3 };
const WRITTEN = JSON.stringify(SOUP);

test.each([
  ["with a trailing comma", WRITTEN.replace(/\}$/, ",}")],
  ["with a comment", WRITTEN.replace("{", "{ // the soup\n")],
  ["in a fence", `\`\`\`json\n${WRITTEN}\n\`\`\``],
  ["encoded twice", JSON.stringify(WRITTEN)],
  ["encoded three times", JSON.stringify(JSON.stringify(WRITTEN))],
  ["encoded twice with a trailing comma", JSON.stringify(WRITTEN.replace(/\}$/, ", }"))],
])("readAnswer() reads a call's arguments %s", (_how, args) => {
  const message = new AIMessage({
    content: "",
    invalid_tool_calls: [{ id: "1", name: "a", args }],
  });

  expect(readAnswer(message).toolCalls).toMatchObject([{ args: SOUP, argsError: null }]);
});

test.each([
  ["half an object", WRITTEN.slice(0, -4)],
  ["half of a list of objects", `[${WRITTEN}, {"te`],
  ["two objects", `${WRITTEN}\n${WRITTEN}`],
  ["words", "add milk please"],
  ["half an object, encoded twice", JSON.stringify(WRITTEN).slice(0, -4)],
])("readAnswer() takes %s for no arguments", (_what, args) => {
  const message = new AIMessage({
    content: "",
    invalid_tool_calls: [{ id: "1", name: "a", args }],
  });

  expect(readAnswer(message).toolCalls).toMatchObject([
    { args: null, argsError: expect.stringMatching(/JSON/) },
  ]);
});

test("readAnswer() keeps all digits of a number in a call's arguments", () => {
  const args = '{"big": 9007199254740993, "exact": 19.999999999999999999, "plain": 0.1}';
  const calls = [{ id: "1", name: "add", args }];
  const message = new AIMessage({ content: "", invalid_tool_calls: calls });

  expect(readAnswer(message).toolCalls.map((call) => call.args)).toEqual([
    { big: "9007199254740993", exact: "19.999999999999999999", plain: 0.1 },
  ]);
});
