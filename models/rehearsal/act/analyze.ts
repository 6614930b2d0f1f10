import type { AnswerCall } from "../answer.ts";
import { belongsTo, type ShownRow } from "../prompt/read-entities.ts";
import { complete, fail } from "./ends.ts";
import { avoidedBy, type Job } from "./job.ts";

/** Judges what stands in the prompt; nothing is looked up. */
export function analyze(job: Job): AnswerCall {
  const { description, candidates, subdomain } = job;
  const about = /^Recall (.+)$/.exec(description)?.[1];
  if (about !== undefined) return recall(about, job);
  const minutes = /\bat most (\d+) minutes\b/.exec(description)?.[1];
  const options = rowsOf(subdomain, job).filter((row) => isWanted(row, job));
  const remaining = (candidates ?? []).filter((ref) => belongsTo(ref, subdomain));
  if (minutes !== undefined) {
    // Without a word on what remains, everything that is shown has to be looked at.
    const open =
      candidates === null ? options : options.filter(({ ref }) => remaining.includes(ref));
    const fitting = open.filter(
      ({ cells }) => (job.world.minutesOf(cells) ?? Infinity) <= Number(minutes),
    );
    return concluded(refsOf(fitting), job, `take at most ${minutes} minutes`);
  }
  if (description.startsWith("See what remains") && candidates !== null) {
    return concluded(remaining, job, "remain");
  }
  if (options.length === 0) return fail(`There are no ${subdomain.replaceAll("_", " ")} to judge`);
  const { stock } = job.world.parts;
  const names = rowsOf(stock, job).map(nameOf);
  const possible = options.filter(({ cells }) =>
    stock === null ? true : job.world.isPossible({ cells, stock: names }),
  );
  const fit = stock === null ? "are possible" : `fit the ${stock.replaceAll("_", " ")}`;
  return concluded(refsOf(possible), job, fit);
}

/** Looks into earlier turns, then tells what they say. */
function recall(about: string, { calls }: Job): AnswerCall {
  const last = calls.at(-1);
  if (last === undefined) return { name: "recall", args: { ref: null, turn: null, words: about } };
  const told = last.result
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^(?:Turn|Stored|Decided|Concluded|No earlier)\b/.test(line));
  return complete({ summary: told.slice(0, 4).join("; ") });
}

function concluded(refs: readonly string[], { subdomain }: Job, how: string): AnswerCall {
  const what = subdomain.replaceAll("_", " ");
  return complete({
    summary: `${refs.length} ${what} ${how}`,
    refs,
  });
}

function rowsOf(part: string | null, { rows }: Job): ShownRow[] {
  return rows.filter(({ ref }) => belongsTo(ref, part));
}

function refsOf(rows: readonly ShownRow[]): string[] {
  return rows.map(({ ref }) => ref);
}

function nameOf({ cells }: ShownRow): string {
  return cells["name"] ?? cells["title"] ?? Object.values(cells)[0] ?? "";
}

/** Whether nothing in a row is to be avoided. */
export function isWanted(row: ShownRow, job: Job): boolean {
  const text = [...Object.values(row.cells), ...Object.values(row.lists).flat()].join(" , ");
  return !avoidedBy(job).some((avoided) => job.world.names(text, avoided));
}
