import type { ArchivedBatch } from "../../state/archive.ts";
import type { ShapeName } from "../../state/analysis.ts";
import type { ExpertAnswer } from "../../state/batch.ts";
import type { ClaimEdge, ClaimType, EdgeType } from "../../state/claims.ts";
import { claimQuotes } from "../../claim-analysis/quote-claim.ts";
import { SUBJECT } from "../../view/words.ts";

/** A claim in the form that a person sees. */
export interface ViewedClaim {
  /** Joins it to links; never shown. */
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly type: ClaimType;
  /** The share of answering experts: "3 of 4". */
  readonly support: string;
  readonly strong: boolean;
}

/** A link between two claims. In a `prerequisite`, `to` needs `from`. */
export interface ViewedLink {
  readonly from: ViewedClaim;
  readonly to: ViewedClaim;
  readonly type: EdgeType;
  /** Empty where none was given. */
  readonly reason: string;
}

/** The decision map of a batch, in words and without ids. */
export interface MapView {
  /** "What 3 of 4 experts said about the question". */
  readonly title: string;
  readonly shape: ShapeName;
  /** Best supported first. */
  readonly claims: readonly ViewedClaim[];
  readonly links: readonly ViewedLink[];
  /** Questions that no expert answered. */
  readonly gaps: readonly string[];
}

/** A map to look at, or one sentence that says why there is none. */
export type ReadMap =
  | { readonly kind: "map"; readonly view: MapView }
  | { readonly kind: "none"; readonly reason: string };

/** Reads the map of a thread's last batch; null is a thread without one. */
export function readMap(last: ArchivedBatch | null): ReadMap {
  if (last === null) {
    return {
      kind: "none",
      reason: "There is no map yet: no expert has been asked in this conversation.",
    };
  }
  const { batch, answers, analysis } = last;
  const asked = Math.max(batch.experts.length, answers.length);
  const answered = answers.filter(hasAnswer).length;
  const experts = `${answered} of ${asked} ${asked === 1 ? "expert" : "experts"}`;
  if (analysis === null) {
    return {
      kind: "none",
      reason: `There is no map of ${SUBJECT[batch.purpose]}: ${experts} answered, and a map needs two.`,
    };
  }
  const claims = analysis.claims
    .toSorted((a, b) => b.support - a.support)
    .map((claim): ViewedClaim => {
      const { id, label, text, type, strong, supporters } = claim;
      const support = `${supporters.length} of ${analysis.metrics.experts}`;
      return { id, label: label.trim() === "" ? text : label, text, type, strong, support };
    });
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const { line } = claimQuotes(analysis);
  const viewLink = ({ from: a, to: b, type, reason }: ClaimEdge): ViewedLink[] => {
    const [from, to] = [byId.get(a), byId.get(b)];
    return from === undefined || to === undefined
      ? []
      : [{ from, to, type, reason: line(reason, WHOLE) }];
  };
  return {
    kind: "map",
    view: {
      title: `What ${experts} said about ${SUBJECT[batch.purpose]}`,
      shape: analysis.shape.name,
      claims,
      links: analysis.edges.flatMap(viewLink),
      gaps: analysis.gaps.map((gap) => line(gap, WHOLE)),
    },
  };
}

const WHOLE = Number.POSITIVE_INFINITY;

/** Returns true if an expert answered, in whole or in part. */
export function hasAnswer({ outcome }: Pick<ExpertAnswer, "outcome">): boolean {
  return outcome === "answered" || outcome === "partial";
}
