import { share } from "../facts.ts";
import { pairsAmong, type Shape } from "./shape.ts";

/**
 * Contextual: conditional claims that exclude each other, or that different claims hang on.
 *
 * A claim hangs on the last conditional claim before it. Conditions that stand in one row, each
 * needed by the next, are steps and no branches; what waits for two conditions belongs to neither.
 * Clarity: the share of all claims that are a condition or hang on one.
 */
export const contextual: Shape = {
  name: "contextual",
  holds: ({ branches }) => branches.divide,
  clarity: ({ map, branches: { branches } }) => {
    const involved = branches.flatMap(({ condition, claims }) => [condition, ...claims]);
    return share(new Set(involved).size, map.claims.length);
  },
  evidence: (facts) => {
    const { counts, claims } = facts.map;
    const branches = facts.branches.branches.toSorted(
      (a, b) =>
        b.claims.length - a.claims.length ||
        (counts[b.condition] ?? 0) - (counts[a.condition] ?? 0),
    );
    return {
      core: branches.map(({ condition }) => condition),
      pairs: pairsAmong(facts, {
        type: "conflicts",
        accepts: (claim) => claims[claim]?.type === "conditional",
      }),
      branches,
    };
  },
};
