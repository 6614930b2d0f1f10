import { expect, test } from "vitest";
import { timeOwnTurns, timeRivalTurns } from "../../../dev/bench/turn-time.ts";
import type { RecordedCall, RecordedTurn } from "../../../dev/bench/long-recording.ts";

/** A call that reads next to nothing and writes so many words of one token. */
function makeCall(words: number, after: number): RecordedCall {
  const request = {
    role: "act" as const,
    messages: [],
    schema: null,
    tools: [],
    toolChoice: "auto" as const,
    maxOutputTokens: 1,
    onText: null,
    signal: null,
  };
  const usage = { input: 0, cached: 0, output: 0 };
  const text = "a".concat(" a".repeat(words - 1));
  const answer = { text, json: undefined, toolCalls: [], truncated: false, usage };
  return { request, answer, after };
}

function makeTurn(calls: readonly RecordedCall[], begun: number, ended: number): RecordedTurn {
  return { message: "", reply: "", calls, firstWord: { begun, ended }, prompts: [], toolCalls: [] };
}

test("timeOwnTurns() lets calls that ran side by side overlap, and a reply stream", () => {
  const calls = [makeCall(60, 0), makeCall(60, 1), makeCall(120, 1), makeCall(60, 3)];

  const [streamed, byCode] = timeOwnTurns([
    makeTurn(calls, 4, 3),
    makeTurn(calls.slice(0, 1), 1, 1),
  ]);

  // 1.3 s, beside one another 1.3 s and 2.3 s, then the reply.
  expect(streamed?.firstWord).toBeCloseTo(3.9 + 1 / 60, 2);
  expect(streamed?.end).toBeCloseTo(4.9, 2);
  expect(byCode).toEqual({ firstWord: byCode?.end, end: byCode?.end });
  expect(byCode?.end).toBeCloseTo(1.3, 2);
});

test("timeRivalTurns() counts a fold to the end of a turn and not to its first word", () => {
  const call = { prompt: [], output: "a".concat(" a".repeat(59)) };

  const [turn] = timeRivalTurns([{ calls: [call, call, call], reply: 1 }]);

  expect(turn?.firstWord).toBeCloseTo(1.6 + 1 / 60, 2);
  expect(turn?.end).toBeCloseTo(3.9, 2);
});
