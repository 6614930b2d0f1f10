/**
 * Groups positions that reach each other, given what each leads to; a position on no cycle is alone.
 *
 * Contract: members ascend; a group comes after every group it leads to. Tarjan's algorithm with a
 * stack of its own: graphology's is recursive, and a chain of ten thousand claims overflows it.
 */
export function groupCycles(next: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const order = new Int32Array(next.length).fill(-1);
  const lowest = new Int32Array(next.length);
  const grouped = new Uint8Array(next.length);
  const open: number[] = [];
  const groups: number[][] = [];
  let seen = 0;

  for (let root = 0; root < next.length; root += 1) {
    if (order[root] !== -1) continue;
    const path = [visit(root)];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const target = next[step.at]?.[step.taken];
      if (target === undefined) {
        path.pop();
        close(step.at);
        const parent = path.at(-1);
        if (parent !== undefined) lower(parent.at, lowest[step.at] ?? 0);
      } else {
        step.taken += 1;
        if (order[target] === -1) path.push(visit(target));
        else if (grouped[target] === 0) lower(step.at, order[target] ?? 0);
      }
    }
  }
  return groups;

  function visit(position: number): { at: number; taken: number } {
    order[position] = seen;
    lowest[position] = seen;
    seen += 1;
    open.push(position);
    return { at: position, taken: 0 };
  }

  function lower(position: number, to: number): void {
    lowest[position] = Math.min(lowest[position] ?? 0, to);
  }

  function close(position: number): void {
    if (lowest[position] !== order[position]) return;
    const group = open.splice(open.lastIndexOf(position)).toSorted((a, b) => a - b);
    for (const member of group) grouped[member] = 1;
    groups.push(group);
  }
}
