import type { StructuralAnalysis } from "../state/analysis.ts";
import { oneLine } from "../state/fence.ts";
import type { CountTokens } from "../state/model.ts";

/** What a concierge must know of a map, in words: never ids, counts or names of metrics. */
export function buildStructuralBrief(
  analysis: StructuralAnalysis,
  { countTokens, tokens = 700 }: { readonly countTokens: CountTokens; readonly tokens?: number },
): string {
  const lines = [
    "### Core claims",
    ...analysis.claims.map((claim) => `- ${oneLine(claim.text)}`),
    "### Gaps",
    ...analysis.gaps.map((gap) => `- ${oneLine(gap)}`),
  ];
  const cut = lines.findIndex(
    (_, index) => countTokens(lines.slice(0, index + 1).join("\n")) > tokens,
  );
  return lines.slice(0, cut === -1 ? lines.length : cut).join("\n");
}
