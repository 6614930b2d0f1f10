import { parseBatchSignal, diagnoseBatchSignal } from "../../control-blocks/batch-signal.ts";
import { createSignalGate, gated, type SignalGateOptions } from "../../control-blocks/gate.ts";
import {
  diagnoseIntentHandover,
  parseIntentHandover,
} from "../../control-blocks/intent-handover.ts";

const SHOUTED: SignalGateOptions = { postProcess: (text) => text.replaceAll("e", "<") };

/** Reads the characters of a marker that no person may see: brackets behind which a marker begins, damaged or not. */
export const SHOWN_MARKER = /<<< *(?:han|bat|end)/iu;

/** Returns the fault in reading the signals of the text, whole and in chunks; null where there is none. */
export function findSignalFault(text: string, chunks: readonly string[]): string | null {
  const intent = parseIntentHandover(text);
  const batch = parseBatchSignal(text);
  diagnoseIntentHandover(text);
  diagnoseBatchSignal(text);
  const plain = streamed(chunks, {});
  if (intent.userResponse !== batch.userResponse) return "the parsers show different texts";
  if (plain !== intent.userResponse) return "the gate shows another text than the parsers";
  if (plain !== gated(text)) return "the gate shows another text than gated()";
  if (streamed(chunks, SHOUTED) !== gated(text, SHOUTED))
    return "post-processing depends on chunks";
  if (SHOWN_MARKER.test(plain)) return "a marker's characters are shown";
  if (SHOWN_MARKER.test(gated(text, SHOUTED))) return "post-processing shows a marker's characters";
  if (plain !== plain.trim()) return "the shown text is not trimmed";
  return null;
}

/** Returns the text that a gate lets through, joined. */
export function streamed(chunks: readonly string[], options: SignalGateOptions): string {
  const gate = createSignalGate(options);
  return chunks.map((chunk) => gate.push(chunk)).join("") + gate.end();
}
