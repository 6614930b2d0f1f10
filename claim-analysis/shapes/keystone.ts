import { share } from "../facts.ts";
import { bySupport, type Shape } from "./shape.ts";

/**
 * Keystone: a claim that at least three others and a third of all claims need, twice as many as need
 * the next.
 *
 * Clarity: the mean of the share of the other claims that need it, and of its lead (1 − twice the
 * next one's dependents ÷ its own).
 */
export const keystone: Shape = {
  name: "keystone",
  holds: (facts) => facts.keystone !== null,
  clarity: (facts) => {
    if (facts.keystone === null) return 0;
    const { dependents, next } = facts.keystone;
    const lead = 1 - share(2 * next, dependents);
    return (share(dependents, facts.map.claims.length - 1) + lead) / 2;
  },
  evidence: (facts) => {
    if (facts.keystone === null) return { core: [] };
    const { claim } = facts.keystone;
    const dependents = bySupport(facts, facts.needs.reach(claim, "dependents"));
    return { core: [claim], branches: [{ condition: null, claims: dependents }] };
  },
};
