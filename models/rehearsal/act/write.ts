import type { AnswerCall } from "../answer.ts";
import { readRefs } from "../prompt/read-entities.ts";
import type { ShownTable } from "../prompt/read-tables.ts";
import {
  afterRefusal,
  askAbout,
  BREACH,
  failuresIn,
  isLookup,
  partialReason,
  retryOf,
  summaryOf,
} from "./after-write.ts";
import { addItems, call, changeSaved, collect, markDone, move, schedule } from "./calls.ts";
import { complete, fail } from "./ends.ts";
import type { Job } from "./job.ts";
import { afterLookup, lookupOf } from "./look-up.ts";
import { readCall } from "./read.ts";

/** Changes the data as the step says: each row once, what failed once more, then the step ends. */
export function write(job: Job): AnswerCall[] {
  const { calls, table } = job;
  if (table === null) return [fail(`There is no table for ${job.subdomain}`)];
  const last = calls.at(-1);
  if (last === undefined) return finishing(firstCalls(job, table));
  if (last.result.startsWith(BREACH)) return [askAbout(last.result)];
  if (last.result.startsWith("Cannot ")) return [afterRefusal(job, last)];
  if (isLookup(last)) return finishing(afterLookup(job, table, last));
  const failed = failuresIn(last.result);
  if (failed.length === 0) return [complete({ summary: summaryOf(calls) })];
  const again = calls.filter((call) => !isLookup(call)).length === 1 ? retryOf(last, failed) : null;
  return [again ?? fail(partialReason(calls))];
}

/** Calls that write whole rows finish the step, if they go through. */
function finishing(calls: AnswerCall[]): AnswerCall[] {
  const finish = calls.every(({ name }) => /^db_(?:create|update|delete)$/.test(name));
  return finish ? [...calls, complete({ summary: "Done" })] : calls;
}

function isDraftRef(ref: string): boolean {
  return ref.startsWith("gen_");
}

function firstCalls(job: Job, table: ShownTable): AnswerCall[] {
  const { description, refs } = job;
  const named = (lead: string): string | null =>
    description.startsWith(lead) ? description.slice(lead.length) : null;
  if (description.startsWith("Delete everything in ")) {
    return [call("db_delete", { table: table.table, refs: null, where: [], all: true })];
  }
  if (description.startsWith("Delete ") && refs.length > 0) {
    return [call("db_delete", { table: table.table, refs, where: [], all: null })];
  }
  if (description.startsWith("Save ")) {
    const drafts = refs.length > 0 ? refs : readRefs(job.before.join("\n")).filter(isDraftRef);
    return drafts.length === 0
      ? [fail("It is not clear what is to be saved")]
      : [call("db_create", { table: table.table, rows: [], drafts })];
  }
  if (description.startsWith("Change ")) return [changeSaved(job, table)];
  if (description.startsWith("Mark as done: ") && refs.length > 0) return [markDone(refs, table)];
  if (description.startsWith("Move: ") && refs.length > 0) return [move(refs, job, table)];
  if (description.startsWith("Put ") && refs.length > 0) return [schedule(refs, job, table)];
  const built = named("Build the list: ");
  if (built !== null) return [collect(built, job)];
  if (/^Add (?!to ).+ to the \w+$/.test(description)) return [readCall(table, {})];
  const added = /^Add to \w*: (.*)$/.exec(description)?.[1];
  if (added !== undefined) return [addItems(added, job, table)];
  const lookup = lookupOf(job, table);
  return [lookup ?? fail(`I do not know how to do this: ${description}`)];
}
