import type { ArchivedBatch } from "../../state/archive.ts";
import type { StructuralAnalysis } from "../../state/analysis.ts";
import type { ExpertAnswer, ExpertOutcome } from "../../state/batch.ts";
import { analyzedClaim, EMPTY_ANALYSIS } from "./analyses.ts";

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

/** A finished batch about a dinner for guests. */
export function archivedBatch(changes: Partial<ArchivedBatch> = {}): ArchivedBatch {
  const analysis = makeAnalysis({
    claims: [
      analyzedClaim({
        id: "c1",
        label: "Order from the <Golden> & Co.",
        text: "Order the main course from the place next door; that leaves the evening free for the guests, and nothing can go wrong at the stove.",
        supporters: [1, 2],
      }),
      analyzedClaim({
        id: "c2",
        label: "Ask who eats what",
        text: "Ask every guest about allergies before anything is bought.",
        supporters: [1, 2, 3, 4],
      }),
      analyzedClaim({ id: "c3", label: "Cook it yourself", supporters: [3, 4] }),
      analyzedClaim({
        id: "c4",
        label: "Eight guests fit at the table",
        supporters: [2],
        type: "factual",
      }),
    ],
    edges: [
      { from: "c1", to: "c3", type: "conflicts", reason: "c3 takes the evening that c1 frees" },
      { from: "c2", to: "c3", type: "prerequisite", reason: "" },
      { from: "c2", to: "c1", type: "supports", reason: "The place cooks around allergies" },
      { from: "c1", to: "c2", type: "tradeoff", reason: "Money" },
    ],
    gaps: ["What it may cost"],
  });
  const { claims, edges, gaps } = analysis;
  return {
    turn: 3,
    runId: "run-3",
    batch: {
      id: "t3-b1",
      purpose: "opening",
      prompt: "How do I feed eight guests?",
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
      claims: claims.map(({ id, label, text, supporters, type }) => ({
        id,
        label,
        text,
        supporters,
        type,
      })),
      edges,
      gaps,
    },
    analysis,
    ...changes,
  };
}
