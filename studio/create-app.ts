import { Hono } from "hono";
import { GRAPH_ID, isAssistant } from "../server/protocol/assistant-id.ts";
import type { ContextDefaults } from "./context.ts";
import { studioSchemas } from "./schemas.ts";

/**
 * Makes the routes that the dev server has before its own: the schemas of an assistant, whose own
 * way of finding them knows no context. All assistants are the one graph's.
 */
export function createApp(defaults: ContextDefaults): Hono {
  const app = new Hono();
  const schemas = studioSchemas(GRAPH_ID, defaults);
  app.get("/assistants/:assistant_id/schemas", async (context, next) => {
    if (isAssistant(context.req.param("assistant_id"))) return context.json(schemas);
    // One that was made in Studio, if there is one of that id.
    await next();
    // An answer that is there can only be put in place of, not returned.
    if (context.res.ok) context.res = context.json(schemas);
    return undefined;
  });
  return app;
}
