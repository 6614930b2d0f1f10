import { expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { ProblemSchema } from "../../server/problems.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";
import { openTestApp, routeParts } from "../support/server-parts.ts";

const { parts, app } = await openTestApp();

const JSON_TYPE = { "content-type": "application/json" };

async function requestProblem(path: string, init: RequestInit = {}) {
  const response = await app.request(path, init);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const { status, headers } = response;
  return { status, headers, problem: ProblemSchema.parse(await response.json()) };
}

test("an unknown route is a problem that says where the routes are", async () => {
  const { status, headers, problem } = await requestProblem("/nope", {
    headers: { "x-request-id": "mine-1" },
  });

  expect({ status, problem, id: headers.get("x-request-id") }).toEqual({
    status: 404,
    id: "mine-1",
    problem: {
      type: "about:blank",
      title: "No such route",
      status: 404,
      code: "route_not_found",
      detail: "Cannot find this route: no route has this path; /openapi.json lists them all",
      requestId: "mine-1",
    },
  });
});

test("a request's id is made where there is none, or one that nobody could log", async () => {
  for (const given of [undefined, "two\tparts", "x".repeat(200)]) {
    const headers: Record<string, string> = given === undefined ? {} : { "x-request-id": given };
    const response = await app.request("/ok", { headers });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test.each([
  ["POST", "/ok", "GET"],
  ["PUT", "/assistants/concierge", "GET, PATCH, DELETE"],
  ["GET", "/assistants/search/x", null],
  ["OPTIONS", "/assistants/search", "GET, POST, PATCH, DELETE"],
])("%s %s is answered with the methods that there are: %s", async (method, path, allow) => {
  const { problem, headers } = await requestProblem(path, { method });

  const isMissing = allow === null;
  expect(problem.code).toBe(isMissing ? "route_not_found" : "method_not_allowed");
  const methods = headers.get("allow")?.split(", ").toSorted() ?? null;
  expect(methods).toEqual(allow === null ? null : allow.split(", ").toSorted());
});

test.each([
  { name: "no JSON", body: '{"limit":', code: "invalid_json", status: 400 },
  { name: "a wrong type", body: '{"metadata":[]}', code: "invalid_request", field: "/metadata" },
  { name: "a wrong item", body: '{"select":["name","x"]}', field: "/select/1" },
  { name: "no object", body: "[]", code: "invalid_request", field: "" },
  { name: "not UTF-8", body: Buffer.from([0x7b, 0xff]), code: "invalid_json", status: 400 },
  {
    name: "what a form of another page can send",
    body: "{}",
    type: "text/plain",
    code: "unsupported_media_type",
    status: 415,
  },
])("a body with $name is refused", async ({ body, code, status, field, type }) => {
  const { problem } = await requestProblem("/assistants/search", {
    method: "POST",
    body,
    headers: type === undefined ? JSON_TYPE : { "content-type": type },
  });

  expect(problem).toMatchObject({
    code: code ?? "invalid_request",
    status: status ?? 422,
    ...(field === undefined ? {} : { field }),
  });
});

test.each(["gzip", "identity, gzip"])(
  "a body that is encoded as %s is refused with what it may be",
  async (coding) => {
    const { status, headers, problem } = await requestProblem("/assistants/search", {
      method: "POST",
      body: "{}",
      headers: { ...JSON_TYPE, "content-encoding": coding },
    });

    expect([status, headers.get("accept-encoding"), problem]).toMatchObject([
      415,
      "identity",
      {
        code: "unsupported_media_type",
        detail: `Cannot read the body: it is encoded ("${coding}"); send it without "content-encoding"`,
      },
    ]);
  },
);

test.each([
  ["POST", "/assistants/search", "Identity", 200],
  ["POST", "/assistants/search", "", 200],
  ["DELETE", "/threads/none", "gzip", 404],
])("%s %s with the coding %j, which changes nothing, is answered", async (...asked) => {
  const [method, path, coding, status] = asked;
  const response = await app.request(path, {
    method,
    ...(method === "POST" ? { body: "{}" } : {}),
    headers: { ...JSON_TYPE, "content-encoding": coding },
  });

  expect(response.status).toBe(status);
});

test("a wrong value of the query says so", async () => {
  const { problem } = await requestProblem("/assistants/concierge/graph?xray=perhaps");

  expect(problem).toMatchObject({ code: "invalid_request", field: "/xray" });
  expect(problem.detail).toContain("of the query");
});

test("an unexpected error is answered without its message, and logged with the request's id", async () => {
  const mistake = new Error("secret path /srv/private");
  const failing = createApp({ ...routeParts(parts), authenticate: () => Promise.reject(mistake) });

  const response = await failing.request("/assistants/concierge/graph");
  const text = await response.text();

  expect(response.status).toBe(500);
  expect(text).not.toMatch(/secret|srv|Error|at /);
  expect(JSON.parse(text)).toMatchObject({ code: "internal" });
  expect(parts.noted.errors.splice(0)).toEqual([mistake]);
});

test("without its database the server says that it is the database, and when to come again", async () => {
  const gone = new DatabaseUnavailableError("Cannot reach the database: at postgresql://secret");
  const lost = createApp({ ...routeParts(parts), authenticate: () => Promise.reject(gone) });

  const response = await lost.request("/threads/x");
  const text = await response.text();

  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(text).not.toContain("secret");
  expect(JSON.parse(text)).toMatchObject({ code: "database_unavailable" });
  expect((await lost.request("/ok")).status).toBe(200);
});

test("/ok, /info and /metrics answer", async () => {
  const ok = await app.request("/ok");
  const info = await app.request("/info");
  const metrics = await app.request("/metrics");

  expect(await ok.json()).toEqual({ ok: true });
  const flags = { assistants: true, crons: false, langsmith: false };
  expect(await info.json()).toMatchObject({ version: "0.0.0-test", context: "js", flags });
  expect([metrics.headers.get("content-type"), await metrics.text()]).toEqual([
    "text/plain; version=0.0.4; charset=utf-8",
    "# nothing is counted\n",
  ]);
});

test("requests are counted by the pattern of their route", async () => {
  parts.noted.requests.splice(0);
  await app.request("/assistants/concierge");
  await app.request("/assistants/no-such-id");
  await app.request("/no/such/route");

  const counted = parts.noted.requests.map(({ method, route, status }) => [method, route, status]);
  expect(counted).toEqual([
    ["GET", "/assistants/:assistant_id", 200],
    ["GET", "/assistants/:assistant_id", 404],
    ["GET", "none", 404],
  ]);
});

test("the document describes every route but its own page", async () => {
  const response = await app.request("/openapi.json");
  const document = (await response.json()) as {
    paths: Record<string, Record<string, unknown>>;
    openapi: string;
  };

  const described = Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
    .toSorted();
  const registered = app.routes
    .filter(({ method, path }) => method !== "ALL" && !/^\/(docs|openapi)/.test(path))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  const refused = [
    "delete /assistants/{assistant_id}",
    "patch /assistants/{assistant_id}",
    "post /assistants",
    "post /assistants/{assistant_id}/latest",
    "post /runs/batch",
  ];
  expect(document.openapi).toBe("3.1.0");
  expect([...described, ...refused].toSorted()).toEqual([...new Set(registered)].toSorted());
});

test("the document is whole: what it refers to is in it, and every route may answer a problem", async () => {
  const response = await app.request("/openapi.json");
  const text = await response.text();
  const document = JSON.parse(text) as {
    components: { schemas: Record<string, unknown> };
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  };

  const wanted = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  const known = Object.keys(document.components.schemas);
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !known.includes(name ?? ""))).toEqual([]);
  const routes = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(routes.filter(({ responses }) => !("default" in responses))).toEqual([]);
});

test("the document has the patterns without the flags of regular expressions", async () => {
  const response = await app.request("/openapi.json");
  const patterns: string[] = [];
  JSON.parse(await response.text(), (key, value: unknown) => {
    if (key === "pattern" && typeof value === "string") patterns.push(value);
    return value;
  });

  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((pattern) => !/^\^.*\$$/u.test(pattern))).toEqual([]);
});

test("while the server stops, nothing new begins", async () => {
  const stopping = new AbortController();
  const stopped = createApp(routeParts(parts), { stopping: stopping.signal });
  const before = await stopped.request("/ok");
  stopping.abort();
  const after = await stopped.request("/ok");

  const connection = after.headers.get("connection");
  expect([before.status, after.status, connection]).toEqual([200, 503, "close"]);
  expect(await after.json()).toMatchObject({ code: "stopping" });
});
