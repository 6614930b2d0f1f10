import type { JsonObject } from "../state/json.ts";
import { ASSISTANT_ID, GRAPH_ID } from "./protocol/assistant-id.ts";

/** An assistant as LangGraph's clients know it. */
export interface AssistantRecord {
  readonly assistant_id: string;
  readonly graph_id: string;
  readonly name: string;
  readonly description: string;
  readonly config: JsonObject;
  readonly context: JsonObject;
  readonly metadata: JsonObject;
  readonly version: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

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
