import { createStudioApp } from "./create-app.ts";
import { closeInternalRoutes } from "./door.ts";
import { studio } from "./studio.ts";

closeInternalRoutes();

/** The server's own routes, as `langgraph.json` names them. */
export const app = createStudioApp(studio.defaults, studio.door);
