import { HumanMessage, isBaseMessage, type BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import { blotIds } from "../registry/hide-ids.ts";
import { JsonSchema, type Json, type JsonObject } from "../state/json.ts";
import { PlanSchema } from "../state/plan.ts";
import { RegistrySchema } from "../state/registry.ts";
import { PendingSchema, toPublicPending } from "../state/pending.ts";

/** A state, or a part of one, inside the graph: messages may be LangChain objects. */
export type PrivateValues = Readonly<Record<string, unknown>>;

/**
 * Returns the part of a state, or of an update, that a client may see: messages, plans and effects,
 * by ref. Leaves out database ids and rows, prompts, the driver's own channels, and channels that are
 * not present. Pure.
 */
export function publicValues(values: PrivateValues): JsonObject {
  const shown: PrivateValues = { ...values, messages: addSentMessage(values) };
  return Object.fromEntries(
    Object.entries(CHANNELS).flatMap(([channel, project]): [string, Json][] =>
      shown[channel] === undefined ? [] : [[channel, project(shown[channel])]],
    ),
  );
}

const SentMessageSchema = z.object({ messageId: z.string(), text: z.string() });

/** A whole state has the message that its turn is about to take: a chat shows what was sent at once. */
function addSentMessage({ messages, input }: PrivateValues): unknown {
  const sent = SentMessageSchema.safeParse(input);
  if (messages === undefined || !sent.success) return messages;
  const { messageId: id, text: content } = sent.data;
  const known = toList(messages);
  const isTaken = known.some((message) => isBaseMessage(message) && message.id === id);
  return isTaken ? messages : [...known, new HumanMessage({ id, content })];
}

/**
 * Returns a message in the form of LangGraph's API: `type`, `content`, `id`, `additional_kwargs` and so
 * on, without what a model's endpoint may have added.
 */
export function publicMessage(message: BaseMessage): JsonObject {
  const { id, name, content } = message;
  const base = {
    type: message.type,
    content: JsonSchema.parse(content),
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    additional_kwargs: {},
    response_metadata: {},
  };
  return message.type === "ai" ? { ...base, tool_calls: [], invalid_tool_calls: [] } : base;
}

/** Projection of each public channel. */
const CHANNELS: Readonly<Record<string, (value: unknown) => Json>> = {
  messages: (value) => toList(value).filter(isBaseMessage).map(publicMessage),
  turn: toPublicJson,
  // Replies are not rewritten: they must match what the person saw.
  replies: asJson,
  plan: (value) => toPublicJson(PUBLIC_PLAN.parse(value)),
  concierge: toPublicJson,
  journeyPlan: toPublicJson,
  journeys: toPublicJson,
  opening: toPublicJson,
  constraints: toPublicJson,
  pending: (value) => {
    const pending = PendingSchema.nullable().parse(value);
    return pending === null ? null : toPublicJson(toPublicPending(pending));
  },
  notices: toPublicJson,
  effects: toPublicJson,
  turnExecutionSummaries: toPublicJson,
  ledger: toPublicJson,
  history: toPublicJson,
  registry: (value) => publicRegistry(RegistrySchema.parse(value)),
};

/** Leaves out the reasoning, which is recorded but never shown, and failures on the way. */
const PUBLIC_PLAN = PlanSchema.omit({ reasoning: true, failure: true, misfits: true }).nullable();

function publicRegistry({ entries, listed }: z.infer<typeof RegistrySchema>): Json {
  return {
    entries: entries.map(({ ref, type, label, action, byUser, retention, demotion }) => ({
      ref,
      type,
      label: blotIds(label),
      action,
      byUser,
      retained: retention !== null,
      demoted: demotion !== null,
    })),
    listed,
  };
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Converts a value to JSON without anything that looks like a database id. */
export function toPublicJson(value: unknown): Json {
  return withoutIds(asJson(value));
}

function withoutIds(value: Json): Json {
  if (typeof value === "string") return blotIds(value);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map(withoutIds);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutIds(part)]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function asJson(value: unknown): Json {
  return JsonSchema.parse(value);
}
