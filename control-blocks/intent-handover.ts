import {
  type EffectiveStance,
  type IntentHandover,
  IntentHandoverSchema,
} from "../state/handover.ts";
import type { IntentSignal } from "../state/signal.ts";
import { chooseBlock, type SignalOptions, type SignalProblem } from "./choose-block.ts";
import { keyNames, readFields } from "./fields.ts";
import { INTENT_KEYS } from "./handover-keys.ts";
import { isPlaceholder } from "./placeholders.ts";
import { readBlockText, readBlockValues } from "./values.ts";

const KEYS = keyNames(INTENT_KEYS);

/**
 * Reads a starter's answer: what the person sees, and the handover of its last closed block.
 *
 * A handover is valid with a goal of its own words; fields that are missing are `[]`, `""`, `null`,
 * the stance `explore`. Never throws, and takes time in proportion to the text.
 *
 * @example
 * const answer = "Good.\n\n<<<HANDOVER>>>\nGOAL: eat well for less\n<<<END>>>";
 * const { userResponse, handover } = parseIntentHandover(answer);
 * userResponse; // "Good."
 * handover.impliedGoal; // "eat well for less"
 */
export function parseIntentHandover(text: string, options: SignalOptions = {}): IntentSignal {
  const { userResponse, body } = chooseIntent(text, options);
  return { userResponse, handover: body === null ? null : readIntentHandover(body) };
}

/** Returns why a starter's answer has a block and no handover; null when it has one, or no block. */
export function diagnoseIntentHandover(
  text: string,
  options: SignalOptions = {},
): SignalProblem | null {
  const { body, problem } = chooseIntent(text, options);
  if (body === null) return problem;
  return readIntentHandover(body) === null ? "no goal" : null;
}

function chooseIntent(text: string, options: SignalOptions) {
  return chooseBlock(text, { ...options, kind: "HANDOVER", isEcho });
}

function isEcho(body: string): boolean {
  return isPlaceholder((readFields(body, KEYS).get("impliedGoal") ?? []).join(" "));
}

/** The body of a HANDOVER block; null without a real goal. */
function readIntentHandover(body: string): IntentHandover | null {
  const fields = readFields(body, KEYS);
  const handover = IntentHandoverSchema.parse({
    ...readBlockValues(fields, IntentHandoverSchema.shape),
    resistedFraming: readBlockText(fields.get("resistedFraming") ?? []) || null,
    effectiveStance: readStance(readBlockText(fields.get("effectiveStance") ?? [])),
  });
  return handover.impliedGoal.trim() === "" ? null : handover;
}

function readStance(text: string): EffectiveStance {
  const word = /\b(explor|decid|decis|challeng)/.exec(text.toLowerCase())?.[1];
  if (word === "challeng") return "challenge";
  return word === "decid" || word === "decis" ? "decide" : "explore";
}
