import type { EffectiveStance, IntentHandover } from "../state/handover.ts";
import type { IntentSignal } from "../state/signal.ts";
import { chooseBlock, type SignalOptions, type SignalProblem } from "./choose-block.ts";
import { keyNames, readFields } from "./fields.ts";
import { isPlaceholder } from "./placeholders.ts";
import { readList, readText } from "./values.ts";

const KEYS = keyNames<keyof IntentHandover>([
  ["shape"],
  ["keyFindings", "findings"],
  ["tensions"],
  ["gaps"],
  ["userQuery", "query"],
  ["starterResponse"],
  ["userReply"],
  ["impliedGoal", "goal"],
  ["revealedConstraints", "constraints"],
  ["acceptedFraming", "accepted"],
  ["resistedFraming", "resisted"],
  ["unpromptedReveals", "volunteered"],
  ["stillUnclear", "unclear"],
  ["effectiveStance", "stance"],
]);

/**
 * Reads a starter's answer: what the person sees, and the handover of its last closed block.
 *
 * A handover is valid with a goal of its own words; fields that are missing are `[]`, `""`, `null`,
 * the stance `explore`. Never throws, and takes time in proportion to the text.
 */
export function parseIntentHandover(text: string, options: SignalOptions = {}): IntentSignal {
  const { userResponse, body } = chooseIntent(text, options);
  return { userResponse, handover: body === null ? null : readIntentHandover(body) };
}

/** Why a starter's answer has a block and no handover; null when it has one, or no block. */
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
export function readIntentHandover(body: string): IntentHandover | null {
  const fields = readFields(body, KEYS);
  const text = (field: keyof IntentHandover): string => readText(fields.get(field) ?? []);
  const list = (field: keyof IntentHandover): string[] => readList(fields.get(field) ?? []);
  const impliedGoal = text("impliedGoal");
  if (impliedGoal.trim() === "") return null;
  const resisted = text("resistedFraming");
  return {
    shape: text("shape"),
    keyFindings: list("keyFindings"),
    tensions: list("tensions"),
    gaps: list("gaps"),
    userQuery: text("userQuery"),
    starterResponse: text("starterResponse"),
    userReply: text("userReply"),
    impliedGoal,
    revealedConstraints: list("revealedConstraints"),
    acceptedFraming: text("acceptedFraming"),
    resistedFraming: resisted === "" ? null : resisted,
    unpromptedReveals: list("unpromptedReveals"),
    stillUnclear: list("stillUnclear"),
    effectiveStance: readStance(text("effectiveStance")),
  };
}

function readStance(text: string): EffectiveStance {
  const word = /\b(explor|decid|decis|challeng)/.exec(text.toLowerCase())?.[1];
  if (word === "challeng") return "challenge";
  return word === "decid" || word === "decis" ? "decide" : "explore";
}
