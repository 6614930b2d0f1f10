import { expect, test } from "vitest";
import { z } from "zod";
import { ProblemSchema, type ProblemDocument } from "../../server/problems.ts";
import { openTestApp, readProblem } from "../support/server-parts.ts";

const { parts, app, ask } = await openTestApp({
  limits: { requestsPerMinute: 100_000, runsPerMinute: 100_000 },
});

const THREAD = "kitchen";
await send("POST", "/threads", JSON.stringify({ thread_id: THREAD }));

/** Every route there is, as the document has it. */
const routes = await listRoutes();

async function listRoutes() {
  const response = await app.request("/openapi.json");
  const { paths } = z
    .object({
      paths: z.record(
        z.string(),
        z.record(z.string(), z.object({ requestBody: z.unknown().optional() })),
      ),
    })
    .parse(await response.json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      takesBody: requestBody !== undefined,
    })),
  );
}

interface Answer {
  readonly status: number;
  /** Null where it is not refused. */
  readonly problem: ProblemDocument | null;
}

async function send(method: string, path: string, body?: string | Uint8Array): Promise<Answer> {
  const response = await app.request(path, {
    method,
    ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
  });
  const { status } = response;
  if (status < 400) {
    await response.body?.cancel();
    return { status, problem: null };
  }
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return { status, problem: ProblemSchema.parse(await response.json()) };
}

/** Returns the fault of an answer to a bad request; null where there is none. */
function faultIn({ status, problem }: Answer): string | null {
  if (status >= 500) return `${status} ${problem?.code}`;
  const wantsField = ["invalid_request", "message_empty", "message_too_long"];
  const isPointed = problem?.field !== undefined;
  return problem !== null && wantsField.includes(problem.code) && !isPointed
    ? `${problem.code} without a field`
    : null;
}

const LATIN = new Uint8Array(Buffer.from('{"message":"ä"}', "latin1"));
const RUN = '"assistant_id":"concierge","message":"Hi","input":"Hi","values":{}';

const BODIES: Readonly<Record<string, string | Uint8Array>> = {
  nothing: "",
  "a NUL": "\0",
  "no JSON": '{"message":',
  "a number": "1",
  null: "null",
  "a list": "[]",
  "an empty object": "{}",
  "other bytes than UTF-8": LATIN,
  "a mark before it": `\uFEFF{${RUN}}`,
  "a deep nest": "[".repeat(10_000),
  "wrong types": '{"metadata":1,"limit":"1","ids":"x","select":5,"message":7,"input":7,"before":7}',
  "a wrong config": `{${RUN},"before":{"configurable":5},"config":5,"checkpoint":5}`,
  "names of prototypes": `{${RUN},"__proto__":{"x":1},"constructor":1,"metadata":{"__proto__":1}}`,
  "great numbers": `{${RUN},"limit":9007199254740993,"offset":1e400,"metadata":{"n":1e308}}`,
  "a field twice": `{${RUN},"limit":1,"limit":"x"}`,
  "a NUL in a name": `{${RUN},"metadata":{"a\\u0000":1}}`,
  "a NUL in a text": `{${RUN},"metadata":{"a":["\\u0000"]}}`,
  "half a character in a name": `{${RUN},"metadata":{"\\ud800":1}}`,
  "half a character in a text": `{${RUN},"metadata":{"a":{"b":"\\udfff"}}}`,
  "an empty message": '{"assistant_id":"concierge","message":"\\u0000","input":"\\u0000"}',
  "a long message": `{"assistant_id":"concierge","message":"${"x".repeat(40_000)}","input":"${"x".repeat(40_000)}"}`,
  "unknown modes": `{${RUN},"stream_mode":["values","visions"]}`,
};

test.each(Object.entries(BODIES))(
  "a body of %s is taken, or refused with a problem, by every route",
  async (_name, body) => {
    const faults: string[] = [];
    for (const { method, path } of routes.filter(({ takesBody }) => takesBody)) {
      const named = path.replace("{thread_id}", THREAD).replaceAll(/\{\w+\}/g, "x");
      const fault = faultIn(await send(method, named, body));
      if (fault !== null) faults.push(`${method} ${path}: ${fault}`);
    }

    expect(faults).toEqual([]);
    expect(parts.noted.errors.splice(0)).toEqual([]);
  },
);

test.each([
  ["/threads", 200],
  ["/threads/search", 200],
  [`/threads/${THREAD}/runs`, 422],
])("POST %s takes an empty body for one without a field: %i", async (path, status) => {
  const [empty, none] = [await send("POST", path, ""), await send("POST", path, "{}")];

  expect([empty.status, empty.problem?.code, empty.problem?.field]).toEqual([
    status,
    none.problem?.code,
    none.problem?.field,
  ]);
});

const IDS: readonly string[] = [
  "%00",
  "a%2Fb",
  "%2e%2e",
  "..",
  "a".repeat(4_096),
  "%zz",
  "%ff%fe",
  "%ed%a0%80",
  "a%0d%0ab",
  "%F0%9F%98%80",
  "%20",
  "%E2%80%AE",
  "'%3B--",
];

test.each(IDS)("an id %j is looked up, or refused with a problem, by every route", async (id) => {
  const faults: string[] = [];
  for (const { method, path, takesBody } of routes.filter((route) => route.path.includes("{"))) {
    const body = takesBody ? `{${RUN},"if_not_exists":"create"}` : undefined;
    const answer = await send(method, path.replaceAll(/\{\w+\}/g, id), body);
    // Where an id ends a path, dots lead to another route.
    const isElsewhere = id.startsWith("..") || id.startsWith("%2e");
    const isTaken = answer.problem === null && !isElsewhere && !path.includes("subgraphs");
    const fault = isTaken ? `${answer.status}` : faultIn(answer);
    if (fault !== null) faults.push(`${method} ${path}: ${fault}`);
  }

  expect(faults).toEqual([]);
  expect(parts.noted.errors.splice(0)).toEqual([]);
});

test.each(["PUT", "OPTIONS", "QUERY", "PROPFIND"])(
  "%s is answered by every path with the methods it has",
  async (method) => {
    const faults: string[] = [];
    for (const { path } of routes) {
      const response = await app.request(path.replaceAll(/\{\w+\}/g, "x"), {
        method,
      });
      const allowed = response.headers.get("allow") ?? "";
      const own = routes.filter((route) => route.path === path).map((route) => route.method);
      if (response.status !== 405 || !own.every((name) => allowed.split(", ").includes(name))) {
        faults.push(`${path}: ${response.status} ${allowed}`);
      }
    }

    expect(faults).toEqual([]);
  },
);

test.each([
  ["/input", `/threads/${THREAD}/runs`, { assistant_id: "concierge", input: "" }, "message_empty"],
  ["/metadata/a/b\0", "/threads", { metadata: { a: { "b\0": 1 } } }, "invalid_request"],
  ["/metadata/a/1", "/threads/search", { metadata: { a: ["", "\ud800"] } }, "invalid_request"],
  ["/before", `/threads/${THREAD}/history`, { before: "zzz" }, "invalid_request"],
  [
    "/before/checkpoint_id",
    `/threads/${THREAD}/history`,
    { before: { checkpoint_id: "zzz" } },
    "invalid_request",
  ],
  [
    "/thread_id",
    "/threads/a%2Fb/runs",
    { assistant_id: "concierge", input: "Hi", if_not_exists: "create" },
    "invalid_request",
  ],
])("%j is what a problem of %s points at", async (field, path, body, code) => {
  expect((await readProblem(await ask("POST", path, body))).slice(1)).toEqual([code, field]);
});

test("a page of the history begins at a checkpoint", async () => {
  const refused = await readProblem(await ask("GET", `/threads/${THREAD}/history?before=zzz`));

  expect(refused).toEqual([422, "invalid_request", "/before"]);
});

test("HEAD changes nothing, not even where leaving would", async () => {
  const asked = { assistant_id: "concierge", input: "Hi" };
  const made = await ask("POST", `/threads/${THREAD}/runs`, asked);
  const path = made.headers.get("content-location") ?? "";
  const chat = `/chat/${path.split("/").at(-1)}`;
  const statuses = [];
  for (const way of [`${path}/stream`, `${path}/join`, chat]) {
    statuses.push((await ask("HEAD", `${way}?cancel_on_disconnect=1`)).status);
  }
  const run = await app.request(path);

  expect([statuses, await run.json()]).toMatchObject([[200, 200, 200], { status: "pending" }]);
  expect(parts.noted.streams.at(-1) ?? 0).toBe(0);
});
