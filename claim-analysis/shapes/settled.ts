import { pairsAmong, bySupport, type Shape } from "./shape.ts";

/**
 * Settled: more than half of all support is on the core, the strong claims that are in conflict with
 * no strong one. What few say against them unsettles nothing: it shows as dissent and in `pairs`.
 *
 * Clarity: how far past the half, from 0 to 1 where it is all of it.
 */
export const settled: Shape = {
  name: "settled",
  holds: (_facts, { core, total }) => 2 * core > total,
  clarity: ({ ratios }) => 2 * ratios.alignment - 1,
  evidence: (facts) => {
    const core = [...facts.map.claims.keys()].filter((claim) => facts.support.core[claim]);
    const against = pairsAmong(facts, { type: "conflicts", accepts: () => true });
    return {
      core: bySupport(facts, core),
      pairs: against.filter(({ a, b }) => facts.support.core[a] || facts.support.core[b]),
    };
  },
};
