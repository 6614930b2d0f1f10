import { expect, test } from "vitest";
import type {
  RecordedCall,
  RecordedTurn,
} from "../../../dev/bench/conversation/record-conversation.ts";
import { newParts } from "../../../dev/bench/prompts/new-part.ts";
import { countTokens } from "../../../models/tokens.ts";

test("newParts() counts what follows the beginning that two prompts share, and names its heading", () => {
  const turns = [
    turnOf(1, call("think", "## Known\n\n- eggs\n\n## Message\n\nhello")),
    turnOf(2, call("think", "## Known\n\n- eggs\n\n## Message\n\nthanks")),
  ];

  expect(newParts(turns, { sameTools: true })).toEqual([
    { node: "think", turn: 2, tokens: countTokens("thanks"), from: "Message", afterFold: false },
  ]);
});

test("newParts() compares with the last prompt of the same tools, or of any", () => {
  const turns = [
    turnOf(1, call("act", "## Step\n\nread", "read"), call("act", "## Step\n\nwrite", "write")),
    turnOf(2, call("act", "## Step\n\nread it", "read")),
  ];

  expect(newParts(turns, { sameTools: true }).map(({ from }) => from)).toEqual(["Step"]);
  expect(newParts(turns, { sameTools: false }).map(({ from }) => from)).toEqual([
    "schema and tools",
    "schema and tools",
  ]);
});

test("newParts() marks prompts between which a fold came", () => {
  const turns = [
    turnOf(1, call("think", "a"), call("fold", "x")),
    turnOf(2, call("think", "b")),
    turnOf(3, call("think", "c")),
  ];

  expect(newParts(turns, { sameTools: true }).map(({ afterFold }) => afterFold)).toEqual([
    true,
    false,
  ]);
});

function turnOf(turn: number, ...calls: readonly RecordedCall[]): RecordedTurn {
  return { turn, message: "", calls, reply: "", results: [], drafts: new Map() };
}

function call(node: string, text: string, tool?: string): RecordedCall {
  const tools = tool === undefined ? [] : [{ name: tool, description: "", schema: {} }];
  return {
    node,
    round: 1,
    request: { messages: [{ role: "user", text }], schema: null, tools },
    answer: {
      text: "",
      json: undefined,
      toolCalls: [],
      truncated: false,
      usage: { input: 0, cached: 0, output: 0 },
    },
    sections: [],
  };
}
