import { neutralise } from "../text/fence.ts";
import type { ExecutionHandover, IntentHandover } from "../state/handover.ts";
import { readItem, readText } from "./values.ts";

/**
 * Writes a HANDOVER block in the wire format.
 *
 * Contract: `parseIntentHandover` gives the handover back as it is, when its goal is a real one. Only
 * what is blank is normalised: blank items are left out, a blank text is `""`, a blank
 * `resistedFraming` null.
 */
export function renderIntentHandover(handover: IntentHandover): string {
  return [
    "<<<HANDOVER>>>",
    textLine("shape", handover.shape),
    ...listLines("key_findings", handover.keyFindings),
    ...listLines("tensions", handover.tensions),
    ...listLines("gaps", handover.gaps),
    textLine("user_query", handover.userQuery),
    textLine("starter_response", handover.starterResponse),
    textLine("user_reply", handover.userReply),
    textLine("goal", handover.impliedGoal),
    ...listLines("constraints", handover.revealedConstraints),
    textLine("accepted_framing", handover.acceptedFraming),
    textLine("resisted_framing", handover.resistedFraming ?? ""),
    ...listLines("unprompted_reveals", handover.unpromptedReveals),
    ...listLines("still_unclear", handover.stillUnclear),
    `effective_stance: ${handover.effectiveStance}`,
    "<<<END>>>",
  ].join("\n");
}

export interface ExecutionBlock {
  readonly handover: ExecutionHandover;
  readonly prompt: string;
}

/**
 * Writes a BATCH block of TYPE WORKFLOW in the wire format.
 *
 * Contract: `parseBatchSignal` gives the handover back as it is, when its goal is a real one (blank
 * items left out), and the prompt trimmed and with `<<<` neutralised.
 */
export function renderExecutionBlock(block: ExecutionBlock): string {
  const { handover } = block;
  const fields = [
    textLine("goal", handover.goal),
    textLine("problem_summary", handover.problemSummary),
    textLine("situation", handover.situation),
    ...listLines("constraints", handover.constraints),
    ...listLines("priorities", handover.priorities),
    ...listLines("decisions_made", handover.decisionsMade),
    ...listLines("open_questions", handover.openQuestions),
    ...listLines("exploration_highlights", handover.explorationHighlights),
  ];
  return [
    "<<<BATCH>>>",
    "TYPE: WORKFLOW",
    "",
    "HANDOVER:",
    ...fields.map((line) => `  ${line}`),
    "",
    ...promptLines(block.prompt),
    "<<<END>>>",
  ].join("\n");
}

export interface StepHelpBlock {
  readonly step: string | null;
  readonly blocker: string | null;
  readonly context: string | null;
  readonly prompt: string;
}

/**
 * Writes a BATCH block of TYPE STEP_HELP in the wire format; what is null is left out.
 *
 * Contract: `parseBatchSignal` gives step, blocker and context back as they are (blank ones as null),
 * and the prompt trimmed and with `<<<` neutralised.
 */
export function renderStepHelpBlock(block: StepHelpBlock): string {
  const { step, blocker, context } = block;
  const fields = Object.entries({ STEP: step, BLOCKER: blocker, CONTEXT: context });
  return [
    "<<<BATCH>>>",
    "TYPE: STEP_HELP",
    "",
    ...fields.flatMap(([key, value]) => (value === null ? [] : [textLine(key, value)])),
    "",
    ...promptLines(block.prompt),
    "<<<END>>>",
  ].join("\n");
}

function promptLines(prompt: string): string[] {
  return ["PROMPT:", neutralise(prompt.trim())];
}

function textLine(key: string, value: string): string {
  if (value.trim() === "") return `${key}: null`;
  return `${key}: ${written(value, (raw) => readText([raw]))}`;
}

function listLines(key: string, items: readonly string[]): string[] {
  const solid = items.filter((item) => item.trim() !== "");
  if (solid.length === 0) return [`${key}: []`];
  return [`${key}:`, ...solid.map((item) => `  - ${written(item, (raw) => readItem(raw).join())}`)];
}

/** The plainest form that reads back as the value: bare, quoted, or with every character escaped. */
function written(value: string, read: (raw: string) => string): string {
  const quoted = JSON.stringify(value).replaceAll("<", "\\u003c");
  const bare = !/[\n\r]|<<</.test(value) && !value.startsWith("`") && value === value.trim();
  if (bare && read(value) === value) return value;
  return read(quoted) === value ? quoted : `"${escaped(value)}"`;
}

function escaped(value: string): string {
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
