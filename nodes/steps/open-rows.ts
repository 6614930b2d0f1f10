import { z } from "zod";
import type { Json } from "../../state/json.ts";
import type { CallResult, StepResult } from "../../state/step.ts";
import { refsInJson } from "../reply/refs-in-text.ts";
import { addFullStop, renderSentence } from "../../text/sentences.ts";

type Failure = CallResult["failures"][number];

/** Parts of a step's result that show which rows are not stored. */
type Written = Pick<StepResult, "calls" | "notStarted">;

/** Rows of the step's writes that did not go in, each once with its last reason: "plums: no room". */
export function openRows(result: Written): string[] {
  const failures = result.calls.flatMap((call) => call.failures);
  const latest = new Map(failures.map((failure) => [failureKey(failure), failure]));
  const refused = [...latest.values()].map(({ label, reason }) => `${label}: ${reason}`);
  if (result.notStarted.length === 0) return refused;
  const left = result.notStarted.join(", ");
  return [...refused, `${left}: ${renderSentence("limitOfCalls")}`];
}

/** Returns true where rows of the step failed more than once: they are not tried again. */
export function triedAgain(result: Pick<StepResult, "calls">): boolean {
  return result.calls.filter(({ failures }) => failures.length > 0).length > 1;
}

/** The text with the rows that are still open named after it. */
export function withOpenRows(result: Written, text: string): string {
  const rows = openRows(result);
  if (rows.length === 0) return text;
  return renderSentence("rowsNotDone", { outcome: addFullStop(text), rows: rows.join("; ") });
}

interface WrittenRow {
  readonly action: "created" | "updated" | "deleted";
  readonly ref: string;
  readonly label: string;
}

/** The status of a write step that ends: whole, in part, or not at all. */
export function writeStatus(result: Written): "done" | "partial" | "failed" {
  if (openRows(result).length === 0 && result.calls.every(({ ok }) => ok)) return "done";
  return hasDoneSomething(result) ? "partial" : "failed";
}

/** Returns true where a write of the step has stored something, or a service has done it. */
export function hasDoneSomething({ calls }: Pick<StepResult, "calls">): boolean {
  return calls.some(
    ({ ok, effect, refs, outside }) =>
      ok && effect === "write" && (refs.length > 0 || hasAnswered({ outside })),
  );
}

/** Returns true for a call that a service outside the database has answered. */
export function hasAnswered({ outside }: Pick<CallResult, "outside">): boolean {
  return outside !== null && outside.answer !== null;
}

/** The calls without the failures of rows that a later call has `written`, and without those that it makes up for. */
export function mendFailures(
  calls: readonly CallResult[],
  later: CallResult,
  written: readonly WrittenRow[],
): CallResult[] {
  return calls.map((call) => {
    if (call.ok) {
      // A row that was not made is not there because another one of its name was deleted.
      const rows = written.filter(({ action }) => action !== "deleted" || call.tool === later.tool);
      return withoutMended(call, new Set(rows.flatMap(({ ref, label }) => [ref, labelKey(label)])));
    }
    return isMadeUpFor(call, later) ? { ...call, failures: [] } : call;
  });
}

/**
 * A refused call is made up for by a later one of its tool that names a row of it. One that names
 * none, such as a creation, is made up for by one with as many rows.
 */
function isMadeUpFor({ tool, refs, args }: CallResult, later: CallResult): boolean {
  if (!later.ok || later.tool !== tool) return false;
  const named = refsInJson(later.args);
  return refs.length === 0
    ? countGivenRows(later.args) >= countGivenRows(args)
    : refs.some((ref) => named.includes(ref));
}

/** Rows in the arguments of a creation; none for every other call. */
function countGivenRows(args: Json): number {
  const parsed = GivenRowsSchema.safeParse(args);
  return parsed.success ? parsed.data.rows.length : 0;
}

const GivenRowsSchema = z.object({ rows: z.array(z.unknown()) });

function withoutMended(call: CallResult, keys: ReadonlySet<string>): CallResult {
  const failures = call.failures.filter((failure) => !keys.has(failureKey(failure)));
  return failures.length === call.failures.length ? call : { ...call, failures };
}

/** A row that has no ref yet is known by its label. */
function failureKey({ ref, label }: Failure): string {
  return ref ?? labelKey(label);
}

function labelKey(label: string): string {
  return `label ${label}`;
}
