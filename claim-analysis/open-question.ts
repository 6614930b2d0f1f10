import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import type { Tension } from "./brief-tensions.ts";
import type { BriefWords } from "./brief-words.ts";

export interface OpenQuestionInput {
  readonly analysis: StructuralAnalysis;
  /** The most important claim first. */
  readonly ordered: readonly AnalyzedClaim[];
  readonly tensions: readonly Tension[];
  readonly words: BriefWords;
}

/** Returns the one question that would help most; never one for yes or no. */
export function openQuestion({ analysis, ordered, tensions, words }: OpenQuestionInput): string {
  const { gaps, metrics, shape } = analysis;
  const [pair] = tensions;
  const [first] = ordered;
  const gap = gaps.find((each) => each.trim() !== "");
  const between = pair === undefined ? null : `${words.name(pair.a)} and ${words.name(pair.b)}`;
  const gate = shape.data.branches.find(({ condition }) => condition !== null)?.condition ?? null;
  const hub = metrics.hub ?? first;
  const start = metrics.chain[0] ?? first;
  switch (shape.name) {
    case "contested":
      if (between === null) break;
      return `what in your situation pulls you one way or the other between ${between}?`;
    case "tradeoff":
      if (between === null) break;
      return `which would you give up first, and why, of ${between}?`;
    case "contextual":
      if (gate === null) break;
      return `how are things with you where this is concerned: ${words.name(gate)}?`;
    case "keystone":
      if (hub === undefined) break;
      return `what do you know, in your own case, of this: ${words.name(hub)}?`;
    case "linear":
      if (start === undefined) break;
      return `how far along are you, seen from ${words.name(start)}, and what stands in the way?`;
    case "dimensional":
      return "which side of this weighs most for you, and why?";
    case "settled":
      if (gap !== undefined || first === undefined) break;
      return `what about your situation might make this fit badly: ${words.name(first)}?`;
    case "exploratory":
      break;
    default:
      shape.name satisfies never;
  }
  return gap === undefined
    ? "what brought this up, and what would a good outcome look like for you?"
    : `what can you tell me about this: ${words.name(gap)}?`;
}
