import { LEAST_WINDOW } from "../../state/limits.ts";
import {
  setTraits,
  STRUCTURED_MODES,
  TRAITS,
  type ModelProfile,
  type ProfileTraits,
  type StructuredMode,
} from "./profile.ts";

/** Request fields that an endpoint may not know. */
export type RequestField =
  | "max_tokens"
  | "max_completion_tokens"
  | "strict"
  | "parallel_tool_calls"
  | "reasoning"
  | "stream"
  | "stream_options"
  | "system";

/** Something that an answer, or the lack of one, tells about an endpoint. */
export type Observation =
  /** A structured mode was refused, with status 400 or 422. */
  | { readonly kind: "mode-refused" }
  /** A structured answer came in this mode, after another was refused without a reason. */
  | { readonly kind: "mode-found"; readonly mode: StructuredMode }
  /** A complete answer that a strict endpoint would never have given. */
  | { readonly kind: "schema-ignored" }
  | { readonly kind: "tools-refused" }
  /** Text came where a call was demanded. */
  | { readonly kind: "tool-choice-ignored" }
  | { readonly kind: "field-refused"; readonly field: RequestField }
  | {
      readonly kind: "thought";
      readonly style: Exclude<ProfileTraits["reasoningStyle"], "none">;
      /** Tokens spent on thinking; 0 where they were not counted. */
      readonly tokens: number;
    }
  /** The answer reached its bound of `tokens`. */
  | { readonly kind: "cut"; readonly tokens: number }
  /** An error said that the prompt is too long; null where it named no window. */
  | { readonly kind: "window-named"; readonly tokens: number | null }
  /** The endpoint counted `read` tokens of a longer prompt. */
  | { readonly kind: "prompt-cut"; readonly read: number }
  /** A prompt of so many tokens was answered. */
  | { readonly kind: "prompt-read"; readonly tokens: number }
  | { readonly kind: "whole-stream" }
  /** One whole answer came where a stream was requested. */
  | { readonly kind: "stream-ignored" }
  /** A whole answer was refused, or came as a stream. */
  | { readonly kind: "stream-demanded" }
  /** A whole answer named no reason of its end. */
  | { readonly kind: "finish-unnamed" }
  | { readonly kind: "cached" };

/** Number of times that the same must be seen before it counts; once where nothing is listed. */
const TIMES: Partial<Record<Observation["kind"], number>> = {
  "tool-choice-ignored": 2,
  "prompt-cut": 2,
  "whole-stream": 3,
};

/** Observations that do not count yet, by kind. */
export type Tally = Readonly<Partial<Record<Observation["kind"], number>>> & {
  /** Tokens that the endpoint counted of the last prompt that seemed cut. */
  readonly lastRead?: number;
  /** Tokens of the longest prompt that was answered. */
  readonly mostRead?: number;
  /** Tokens of the window that the last error named. */
  readonly lastNamed?: number;
};

/** A profile after an observation. */
export interface Lesson {
  readonly profile: ModelProfile;
  readonly tally: Tally;
  /** The change, in a sentence; null where nothing has. */
  readonly learned: string | null;
}

/** The least room for thinking, and its largest. */
const LEAST_ALLOWANCE = 4_096;
const MOST_ALLOWANCE = 65_536;
/** No model that holds a conversation has a smaller window: fewer tokens are counted in another way. */
const LEAST_PLAUSIBLE_WINDOW = 1_024;
/** A window cuts all prompts to about the same number of tokens; an endpoint that counts otherwise does not. */
const SAME_READ = 0.05;

/** Observations that do not count yet, what was known at the start, and the time of this one. */
interface LearningContext {
  readonly tally: Tally;
  /** The profile without lessons: its window is taken where a learned one proves wrong. */
  readonly start: ModelProfile;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/**
 * Learns from one observation. Pure; a field that was probed or set stays.
 *
 * Source: models.md §1, "Learning in use".
 */
export function learn(
  profile: ModelProfile,
  observation: Observation,
  { tally, start, at }: LearningContext,
): Lesson {
  const { kind } = observation;
  if (!isPlausible(observation)) return { profile, tally, learned: null };
  if (kind === "prompt-read") {
    const found = findWiderWindow(profile, { start, read: observation.tokens });
    return apply(profile, found, { tally: countRead(tally, observation.tokens), at });
  }
  const seen = countSeen(observation, tally);
  if (seen < countNeeded(observation, tally)) {
    return { profile, tally: { ...tally, ...noteLast(observation), [kind]: seen }, learned: null };
  }
  const { [kind]: _counted, ...rest } = tally;
  return apply(profile, readObservation(profile, observation), { tally: rest, at });
}

function apply(
  profile: ModelProfile,
  found: Finding | null,
  { tally, at }: Pick<LearningContext, "tally" | "at">,
): Lesson {
  if (found === null || !differs(profile, found.traits)) return { profile, tally, learned: null };
  const { traits, reason } = found;
  const changed = setTraits(profile, traits, {
    source: "learned",
    at: findLaterTime(profile, { traits, at }),
    reason,
  });
  // What was probed or set stays.
  const isNew = differs(profile, changed);
  return { profile: isNew ? changed : profile, tally, learned: isNew ? reason : null };
}

/** Profiles of one model: as a call was made, and as it is now. */
interface AskedProfiles {
  readonly asked: ModelProfile;
  readonly current: ModelProfile;
}

/** True where another call has taught the same since this one was made: one fact is one step. Pure. */
export function isLearned(observation: Observation, { asked, current }: AskedProfiles): boolean {
  const traits = readObservation(asked, observation)?.traits ?? {};
  return TRAITS.some((name) => traits[name] !== undefined && asked[name] !== current[name]);
}

/** A window that is guessed wrong and small would forbid every further call. */
function isPlausible(observation: Observation): boolean {
  if (observation.kind === "prompt-cut") return observation.read >= LEAST_PLAUSIBLE_WINDOW;
  if (observation.kind !== "window-named") return true;
  return observation.tokens !== null && observation.tokens >= LEAST_PLAUSIBLE_WINDOW;
}

/** True where a prompt was longer than a window of so many tokens, however they are counted. */
function exceeds(read: number, window: number): boolean {
  return read > window * (1 + 2 * SAME_READ);
}

/**
 * A window in which nothing has room, or which is smaller than a prompt that was answered, is named
 * by mistake once, and by a server that has changed again.
 */
function countNeeded(observation: Observation, { mostRead = 0 }: Tally): number {
  if (observation.kind !== "window-named" || observation.tokens === null) {
    return TIMES[observation.kind] ?? 1;
  }
  const { tokens } = observation;
  return tokens < LEAST_WINDOW || exceeds(mostRead, tokens) ? 2 : 1;
}

/** The number of an observation, with which the next one is compared. */
function noteLast(observation: Observation): Pick<Tally, "lastRead" | "lastNamed"> {
  if (observation.kind === "prompt-cut") return { lastRead: observation.read };
  if (observation.kind !== "window-named" || observation.tokens === null) return {};
  return { lastNamed: observation.tokens };
}

/** Counts an answered prompt; what errors said of a smaller window until then was wrong. */
function countRead(tally: Tally, read: number): Tally {
  const { "window-named": named = 0, lastNamed = Infinity, ...rest } = tally;
  const mostRead = Math.max(read, tally.mostRead ?? 0);
  if (named === 0 || exceeds(read, lastNamed)) return { ...rest, mostRead };
  return { ...tally, mostRead };
}

interface AnsweredPrompt {
  readonly start: ModelProfile;
  /** In tokens. */
  readonly read: number;
}

/** Finds the window that was known before a learned one, where that proves too small; null elsewhere. */
function findWiderWindow(
  { contextWindow, evidence }: ModelProfile,
  { start, read }: AnsweredPrompt,
): Finding | null {
  const isLesson = evidence.contextWindow?.source === "learned";
  if (!isLesson || contextWindow === null || !exceeds(read, contextWindow)) return null;
  return {
    traits: { contextWindow: start.contextWindow },
    reason: `it read ${read} tokens, more than a window of ${contextWindow} has`,
  };
}

function countSeen(observation: Observation, tally: Tally): number {
  const before = tally[observation.kind] ?? 0;
  if (observation.kind === "window-named") {
    return observation.tokens === tally.lastNamed ? before + 1 : 1;
  }
  if (observation.kind !== "prompt-cut" || tally.lastRead === undefined) return before + 1;
  const difference = Math.abs(observation.read - tally.lastRead);
  return difference <= SAME_READ * tally.lastRead ? before + 1 : 1;
}

interface DatedTraits {
  readonly traits: Partial<ProfileTraits>;
  readonly at: string;
}

/** Of two lessons of one millisecond the second counts: it is dated after all that it replaces. */
function findLaterTime(profile: ModelProfile, { traits, at }: DatedTraits): string {
  const times = TRAITS.filter((name) => traits[name] !== undefined).map((name) =>
    Date.parse(profile.evidence[name]?.at ?? new Date(0).toISOString()),
  );
  return new Date(Math.max(Date.parse(at), ...times.map((time) => time + 1))).toISOString();
}

function differs(profile: ModelProfile, traits: Partial<ProfileTraits>): boolean {
  return TRAITS.some((name) => traits[name] !== undefined && traits[name] !== profile[name]);
}

interface Finding {
  readonly traits: Partial<ProfileTraits>;
  readonly reason: string;
}

function readObservation(profile: ModelProfile, observation: Observation): Finding | null {
  switch (observation.kind) {
    case "mode-refused": {
      const next = STRUCTURED_MODES[STRUCTURED_MODES.indexOf(profile.structured) + 1];
      return next === undefined
        ? null
        : { traits: { structured: next }, reason: `${profile.structured} is refused → ${next}` };
    }
    case "mode-found": {
      const { mode } = observation;
      return {
        traits: { structured: mode },
        reason: `${profile.structured} is refused without a reason → ${mode}`,
      };
    }
    case "schema-ignored":
      return {
        traits: { structured: "json_object" },
        reason: "json_schema is ignored → json_object",
      };
    case "tools-refused":
      return { traits: { tools: "union" }, reason: "tools are refused → a list of calls" };
    case "tool-choice-ignored":
      return { traits: { tools: "union" }, reason: "a required call is ignored → a list of calls" };
    case "field-refused":
      return readRefusedField(observation.field);
    case "thought":
      return readThought(profile, observation);
    case "cut": {
      const allowance = Math.min(MOST_ALLOWANCE, Math.max(2 * profile.allowance, LEAST_ALLOWANCE));
      // An answer that is long without thinking needs no standing allowance.
      if (profile.reasoningStyle === "none" || allowance === profile.allowance) return null;
      return { traits: { allowance }, reason: `thinking needs more room → ${allowance} tokens` };
    }
    case "window-named": {
      const { tokens: contextWindow } = observation;
      // A prompt that is too long alone does not say how long one may be.
      if (contextWindow === null) return null;
      return { traits: { contextWindow }, reason: `its window has ${contextWindow} tokens` };
    }
    case "prompt-cut":
      return {
        traits: { contextWindow: observation.read },
        reason: `it read ${observation.read} tokens of a longer prompt`,
      };
    case "prompt-read":
      // Says something only of a window that was learned before.
      return null;
    case "whole-stream":
      return { traits: { streams: false }, reason: "a stream brings its answer in one piece" };
    case "stream-ignored":
      return { traits: { streams: false }, reason: "a stream is ignored: the answer comes whole" };
    case "stream-demanded":
      return { traits: { delivery: "streamed" }, reason: "every answer has to be streamed" };
    case "finish-unnamed":
      return { traits: { namesFinish: false }, reason: "answers do not say why they end" };
    case "cached":
      return { traits: { promptCache: "reported" }, reason: "usage counts cached tokens" };
    default:
      return observation satisfies never;
  }
}

function readRefusedField(field: RequestField): Finding {
  switch (field) {
    case "max_tokens":
      return { traits: { outputField: "max_completion_tokens" }, reason: "max_tokens is refused" };
    case "max_completion_tokens":
      return { traits: { outputField: "max_tokens" }, reason: "max_completion_tokens is refused" };
    case "strict":
      return { traits: { strict: false }, reason: '"strict" is refused' };
    case "parallel_tool_calls":
      return { traits: { parallelTools: false }, reason: "parallel_tool_calls is refused" };
    case "reasoning":
      return { traits: { reasoningControl: "none" }, reason: "thinking cannot be turned down" };
    case "stream":
      return {
        traits: { delivery: "whole", streams: false },
        reason: "a stream is refused → whole answers",
      };
    case "stream_options":
      return { traits: { streamUsage: false }, reason: "stream_options is refused" };
    case "system":
      return {
        traits: { systemRole: false },
        reason: "system messages are refused → the user's",
      };
    default:
      return field satisfies never;
  }
}

function readThought(
  profile: ModelProfile,
  { style, tokens }: Extract<Observation, { kind: "thought" }>,
): Finding {
  const allowance = Math.min(
    MOST_ALLOWANCE,
    Math.max(profile.allowance, LEAST_ALLOWANCE, 2 * tokens),
  );
  // Tags and fields can be seen; that tokens are counted alone says less.
  const reasoningStyle =
    style === "hidden" && profile.reasoningStyle !== "none" ? profile.reasoningStyle : style;
  return {
    traits: { reasoningStyle, allowance },
    reason: `it thinks (${reasoningStyle}) → ${allowance} tokens more room`,
  };
}
