import { Hono } from "hono";
import { describe, expect, onTestFinished, test } from "vitest";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer as createHttpServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { createStudioApp } from "../../studio/create-app.ts";
import { allowStudioOrigins } from "../../studio/dev-server.ts";
import {
  CLOSED_DOOR,
  closeInternalRoutes,
  DOOR_VARIABLE,
  readDoor,
  STUDIO_ORIGIN,
} from "../../studio/door.ts";

const DEFAULTS = { anyUser: false, limits: DEFAULT_LIMITS, timeZone: "UTC", locale: "en" };
const HERE = "http://127.0.0.1:2024";

/** The dev server in small: the project's routes first, then routes that the project does not know. */
function createServer(origins: readonly string[] = CLOSED_DOOR.origins) {
  const reached: string[] = [];
  const server = new Hono();
  server.route("/", createStudioApp(DEFAULTS, { origins }));
  server.all("*", (context) => {
    reached.push(`${context.req.method} ${context.req.path}`);
    return context.text("reached");
  });
  return { server, reached };
}

const JSON_BODY = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };

describe("createApp() guards every path of the dev server", () => {
  test.each<[string, RequestInit & { headers?: Record<string, string> }]>([
    ["/ok", {}],
    ["/threads", JSON_BODY],
    ["/threads/t/runs/stream", JSON_BODY],
    ["/threads/t", { method: "DELETE" }],
    ["/threads/t/runs/r/cancel", { method: "POST" }],
    ["/ok", { headers: { host: "localhost:2024" } }],
    ["/ok", { headers: { host: "[::1]:2024", origin: STUDIO_ORIGIN } }],
    [
      "/store/items",
      {
        ...JSON_BODY,
        method: "PUT",
        headers: { "content-type": "Application/JSON; charset=utf-8" },
      },
    ],
  ])("lets through %s %j", async (path, init) => {
    const { server, reached } = createServer();

    const response = await server.request(`${HERE}${path}`, init);

    expect(response.status).toBe(200);
    expect(reached).toEqual([`${init.method ?? "GET"} ${path}`]);
  });

  test.each<[number, string, RequestInit]>([
    [403, "/ok", { headers: { host: "evil.example" } }],
    [403, "/ok", { headers: { host: "127.0.0.1.evil.example:2024" } }],
    [403, "/ok", { headers: { host: "localhost:2024", origin: "https://evil.example" } }],
    [403, "/ok", { headers: { origin: "null" } }],
    [403, "/ok", { headers: { origin: HERE } }],
    [403, "/ok", { headers: { origin: "https://smith.langchain.com.evil.example" } }],
    [403, "/assistants/concierge/schemas", { headers: { origin: "https://evil.example" } }],
    [403, "/threads", { method: "POST", body: "{}", headers: { origin: "https://evil.example" } }],
    [403, "/threads", { method: "OPTIONS", headers: { origin: "https://evil.example" } }],
    [415, "/threads", { method: "POST", body: "{}" }],
    [415, "/threads/t/runs/stream", { method: "POST", body: new URLSearchParams({ a: "b" }) }],
    [
      415,
      "/threads",
      { method: "POST", body: "{}", headers: { "content-type": "text/plain; a=application/json" } },
    ],
    [415, "/threads", { method: "POST", headers: { "content-length": "2" } }],
    [415, "/threads", { method: "POST", headers: { "transfer-encoding": "chunked" } }],
  ])("answers %i on %s %j, and no route is reached", async (status, path, init) => {
    const { server, reached } = createServer();

    const response = await server.request(`${HERE}${path}`, init);

    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/^Cannot /) });
    expect(reached).toEqual([]);
  });

  test("lets a page in whose origin was named", async () => {
    const { server } = createServer([STUDIO_ORIGIN, "http://localhost:3000"]);
    const headers = { origin: "http://localhost:3000" };

    expect((await server.request(`${HERE}/ok`, { headers })).status).toBe(200);
  });
});

test("readDoor() is closed unless npm run studio opened it", () => {
  const open = { origins: [STUDIO_ORIGIN, "http://localhost:3000"], anyUser: true };

  expect(readDoor({})).toEqual({ origins: ["https://smith.langchain.com"], anyUser: false });
  expect(readDoor({ [DOOR_VARIABLE]: JSON.stringify(open) })).toEqual(open);
  expect(() => readDoor({ [DOOR_VARIABLE]: '{"origins":"*"}' })).toThrow("origins");
});

test("langgraph.json lets Studio's page in and no other; allowOrigins() adds those that are named", () => {
  const text = readFileSync(join(import.meta.dirname, "../../langgraph.json"), "utf8");
  const config = JSON.parse(text) as { http: { cors: object } };

  expect(config.http.cors).toEqual({
    allow_origins: [STUDIO_ORIGIN],
    expose_headers: ["content-location", "x-pagination-total"],
  });
  expect(JSON.parse(allowStudioOrigins(text, ["http://localhost:3000"]))).toEqual({
    ...config,
    http: {
      ...config.http,
      cors: { ...config.http.cors, allow_origins: [STUDIO_ORIGIN, "http://localhost:3000"] },
    },
  });
});

test.each([
  ["/internal/truncate", false],
  ["//internal/truncate", false],
  ["http://127.0.0.1/internal/truncate", false],
  ["/%69nternal/truncate?x=1", false],
  ["/INTERNAL", false],
  ["/%", false],
  ["/threads/internal", true],
  ["/internals", true],
])("closeInternalRoutes() keeps %s from its route unless %s", async (path, isOpen) => {
  closeInternalRoutes();
  const server = createHttpServer((request, response) => response.end(request.url));
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;

  const sent = request({ port, host: "127.0.0.1", path, method: "POST", agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];

  expect(await text(response)).toBe(isOpen ? path : "/closed");
});
