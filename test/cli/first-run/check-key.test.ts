import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { checkKey, type KeyVerdict } from "../../../cli/chat/first-run/check-key.ts";
import { serveRoutes } from "../../support/model-servers.ts";

const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(code, headers).end("{}");
const LIST = { object: "list", data: [{ id: "small" }, { id: "large" }] };

test.each<[string, Parameters<typeof serveRoutes>[0], KeyVerdict, number]>([
  [
    "names the models where the endpoint has not the asked one",
    { "GET /v1/models": LIST },
    { kind: "accepted", models: ["small", "large"] },
    2,
  ],
  [
    "accepts one for a model that is not listed and answers",
    {
      "GET /v1/models": { object: "list", data: [{ id: "other" }] },
      "POST /v1/chat/completions": status(200),
    },
    { kind: "accepted", models: [] },
    2,
  ],
  [
    "accepts one that may list, where the completion fails",
    { "GET /v1/models": LIST, "POST /v1/chat/completions": status(503) },
    { kind: "accepted", models: [] },
    2,
  ],
  [
    "rejects one that may only see a list that is public",
    { "GET /v1/models": LIST, "POST /v1/chat/completions": status(401) },
    { kind: "rejected" },
    2,
  ],
  [
    "accepts one that may complete and not list",
    { "GET /v1/models": status(403), "POST /v1/chat/completions": status(200) },
    { kind: "accepted", models: [] },
    2,
  ],
  [
    "accepts one whose request was criticised",
    { "POST /v1/chat/completions": status(400) },
    { kind: "accepted", models: [] },
    2,
  ],
  [
    "rejects one that may do neither",
    { "GET /v1/models": status(401), "POST /v1/chat/completions": status(401) },
    { kind: "rejected" },
    2,
  ],
  ["finds nothing at a wrong address", {}, { kind: "unfit", status: 404 }, 2],
  [
    "follows no redirect",
    {
      "GET /v1/models": status(302, { location: "/elsewhere" }),
      "POST /v1/chat/completions": status(307, { location: "/elsewhere" }),
      "GET /elsewhere": LIST,
    },
    { kind: "unfit", status: 307 },
    2,
  ],
])("checkKey() %s", async (_, routes, verdict, calls) => {
  const { origin, requests } = await serveRoutes(routes);

  const found = await checkKey({ baseUrl: `${origin}/v1/`, apiKey: "sk-1", model: "small" });

  expect(found).toEqual(verdict);
  expect(requests).toHaveLength(calls);
});

test("checkKey() reports an endpoint that is not there", async () => {
  const key = { baseUrl: "http://127.0.0.1:9/v1", apiKey: "sk-1", model: "small" };

  expect(await checkKey(key)).toEqual({ kind: "unreachable" });
});

test("checkKey() asks for one token, with the key as its endpoint wants it", async () => {
  const keys: (string | undefined)[] = [];
  const { origin, requests } = await serveRoutes({
    "POST /v1/chat/completions": (request, response) => {
      keys.push(request.headers.authorization);
      response.end("{}");
    },
  });

  await checkKey({ baseUrl: `${origin}/v1`, apiKey: "sk-1", model: "small" });

  expect(keys).toEqual(["Bearer sk-1"]);
  expect(requests.at(-1)?.body).toMatchObject({ model: "small", max_tokens: 1 });
});
