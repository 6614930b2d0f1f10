import { createRefBook } from "../registry/ref-book.ts";
import type { ToolCall } from "../state/model.ts";
import type { Artifact, StepResult } from "../state/step.ts";
import { messageForModel, readArtifact } from "./drafts.ts";
import { openRows, triedAgain } from "./open-rows.ts";
import type { ActRound, OpenStep } from "./round.ts";
import { endsStep, readStepEnd, type StepEnd } from "./step-tools.ts";

/** What is wrong with what a step wants to do, as sentences that go back to its model; empty when nothing is. */
export function checkCalls(calls: readonly ToolCall[], open: OpenStep): string[] {
  if (calls.length === 0) {
    return [
      "no tool was called; call a tool, or end the step with complete_step, block_step or fail_step",
    ];
  }
  const doing = calls.filter((call) => !endsStep(call));
  if (doing.length > 0) return doing.flatMap((call) => checkDoing(call, open));
  const [first] = calls;
  const end = first === undefined ? null : readStepEnd(first, open.step.stepType);
  if (end === null) return [];
  return end.kind === "wrong" ? [end.problem] : checkEnd(end, open);
}

function checkDoing(call: ToolCall, { step, result, round }: OpenStep): string[] {
  const known = round.tools[step.stepType].map(({ name }) => name);
  return [
    ...(known.includes(call.name)
      ? []
      : [`tool "${call.name}" does not exist; there are: ${known.join(", ")}`]),
    ...(answeredBefore(call, result)
      ? [`${call.name} with these arguments has answered already; use what it gave or end the step`]
      : []),
  ];
}

function answeredBefore(call: ToolCall, result: StepResult): boolean {
  const args = JSON.stringify(call.args);
  return result.calls.some(
    ({ tool, ok, args: before }) => ok && tool === call.name && JSON.stringify(before) === args,
  );
}

function checkEnd(end: StepEnd, { step, result, round }: OpenStep): string[] {
  if (end.kind !== "complete") return [];
  const demotedCounts = step.stepType === "analyze";
  const rows = openRows(result);
  const openProblem =
    rows.length > 0 && result.calls.at(-1)?.ok !== false && !triedAgain(result)
      ? [`rows are still open: ${rows.join("; ")}. Try those once more, or block the step`]
      : [];
  const nothingWritten =
    step.stepType === "write" && !result.calls.some(({ effect }) => effect === "write")
      ? ["nothing was written in this step; write, or end it with block_step or fail_step"]
      : [];
  return [
    ...checkRefs(end.refs, { round, demotedCounts }),
    ...openProblem,
    ...nothingWritten,
    ...checkArtifacts(end.artifacts, round),
  ];
}

/** Every ref must exist; a judgement must leave out what the person has excluded. */
function checkRefs(
  refs: readonly string[],
  { round, demotedCounts }: { readonly round: ActRound; readonly demotedCounts: boolean },
): string[] {
  const { registry } = round.view;
  const book = createRefBook(registry);
  const demoted = new Set(
    registry.entries.flatMap(({ ref, demotion }) => (demotion === null ? [] : [ref])),
  );
  return refs.flatMap((ref) => {
    try {
      book.resolve(ref);
    } catch (error) {
      return [messageForModel(error)];
    }
    return demotedCounts && demoted.has(ref)
      ? [`ref "${ref}" is excluded by the person; leave it out`]
      : [];
  });
}

function checkArtifacts(artifacts: readonly Artifact[], round: ActRound): string[] {
  const facts = { registry: round.view.registry, toolbox: round.services.toolbox };
  return artifacts.flatMap((artifact) => {
    const reading = readArtifact(artifact, facts);
    return reading.kind === "wrong" ? [reading.problem] : [];
  });
}
