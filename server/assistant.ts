import { z } from "@hono/zod-openapi";
import { JsonObjectSchema } from "../state/json.ts";
import { ASSISTANT_ID, GRAPH_ID } from "./protocol/assistant-id.ts";

/** An assistant as LangGraph's clients know it. */
export const AssistantSchema = z
  .object({
    assistant_id: z.uuid(),
    graph_id: z.string(),
    name: z.string(),
    description: z.string(),
    config: JsonObjectSchema,
    context: JsonObjectSchema,
    metadata: JsonObjectSchema,
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi("Assistant");
export type AssistantRecord = z.infer<typeof AssistantSchema>;

/** Creates the assistant of a server that started at `since`. */
export function createAssistantRecord(since: Date): AssistantRecord {
  return {
    assistant_id: ASSISTANT_ID,
    graph_id: GRAPH_ID,
    name: GRAPH_ID,
    description: "Conversations that take many turns and end in something done.",
    config: {},
    context: {},
    metadata: { created_by: "system" },
    version: 1,
    created_at: since.toISOString(),
    updated_at: since.toISOString(),
  };
}
