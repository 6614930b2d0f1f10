import { Hono } from "hono";
import { expect, test } from "vitest";
import { ASSISTANT_ID } from "../../server/protocol/assistant-id.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { contextJsonSchema } from "../../studio/context.ts";
import { createStudioApp } from "../../studio/create-app.ts";
import { CLOSED_DOOR } from "../../studio/door.ts";
import { studioSchemas } from "../../studio/schemas.ts";
import { collectReferences, findDanglingReferences } from "../support/json-references.ts";

const DEFAULTS = { anyUser: true, limits: DEFAULT_LIMITS, timeZone: "UTC", locale: "en" };

test("studioSchemas() lets in a message, lets out the whole state, and makes a form of the context", () => {
  const { input_schema: input, state_schema: state, ...others } = studioSchemas("g", DEFAULTS);

  expect(input).toEqual({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      messages: {
        langgraph_type: "messages",
        description: "What the person says; of several messages the last counts.",
        type: "array",
        items: {
          type: "object",
          properties: {
            type: { type: "string", const: "human", default: "human" },
            content: { type: "string", description: "The words." },
          },
          required: ["type", "content"],
          additionalProperties: false,
        },
      },
    },
    required: ["messages"],
    additionalProperties: false,
  });
  const channels = Object.keys((state as { properties: object }).properties);
  expect(channels).toEqual(
    expect.arrayContaining(["messages", "run", "registry", "plan", "concierge", "ledger"]),
  );
  expect(others).toEqual({
    graph_id: "g",
    output_schema: state,
    config_schema: contextJsonSchema(DEFAULTS),
    context_schema: contextJsonSchema(DEFAULTS),
  });
});

test("studioSchemas() refers only to what each schema defines", () => {
  const { graph_id: _id, ...schemas } = studioSchemas("g", DEFAULTS);

  expect(collectReferences(schemas.state_schema)).not.toEqual([]);
  for (const schema of Object.values(schemas)) expect(findDanglingReferences(schema)).toEqual([]);
});

test("createApp() answers for the assistant itself, and for others only where the server knows them", async () => {
  const server = new Hono();
  server.route("/", createStudioApp(DEFAULTS, CLOSED_DOOR));
  server.get("/assistants/:id/schemas", (context) =>
    context.req.param("id") === "made-in-studio"
      ? context.json({ graph_id: "concierge", context_schema: null })
      : context.json({ message: "not found" }, 404),
  );
  const schemas = studioSchemas("concierge", DEFAULTS);

  const answers = await Promise.all(
    ["concierge", ASSISTANT_ID, "made-in-studio", "unknown"].map(async (id) => {
      const response = await server.request(`/assistants/${id}/schemas`);
      return [response.status, await response.json()];
    }),
  );

  expect(answers).toEqual([
    [200, schemas],
    [200, schemas],
    [200, schemas],
    [404, { message: "not found" }],
  ]);
});
