import type { StepResult } from "../state/step.ts";

/** Rows of this step's writes that failed and have not been written since. */
export function openRows(result: StepResult): string[] {
  const writes = result.calls.filter(({ effect }) => effect === "write");
  const failed = writes.flatMap(({ failures }) => failures);
  const written = new Set(writes.filter(({ ok }) => ok).flatMap(({ refs }) => refs));
  return failed
    .filter(({ ref }) => ref === null || !written.has(ref))
    .map(({ label, reason }) => `${label}: ${reason}`);
}

/** Whether writes of the step failed more than once: what is open then stays open. */
export function triedAgain(result: StepResult): boolean {
  return result.calls.filter(({ failures }) => failures.length > 0).length > 1;
}

/** The text with the rows that are still open named after it. */
export function withOpenRows(result: StepResult, text: string): string {
  const rows = openRows(result);
  return rows.length === 0 ? text : `${text} Not done: ${rows.join("; ")}`;
}
