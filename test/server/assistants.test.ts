import { expect, test } from "vitest";
import { assistantSchemas } from "../../server/assistant-schemas.ts";
import { findDanglingReferences } from "../support/json-references.ts";
import { openTestApp, readProblem } from "../support/server-parts.ts";

const { app, ask } = await openTestApp();

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
  return (await ask("POST", path, body)).json();
}

async function get(path: string): Promise<unknown> {
  return (await app.request(path)).json();
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

  expect(drawing.nodes.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["__start__", "intake", "explorer", "tools", "finish", "__end__"]),
  );
  expect(drawing.edges).toContainEqual({
    source: "intake",
    target: "understand",
    conditional: false,
  });
});

test("the schemas tell clients what to send, and nobody who they are", async () => {
  type Schemas = Record<string, { properties: Record<string, unknown> }>;
  const schemas = (await get("/assistants/concierge/schemas")) as Schemas;

  const names = ["input", "output", "state", "config", "context"].map((of) => `${of}_schema`);
  expect(Object.keys(schemas)).toEqual(["graph_id", ...names]);
  expect(schemas["input_schema"]?.properties["messages"]).toMatchObject({
    langgraph_type: "messages",
  });
  const context = Object.keys(schemas["context_schema"]?.properties ?? {});
  expect(context).toEqual(["today", "timeZone", "locale", "trace"]);
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
      {
        registry: { entries: [], counters: [], listed: [], choices: [], journalSeen: null },
        messages: [],
      }[channel] ?? null,
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
  ["POST", "/runs/batch"],
])("%s %s says that it is not supported", async (method, path) => {
  expect(await readProblem(await ask(method, path))).toEqual([422, "not_supported", undefined]);
});
