import type { ShapeName, Stance } from "../state/analysis.ts";

const EXPLORING: ReadonlySet<ShapeName> = new Set([
  "tradeoff",
  "exploratory",
  "contextual",
  "dimensional",
]);

/** How to meet a message: by its words where they say it, else by the shape of the map. */
export function selectStance(message: string, shape: ShapeName): Stance {
  if (/\b(stress.?test|poke holes|devil's advocate)\b/iu.test(message)) {
    return {
      name: "challenge",
      reason: "the message asks for its thinking to be tested",
      confidence: 0.8,
    };
  }
  if (/\b(which one|should i)\b/iu.test(message)) {
    return { name: "decide", reason: "the message asks for a decision", confidence: 0.7 };
  }
  return EXPLORING.has(shape)
    ? { name: "explore", reason: `the words do not say, and the map is ${shape}`, confidence: 0.5 }
    : {
        name: "default",
        reason: "neither the words nor the map ask for a stance",
        confidence: 0.5,
      };
}
