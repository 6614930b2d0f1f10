import { afterAll, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { assistantSchemas } from "../../server/assistant-schemas.ts";
import { testDatabase } from "../support/database.ts";
import { findDanglingReferences } from "../support/json-references.ts";
import { openServerParts, routeParts } from "../support/server-parts.ts";

const database = await testDatabase();
const parts = await openServerParts({ database });
afterAll(() => parts.close());
const app = createApp(routeParts(parts));

const ASSISTANT = {
  assistant_id: "238fa152-5553-5c1e-9fcb-7e73045ed915",
  graph_id: "concierge",
  name: "concierge",
  description: "Conversations that take many turns and end in something done.",
  config: {},
  context: {},
  metadata: { created_by: "system" },
  version: 1,
  created_at: "2026-01-12T09:30:00.000Z",
  updated_at: "2026-01-12T09:30:00.000Z",
};

async function post(path: string, body: unknown): Promise<unknown> {
  const response = await app.request(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  return response.json();
}

async function get(path: string): Promise<unknown> {
  const response = await app.request(path);
  return response.json();
}

test("the one assistant is found by its id and by its graph's name", async () => {
  expect(await get("/assistants/concierge")).toEqual(ASSISTANT);
  expect(await get(`/assistants/${ASSISTANT.assistant_id}`)).toEqual(ASSISTANT);
  expect(await get("/assistants/other")).toMatchObject({
    code: "assistant_not_found",
    status: 404,
  });
});

test.each([
  [{}, 1],
  [{ graph_id: "concierge" }, 1],
  [{ graph_id: "other" }, 0],
  [{ name: "CONC" }, 1],
  [{ name: "x" }, 0],
  [{ metadata: { created_by: "system" } }, 1],
  [{ metadata: { created_by: "me" } }, 0],
])("POST /assistants/search %j finds %i", async (query, count) => {
  const found = await post("/assistants/search", query);

  expect(found).toEqual(count === 0 ? [] : [ASSISTANT]);
  expect(await post("/assistants/count", query)).toBe(count);
  expect(await post("/assistants/search", { ...query, offset: 1 })).toEqual([]);
});

test("a search tells what was asked for", async () => {
  const found = await post("/assistants/search", { select: ["name", "version"] });

  expect(found).toEqual([{ name: "concierge", version: 1 }]);
});

test("the graph is drawn with the nodes and edges that it has", async () => {
  const drawing = (await get("/assistants/concierge/graph?xray=true")) as {
    nodes: { id: string }[];
    edges: { source: string; target: string }[];
  };

  expect(drawing.nodes.map(({ id }) => id)).toEqual([
    "__start__",
    "intake",
    "understand",
    "think",
    "act",
    "tools",
    "convene",
    "expert",
    "mapper",
    "structure",
    "starter",
    "explorer",
    "executor",
    "reply",
    "summarize",
    "finish",
    "__end__",
  ]);
  expect(drawing.edges).toContainEqual({
    source: "intake",
    target: "understand",
    conditional: false,
  });
});

test("the schemas tell clients what to send, and nobody who they are", async () => {
  const schemas = (await get("/assistants/concierge/schemas")) as Record<
    string,
    { properties: Record<string, unknown> }
  >;

  expect(Object.keys(schemas)).toEqual([
    "graph_id",
    "input_schema",
    "output_schema",
    "state_schema",
    "config_schema",
    "context_schema",
  ]);
  expect(schemas["graph_id"]).toBe("concierge");
  expect(schemas["input_schema"]?.properties["messages"]).toMatchObject({
    langgraph_type: "messages",
  });
  expect(Object.keys(schemas["context_schema"]?.properties ?? {})).toEqual([
    "today",
    "timeZone",
    "locale",
    "trace",
  ]);
  expect(schemas["state_schema"]).toEqual(schemas["output_schema"]);
});

test("the state's schema names what public values show, no more and no less", async () => {
  const { publicValues } = await import("../../graph/public-state.ts");
  const { TurnStateSchema } = await import("../../state/turn.ts");
  const schemas = (await get("/assistants/concierge/schemas")) as {
    state_schema: { properties: Record<string, unknown> };
  };
  const everything = Object.fromEntries(
    Object.keys(TurnStateSchema.fields).map((channel) => [
      channel,
      { registry: { entries: [], counters: [], listed: [] }, messages: [] }[channel] ?? null,
    ]),
  );

  const shown = Object.keys(publicValues(everything)).toSorted();

  expect(Object.keys(schemas.state_schema.properties).toSorted()).toEqual(shown);
  expect(JSON.stringify(schemas.state_schema)).not.toMatch(/\$schema.*\$schema/);
});

test("assistantSchemas() refers only to what each schema defines", () => {
  for (const schema of Object.values(assistantSchemas())) {
    expect(findDanglingReferences(schema)).toEqual([]);
  }
});

test("there are no subgraphs, and one version", async () => {
  expect(await get("/assistants/concierge/subgraphs?recurse=true")).toEqual({});
  expect(await get("/assistants/concierge/subgraphs/inner")).toEqual({});
  expect(await post("/assistants/concierge/versions", {})).toEqual([ASSISTANT]);
});

test.each([
  ["POST", "/assistants"],
  ["PATCH", "/assistants/concierge"],
  ["DELETE", "/assistants/concierge"],
  ["POST", "/assistants/concierge/latest"],
])("%s %s says that assistants are not changed", async (method, path) => {
  const response = await app.request(path, { method });

  expect([response.status, await response.json()]).toEqual([
    501,
    expect.objectContaining({ code: "not_supported" }),
  ]);
});
