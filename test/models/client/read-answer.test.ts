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
