import type { ModelRequest } from "../../state/model.ts";
import { isContextOverflow, isDiscarded, readRefusal } from "../failures/diagnose.ts";
import type { Observation, RequestField } from "../profile/learn.ts";
import type { ModelProfile } from "../profile/profile.ts";
import { chooseSchema, isStreamed } from "./call-options.ts";
import { StreamedAnswerError } from "./not-an-answer.ts";

interface AskedCall {
  readonly request: ModelRequest;
  readonly profile: ModelProfile;
}

const STREAMING = /\bstream(?:ing|ed)?\b/i;

/** Fields that an endpoint may refuse, by the words it does so in. */
const REFUSED_FIELDS: readonly (readonly [RegExp, RequestField])[] = [
  [
    /max_completion_tokens['"`]? (?:is )?(?:not|un)|(?:unknown|unsupported|unrecognized|unexpected)[^.]{0,60}max_completion_tokens/i,
    "max_completion_tokens",
  ],
  [
    /max_tokens['"`]? (?:is )?(?:not|un)|use ['"`]?max_completion_tokens|(?:unknown|unsupported|unrecognized|unexpected)[^.]{0,60}max_tokens/i,
    "max_tokens",
  ],
  [/parallel_tool_calls/i, "parallel_tool_calls"],
  [/stream_options/i, "stream_options"],
  [STREAMING, "stream"],
  [/reasoning_effort|chat_template_kwargs|\bthink(?:ing)?\b/i, "reasoning"],
  [/\bstrict\b/i, "strict"],
  [
    /\b(?:system|developer)\b.{0,20}\b(?:role|message|prompt|instruction)|\brole\b.{0,80}\bsystem\b|roles must alternate/i,
    "system",
  ],
];

/** Reads from a refusal which feature the endpoint lacks; null where it refuses this schema or prompt. */
export function readRefusedFeature(error: unknown, call: AskedCall): Observation | null {
  if (error instanceof StreamedAnswerError) return { kind: "stream-demanded" };
  const refusal = readRefusal(error);
  if (refusal === null || !REFUSING.has(refusal.status)) return null;
  const { words } = refusal;
  // A server that fails may name anything; only that it cannot do something is a refusal.
  if (refusal.status >= 500 && !CANNOT.test(words)) return null;
  if (isContextOverflow(error) || /invalid schema/i.test(words)) return null;
  // A model that writes badly says nothing of its endpoint.
  if (isDiscarded({ message: words, code: null })) return null;
  const field = REFUSED_FIELDS.find(
    ([pattern, name]) => pattern.test(words) && sendsField(name, call),
  )?.[1];
  if (field !== undefined) return { kind: "field-refused", field };
  const { request, profile } = call;
  if (profile.delivery === "either" && !isStreamed(request, profile) && STREAMING.test(words)) {
    return { kind: "stream-demanded" };
  }
  const structured = chooseSchema(request, profile) !== null;
  const named =
    profile.structured === "tool"
      ? /tool|function/i
      : /response_format|json_schema|json_object|structured output|schema|grammar/i;
  if (structured) return named.test(words) ? { kind: "mode-refused" } : null;
  return request.tools.length > 0 && /tool|function/i.test(words)
    ? { kind: "tools-refused" }
    : null;
}

/** Statuses of a refused request. llama.cpp's server refuses tools with 500, others with 501. */
const REFUSING = new Set([400, 422, 500, 501]);
const CANNOT =
  /\bnot (?:supported|implemented|available|enabled)|unsupported|\brequires\b|roles must alternate/i;

/** A field that is not sent cannot have been refused. */
function sendsField(field: RequestField, { request, profile }: AskedCall): boolean {
  switch (field) {
    case "max_tokens":
      return profile.outputField !== "max_completion_tokens";
    case "max_completion_tokens":
      return profile.outputField !== "max_tokens";
    case "strict":
      return profile.strict;
    case "parallel_tool_calls":
      return profile.parallelTools && profile.tier === "small";
    case "reasoning":
      return profile.reasoningControl !== "none";
    case "stream":
      return profile.delivery === "either" && isStreamed(request, profile);
    case "stream_options":
      return profile.streamUsage && isStreamed(request, profile);
    case "system":
      return profile.systemRole;
    default:
      return field satisfies never;
  }
}
