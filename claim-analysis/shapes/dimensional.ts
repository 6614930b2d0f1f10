import { share, type MapFacts } from "../facts.ts";
import { bySupport, type Shape } from "./shape.ts";

/**
 * Dimensional: at least two groups of connected claims, with more than half of all claims in them,
 * none deciding: the largest has at most two thirds of what is grouped.
 *
 * Clarity: the share of all claims that are in a group.
 */
export const dimensional: Shape = {
  name: "dimensional",
  holds: (facts) => {
    const grouped = groupedIn(facts);
    const largest = facts.groups[0]?.length ?? 0;
    return (
      facts.groups.length >= 2 &&
      2 * grouped > facts.map.claims.length &&
      3 * largest <= 2 * grouped
    );
  },
  clarity: (facts) => share(groupedIn(facts), facts.map.claims.length),
  evidence: (facts) => {
    const groups = facts.groups.map((group) => bySupport(facts, group));
    return {
      core: groups.flatMap((group) => group.slice(0, 1)),
      branches: groups.map((claims) => ({ condition: null, claims })),
    };
  },
};

function groupedIn({ map, alone }: MapFacts): number {
  return map.claims.length - alone.length;
}
