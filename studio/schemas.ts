import { z } from "zod";
import type { AssistantSchemas } from "../server/assistant-schemas.ts";
import { toJsonObject } from "../state/json.ts";
import { joinChannelSchemas, readChannelSchemas } from "../state/state-schema.ts";
import { contextJsonSchema, type ContextDefaults } from "./context.ts";

/** Creates the schemas: the input is a message, the output the whole state, and the context a small form. */
export function studioSchemas(graphId: string, defaults: ContextDefaults): AssistantSchemas {
  const state = joinChannelSchemas(readChannelSchemas());
  const context = toJsonObject(contextJsonSchema(defaults));
  return {
    graph_id: graphId,
    input_schema: toJsonObject(z.toJSONSchema(InputSchema, { target: "draft-7" })),
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
