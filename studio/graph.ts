import { studio } from "./studio.ts";

/** The graph, as `langgraph.json` names it. */
export const { graph } = studio;
