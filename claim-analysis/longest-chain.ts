import type { Needs } from "./needs.ts";

/**
 * The longest chain in which each claim needs the one before, as positions; empty without a link.
 *
 * Cycles are cut: claims that need each other stand in it as one, the first of them. Of equally
 * long chains it is the one whose claims come first.
 */
export function findLongestChain({ groups, groupNext }: Needs): readonly number[] {
  const links = new Int32Array(groups.length);
  const onward = new Int32Array(groups.length).fill(-1);
  let start = -1;
  for (const at of groups.keys()) {
    // What needs a group comes before it: its own links are known.
    const best = pickBest(groupNext[at] ?? [], at);
    if (best !== -1) {
      links[at] = (links[best] ?? 0) + 1;
      onward[at] = best;
    }
    start = better(at, start);
  }
  if (start === -1 || links[start] === 0) return [];
  const chain: number[] = [];
  for (let at = start; at !== -1; at = onward[at] ?? -1) chain.push(groups[at]?.[0] ?? -1);
  return chain;

  function pickBest(targets: readonly number[], without: number): number {
    let best = -1;
    for (const target of targets) if (target !== without) best = better(target, best);
    return best;
  }

  function better(one: number, other: number): number {
    if (other === -1) return one;
    const longer = (links[one] ?? 0) - (links[other] ?? 0);
    if (longer !== 0) return longer > 0 ? one : other;
    return (groups[one]?.[0] ?? 0) < (groups[other]?.[0] ?? 0) ? one : other;
  }
}
