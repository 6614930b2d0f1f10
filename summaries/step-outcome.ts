import type { StepExecutionSummary } from "../state/turn-summary.ts";
import type { StepResult, StepStatus } from "../state/step.ts";
import { clip } from "../registry/shorten.ts";
import { oneLine } from "../text/fence.ts";

/** The first words in the outcome of a step that did not end well. */
const MARKS = {
  open: "Not finished",
  done: "",
  partial: "Partly done",
  failed: "Failed",
  blocked: "Blocked",
  asked: "Asked",
  replan: "Blocked",
  skipped: "Not reached",
} as const satisfies Record<StepStatus, string>;

const OUTCOME_CHARACTERS = 320;
const REASON_CHARACTERS = 120;

/** Describes a step's outcome for the turn summary: its result, its status where it did not end well, and the rows that were not written. */
export function describeOutcome(result: StepResult): string {
  const mark = MARKS[result.status];
  const body = [describeResult(result), describeUnwritten(result)]
    .filter((part) => part !== "")
    .join("; ");
  const text = mark === "" || body === "" ? mark || body : `${mark}: ${body}`;
  return clip(oneLine(text), OUTCOME_CHARACTERS);
}

/** Returns true where a recorded outcome says that the step did not end well. */
export function endedBadly(step: StepExecutionSummary): boolean {
  return Object.values(MARKS).some(
    (mark) => mark !== "" && (step.outcome === mark || step.outcome.startsWith(`${mark}: `)),
  );
}

/** Returns a recorded outcome without the question of a step that asked, for a prompt that shows what was said. */
export function omitQuestion(outcome: string): string {
  return outcome.startsWith(`${MARKS.asked}: `) ? MARKS.asked : outcome;
}

function describeResult(result: StepResult): string {
  const question = result.question === null ? [] : [result.question];
  const reason = result.blocked === null ? [] : [result.blocked.reason];
  const outcome = result.outcome === "" ? [] : [result.outcome];
  return [...new Set([...question, ...reason, ...outcome])].join("; ");
}

/** Describes the rows that were not written, unless the outcome names them already. */
function describeUnwritten(result: StepResult): string {
  const failures = result.calls
    .flatMap((call) => call.failures)
    .filter((failure) => !result.outcome.includes(failure.label));
  if (failures.length === 0) return "";
  const names = failures.map(
    ({ label, reason }) => `${label} (${clip(reason, REASON_CHARACTERS)})`,
  );
  return `not done: ${names.join(", ")}`;
}
