import { z } from "zod";
import { JsonObjectSchema, type JsonObject } from "../state/json.ts";
import { joinChannelSchemas, readChannelSchemas } from "../state/state-schema.ts";
import { contextJsonSchema, type ContextDefaults } from "./context.ts";

/** JSON Schemas of a graph's input, output and context, as Studio requests them. */
export interface StudioSchemas {
  readonly graph_id: string;
  readonly input_schema: JsonObject;
  readonly output_schema: JsonObject;
  readonly state_schema: JsonObject;
  readonly config_schema: JsonObject;
  readonly context_schema: JsonObject;
}

/** Creates the schemas: the input is a message, the output the whole state, and the context a small form. */
export function studioSchemas(graphId: string, defaults: ContextDefaults): StudioSchemas {
  const state = joinChannelSchemas(readChannelSchemas());
  const context = toJson(contextJsonSchema(defaults));
  return {
    graph_id: graphId,
    input_schema: toJson(z.toJSONSchema(InputSchema, { target: "draft-7" })),
    output_schema: state,
    state_schema: state,
    config_schema: context,
    context_schema: context,
  };
}

/** The one channel that a person writes; its marker makes Studio show a chat. */
const InputSchema = z.object({
  messages: z
    .array(
      z.object({
        type: z.literal("human").meta({ default: "human" }),
        content: z.string().describe("The words."),
      }),
    )
    .describe("What the person says; of several messages the last counts.")
    .meta({ langgraph_type: "messages" }),
});

function toJson(schema: unknown): JsonObject {
  return JsonObjectSchema.parse(JSON.parse(JSON.stringify(schema)));
}
