import { kB } from "./figures.ts";
import type { ResultTable } from "./measurement.ts";
import { sumBytes, type WrittenPart } from "./written-bytes.ts";

const MOST_CHANNELS = 12;

/** Where the bytes of some turns go, the most first; `range` names the turns for a reader. */
export function channelsTable(
  range: string,
  turns: readonly { readonly parts: readonly WrittenPart[] }[],
): ResultTable {
  const parts = turns.flatMap((turn) => turn.parts);
  const all = sumBytes(parts);
  const sums = new Map<string, number>();
  for (const { table, channel, bytes } of parts) {
    const name = channel === null ? table : `${table}: ${channel}`;
    sums.set(name, (sums.get(name) ?? 0) + bytes);
  }
  const most = [...sums].toSorted(([, a], [, b]) => b - a).slice(0, MOST_CHANNELS);
  return {
    title: `Where the bytes of turns ${range} go`,
    columns: ["table: channel", "kB a turn", "share, %"],
    rows: most.map(([name, bytes]) => [name, kB(bytes) / turns.length, (100 * bytes) / all]),
    notes: [],
  };
}
