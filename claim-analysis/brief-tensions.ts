import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import { weightiestFirst } from "./brief-content.ts";
import { compareTexts } from "../registry/refs.ts";

/** Two claims in conflict, or of which one costs the other; the weightier is `a`. */
export interface Tension {
  readonly type: "conflicts" | "tradeoff";
  readonly a: AnalyzedClaim;
  readonly b: AnalyzedClaim;
  readonly reason: string;
}

/** Returns the tensions that decided the shape first, then others by the support of both ends, each pair once. */
export function listTensions({ claims, edges, shape }: StructuralAnalysis): readonly Tension[] {
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const deciding = new Set(shape.data.pairs.map(({ a, b }) => pairKey(a, b)));
  const found = edges.flatMap(({ from, to, type, reason }): Tension[] => {
    const ends = [from, to].flatMap((id) => byId.get(id) ?? []);
    const [a, b] = ends.toSorted(weightiestFirst);
    const isTension = type === "conflicts" || type === "tradeoff";
    return isTension && a !== undefined && b !== undefined && a !== b
      ? [{ type, a, b, reason }]
      : [];
  });
  const isDeciding = ({ a, b }: Tension): number => Number(deciding.has(pairKey(a.id, b.id)));
  const ordered = found.toSorted(
    (x, y) =>
      isDeciding(y) - isDeciding(x) ||
      y.a.support + y.b.support - x.a.support - x.b.support ||
      weightiestFirst(x.a, y.a) ||
      weightiestFirst(x.b, y.b) ||
      compareTexts(x.type, y.type),
  );
  return [...Map.groupBy(ordered, ({ a, b }) => pairKey(a.id, b.id)).values()].flatMap(
    ([first]) => first ?? [],
  );
}

/** The same whichever of the two comes first. */
function pairKey(one: string, other: string): string {
  return JSON.stringify([one, other].toSorted());
}
