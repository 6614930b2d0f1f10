import { createStudioApp } from "./create-app.ts";
import { studio } from "./studio.ts";

/** The server's own routes, as `langgraph.json` names them. */
export const app = createStudioApp(studio.defaults, studio.door);
