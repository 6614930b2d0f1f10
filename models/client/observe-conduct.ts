import type { Observation } from "../profile/learn.ts";
import type { EndpointAnswer } from "./ask-endpoint.ts";

/** A streamed answer of more characters comes in several pieces. */
const LONGEST_PIECE = 200;
/** An endpoint that counts a smaller part of what was sent has cut it. */
const LEAST_READ = 0.8;

/** Facts about the call beside its answer. */
export interface CallFacts {
  /** Tokens of the messages that were sent; null where they are not counted. */
  readonly sent: number | null;
  /** True once a stream of this completion ended without a reason. */
  readonly endsUnnamed: boolean;
}

/** Lists what an answer shows of its endpoint, whatever it says. */
export function observeConduct(
  answer: EndpointAnswer,
  { sent, endsUnnamed }: CallFacts,
): readonly Observation[] {
  const { pieces, finishReason, usage, isWhole, text } = answer;
  // A whole answer is complete: where it names no end, streams need not either.
  const isUnnamed = (pieces === null || endsUnnamed) && finishReason === null;
  const style = findReasoningStyle(answer);
  // Where an endpoint counts nothing, a little less than what was counted here.
  const read = usage.input || Math.floor(LEAST_READ * (sent ?? 0));
  const isCut = sent !== null && usage.input > 0 && usage.input < LEAST_READ * sent;
  const observed: readonly (Observation | false)[] = [
    isUnnamed && { kind: "finish-unnamed" },
    usage.cached > 0 && { kind: "cached" },
    isWhole && { kind: "stream-ignored" },
    !isWhole && pieces === 1 && text.length > LONGEST_PIECE && { kind: "whole-stream" },
    style !== null && { kind: "thought", style, tokens: answer.reasoningTokens },
    isCut && { kind: "prompt-cut", read: usage.input },
    read > 0 && { kind: "prompt-read", tokens: read },
  ];
  return observed.filter((one) => one !== false);
}

function findReasoningStyle({ thoughtCharacters, thoughts, reasoningTokens }: EndpointAnswer) {
  if (thoughtCharacters > 0) return "tags";
  if (thoughts !== "") return "field";
  return reasoningTokens > 0 ? "hidden" : null;
}
