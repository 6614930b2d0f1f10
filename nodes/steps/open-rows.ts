import type { CallResult, StepResult } from "../../state/step.ts";
import { refsInJson } from "../reply/refs-in-text.ts";
import { joinItems } from "../../text/join-list.ts";
import { addFullStop, renderSentence } from "../../text/sentences.ts";
import { joinLabels, listCreations, type Creation, type KnownRows } from "./name-calls.ts";

type Failure = CallResult["failures"][number];

/** Parts of a step's result that show which rows are not stored. */
type Written = Pick<StepResult, "calls" | "notStarted">;

/** Lists the rows that the step's calls did not write, each once with its last reason. */
export function listFailures(calls: readonly CallResult[]): Failure[] {
  const failures = calls.flatMap((call) => call.failures);
  return [...new Map(failures.map((failure) => [failureKey(failure), failure])).values()];
}

/** Rows of the step's writes that did not go in, each once with its last reason: "plums: no room". */
export function openRows(result: Written): string[] {
  const refused = listFailures(result.calls).map(({ label, reason }) => `${label}: ${reason}`);
  if (result.notStarted.length === 0) return refused;
  const left = joinItems(result.notStarted);
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
    ({ ok, effect, refs, undescribed, outside }) =>
      ok &&
      effect === "write" &&
      (refs.length > 0 || undescribed !== null || hasAnswered({ outside })),
  );
}

/** Lists the refs that the step's calls found or wrote, each once. */
export function listTouched({ calls }: Pick<StepResult, "calls">): string[] {
  return [...new Set(calls.filter(({ ok }) => ok).flatMap(({ refs }) => refs))];
}

/** Returns true for a call that a service outside the database has answered. */
export function hasAnswered({ outside }: Pick<CallResult, "outside">): boolean {
  return outside !== null && outside.answer !== null;
}

/**
 * The calls of a step without the failures of rows that the last one has `written`, and without those
 * that later ones make up for.
 */
export function mendFailures(
  calls: readonly CallResult[],
  written: readonly WrittenRow[],
  known: KnownRows,
): CallResult[] {
  const last = calls.at(-1);
  return calls.map((call, index) => {
    if (call === last) return call;
    if (call.ok) {
      // A row that was not made is not there because another one of its name was deleted.
      const rows = written.filter(({ action }) => action !== "deleted" || call.tool === last?.tool);
      return withoutMended(call, new Set(rows.flatMap(({ ref, label }) => [ref, labelKey(label)])));
    }
    const later = calls.slice(index + 1).filter(({ ok, tool }) => ok && tool === call.tool);
    return later.length === 0 ? call : withoutMadeUp(call, later, known);
  });
}

/**
 * A refused call is made up for by a later one of its tool that names a row of it; one that names
 * none, such as a creation, by those that make the same. What is still missing stays open.
 */
function withoutMadeUp(
  call: CallResult,
  later: readonly CallResult[],
  known: KnownRows,
): CallResult {
  const { refs, failures } = call;
  if (refs.length > 0) {
    const named = new Set(later.flatMap(({ args }) => refsInJson(args)));
    return refs.some((ref) => named.has(ref)) ? { ...call, failures: [] } : call;
  }
  const made = later.flatMap((each) => listMade(each, known));
  const missing = listCreations(readCall(call), known).filter(({ keys }) => {
    const at = made.findIndex((other) => other.keys.some((key) => keys.includes(key)));
    if (at !== -1) made.splice(at, 1);
    return at === -1;
  });
  if (missing.length === 0) return { ...call, failures: [] };
  const label = joinLabels(missing.map((each) => each.label));
  return { ...call, failures: failures.map(({ reason }) => ({ label, ref: null, reason })) };
}

/** Lists all that a call was to make, but the rows that did not go in. */
function listMade(call: CallResult, known: KnownRows): readonly Creation[] {
  const failed = new Set(call.failures.map(({ label }) => label));
  return listCreations(readCall(call), known).filter(({ label }) => !failed.has(label));
}

function readCall({ tool, args }: CallResult): Parameters<typeof listCreations>[0] {
  return { name: tool, args };
}

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

/** The outcome of a write step that code ends: what its calls came to. */
export function summariseWrites(calls: readonly CallResult[]): string {
  const writes = calls.filter(({ ok, effect }) => ok && effect === "write");
  return writes.map(({ summary }) => summary).join("; ");
}
