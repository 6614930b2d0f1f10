import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import type { ArchivedBatch } from "../state/archive.ts";
import type { StepExecutionSummary } from "../state/turn-summary.ts";
import { renderSentence } from "../text/sentences.ts";
import { claimQuotes } from "../claim-analysis/quote-claim.ts";
import type { MetaKind } from "../state/understanding.ts";

/** The batch that a question is about. */
export type MetaBatch = Pick<ArchivedBatch, "batch" | "answers" | "analysis">;

/** Facts about the answer that a question is about, beside its batch. */
export interface MetaFacts {
  /** The domain's, as in "a meal-planning assistant". */
  readonly persona: string;
  /** True where the batch was asked for an earlier answer than the last. */
  readonly isEarlier: boolean;
  /** The steps of the turn that gave an answer without a batch; empty where it had none. */
  readonly steps: readonly Pick<StepExecutionSummary, "stepType" | "outcome">[];
}

/** In characters: an answer quotes, it does not repeat. */
const LENGTH = 160;
const SHOWN = 3;

/**
 * Returns the honest answer to a question about the assistant, from the batch that is meant; null for
 * `memory`, which is answered from the turn summaries. Ids and figures of the map stay out. Pure, total.
 *
 * Source: living-plan.md §8.
 *
 * @example
 * const facts = { persona: "a gardener", isEarlier: false, steps: [] };
 * buildMetaResponse("memory", null, facts); // null
 */
export function buildMetaResponse(
  kind: MetaKind,
  batch: MetaBatch | null,
  facts: MetaFacts,
): string | null {
  switch (kind) {
    case "sources":
    case "agreement":
      return joinParts([
        ...describeAsked(batch, facts),
        ...describeShared(batch?.analysis ?? null),
      ]);
    case "dissent":
      return joinParts([
        ...describeAsked(batch, facts),
        ...describeDissent(batch?.analysis ?? null),
      ]);
    case "identity":
      return joinParts([
        renderSentence("whoIAm", { persona: facts.persona }),
        ...describeAsked(batch, facts),
      ]);
    case "instructions":
      return renderSentence("howIWork");
    case "memory":
      return null;
    default:
      return kind satisfies never;
  }
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Says who was asked what, and how many answered; without a batch, what was looked up and stored. */
function describeAsked(batch: MetaBatch | null, { isEarlier, steps }: MetaFacts): string[] {
  if (batch === null || batch.batch.experts.length === 0) return describeSteps(steps);
  const count = batch.batch.experts.length;
  const answered = batch.answers.filter(({ outcome }) => ANSWERED.has(outcome)).length;
  const { quote } = claimQuotes(batch.analysis ?? { claims: [] });
  return [
    isEarlier ? renderSentence("askedEarlier") : "",
    wordAsked({ count, answered }),
    wordQuestion(batch.batch, quote),
  ];
}

/** A concierge's own prompt gives roles and tasks to the experts: people are told what it was for. */
function wordQuestion(
  { purpose, step, question }: MetaBatch["batch"],
  quote: (text: string, length: number) => string,
): string {
  switch (purpose) {
    case "opening":
      return renderSentence("askedQuestion", { question: quote(question.text, LENGTH) });
    case "workflow":
      return renderSentence("askedForPlan");
    case "step-help":
      return step === null
        ? renderSentence("askedForHelp")
        : renderSentence("askedForStep", { title: step });
    default:
      return purpose satisfies never;
  }
}

function wordAsked({ count, answered }: AskedCounts): string {
  if (answered === 0) return renderSentence("askedInVain", { count });
  if (answered === 1) return renderSentence("askedOne", { count });
  return renderSentence("askedMany", { count, answered });
}

interface AskedCounts {
  readonly count: number;
  readonly answered: number;
}

const ANSWERED: ReadonlySet<MetaBatch["answers"][number]["outcome"]> = new Set([
  "answered",
  "partial",
]);

function describeSteps(steps: MetaFacts["steps"]): string[] {
  const done = steps.filter(({ stepType }) => stepType === "read" || stepType === "write");
  if (done.length === 0) return [renderSentence("nobodyAsked")];
  return [
    listBelow(
      "lookedAtHeading",
      done.map(({ outcome }) => renderSentence("answerRests", { outcome })),
    ),
  ];
}

function describeShared(analysis: StructuralAnalysis | null): string[] {
  if (analysis === null || analysis.metrics.experts === 0) return [];
  const { line } = claimQuotes(analysis);
  const isSingle = analysis.metrics.experts === 1;
  const shared = isSingle ? analysis.claims : analysis.claims.filter(({ strong }) => strong);
  const texts = shared.toSorted(bySupport).map(({ text }) => line(text, LENGTH));
  // A warning is worth hearing before anybody asks where they differed.
  const warnings = listLone(analysis).filter((claim) => isHarm(claim) && !shared.includes(claim));
  return [
    listBelow(isSingle ? "cameBackHeading" : "sharedHeading", texts),
    texts.length === 0 ? renderSentence("littleShared") : "",
    listBelow(
      "saidByOneHeading",
      warnings.map(({ text }) => line(text, LENGTH)),
      warnings.length,
    ),
    listTensions(analysis).length > 0 ? renderSentence("alsoDiffered") : "",
    renderSentence("advisorsCanErr"),
  ];
}

function describeDissent(analysis: StructuralAnalysis | null): string[] {
  if (analysis === null || analysis.metrics.experts < 2) return [];
  const { line } = claimQuotes(analysis);
  const tensions = listTensions(analysis);
  const lone = listLone(analysis)
    .toSorted((a, b) => Number(isHarm(b)) - Number(isHarm(a)))
    .map(({ text }) => line(text, LENGTH));
  return [
    listBelow("differedHeading", tensions.slice(0, SHOWN)),
    // Each of them: nobody else would say it.
    listBelow("saidByOneHeading", lone, lone.length),
    tensions.length === 0 && lone.length === 0 ? renderSentence("noDissent") : "",
    renderSentence("advisorsCanErr"),
  ];
}

/** A warning first: what is cut behind it is no warning. */
function bySupport(a: AnalyzedClaim, b: AnalyzedClaim): number {
  return Number(isHarm(b)) - Number(isHarm(a)) || b.support - a.support;
}

function isHarm({ stakes }: AnalyzedClaim): boolean {
  return stakes === "harm";
}

function listLone({ claims }: StructuralAnalysis): readonly AnalyzedClaim[] {
  return claims.filter(({ supporters }) => supporters.length <= 1);
}

function listTensions(analysis: StructuralAnalysis): readonly string[] {
  const { claim, quote } = claimQuotes(analysis);
  const found = analysis.edges
    .filter(({ type }) => type === "conflicts" || type === "tradeoff")
    .flatMap(({ from, to }) => {
      const [a, b] = [claim(from), claim(to)];
      if (a === null || b === null) return [];
      const [one, other] = [quote(a.text, LENGTH), quote(b.text, LENGTH)];
      return [renderSentence("difference", { one, other })];
    });
  return [...new Set(found)];
}

type Heading =
  | "cameBackHeading"
  | "sharedHeading"
  | "differedHeading"
  | "saidByOneHeading"
  | "lookedAtHeading";

function listBelow(heading: Heading, texts: readonly string[], shown = SHOWN): string {
  const lines = texts.filter((text) => text !== "").slice(0, shown);
  if (lines.length === 0) return "";
  return [renderSentence(heading), ...lines.map((text) => `- ${text}`)].join("\n");
}
