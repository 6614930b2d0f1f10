import type { AnswerCall } from "../answer.ts";
import { describeClause } from "../language/request.ts";
import type { PastCall } from "../prompt/read-prompt.ts";
import { askUser, cannotDo, completeStep, createFailStepCall, isReader, needYes } from "./calls.ts";
import type { Job } from "./job.ts";
import { findLookups } from "./look-up.ts";
import { resolveClause, type Resolved } from "./resolve-clause.ts";

/** Opening words of a refusal for a rule, and its closing words where nobody can lift it. */
const BREACH = "Not done, it breaks what holds: ";
const IS_FINAL = "nobody can override this.";

/** Most calls of a step, look-ups and writes: of more, the last would be left out. */
const MOST_CALLS = 6;

/** Changes the data: first it looks up what the names mean, then it writes all of it or nothing. */
export function write(job: Job): readonly AnswerCall[] {
  const { calls, clauses } = job;
  const writes = calls.filter(({ name }) => !isReader(name));
  const breach = writes.find(({ result }) => result.startsWith(BREACH));
  if (breach !== undefined) return [askAboutBreach(breach.result)];
  // Such a refusal speaks of tools and columns, to whoever wrote the call.
  const isRefused = calls.some(({ result }) => result.startsWith("Cannot "));
  if (isRefused) return [createFailStepCall(cannotDo(job))];
  if (writes.length > 0) return [endAfter(writes, listNotes(resolveClauses(job)))];
  if (clauses.length === 0) return [createFailStepCall(cannotDo(job))];
  const lookups = calls.length === 0 ? findLookups(job) : [];
  return lookups.length > 0 ? lookups : resolveAll(job);
}

/** The calls that carry out all clauses; where one cannot be, the end of the step and no call. */
function resolveAll(job: Job): readonly AnswerCall[] {
  const resolved = resolveClauses(job);
  const failures = resolved.flatMap((each) => (each.kind === "failure" ? [each.reason] : []));
  if (failures.length > 0) return [createFailStepCall(failures.join(" "))];
  const open = resolved.find((each) => each.kind === "question");
  if (open !== undefined) return [askUser(open.found, open.question)];
  const questions = resolved.flatMap((each) => (each.kind === "proposal" ? [each.question] : []));
  if (questions.length > 0) {
    const agreed = resolved.flatMap((each, index) =>
      each.kind === "proposal" ? [each.clause] : (job.clauses[index] ?? []),
    );
    const command = agreed.map((clause) => describeClause(clause, job.words)).join("; ");
    return [needYes(questions.join(" "), command)];
  }
  const writes = resolved.flatMap((each) => (each.kind === "writes" ? each.calls : []));
  const notes = listNotes(resolved);
  if (writes.length === 0) return [createFailStepCall(`${notes.join(". ")}.`)];
  if (job.calls.length + writes.length > MOST_CALLS)
    return [createFailStepCall("That is too much for one message. Please send it in two.")];
  // Beside the calls an end counts when all of them go through, and its words are not passed on.
  return notes.length > 0 ? writes : [...writes, completeStep("Done")];
}

function resolveClauses(job: Job): Resolved[] {
  return job.clauses.map((clause) => resolveClause(clause, job));
}

/** Lists what the clauses leave as it is. */
function listNotes(resolved: readonly Resolved[]): string[] {
  return [...new Set(resolved.flatMap((each) => (each.kind === "writes" ? each.notes : [])))];
}

function askAboutBreach(result: string): AnswerCall {
  const reason = result.slice(BREACH.length).split(/\. Put it right/)[0] ?? result;
  if (result.endsWith(IS_FINAL)) return createFailStepCall(`It breaks what holds: ${reason}.`);
  return askUser(`It was not done: ${reason}.`, `Shall I do it all the same, although ${reason}?`);
}

function endAfter(writes: readonly PastCall[], notes: readonly string[]): AnswerCall {
  const lines = writes.flatMap(({ result }) => result.split("\n"));
  const done = lines.filter((line) => /^(?:Created|Updated|Deleted) /.test(line));
  const failed = lines.flatMap((line) => /^Not done: (.+)$/.exec(line)?.[1] ?? []);
  if (failed.length === 0) return completeStep([...done.slice(0, 6), ...notes].join("; "));
  const all = done.length + failed.length;
  return createFailStepCall(`Done for ${done.length} of ${all}. Not done: ${failed.join("; ")}`);
}
