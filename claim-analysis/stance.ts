import type { ShapeName, Stance, StanceName } from "../state/analysis.ts";

/** The stances that a message can ask for. */
type Asked = Exclude<StanceName, "default">;

const EXPLORING: ReadonlySet<ShapeName> = new Set([
  "tradeoff",
  "exploratory",
  "contextual",
  "dimensional",
]);

const SAID = {
  challenge: "the message asks for its thinking to be tested",
  decide: "the message asks for a decision",
  explore: "the message is still looking for its question",
} as const satisfies Record<Asked, string>;

/** The plainest wordings, in English: what a model understands is not listed. */
const SIGNALS: readonly (readonly [Asked, RegExp])[] = [
  ["challenge", /\b(?:stress|pressure)[- ]test (?:this|it|my|our)\b/u],
  ["challenge", /\bpoke (?:some |any )?holes in (?:this|it|my|our)\b/u],
  ["challenge", /\b(?:play|be) (?:the )?devil's advocate\b/u],
  [
    "challenge",
    /(?:^|[.,:;!?] )(?:please )?(?:challenge me|prove me wrong|tear (?:it|this) apart)\b/u,
  ],
  ["challenge", /\bwhat am i (?:missing|not seeing)\b|\bwhere (?:am|might) i (?:be )?wrong\b/u],
  ["decide", /(?:^|[.,:;!?] )(?:please |just )*(?:pick|choose) one\b/u],
  ["decide", /\b(?:pick|choose|decide) for (?:me|us)\b/u],
  ["decide", /\bwhich (?:one )?(?:should|would) (?:i|we|you) (?:pick|choose|take|buy)\b/u],
  ["explore", /\bthink (?:this |it )?out loud\b|\bdon't want an answer\b/u],
];

/** Just before a signal: words that turn it into its opposite. */
const DENIED =
  /\b(?:don't|do not|never|not|without|stop)(?: (?:you|to|me|just|please|want|need)){0,4} ?$/u;
/** In characters. */
const BEFORE = 60;

/**
 * Selects the stance for a message that no model has read: by its plain words when they ask for one,
 * otherwise by the shape of the map. What is denied or quoted asks for nothing. English; it says rather too
 * little than too much. Total, linear in the message.
 *
 * @example
 * selectStance("Challenge me on this", "settled").name; // "challenge"
 */
export function selectStance(message: string, shape: ShapeName): Stance {
  const text = message
    .replace(/[‘’]/gu, "'")
    .replace(/"[^"\n]*"|`[^`\n]*`/gu, " ")
    .replace(/\s+/gu, " ")
    .trim()
    .toLowerCase();
  const found = SIGNALS.find(([, pattern]) => isMeant(text, pattern));
  return chooseStance(found?.[0] ?? "none", shape);
}

/**
 * Chooses the stance that a message was read to ask for; where it asks for none, by the shape of the map.
 *
 * @example
 * chooseStance("none", "settled").name; // "default"
 */
export function chooseStance(asked: Asked | "none", shape: ShapeName): Stance {
  if (asked !== "none") return { name: asked, reason: SAID[asked], confidence: 0.9 };
  // A map without a single path through it is explored.
  const name: StanceName = EXPLORING.has(shape) ? "explore" : "default";
  return {
    name,
    reason:
      name === "explore"
        ? `the words do not say, and the map is ${shape}`
        : `neither the words nor a map that is ${shape} ask for a stance`,
    confidence: 0.5,
  };
}

function isMeant(text: string, pattern: RegExp): boolean {
  const { index } = pattern.exec(text) ?? {};
  return index !== undefined && !DENIED.test(text.slice(Math.max(0, index - BEFORE), index));
}
