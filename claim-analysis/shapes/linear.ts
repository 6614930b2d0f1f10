import type { Shape } from "./shape.ts";

/**
 * Linear: a prerequisite chain of at least three claims, and of more than half of those with an edge.
 *
 * Clarity: how far past the half, from 0 to 1 where it is all of them.
 */
export const linear: Shape = {
  name: "linear",
  holds: ({ chain, ratios }) => chain.length >= 3 && ratios.depth > 1 / 2,
  clarity: ({ ratios }) => 2 * ratios.depth - 1,
  evidence: ({ chain }) => ({ core: chain }),
};
