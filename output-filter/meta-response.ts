import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import { renderSentence } from "../text/sentences.ts";
import { claimQuotes } from "../claim-analysis/quote-claim.ts";

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
  if (analysis === null || analysis.metrics.experts === 0) return renderSentence("nobodyAsked");
  const { claims, gaps, metrics } = analysis;
  const { line } = claimQuotes(analysis);
  const quoted = (texts: readonly string[]): string[] => texts.map((text) => line(text, LENGTH));
  const single = metrics.experts === 1;
  const shared = single ? claims : claims.filter(({ strong }) => strong).toSorted(bySupport);
  return [
    earlier ? renderSentence("askedEarlier") : "",
    single ? renderSentence("askedOne") : renderSentence("askedMany", { count: metrics.experts }),
    list(
      single ? renderSentence("cameBackHeading") : renderSentence("sharedHeading"),
      quoted(shared.map(({ text }) => text)),
    ),
    shared.length === 0 && !single ? renderSentence("littleShared") : "",
    list(renderSentence("differedHeading"), differences(analysis)),
    list(renderSentence("openHeading"), quoted(gaps)),
    renderSentence("advisorsCanErr"),
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
        : [
            renderSentence("difference", {
              one: quote(a.text, LENGTH),
              other: quote(b.text, LENGTH),
            }),
          ];
    });
  return [...new Set(found)];
}

function list(heading: string, texts: readonly string[]): string {
  const lines = texts.filter((text) => text !== "").slice(0, SAID);
  return lines.length === 0 ? "" : [heading, ...lines.map((text) => `- ${text}`)].join("\n");
}
