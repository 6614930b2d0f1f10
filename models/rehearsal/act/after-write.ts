import { type AnswerCall, asArguments } from "../answer.ts";
import type { PastCall } from "../prompt/read-prompt.ts";
import { askUser, fail } from "./ends.ts";
import type { Job } from "./job.ts";

/** How a refusal begins that only the person can lift. */
export const BREACH = "Not done, it breaks what holds: ";

/** Whether a call only looked for something. */
export function isLookup({ name }: PastCall): boolean {
  return name === "db_read" || name.startsWith("find_") || name === "recall";
}

/** The refusal is the person's to lift: it is named, and whether to go on is asked. */
export function askAbout(result: string): AnswerCall {
  const reason = result.slice(BREACH.length).split(/\. Put it right/)[0] ?? result;
  return askUser(`It was not done: ${reason}.`, `Shall I do it all the same, although ${reason}?`);
}

/** A refused call is put right once where it is clear how; else the step ends with the reason. */
export function afterRefusal(job: Job, last: PastCall): AnswerCall {
  const refused = job.calls.filter(({ result }) => result.startsWith("Cannot "));
  const fields = unknownField(last);
  if (refused.length === 1 && fields !== null) return fields;
  return fail(last.result);
}

/** The same call without the column that the table does not have. */
function unknownField(last: PastCall): AnswerCall | null {
  const column = /^Cannot (?:set|use value .* for) column "([^"]+)"/.exec(last.result)?.[1];
  if (column === undefined || last.name !== "db_create") return null;
  const without = asArguments(withoutNamed(last.args, column));
  return { name: last.name, args: without };
}

/** The value without the list items that bear a name. */
function withoutNamed(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((item: unknown) => !(isNamed(item) && item.name === name))
      .map((item: unknown) => withoutNamed(item, name));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutNamed(inner, name)]),
  );
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === "object" && value !== null && "name" in value;
}

/** One row that was not written: its ref, where it has one, and how it is called. */
interface Failure {
  readonly ref: string | null;
  readonly label: string;
  readonly reason: string;
}

/** Lines `Not done: gen_recipe_2 Lemon Pasta (no room)`. */
export function failuresIn(result: string): Failure[] {
  return result.split("\n").flatMap((line) => {
    const [, ref, label, reason] =
      /^Not done: (?:([a-z]+(?:_[a-z]+)*_\d+)(?: |$))?(.*?) ?\((.*)\)$/.exec(line) ?? [];
    return label === undefined ? [] : [{ ref: ref ?? null, label, reason: reason ?? "" }];
  });
}

/** The call again for the rows that failed; null where they cannot be told apart. */
export function retryOf(last: PastCall, failed: readonly Failure[]): AnswerCall | null {
  const refs = failed.flatMap(({ ref }) => ref ?? []);
  const drafts = last.args["drafts"];
  if (Array.isArray(drafts) && refs.length === failed.length && refs.length < drafts.length) {
    return { name: last.name, args: { ...asArguments(last.args), rows: [], drafts: refs } };
  }
  const named = last.args["refs"];
  if (Array.isArray(named) && refs.length === failed.length && refs.length < named.length) {
    return { name: last.name, args: { ...asArguments(last.args), refs } };
  }
  return null;
}

/** "Saved 2 of 3. Not saved: …", told from what the calls came to. */
export function partialReason(calls: readonly PastCall[]): string {
  const done = calls.flatMap(({ result }) => writtenLines(result)).length;
  const last = failuresIn(calls.at(-1)?.result ?? "");
  const names = last.map(({ ref, label, reason }) => {
    const name = [ref, label].filter((part) => part !== null && part !== "").join(" ");
    return `${name} (${reason})`;
  });
  return `Done for ${done} of ${done + last.length}. Not done: ${names.join("; ")}`;
}

function writtenLines(result: string): string[] {
  return result.split("\n").filter((line) => /^(?:Created|Updated|Deleted) /.test(line));
}

/** What was written, without refs: "Created eggs: 12, fridge". */
export function summaryOf(calls: readonly PastCall[]): string {
  const lines = calls.flatMap(({ result }) => writtenLines(result));
  const texts = lines.map((line) => line.replace(/ [a-z]+(?:_[a-z]+)*_\d+(?= )/, ""));
  return texts.length === 0
    ? unwrittenSummary(calls.at(-1)?.result ?? "Done")
    : texts.slice(0, 6).join("; ");
}

/** What a tool says that had nothing to write. */
function unwrittenSummary(result: string): string {
  const [first = "Done", ...rest] = result.split("\n");
  const what = /^For (.+)\.$/.exec(first)?.[1];
  return what !== undefined && rest.some((line) => line.startsWith("Nothing has to be "))
    ? `Nothing is missing: everything is there for ${what}`
    : first;
}
