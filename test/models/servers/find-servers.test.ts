import { networkInterfaces } from "node:os";
import { test } from "@fast-check/vitest";
import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { findServers, identifyServer } from "../../../models/servers/find-servers.ts";
import { getLocalJson } from "../../../models/servers/get-local-json.ts";
import { readServer } from "../../../models/servers/read-server.ts";
import type { Json } from "../../../state/json.ts";
import {
  LLAMA_ROUTES,
  OLLAMA_ROUTES,
  serveRoutes,
  STUDIO_ROUTES,
  VLLM_ROUTES,
} from "../../support/model-servers.ts";

/** However busy the machine is. */
const PATIENCE_MS = 20_000;
const THINKS = { reasoningStyle: "field", reasoningControl: "think", allowance: 4_096 };
const THINKS_NOT = { reasoningStyle: "none", reasoningControl: "none", allowance: 0 };

test("findServers() finds what listens, in the order of the ports, and asks with GET only", async () => {
  const servers = await Promise.all(
    [OLLAMA_ROUTES, STUDIO_ROUTES, LLAMA_ROUTES, VLLM_ROUTES].map((routes) => serveRoutes(routes)),
  );

  const found = await findServers({
    ports: servers.map(({ port }) => port),
    answerMs: PATIENCE_MS,
  });

  expect(found).toEqual([
    {
      kind: "Ollama",
      baseUrl: `${servers[0]?.origin}/v1`,
      models: [
        { name: "qwen3:4b", parameters: 4, traits: { tier: "small", ...THINKS } },
        { name: "llama3.3:latest", parameters: 70.6, traits: { tier: "full", ...THINKS_NOT } },
      ],
    },
    {
      kind: "LM Studio",
      baseUrl: `${servers[1]?.origin}/v1`,
      models: [
        { name: "qwen/qwen3-14b", parameters: null, traits: { contextWindow: 12_000 } },
        { name: "phi-4-mini-instruct", parameters: null, traits: { tools: "union" } },
      ],
    },
    {
      kind: "llama.cpp",
      baseUrl: `${servers[2]?.origin}/v1`,
      models: [
        {
          name: "gemma-3-12b",
          parameters: null,
          traits: { slots: 4, contextWindow: 16_384, tools: "union" },
        },
      ],
    },
    {
      kind: "vLLM",
      baseUrl: `${servers[3]?.origin}/v1`,
      models: [
        { name: "Qwen/Qwen2.5-14B-Instruct", parameters: null, traits: { contextWindow: 32_768 } },
      ],
    },
  ]);
  const asked = servers.flatMap(({ requests }) => requests);
  expect(asked.filter(({ route, body }) => !route.startsWith("GET ") || body !== null)).toEqual([]);
});

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);

test("findServers() finds a server that listens on IPv6 alone", { skip: !hasIPv6 }, async () => {
  const ollama = await serveRoutes(OLLAMA_ROUTES, "::1");

  const found = await findServers({ ports: [ollama.port], answerMs: PATIENCE_MS });

  expect(found.map(({ kind, baseUrl }) => ({ kind, baseUrl }))).toEqual([
    { kind: "Ollama", baseUrl: `http://[::1]:${ollama.port}/v1` },
  ]);
});

test("findServers() names a server once that is found twice, and none that has no model", async () => {
  const [ollama, empty] = await Promise.all([
    serveRoutes(OLLAMA_ROUTES),
    serveRoutes({ ...OLLAMA_ROUTES, "GET /api/tags": { models: [] } }),
  ]);

  const found = await findServers({
    ports: [ollama.port, empty.port, ollama.port],
    answerMs: PATIENCE_MS,
  });

  expect(found.map(({ baseUrl }) => baseUrl)).toEqual([`${ollama.origin}/v1`]);
});

describe("identifyServer()", () => {
  test("asks nobody elsewhere", async () => {
    expect(await identifyServer("http://models.example:11434/v1")).toEqual({ kind: "unknown" });
    expect(await identifyServer("http://127.0.0.1.models.example/v1")).toEqual({ kind: "unknown" });
  });

  test("reports a port without a server as silent", async () => {
    // Port 9 (discard) has no server in tests.
    expect(await identifyServer("http://127.0.0.1:9/v1", PATIENCE_MS)).toEqual({ kind: "silent" });
  });

  test("reports a server that hangs as silent, after its time", async () => {
    const hanging = await serveRoutes(
      Object.fromEntries(
        ["/api/version", "/api/tags", "/api/v0/models", "/props", "/v1/models"].map((path) => [
          `GET ${path}`,
          (_request, response) => void response.write('{"version": '),
        ]),
      ),
    );

    expect(await identifyServer(hanging.origin)).toEqual({ kind: "silent" });
  });

  test("follows no redirect", async () => {
    const ollama = await serveRoutes(OLLAMA_ROUTES);
    const redirecting = await serveRoutes(
      Object.fromEntries(
        Object.keys(OLLAMA_ROUTES).map((route) => [
          route,
          (_request, response) => {
            const location = `${ollama.origin}${route.replace("GET ", "")}`;
            response.writeHead(302, { location }).end();
          },
        ]),
      ),
    );

    expect(await identifyServer(redirecting.origin, PATIENCE_MS)).toEqual({ kind: "unknown" });
    expect(ollama.requests).toEqual([]);
  });

  test("reads no answer without end", async () => {
    const tags = JSON.stringify({ models: [], padding: "x".repeat(1 << 20) });
    const huge = await serveRoutes({
      ...OLLAMA_ROUTES,
      "GET /api/tags": (_request, response) => void response.end(tags),
    });

    expect(await identifyServer(huge.origin, PATIENCE_MS)).toEqual({ kind: "unknown" });
  });

  test.each<[string, Record<string, Json>]>([
    ["a web page with a version", { "GET /api/version": { version: "1.0" } }],
    ["OpenAI's list of models without windows", { "GET /v1/models": { data: [{ id: "gpt-x" }] } }],
    ["errors with a status of success", { "GET /api/v0/models": { error: "Unexpected endpoint" } }],
    [
      "lists of something else",
      { "GET /api/v0/models": { data: [{ id: "a" }] }, "GET /props": [] },
    ],
  ])("knows no server by %s", async (_, routes) => {
    const server = await serveRoutes(routes);

    expect(await identifyServer(server.origin, PATIENCE_MS)).toEqual({ kind: "unknown" });
  });
});

test("getLocalJson() asks nothing but loopback over http", async () => {
  const signal = AbortSignal.timeout(1_000);
  const urls = ["https://127.0.0.1/props", "http://192.0.2.1/props", "file:///etc/hostname"];

  const answers = await Promise.all(urls.map((url) => getLocalJson(url, signal)));

  expect(answers.map(({ kind }) => kind)).toEqual(["silent", "silent", "silent"]);
});

describe("readServer()", () => {
  const none = {
    version: undefined,
    tags: undefined,
    studio: undefined,
    props: undefined,
    models: undefined,
  };

  test("leaves out models whose names a terminal would obey, and entries that are none", () => {
    const names = [
      "\u001B[2Jcleared",
      "line\nbreak",
      "\u202Ereversed",
      "",
      "x".repeat(201),
      "fine",
    ];
    const models = [...names.map((name) => ({ name })), null, 7, { name: 3 }];

    const found = readServer({ ...none, version: { version: "1" }, tags: { models } });

    expect(found?.models.map(({ name }) => name)).toEqual(["fine"]);
  });

  test("keeps two hundred models of a long list", () => {
    const data = Array.from({ length: 5_000 }, (_, id) => ({ id: `m${id}`, max_model_len: 4_096 }));

    expect(readServer({ ...none, models: { data } })?.models).toHaveLength(200);
  });

  const junk = fc.jsonValue({ maxDepth: 3 });
  test.prop([fc.record({ version: junk, tags: junk, studio: junk, props: junk, models: junk })])(
    "survives whatever a port answers",
    (answers) => {
      const found = readServer(answers);

      expect(found === null || Array.isArray(found.models)).toBe(true);
    },
  );
});
