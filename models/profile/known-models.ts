import type { ProfileTraits } from "./profile.ts";

interface KnownModel {
  readonly name: RegExp;
  readonly traits: Partial<ProfileTraits>;
}

/** Output tokens for models that think where nobody sees it. */
const HIDDEN_ALLOWANCE = 8_192;
/** Output tokens for models whose thinking can be seen. */
export const FIELD_ALLOWANCE = 4_096;

/**
 * Traits of models by their names; the first row that fits counts, sizes are added to it.
 * A guess: whatever an endpoint is seen to do wins.
 */
const KNOWN_MODELS: readonly KnownModel[] = [
  // OpenAI's models that think keep it to themselves, and are told how much by `reasoning_effort`.
  {
    name: /^(?:openai\/)?(?:o\d|gpt-[5-9](?!.*chat))/,
    traits: {
      reasoningStyle: "hidden",
      reasoningControl: "effort",
      allowance: HIDDEN_ALLOWANCE,
      outputField: "max_completion_tokens",
      contextWindow: 200_000,
    },
  },
  { name: /^(?:openai\/)?gpt-4\.1/, traits: { contextWindow: 1_000_000 } },
  { name: /^(?:openai\/)?gpt-4o/, traits: { contextWindow: 128_000 } },
  {
    name: /gpt-oss/,
    traits: { reasoningStyle: "field", reasoningControl: "effort", allowance: FIELD_ALLOWANCE },
  },
  {
    name: /(?:^|\/)qwen-?3(?!.*(?:instruct|coder))/,
    traits: { reasoningStyle: "tags", reasoningControl: "template", allowance: FIELD_ALLOWANCE },
  },
  {
    name: /deepseek-?(?:r1|reasoner)|(?:^|\/)qwq|magistral|(?:-|_)thinking|reasoning/,
    traits: { reasoningStyle: "tags", allowance: FIELD_ALLOWANCE },
  },
  { name: /claude-/, traits: { contextWindow: 200_000 } },
  { name: /gemini-/, traits: { contextWindow: 1_000_000 } },
];

/** The most parameters of a small model, in thousand millions (models.md §3, "The small tier"). */
export const SMALL_PARAMETERS = 14;

/** Returns what a model's name tells; nothing for a name that says nothing. */
export function findKnownTraits(model: string): Partial<ProfileTraits> {
  const name = model.toLowerCase();
  const known = KNOWN_MODELS.find((row) => row.name.test(name))?.traits ?? {};
  const size = readParameters(name);
  return { ...known, ...(size !== null && size <= SMALL_PARAMETERS ? { tier: "small" } : {}) };
}

/** Reads the size out of a name such as `qwen3:4b` or `llama-3.1-8b-instruct`, in thousand millions; null where it has none. */
function readParameters(name: string): number | null {
  const found = /(?:^|[^a-z\d.])(\d+(?:\.\d+)?)b(?![a-z\d])/.exec(name)?.[1];
  return found === undefined ? null : Number(found);
}

/** The levels of thinking that a person or a role may ask for. */
export const REASONING_LEVELS = ["off", "low", "medium", "high"] as const;
export type ReasoningLevel = (typeof REASONING_LEVELS)[number];

/**
 * Returns `reasoning_effort` for a level. Models differ in the value that comes nearest to "off".
 *
 * Source: OpenAI's reference of `reasoning_effort`.
 */
export function chooseEffort(level: ReasoningLevel, model: string): string {
  if (level !== "off") return level;
  const name = model.toLowerCase().replace(/^openai\//, "");
  if (/^gpt-5(?![.\d])/.test(name)) return "minimal";
  if (/^gpt-(?:5\.\d|[6-9])/.test(name)) return "none";
  return "low";
}
