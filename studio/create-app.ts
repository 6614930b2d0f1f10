import { Hono } from "hono";
import { GRAPH_ID, isAssistant } from "../server/protocol/assistant-id.ts";
import type { ContextDefaults } from "./context.ts";
import { fromNewest } from "./from-newest.ts";
import { studioSchemas } from "./schemas.ts";

const RUN_ROUTES = ["/threads/:thread_id/runs", "/threads/:thread_id/runs/:how{stream|wait}"];

/**
 * Makes the routes that the dev server has before its own: the schemas of an assistant, whose own
 * way of finding them knows no context, and runs, which begin where a thread's last fork did where
 * they say nothing else. All assistants are the one graph's.
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
  app.on("POST", RUN_ROUTES, async ({ req }, next) => {
    // What is read of a body is kept as a promise, and what is kept is read from then on.
    const text = Promise.resolve(fromNewest(await req.text()));
    Object.assign(req.bodyCache, { text });
    await next();
  });
  return app;
}
