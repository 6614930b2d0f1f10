import { createApp } from "./create-app.ts";
import { studio } from "./studio.ts";

/** What `langgraph.json` names as the server's own routes. */
export const app = createApp(studio.defaults);
