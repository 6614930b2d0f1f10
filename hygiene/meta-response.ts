import type { StructuralAnalysis } from "../state/analysis.ts";

const NOBODY_ASKED =
  "That came from my own general knowledge. I asked nobody else about it and looked nothing up.";

/** What is said to a person who asks where an answer came from. Null: no one was asked. */
export function buildMetaResponse(analysis: StructuralAnalysis | null): string {
  if (analysis === null) return NOBODY_ASKED;
  return `I asked ${analysis.metrics.experts} perspectives side by side.`;
}
