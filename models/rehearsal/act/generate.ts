import type { AnswerCall } from "../answer.ts";
import { joinWords } from "../language/words.ts";
import type { ShownRow } from "../prompt/read-entities.ts";
import type { ShownTable } from "../prompt/read-tables.ts";
import type { MadeUp } from "../world/world.ts";
import { alteredRow, draftOf, changedParts, changeIn, rowAsMadeUp } from "./drafts.ts";
import { complete, fail } from "./ends.ts";
import { draftDays } from "./fill-days.ts";
import { avoidedBy, type Job } from "./job.ts";

/** Makes what is asked for as drafts: something new, a draft changed, days filled. */
export function generate(job: Job): AnswerCall {
  const { table, description } = job;
  if (table === null) return fail(`There is no table for ${job.subdomain}`);
  if (description.startsWith("Change ")) return changeDraft(job, table);
  if (description.startsWith("Draft the days")) return draftDays(job, table);
  return draftThings(job, table);
}

const NUMBER_OF = /^(\d+) different (.+)$/;

function draftThings(job: Job, table: ShownTable): AnswerCall {
  const [, what = "", size] = /^Draft (?:an? )?(.+?)(?: for (\d+))?$/.exec(job.description) ?? [];
  const [, count = "1", thing = what] = NUMBER_OF.exec(what) ?? [];
  const made: MadeUp[] = [];
  const taken = job.rows.map(({ cells }) => cells["name"] ?? "");
  for (let number = 0; number < Number(count); number += 1) {
    const next = job.world.makeUp({
      what: thing,
      size: size === undefined ? job.world.size.usual : Number(size),
      avoid: avoidedBy(job),
      taken: [...taken, ...made.map(({ fields }) => String(fields["name"] ?? ""))],
    });
    if (next !== null) made.push(next);
  }
  if (made.length === 0) return fail(`I have no idea for "${thing}"`);
  const names = made.map(({ fields }) => String(fields["name"] ?? fields["title"] ?? thing));
  return complete({
    summary: `Drafted ${joinWords(names)}`,
    artifacts: made.map((one) => draftOf(one, { ref: null, table })),
  });
}

function changeDraft(job: Job, table: ShownTable): AnswerCall {
  const [ref] = job.refs;
  const row = job.rows.find((candidate) => candidate.ref === ref);
  if (ref === undefined || row === undefined) return fail("The draft is not there to be changed");
  const changed = alteredRow(row, job, table);
  if (changed === null) return fail(`I do not know how to change it that way: ${changeIn(job)}`);
  return complete({
    summary: `Changed ${nameOf(changed, row)}: ${changeIn(job)}`,
    refs: [ref],
    artifacts: [draftOf(changedParts(rowAsMadeUp(row, table, job), changed), { ref, table })],
  });
}

function nameOf(changed: MadeUp, row: ShownRow): string {
  return String(changed.fields["name"] ?? row.cells["name"] ?? row.ref);
}
