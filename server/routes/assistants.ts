import { createRoute, z } from "@hono/zod-openapi";
import { JsonObjectSchema } from "../../state/json.ts";
import { assistantSchemas, AssistantSchemasSchema } from "../assistant-schemas.ts";
import { AssistantSchema, createAssistantRecord, type AssistantRecord } from "../assistant.ts";
import type { RouteParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { GRAPH_ID, isAssistant } from "../protocol/assistant-id.ts";
import { jsonAnswer, jsonBody, type ApiApp } from "../route.ts";

const FilterSchema = z.object({
  graph_id: z.string().nullish(),
  name: z.string().nullish().openapi({ description: "A part of the name, in any case." }),
  metadata: JsonObjectSchema.nullish(),
});
type Filter = z.infer<typeof FilterSchema>;

const SearchSchema = FilterSchema.extend({
  limit: z.number().int().min(1).max(1_000).default(10),
  offset: z.number().int().min(0).default(0),
  // Ignored: there is only one assistant.
  sort_by: z.string().nullish(),
  sort_order: z.enum(["asc", "desc"]).nullish(),
  select: z.array(AssistantSchema.keyof()).nullish(),
});

const VersionsSchema = z.object({
  limit: z.number().int().min(1).max(1_000).default(10),
  offset: z.number().int().min(0).default(0),
  metadata: JsonObjectSchema.nullish(),
});

const params = z.object({
  assistant_id: z
    .string()
    .openapi({ description: `The assistant's id, or its graph's name, "${GRAPH_ID}".` }),
});

const xray = z
  .union([z.enum(["true", "false"]), z.string().regex(/^\d{1,3}$/)])
  .optional()
  .openapi({ description: "Draws subgraphs, or subgraphs down to this depth." });

const tags = ["assistants"];

const searchRoute = createRoute({
  method: "post",
  path: "/assistants/search",
  summary: "Lists the assistants: there is one",
  tags,
  request: { body: jsonBody(SearchSchema) },
  responses: jsonAnswer("Matching assistants", z.array(AssistantSchema.partial())),
});

const countRoute = createRoute({
  method: "post",
  path: "/assistants/count",
  summary: "Counts the matching assistants",
  tags,
  request: { body: jsonBody(FilterSchema) },
  responses: jsonAnswer("Their number", z.number().int()),
});

const getRoute = createRoute({
  method: "get",
  path: "/assistants/{assistant_id}",
  summary: "The assistant",
  tags,
  request: { params },
  responses: jsonAnswer("The assistant", AssistantSchema),
});

const DrawingSchema = z.object({
  nodes: z.array(JsonObjectSchema),
  edges: z.array(JsonObjectSchema),
});

const graphRoute = createRoute({
  method: "get",
  path: "/assistants/{assistant_id}/graph",
  summary: "The graph's nodes and edges",
  tags,
  request: { params, query: z.object({ xray }) },
  responses: jsonAnswer("As LangGraph draws it", DrawingSchema),
});

const schemasRoute = createRoute({
  method: "get",
  path: "/assistants/{assistant_id}/schemas",
  summary: "JSON Schemas of input, output, state and context",
  tags,
  request: { params },
  responses: jsonAnswer("The schemas", AssistantSchemasSchema),
});

const subgraphs = jsonAnswer(
  "Schemas by name: the graph has no subgraphs",
  z.record(z.string(), AssistantSchemasSchema),
);
const recurse = z.object({ recurse: z.enum(["true", "false"]).optional() });

const subgraphsRoute = createRoute({
  method: "get",
  path: "/assistants/{assistant_id}/subgraphs",
  summary: "The graph's subgraphs",
  tags,
  request: { params, query: recurse },
  responses: subgraphs,
});

const subgraphRoute = createRoute({
  method: "get",
  path: "/assistants/{assistant_id}/subgraphs/{namespace}",
  summary: "One of the subgraphs",
  tags,
  request: { params: params.extend({ namespace: z.string() }), query: recurse },
  responses: subgraphs,
});

const versionsRoute = createRoute({
  method: "post",
  path: "/assistants/{assistant_id}/versions",
  summary: "The assistant's versions: there is one",
  tags,
  request: { params, body: jsonBody(VersionsSchema) },
  responses: jsonAnswer("The version", z.array(AssistantSchema)),
});

/** Registers the routes of the one assistant, which can be read and not changed. */
export function registerAssistants(app: ApiApp, parts: RouteParts): void {
  const assistant = createAssistantRecord(parts.now());
  const schemas = assistantSchemas();
  const fitting = (filter: Filter): readonly AssistantRecord[] =>
    fits(assistant, filter) ? [assistant] : [];

  app.openapi(searchRoute, (context) => {
    const { limit, offset, select, ...filter } = context.req.valid("json");
    const found = fitting(filter);
    const page = found.slice(offset ?? 0, (offset ?? 0) + (limit ?? 10));
    context.header("x-pagination-total", String(found.length));
    return context.json(
      page.map((one) => (select == null ? one : pick(one, select))),
      200,
    );
  });
  app.openapi(countRoute, (context) =>
    context.json(fitting(context.req.valid("json")).length, 200),
  );
  app.openapi(getRoute, (context) => {
    assertAssistant(context.req.valid("param").assistant_id);
    return context.json(assistant, 200);
  });
  app.openapi(graphRoute, async (context) => {
    assertAssistant(context.req.valid("param").assistant_id);
    const drawable = await parts.graph.getGraphAsync({
      xray: readXray(context.req.valid("query").xray),
    });
    const drawing: unknown = JSON.parse(JSON.stringify(drawable.toJSON()));
    return context.json(DrawingSchema.parse(drawing), 200);
  });
  app.openapi(schemasRoute, (context) => {
    assertAssistant(context.req.valid("param").assistant_id);
    return context.json({ graph_id: GRAPH_ID, ...schemas }, 200);
  });
  app.openapi(subgraphsRoute, (context) => {
    assertAssistant(context.req.valid("param").assistant_id);
    return context.json({}, 200);
  });
  app.openapi(subgraphRoute, (context) => {
    assertAssistant(context.req.valid("param").assistant_id);
    return context.json({}, 200);
  });
  app.openapi(versionsRoute, (context) => {
    assertAssistant(context.req.valid("param").assistant_id);
    const { limit, offset, metadata } = context.req.valid("json");
    const found = fitting({ metadata });
    return context.json(found.slice(offset ?? 0, (offset ?? 0) + (limit ?? 10)), 200);
  });
  refuseChanges(app);
}

/** Registers the routes that would change assistants; each answers that it is not supported. */
function refuseChanges(app: ApiApp): void {
  app.post("/assistants", () => refuseChange());
  app.patch("/assistants/:assistant_id", () => refuseChange());
  app.delete("/assistants/:assistant_id", () => refuseChange());
  app.post("/assistants/:assistant_id/latest", () => refuseChange());
}

function refuseChange(): never {
  throw new Problem("not_supported", {
    detail: `Cannot change assistants: the only one, "${GRAPH_ID}", is the server's own graph and configuration; give each run its context instead`,
  });
}

function assertAssistant(id: string): void {
  if (isAssistant(id)) return;
  throw new Problem("assistant_not_found", {
    detail: `Cannot find this assistant: the only one is "${GRAPH_ID}"; use that name or its id`,
  });
}

function readXray(value: string | undefined): boolean | number {
  if (value === undefined || value === "false") return false;
  return value === "true" ? true : Number(value);
}

function fits(assistant: AssistantRecord, { graph_id, name, metadata }: Filter): boolean {
  return (
    (graph_id == null || graph_id === assistant.graph_id) &&
    (name == null || assistant.name.toLowerCase().includes(name.toLowerCase())) &&
    Object.entries(metadata ?? {}).every(([key, value]) => assistant.metadata[key] === value)
  );
}

function pick(
  assistant: AssistantRecord,
  keys: readonly (keyof AssistantRecord)[],
): Partial<AssistantRecord> {
  return Object.fromEntries(keys.map((key) => [key, assistant[key]]));
}
