import type { ExecutionHandover, IntentHandover } from "../state/handover.ts";
import { neutralise } from "../text/fence.ts";
import type { BatchType } from "../state/signal.ts";
import { EXECUTION_KEYS, INTENT_KEYS } from "./handover-keys.ts";
import { readItem, readBlockText } from "./values.ts";

/**
 * Writes a HANDOVER block in the wire format.
 *
 * Contract: `parseIntentHandover` gives the handover back as it is, when its goal is a real one. Only
 * what is blank is normalised: blank items are left out, a blank text is `""`, a blank
 * `resistedFraming` null.
 */
export function renderIntentHandover(handover: IntentHandover): string {
  return ["<<<HANDOVER>>>", ...fieldLines(INTENT_KEYS, handover), "<<<END>>>"].join("\n");
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
  const fields = fieldLines(EXECUTION_KEYS, block.handover).map((line) => `  ${line}`);
  return renderBatch("WORKFLOW", ["HANDOVER:", ...fields], block.prompt);
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
  const lines = fields.flatMap(([key, value]) => (value === null ? [] : fieldLine(key, value)));
  return renderBatch("STEP_HELP", lines, block.prompt);
}

function renderBatch(type: BatchType, fields: readonly string[], prompt: string): string {
  const parts = [`<<<BATCH>>>\nTYPE: ${type}`, fields.join("\n")];
  return [...parts, `PROMPT:\n${neutralise(prompt.trim())}\n<<<END>>>`].join("\n\n");
}

/** The fields in the order of their keys, each under its first key. */
function fieldLines<Field extends string>(
  keys: Readonly<Record<Field, string>>,
  values: Readonly<Record<Field, string | readonly string[] | null>>,
): string[] {
  const lines: string[] = [];
  for (const field in keys) {
    const [key = ""] = keys[field].split(" ");
    lines.push(...fieldLine(key, values[field] ?? ""));
  }
  return lines;
}

function fieldLine(key: string, value: string | readonly string[]): string[] {
  if (typeof value !== "string") return listLines(key, value);
  if (value.trim() === "") return [`${key}: null`];
  return [`${key}: ${written(value, (raw) => readBlockText([raw]))}`];
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
