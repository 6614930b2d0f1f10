import { expect, test } from "vitest";
import type { ModelRequest } from "../../state/model.ts";
import { scriptedModel } from "../support/scripted-model.ts";

const REQUEST: ModelRequest = {
  role: "think",
  messages: [{ role: "user", text: "Hello" }],
  schema: null,
  tools: [],
  toolChoice: "auto",
  maxOutputTokens: 100,
  onText: null,
  signal: null,
};
const NO_USAGE = { input: 0, cached: 0, output: 0 };

test("scriptedModel() gives its entries in order and keeps the requests", async () => {
  const schema = { name: "answer", description: "", schema: {} };
  const model = scriptedModel([
    "plain",
    { json: { a: 1 } },
    { toolCalls: [{ name: "find", args: { limit: 3 } }] },
    (request) => `asked by ${request.role}`,
    { text: "cut of", truncated: true },
  ]);

  const answers = [
    await model.complete(REQUEST),
    await model.complete({ ...REQUEST, schema }),
    await model.complete(REQUEST),
    await model.complete(REQUEST),
    await model.complete(REQUEST),
  ];

  expect(answers).toEqual([
    { text: "plain", json: undefined, toolCalls: [], truncated: false, usage: NO_USAGE },
    { text: '{"a":1}', json: { a: 1 }, toolCalls: [], truncated: false, usage: NO_USAGE },
    {
      text: "",
      json: undefined,
      toolCalls: [{ id: "call_1", name: "find", args: { limit: 3 }, argsError: null }],
      truncated: false,
      usage: NO_USAGE,
    },
    { text: "asked by think", json: undefined, toolCalls: [], truncated: false, usage: NO_USAGE },
    { text: "cut of", json: undefined, toolCalls: [], truncated: true, usage: NO_USAGE },
  ]);
  expect(model.requests).toEqual([REQUEST, { ...REQUEST, schema }, REQUEST, REQUEST, REQUEST]);
  expect(model.remaining()).toBe(0);
});

test("scriptedModel() streams a text in pieces that add up", async () => {
  const pieces: string[] = [];
  const model = scriptedModel("six dishes");

  await model.complete({ ...REQUEST, onText: (piece) => pieces.push(piece) });

  expect(pieces).toEqual(["six d", "ishes"]);
});

test("scriptedModel() throws what its script says, and when the script is over", async () => {
  const model = scriptedModel(new RangeError("no"));

  await expect(model.complete(REQUEST)).rejects.toThrow(new RangeError("no"));
  await expect(model.complete(REQUEST)).rejects.toThrow(
    'Cannot answer "think": the script ended before call 2',
  );
});
