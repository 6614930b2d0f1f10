import { studio } from "./studio.ts";

/** What `langgraph.json` names as the graph. */
export const { graph } = studio;
