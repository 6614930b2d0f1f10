import { z } from "zod";
import { JsonObjectSchema, type JsonObject } from "../state/json.ts";
import { TurnStateSchema } from "../state/turn.ts";
import { contextJsonSchema, type ContextDefaults } from "./context.ts";

/** JSON Schemas of what goes in and comes out of a graph, as Studio asks for them. */
export interface StudioSchemas {
  readonly graph_id: string;
  readonly input_schema: JsonObject;
  readonly output_schema: JsonObject;
  readonly state_schema: JsonObject;
  readonly config_schema: JsonObject;
  readonly context_schema: JsonObject;
}

/** Makes the schemas: a message goes in, the whole state comes out, and the context is a small form. */
export function studioSchemas(graphId: string, defaults: ContextDefaults): StudioSchemas {
  const state = toJson(TurnStateSchema.getJsonSchema());
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

/** Of all channels the one that a person writes; Studio knows it as a chat by its marker. */
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
