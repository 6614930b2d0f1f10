import { Hono } from "hono";
import { GRAPH_ID, isAssistant } from "../server/protocol/assistant-id.ts";
import type { ContextDefaults } from "./context.ts";
import { guardDoor, type Door } from "./door.ts";
import { fromNewest } from "./from-newest.ts";
import { studioSchemas } from "./schemas.ts";

const RUN_ROUTES = ["/threads/:thread_id/runs", "/threads/:thread_id/runs/:how{stream|wait}"];

/**
 * Makes the routes that the dev server runs before its own: the guard of the door; the schemas of an
 * assistant, since the dev server's own answer knows no context; and runs, which the dev server would
 * start at the thread's last fork when they name no checkpoint. All assistants share the one graph.
 */
export function createStudioApp(defaults: ContextDefaults, door: Pick<Door, "origins">): Hono {
  const app = new Hono();
  // Before every other route, the dev server's included.
  app.use(guardDoor(door));
  const schemas = studioSchemas(GRAPH_ID, defaults);
  app.get("/assistants/:assistant_id/schemas", async (context, next) => {
    if (isAssistant(context.req.param("assistant_id"))) return context.json(schemas);
    // The id may be that of an assistant made in Studio, which only the dev server knows.
    await next();
    // After next() a response exists already: it can only be replaced, not returned.
    if (context.res.ok) context.res = context.json(schemas);
    return undefined;
  });
  app.on("POST", RUN_ROUTES, async ({ req }, next) => {
    // Hono caches a body as a promise and serves every later read from that cache.
    const text = Promise.resolve(fromNewest(await req.text()));
    Object.assign(req.bodyCache, { text });
    await next();
  });
  return app;
}
