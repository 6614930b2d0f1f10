import { bySupport, pairsAmong, type Shape } from "./shape.ts";

/** As many of the best supported claims as are worth naming where nothing stands out. */
const NAMED = 5;

/**
 * Exploratory: what is left when no other shape has evidence.
 *
 * Clarity: the lesser of what is missing, agreement (1 − alignment) and structure (fragmentation): a
 * dense map of no known form is not clearly exploratory. 0 without claims.
 */
export const exploratory: Shape = {
  name: "exploratory",
  holds: () => true,
  clarity: ({ map, ratios }) =>
    map.claims.length === 0 ? 0 : Math.min(1 - ratios.alignment, ratios.fragmentation),
  evidence: (facts) => ({
    core: bySupport(facts, [...facts.map.claims.keys()]).slice(0, NAMED),
    pairs: pairsAmong(facts, { type: "conflicts", accepts: () => true }),
  }),
};
