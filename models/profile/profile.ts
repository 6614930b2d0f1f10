import { z } from "zod";
import { JsonSchema } from "../../state/json.ts";
import { ModelTierSchema } from "../../state/model.ts";
import { findKnownTraits } from "./known-models.ts";

/** Ways to request a structured answer, the strictest first. From `json_object` on the schema stands in the prompt. */
export const STRUCTURED_MODES = ["json_schema", "tool", "json_object", "text"] as const;
export type StructuredMode = (typeof STRUCTURED_MODES)[number];

/** Ways to request tool calls; `union` is a structured answer that lists calls. */
export const ToolModeSchema = z.enum(["required", "auto", "union"]);
export type ToolMode = z.infer<typeof ToolModeSchema>;

/** Traits of an endpoint that serves one model. Each field is known by itself (`Evidence`). */
const TraitsSchema = z.object({
  structured: z.enum(STRUCTURED_MODES),
  tools: ToolModeSchema,
  /** False where the endpoint refuses the field `parallel_tool_calls`. */
  parallelTools: z.boolean(),
  /** False where the endpoint refuses the keyword `strict`. */
  strict: z.boolean(),
  /** The field that bounds an answer; null leaves it to the client. */
  outputField: z.enum(["max_tokens", "max_completion_tokens"]).nullable(),
  /** False where an answer comes in one piece, whatever was requested. */
  streams: z.boolean(),
  /** The form in which answers are requested; `either`: streamed where somebody reads along. */
  delivery: z.enum(["either", "whole", "streamed"]),
  /** False where the endpoint refuses the field `stream_options`, so that streams count no tokens. */
  streamUsage: z.boolean(),
  /** False where system messages are refused: their text stands before that of the user. */
  systemRole: z.boolean(),
  /** False where answers name no reason of their end, so that a stream without one may be complete. */
  namesFinish: z.boolean(),
  /** The place where thinking appears. `hidden`: only its tokens are counted. */
  reasoningStyle: z.enum(["none", "hidden", "field", "tags"]),
  /** The field that turns thinking up and down. */
  reasoningControl: z.enum(["none", "effort", "think", "template"]),
  /** Output tokens for thinking, on top of the answer. */
  allowance: z.number().int().nonnegative(),
  /** Tokens of prompt and answer together; null where unknown. */
  contextWindow: z.number().int().positive().nullable(),
  /** Calls at once that the server names; null where unknown. */
  slots: z.number().int().positive().nullable(),
  /** Usage counts cached tokens. */
  promptCache: z.enum(["reported", "unreported"]),
  tier: ModelTierSchema,
});
/** The fields that can be known by themselves. */
export type ProfileTraits = z.infer<typeof TraitsSchema>;
type TraitName = keyof ProfileTraits;

/** The sources of a field's value, weakest first: a weaker one never overwrites a stronger one. */
export const SOURCES = ["assumed", "known", "learned", "probed", "set"] as const;

const EvidenceSchema = z.object({
  source: z.enum(SOURCES),
  /** ISO 8601 in UTC. */
  at: z.iso.datetime(),
  reason: z.string(),
});
type Evidence = z.infer<typeof EvidenceSchema>;

export const DialectSchema = z.enum(["chat", "ollama", "simulated"]);
export type Dialect = z.infer<typeof DialectSchema>;

/**
 * Everything known of one model at one endpoint. A field without evidence is assumed.
 *
 * Source: models.md §1, "Capability profile".
 */
export const ModelProfileSchema = TraitsSchema.extend({
  /** Origin and path of the base URL; never a key, never a query. */
  endpoint: z.string(),
  model: z.string(),
  dialect: DialectSchema,
  evidence: z.partialRecord(TraitsSchema.keyof(), EvidenceSchema),
});
export type ModelProfile = z.infer<typeof ModelProfileSchema>;

/** The endpoint and model that a profile is of. */
export interface ProfileKey {
  readonly endpoint: string;
  readonly model: string;
}

const ASSUMED: ProfileTraits = {
  structured: "json_schema",
  tools: "required",
  parallelTools: true,
  strict: true,
  outputField: null,
  streams: true,
  delivery: "either",
  streamUsage: true,
  systemRole: true,
  namesFinish: true,
  reasoningStyle: "none",
  reasoningControl: "none",
  allowance: 0,
  contextWindow: null,
  slots: null,
  promptCache: "unreported",
  tier: "full",
};

/** The names of the fields. */
export const TRAITS = TraitsSchema.keyof().options;

/** A model, and the way its endpoint is spoken to. */
interface StartedProfile extends ProfileKey {
  readonly dialect: Dialect;
}

/** Returns what is assumed of a model, and known by its name. `at`: ISO 8601 in UTC. */
export function startProfile(
  { endpoint, model, dialect }: StartedProfile,
  at: string,
): ModelProfile {
  const profile: ModelProfile = { endpoint, model, dialect, ...ASSUMED, evidence: {} };
  return setTraits(profile, findKnownTraits(model), {
    source: "known",
    at,
    reason: "by the model's name",
  });
}

/** Sets fields from one source, where nothing stronger is known. Pure. */
export function setTraits(
  profile: ModelProfile,
  traits: Partial<ProfileTraits>,
  evidence: Evidence,
): ModelProfile {
  const given: ModelProfile = { ...profile, ...traits, evidence: {} };
  for (const name of TRAITS) {
    if (traits[name] !== undefined) given.evidence[name] = evidence;
  }
  return mergeProfiles(profile, given);
}

/**
 * Merges two profiles of one model field by field: the stronger source wins, then the later time.
 *
 * Contract: commutative, associative and idempotent, so processes that learn at once end with the
 * same profile in every order.
 */
export function mergeProfiles(one: ModelProfile, other: ModelProfile): ModelProfile {
  const entries = TRAITS.map((name) => {
    const winner = compareTrait(name, one, other) >= 0 ? one : other;
    return [name, winner[name], winner.evidence[name]] as const;
  });
  const evidence = entries.flatMap(([name, , known]) =>
    known === undefined ? [] : [[name, known] as const],
  );
  return ModelProfileSchema.parse({
    endpoint: one.endpoint,
    model: one.model,
    dialect: one.dialect,
    ...Object.fromEntries(entries.map(([name, value]) => [name, value])),
    evidence: Object.fromEntries(evidence),
  });
}

/** Positive where `one` knows the field better, negative where `other` does. */
function compareTrait(name: TraitName, one: ModelProfile, other: ModelProfile): number {
  const [first, second] = [one.evidence[name], other.evidence[name]];
  const strength = rank(first) - rank(second);
  if (strength !== 0) return strength;
  const [at, otherAt] = [first?.at ?? "", second?.at ?? ""];
  if (at !== otherAt) return at > otherAt ? 1 : -1;
  // Same strength and moment: any order that both sides agree on.
  const [value, otherValue] = [one, other].map((profile) =>
    JSON.stringify([JsonSchema.parse(profile[name]), profile.evidence[name] ?? null]),
  );
  return value === otherValue ? 0 : (value ?? "") > (otherValue ?? "") ? 1 : -1;
}

function rank(evidence: Evidence | undefined): number {
  return evidence === undefined ? -1 : SOURCES.indexOf(evidence.source);
}

/** Returns `profile` with the values that `from` has in the fields whose evidence is chosen. */
export function copyTraits(
  profile: ModelProfile,
  from: ModelProfile,
  choose: (evidence: Evidence) => boolean,
): ModelProfile {
  const copy: ModelProfile = { ...profile, evidence: { ...profile.evidence } };
  for (const name of TRAITS) {
    const known = profile.evidence[name];
    if (known !== undefined && !choose(known)) continue;
    Object.assign(copy, { [name]: from[name] });
    const evidence = from.evidence[name];
    if (evidence === undefined) delete copy.evidence[name];
    else copy.evidence[name] = evidence;
  }
  return copy;
}

/** The profile without lessons, and the present time in milliseconds since 1970. */
interface ForgetOptions {
  readonly start: ModelProfile;
  readonly now: number;
}

/**
 * Forgets what was learned too long ago, so that it is tried again: servers are updated. Seven days,
 * one for a router. Fields without evidence are those of `start`.
 */
export function forgetOldLessons(
  profile: ModelProfile,
  { start, now }: ForgetOptions,
): ModelProfile {
  const host = URL.parse(profile.endpoint)?.hostname ?? "";
  const longest = (ROUTERS.test(host) ? 1 : 7) * DAY_MS;
  return copyTraits(
    profile,
    start,
    ({ source, at }) => source === "learned" && now - Date.parse(at) >= longest,
  );
}

const DAY_MS = 86_400_000;
/** Routers send a request to whoever is free: what one of them did says little about the next. */
const ROUTERS = /(?:^|\.)openrouter\.ai$/;
