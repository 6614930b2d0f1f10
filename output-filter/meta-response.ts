import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import { claimQuotes } from "../claim-analysis/quote-claim.ts";

const NOBODY_ASKED =
  "That came from my own general knowledge: I asked nobody about it and looked nothing up. Check what you would build on.";
const CAUTION =
  "They are AI advisors, and agreeing does not make them right: check what you would build on.";

/** In characters: an answer quotes, it does not repeat. */
const LENGTH = 160;
const SAID = 3;

/**
 * The honest answer to a question about the machinery (`isMetaQuery`), from the archived analysis
 * of the answer that is meant: how many were asked, what they agreed on, where they differed, what
 * is open. Null: nobody was asked, and it says so. Ids and metrics stay out. `earlier`: the answer
 * that is meant was given without asking anew, and that is said first.
 */
export function buildMetaResponse(
  analysis: StructuralAnalysis | null,
  { earlier = false }: { readonly earlier?: boolean } = {},
): string {
  if (analysis === null || analysis.metrics.experts === 0) return NOBODY_ASKED;
  const { claims, gaps, metrics } = analysis;
  const { line } = claimQuotes(analysis);
  const quoted = (texts: readonly string[]): string[] => texts.map((text) => line(text, LENGTH));
  const single = metrics.experts === 1;
  const shared = single ? claims : claims.filter(({ strong }) => strong).toSorted(bySupport);
  return [
    earlier
      ? "For my last answer I asked nobody anew. Earlier in this conversation I did; this is what came back then."
      : "",
    single
      ? "I asked one advisor, so nothing was checked against a second view."
      : `I asked ${metrics.experts} advisors separately, compared what came back, and answered from that.`,
    list(
      single ? "What came back" : "What at least half of them stood behind",
      quoted(shared.map(({ text }) => text)),
    ),
    shared.length === 0 && !single
      ? "They shared little: there is no point that half of them made."
      : "",
    list("Where they differed", differences(analysis)),
    list("What stayed open", quoted(gaps)),
    CAUTION,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function bySupport(a: AnalyzedClaim, b: AnalyzedClaim): number {
  return b.support - a.support;
}

function differences(analysis: StructuralAnalysis): string[] {
  const { claim, quote } = claimQuotes(analysis);
  const found = analysis.edges
    .filter(({ type }) => type === "conflicts" || type === "tradeoff")
    .flatMap(({ from, to }) => {
      const [a, b] = [claim(from), claim(to)];
      return a === null || b === null
        ? []
        : [`${quote(a.text, LENGTH)}, and on the other hand ${quote(b.text, LENGTH)}`];
    });
  return [...new Set(found)];
}

function list(title: string, texts: readonly string[]): string {
  const lines = texts.filter((text) => text !== "").slice(0, SAID);
  return lines.length === 0 ? "" : [`${title}:`, ...lines.map((text) => `- ${text}`)].join("\n");
}
