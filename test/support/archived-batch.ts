import { expertQuestion } from "./expert-questions.ts";
import { ClaimSchema } from "../../state/claims.ts";
import type { ArchivedBatch } from "../../state/archive.ts";
import type { StructuralAnalysis } from "../../state/analysis.ts";
import type { ExpertAnswer, ExpertOutcome } from "../../state/batch.ts";
import { DINNER, EMPTY_ANALYSIS } from "./analyses.ts";

/** An analysis of these claims, edges and gaps. */
export function makeAnalysis(
  map: Pick<StructuralAnalysis, "claims" | "edges" | "gaps">,
): StructuralAnalysis {
  return {
    ...EMPTY_ANALYSIS,
    ...map,
    metrics: { ...EMPTY_ANALYSIS.metrics, experts: 4, components: 1, alignment: 0.5, tension: 0.5 },
    shape: {
      ...EMPTY_ANALYSIS.shape,
      name: "contested",
      confidence: 0.8,
    },
  };
}

/** Returns an expert's answer with this outcome. */
export function expertAnswer(expert: string, outcome: ExpertOutcome = "answered"): ExpertAnswer {
  const isThere = outcome === "answered" || outcome === "partial";
  return {
    batch: "t3-b1",
    expert,
    outcome,
    text: isThere ? `What ${expert} says` : "",
    reason: isThere ? null : `No answer: ${outcome}`,
    ms: 2_100,
    usage: { input: 10, cached: 0, output: 5 },
  };
}

/** A reader of maps in Berlin. */
export const BERLIN = { timeZone: "Europe/Berlin", locale: "en-GB" } as const;

/** A finished batch about a dinner for guests. */
export function archivedBatch(changes: Partial<ArchivedBatch> = {}): ArchivedBatch {
  const analysis = DINNER;
  const { claims, edges, gaps } = analysis;
  return {
    turn: 3,
    runId: "run-3",
    batch: {
      id: "t3-b1",
      purpose: "opening",
      question: expertQuestion("How do I feed eight guests?"),
      step: null,
      deadlineAt: 1_768_204_800_000,
      experts: ["role", "risk", "cost", "user", "extra"],
    },
    answers: [
      expertAnswer("role"),
      expertAnswer("risk"),
      expertAnswer("cost", "partial"),
      expertAnswer("user"),
      expertAnswer("extra", "late"),
    ],
    map: {
      claims: claims.map((claim) => ClaimSchema.parse(claim)),
      edges,
      gaps,
    },
    analysis,
    ...changes,
  };
}
