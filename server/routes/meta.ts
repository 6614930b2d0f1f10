import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createRoute, z } from "@hono/zod-openapi";
import { renderOpenApi } from "../openapi.ts";
import type { RouteParts } from "../parts.ts";
import { jsonAnswer, PROBLEM_RESPONSE, type ApiApp } from "../route.ts";

const okRoute = createRoute({
  method: "get",
  path: "/ok",
  summary: "Health check",
  tags: ["server"],
  responses: jsonAnswer("The server answers", z.object({ ok: z.literal(true) })),
});

const InfoSchema = z
  .object({
    version: z.string(),
    langgraph_js_version: z.string().nullable(),
    context: z.literal("js"),
    flags: z.object({
      assistants: z.boolean(),
      crons: z.boolean(),
      langsmith: z.boolean(),
      langsmith_tracing_replicas: z.boolean(),
    }),
  })
  .openapi("Info");

const infoRoute = createRoute({
  method: "get",
  path: "/info",
  summary: "Version and features, as LangGraph's clients request them",
  tags: ["server"],
  responses: jsonAnswer("The server", InfoSchema),
});

const metricsRoute = createRoute({
  method: "get",
  path: "/metrics",
  summary: "Metrics for Prometheus",
  description: "Needs no authentication on the server's own machine.",
  tags: ["server"],
  responses: {
    200: { description: "Counters", content: { "text/plain": { schema: z.string() } } },
    ...PROBLEM_RESPONSE,
  },
});

/** Registers the routes of health, version, metrics and the OpenAPI document. */
export function registerMeta(app: ApiApp, parts: RouteParts): void {
  const langgraph = readVersion("@langchain/langgraph");
  app.openapi(okRoute, (context) => context.json({ ok: true } as const, 200));
  app.openapi(infoRoute, async (context) =>
    context.json(
      {
        version: parts.settings.version,
        langgraph_js_version: await langgraph,
        context: "js" as const,
        // LangGraph's clients hide the features that are off.
        flags: {
          assistants: true,
          crons: false,
          langsmith: false,
          langsmith_tracing_replicas: false,
        },
      },
      200,
    ),
  );
  app.openapi(metricsRoute, async (context) => {
    const type = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return context.text(await parts.metrics.render(), 200, type);
  });
  registerDocument(app, parts);
}

function registerDocument(app: ApiApp, parts: RouteParts): void {
  let document: string | null = null;
  app.get("/openapi.json", (context) => {
    document ??= renderOpenApi(app, parts.settings);
    return context.body(document, 200, { "content-type": "application/json" });
  });
}

async function readVersion(name: string): Promise<string | null> {
  try {
    const path = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(await readFile(path, "utf8")));
    return version;
  } catch {
    return null;
  }
}
