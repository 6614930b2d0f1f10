import { neutralise } from "../text/fence.ts";
import type { ExecutionHandover, IntentHandover } from "../state/handover.ts";
import { EXECUTION_KEYS, INTENT_KEYS } from "./handover-keys.ts";

type Value = string | readonly string[] | null;

/**
 * Writes a HANDOVER block, in the form that `parseIntentHandover` reads: the same values come back.
 * What is left out is not known.
 */
export function writeHandoverBlock(handover: Partial<IntentHandover>): string {
  return writeBlock("HANDOVER", writeFields(handover, INTENT_KEYS));
}

/** The parts of a BATCH block; `null` where a type has no such part. */
export type WrittenBatch = { readonly prompt: string } & (
  | { readonly type: "WORKFLOW"; readonly handover: ExecutionHandover }
  | { readonly type: "STEP_HELP"; readonly step: string; readonly context: string }
);

/** Writes a BATCH block, in the form that `parseBatchSignal` reads. */
export function writeBatchBlock(batch: WrittenBatch): string {
  const { type, prompt } = batch;
  const fields =
    type === "WORKFLOW"
      ? ["HANDOVER:", ...writeFields(batch.handover, EXECUTION_KEYS)]
      : [...writeField("STEP", batch.step), ...writeField("CONTEXT", batch.context)];
  return writeBlock("BATCH", [`TYPE: ${type}`, ...fields, "PROMPT:", neutralise(prompt)]);
}

function writeBlock(kind: "HANDOVER" | "BATCH", lines: readonly string[]): string {
  return [`<<<${kind}>>>`, ...lines, "<<<END>>>"].join("\n");
}

/** Writes each field under the first of its keys. */
function writeFields(
  values: Readonly<Record<string, Value>>,
  keys: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(values).flatMap(([field, value]) =>
    writeField(keys[field]?.split(" ")[0] ?? field, value),
  );
}

function writeField(key: string, value: Value): readonly string[] {
  if (value === null) return [];
  if (typeof value === "string") return value === "" ? [] : [`${key}: ${quote(value)}`];
  return value.length === 0 ? [] : [`${key}: [${value.map(quote).join(", ")}]`];
}

/** Quotes a text on one line, so that no part of it can end the block. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll("<", String.raw`\u003c`);
}
