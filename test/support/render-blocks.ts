import { EXECUTION_KEYS, INTENT_KEYS } from "../../control-blocks/handover-keys.ts";
import type { ExecutionHandover, IntentHandover } from "../../state/handover.ts";

/** Writes a HANDOVER block as concierges do, its values as they are. */
export function renderIntentHandover(handover: IntentHandover): string {
  return ["<<<HANDOVER>>>", ...listFields(INTENT_KEYS, handover), "<<<END>>>"].join("\n");
}

/** Writes a BATCH block of TYPE WORKFLOW. */
export function renderExecutionBlock(handover: ExecutionHandover, prompt: string): string {
  const fields = listFields(EXECUTION_KEYS, handover).map((line) => `  ${line}`);
  return renderBatch("WORKFLOW", ["HANDOVER:", ...fields], prompt);
}

/** Writes a BATCH block of TYPE STEP_HELP. */
export function renderStepHelpBlock(
  fields: Readonly<Record<"STEP" | "BLOCKER" | "CONTEXT", string>>,
  prompt: string,
): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}`);
  return renderBatch("STEP_HELP", lines, prompt);
}

function renderBatch(type: string, fields: readonly string[], prompt: string): string {
  const body = [`TYPE: ${type}`, fields.join("\n"), `PROMPT:\n${prompt}`].join("\n\n");
  return `<<<BATCH>>>\n${body}\n<<<END>>>`;
}

function listFields<Field extends string>(
  keys: Readonly<Record<Field, string>>,
  values: Readonly<Record<Field, string | readonly string[] | null>>,
): string[] {
  const lines: string[] = [];
  for (const field in keys) {
    const [key = ""] = keys[field].split(" ");
    const value: string | readonly string[] | null = values[field];
    if (value === null || value === "") lines.push(`${key}: null`);
    else if (typeof value === "string") lines.push(`${key}: ${value}`);
    else lines.push(`${key}:`, ...value.map((item) => `  - ${item}`));
  }
  return lines;
}
