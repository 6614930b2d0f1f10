import type { Cell, ResultTable } from "../measurement.ts";
import type { SelfTime } from "./self-time.ts";

/** What was profiled, and whose its time was. */
export interface ProfiledWork {
  readonly name: string;
  readonly times: readonly SelfTime[];
}

/** What has a smaller share of everything is told in one row. */
const LEAST = 0.01;

/** One column a work, one row an owner, in the order of the first work. */
export function sharesTable(works: readonly ProfiledWork[]): Omit<ResultTable, "title"> {
  const owners = [...new Set(works.flatMap(({ times }) => times.map(({ owner }) => owner)))];
  const shareOf = ({ times }: ProfiledWork, owner: string): number =>
    times.find((time) => time.owner === owner)?.share ?? 0;
  const told = owners.filter((owner) => works.some((work) => shareOf(work, owner) >= LEAST));
  const rest = owners.filter((owner) => !told.includes(owner));
  const row = (name: string, of: readonly string[]): Cell[] => {
    const percentages = works.map(
      (work) => 100 * of.reduce((sum, owner) => sum + shareOf(work, owner), 0),
    );
    return [name, ...percentages];
  };
  return {
    columns: ["whose functions", ...works.map(({ name }) => `${name}, %`)],
    rows: [
      ...told.map((owner) => row(owner, [owner])),
      ...(rest.length === 0 ? [] : [row(`others (${rest.length})`, rest)]),
    ],
    notes: [
      "self time of this process's main thread, while it did not wait: what a function calls counts for what is called",
    ],
  };
}
