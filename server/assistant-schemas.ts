import { z } from "zod";
import { JsonObjectSchema, type JsonObject } from "../state/json.ts";
import { PlanSchema } from "../state/plan.ts";
import { PendingQuestionSchema } from "../state/step.ts";
import { TurnStateSchema } from "../state/turn.ts";
import { RunContextSchema } from "./protocol/run-context.ts";

/** JSON Schemas of what goes in and comes out, as LangGraph's clients ask for them. */
export interface AssistantSchemas {
  readonly input_schema: JsonObject;
  readonly output_schema: JsonObject;
  readonly state_schema: JsonObject;
  readonly config_schema: JsonObject;
  readonly context_schema: JsonObject;
}

/** Clients that know the marker show a chat instead of a form. */
const MESSAGES = { langgraph_type: "messages" };

const InputSchema = z.object({
  messages: z
    .array(
      z.object({
        type: z.literal("human").meta({ default: "human" }),
        content: z.string().describe("What the person says."),
      }),
    )
    .describe("The new message; of several the last counts.")
    .meta(MESSAGES),
});

/** The channels of the state that clients see as they are; `graph/public-state.ts` shows them. */
const AS_IT_IS = [
  "turn",
  "replies",
  "concierge",
  "opening",
  "constraints",
  "notices",
  "effects",
  "turnExecutionSummaries",
  "ledger",
  "history",
] as const;

/** Those that they see a part of. */
const PROJECTED = {
  plan: PlanSchema.omit({ reasoning: true, failure: true }).nullable(),
  pending: PendingQuestionSchema.omit({ plan: true }).nullable(),
  registry: z.object({
    entries: z.array(
      z.object({
        ref: z.string(),
        type: z.string(),
        label: z.string(),
        action: z.string(),
        byUser: z.boolean(),
        retained: z.boolean(),
        demoted: z.boolean(),
      }),
    ),
    listed: z.array(z.string()),
  }),
};

/** Makes the schemas. */
export function assistantSchemas(): AssistantSchemas {
  const context = toJson(z.toJSONSchema(RunContextSchema, { target: "draft-7", io: "input" }));
  const state = stateSchema();
  return {
    input_schema: toJson(z.toJSONSchema(InputSchema, { target: "draft-7" })),
    output_schema: state,
    state_schema: state,
    config_schema: context,
    context_schema: context,
  };
}

function stateSchema(): JsonObject {
  const { properties } = z
    .object({ properties: z.record(z.string(), JsonObjectSchema) })
    .parse(TurnStateSchema.getJsonSchema());
  const asItIs = AS_IT_IS.map((channel) => [channel, withoutDialect(properties[channel] ?? {})]);
  const projected = Object.entries(PROJECTED).map(([channel, schema]) => [
    channel,
    withoutDialect(toJson(z.toJSONSchema(schema, { target: "draft-7" }))),
  ]);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      messages: MESSAGES_SCHEMA,
      ...Object.fromEntries(asItIs),
      ...Object.fromEntries(projected),
    },
  };
}

const MESSAGES_SCHEMA: JsonObject = {
  ...MESSAGES,
  description: "What was said: the newest messages.",
  type: "array",
  items: { type: "object" },
};

/** It stands at the top. */
function withoutDialect({ $schema: _dialect, ...schema }: JsonObject): JsonObject {
  return schema;
}

function toJson(schema: unknown): JsonObject {
  return JsonObjectSchema.parse(JSON.parse(JSON.stringify(schema)));
}
