import { v5 } from "@langchain/core/utils/uuid";

/** The one graph's name. */
export const GRAPH_ID = "concierge";

/** The namespace in which LangGraph's servers name the assistants of their graphs. */
const NAMESPACE = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** The one assistant's id. */
export const ASSISTANT_ID: string = v5(GRAPH_ID, NAMESPACE);

/** Tests for an id or a graph's name that means the one assistant. */
export function isAssistant(name: string): boolean {
  return name === ASSISTANT_ID || name === GRAPH_ID;
}
