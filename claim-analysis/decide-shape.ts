import type { ShapeName } from "../state/analysis.ts";
import { share, type MapFacts } from "./facts.ts";
import { contested, tradeoff } from "./shapes/tension.ts";
import { contextual } from "./shapes/contextual.ts";
import { dimensional } from "./shapes/dimensional.ts";
import { exploratory } from "./shapes/exploratory.ts";
import { keystone } from "./shapes/keystone.ts";
import { linear } from "./shapes/linear.ts";
import { settled } from "./shapes/settled.ts";
import type { Evidence, Shape } from "./shapes/shape.ts";
import type { SupportTally } from "./support.ts";

/** In the order in which evidence decides. */
const SHAPES: readonly Shape[] = [
  contested,
  tradeoff,
  contextual,
  keystone,
  linear,
  settled,
  dimensional,
];

/** The most confidence in a shape that one supporter more or less of one claim would change. */
const UNSTABLE = 0.65;

/** A shape, how sure it is, and what decided it. */
export interface DecidedShape {
  readonly name: ShapeName;
  readonly confidence: number;
  /** The next shape with evidence; null where there is none. */
  readonly runnerUp: ShapeName | null;
  readonly evidence: Evidence;
}

/**
 * Decides a map's shape: the first, in the order of the shapes, that has evidence.
 *
 * Confidence, from 0 to 1, is trust × (¾ + ¼ · clarity), where trust = M ÷ (M + 1) for M experts and
 * clarity is the shape's own; 0 without claims. Where one supporter more or less of one claim would
 * change the shape it is at most 0.65.
 *
 * Contract: a shape decided with a confidence of 0.7 or more is the same after any such change.
 */
export function decideShape(facts: MapFacts): DecidedShape {
  const { experts, claims } = facts.map;
  const [shape = exploratory, runnerUp] = SHAPES.filter((it) =>
    it.holds(facts, facts.support.tally),
  );
  const trust = claims.length === 0 ? 0 : share(experts, experts + 1);
  const confidence = trust * (3 / 4 + shape.clarity(facts) / 4);
  return {
    name: shape.name,
    confidence: survivesAnyChange(shape, facts) ? confidence : Math.min(confidence, UNSTABLE),
    runnerUp: runnerUp?.name ?? null,
    evidence: shape.evidence(facts),
  };
}

function survivesAnyChange(shape: Shape, facts: MapFacts): boolean {
  for (const tally of facts.support.changes()) {
    if (firstHolding(facts, tally) !== shape) return false;
  }
  return true;
}

function firstHolding(facts: MapFacts, tally: SupportTally): Shape {
  return SHAPES.find((shape) => shape.holds(facts, tally)) ?? exploratory;
}
