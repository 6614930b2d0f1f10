import { z } from "@hono/zod-openapi";
import { JsonObjectSchema, toJsonObject, type JsonObject } from "../state/json.ts";
import { PlanSchema } from "../state/plan.ts";
import { PublicPendingSchema } from "../state/pending.ts";
import { joinChannelSchemas, readChannelSchemas } from "../state/state-schema.ts";
import { RunContextSchema } from "./protocol/run-context.ts";

/** JSON Schemas of input, output, state and context, as LangGraph's clients request them. */
export const AssistantSchemasSchema = z
  .object({
    graph_id: z.string(),
    input_schema: JsonObjectSchema,
    output_schema: JsonObjectSchema,
    state_schema: JsonObjectSchema,
    config_schema: JsonObjectSchema,
    context_schema: JsonObjectSchema,
  })
  .openapi("AssistantSchemas");
export type AssistantSchemas = z.infer<typeof AssistantSchemasSchema>;

/** Makes clients that know it show a chat instead of a form. */
const MESSAGES = { langgraph_type: "messages" };

const InputSchema = z.object({
  messages: z
    .array(
      z.object({
        type: z.literal("human").meta({ default: "human" }),
        content: z.string().describe("What the person says."),
      }),
    )
    .describe("The new message; of several, the last one counts.")
    .meta(MESSAGES),
});

/** The channels of the state that clients see in full; `graph/public-state.ts` selects them. */
const WHOLE = [
  "turn",
  "replies",
  "concierge",
  "journeyPlan",
  "journeys",
  "opening",
  "constraints",
  "notices",
  "effects",
  "turnExecutionSummaries",
  "ledger",
  "history",
] as const;

/** The channels that clients see in part. */
const PROJECTED = {
  plan: PlanSchema.omit({ reasoning: true, failure: true }).nullable(),
  pending: PublicPendingSchema.nullable(),
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

/** Creates the schemas of the assistant. */
export function assistantSchemas(): Omit<AssistantSchemas, "graph_id"> {
  const context = toJsonObject(
    z.toJSONSchema(RunContextSchema, { target: "draft-7", io: "input" }),
  );
  const state = stateSchema();
  return {
    input_schema: toJsonObject(z.toJSONSchema(InputSchema, { target: "draft-7" })),
    output_schema: state,
    state_schema: state,
    config_schema: context,
    context_schema: context,
  };
}

function stateSchema(): JsonObject {
  const all = readChannelSchemas();
  const whole = WHOLE.map((channel) => [channel, all[channel] ?? {}]);
  const projected = Object.entries(PROJECTED).map(([channel, schema]) => [
    channel,
    toJsonObject(z.toJSONSchema(schema, { target: "draft-7" })),
  ]);
  return joinChannelSchemas({
    messages: MESSAGES_SCHEMA,
    ...Object.fromEntries(whole),
    ...Object.fromEntries(projected),
  });
}

const MESSAGES_SCHEMA: JsonObject = {
  ...MESSAGES,
  description: "The newest messages of person and assistant.",
  type: "array",
  items: { type: "object" },
};
