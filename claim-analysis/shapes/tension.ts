import { share } from "../facts.ts";
import type { MapFacts } from "../facts.ts";
import { bySupport, pairsAmong, type Evidence, type Shape } from "./shape.ts";

/** Contested: a conflict between strong claims. */
export const contested: Shape = {
  name: "contested",
  holds: (_facts, tally) => tally.conflicts > 0,
  clarity: (facts) => measureClarity(facts, "conflicts"),
  evidence: (facts) => collectEvidence(facts, "conflicts"),
};

/** Tradeoff: a tradeoff between strong claims. */
export const tradeoff: Shape = {
  name: "tradeoff",
  holds: (_facts, tally) => tally.tradeoffs > 0,
  clarity: (facts) => measureClarity(facts, "tradeoff"),
  evidence: (facts) => collectEvidence(facts, "tradeoff"),
};

/** The mean of what stands in tension: the share of the strong claims' support, and of the edges. */
function measureClarity(facts: MapFacts, type: "conflicts" | "tradeoff"): number {
  const { counts } = facts.map;
  const inTension = new Set(collectEvidence(facts, type).core);
  let [support, all] = [0, 0];
  for (const [claim, count] of counts.entries()) {
    if (!facts.support.strong[claim]) continue;
    all += count;
    if (inTension.has(claim)) support += count;
  }
  return (share(support, all) + facts.ratios.tension) / 2;
}

function collectEvidence(facts: MapFacts, type: "conflicts" | "tradeoff"): Evidence {
  const accepts = (claim: number) => facts.support.strong[claim] === true;
  const pairs = pairsAmong(facts, { type, accepts });
  const core = new Set(pairs.flatMap(({ a, b }) => [a, b]));
  return { core: bySupport(facts, [...core]), pairs };
}
