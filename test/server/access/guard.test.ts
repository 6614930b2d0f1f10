import { expect, test } from "vitest";
import { createApp } from "../../../server/app.ts";
import type { ServerSettings } from "../../../server/settings.ts";
import { openTestApp, routeParts } from "../../support/server-parts.ts";

const { parts } = await openTestApp();

function appWith(settings: Partial<ServerSettings>) {
  return createApp(routeParts({ ...parts, settings: { ...parts.settings, ...settings } }));
}

async function nobody(): Promise<null> {
  return null;
}

async function readCode(response: Response): Promise<string> {
  const body = (await response.json()) as { code?: string };
  return `${response.status} ${body.code ?? "ok"}`;
}

const ON = { kind: "on", apiKeys: true, jwt: null } as const;
const PAGE = "https://page.example";

test.each([
  [{ host: "localhost:2024" }, "200 ok"],
  [{ host: "127.0.0.1:2024", origin: "http://127.0.0.1:2024" }, "200 ok"],
  [{ host: "rebound.example" }, "403 host_refused"],
  [{ host: "localhost:2024", origin: "https://evil.example" }, "403 origin_refused"],
  [{ host: "localhost:2024", origin: "null" }, "403 origin_refused"],
  [{ host: "localhost:2024", origin: "http://localhost:2025" }, "403 origin_refused"],
  [{ host: "localhost", origin: "http://localhost.evil.example" }, "403 origin_refused"],
  [{ host: "localhost:2024", "x-forwarded-for": "1.2.3.4" }, "403 proxy_refused"],
  [{ host: "127.0.0.1:2024", via: "1.1 proxy" }, "403 proxy_refused"],
])("without authentication %j is answered %s", async (headers, expected) => {
  const app = appWith({});

  expect(await readCode(await app.request("/info", { headers }))).toBe(expected);
  expect(await readCode(await app.request("/assistants/concierge", { headers }))).toBe(expected);
});

test("a page that is named may call, with or without authentication, and no other", async () => {
  for (const access of [{ kind: "off" }, ON] as const) {
    const app = appWith({ access, origins: [PAGE] });
    const headers = { host: "localhost", origin: PAGE };
    const answer = await app.request("/ok", { headers });
    const preflight = await app.request("/threads", {
      method: "OPTIONS",
      headers: {
        ...headers,
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-api-key,content-type",
      },
    });

    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, PAGE]);
    expect(answer.headers.get("access-control-expose-headers")).toContain("content-location");
    expect([
      preflight.status,
      preflight.headers.get("access-control-allow-origin"),
      preflight.headers.get("access-control-allow-headers"),
    ]).toEqual([204, PAGE, "x-api-key,content-type"]);
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
  }
  const app = appWith({ access: ON, origins: [PAGE] });
  const other = await app.request("/ok", { headers: { origin: "https://other.example" } });
  expect(other.headers.get("access-control-allow-origin")).toBeNull();
});

test("problems can be read by a page that is named", async () => {
  const settings = { ...parts.settings, access: ON, origins: [PAGE] };
  const app = createApp(routeParts({ ...parts, settings, authenticate: nobody }));
  const response = await app.request("/threads/x", { headers: { origin: PAGE } });

  const allowed = response.headers.get("access-control-allow-origin");
  expect([response.status, allowed]).toEqual([401, PAGE]);
});

test("with authentication the server has any name, and without pages no header lets one in", async () => {
  const app = appWith({ access: ON });
  const headers = { host: "api.example", origin: "https://evil.example" };
  const response = await app.request("/ok", { headers });

  const allowed = response.headers.get("access-control-allow-origin");
  expect([response.status, allowed]).toEqual([200, null]);
});

test.each([
  [{ host: "localhost" }, 200],
  [{ host: "api.example" }, 401],
  [{ host: "localhost", "x-forwarded-for": "1.2.3.4" }, 401],
  [{ host: "localhost", forwarded: "for=1.2.3.4" }, 401],
])("metrics are shown without a key on this machine alone: %j, %i", async (headers, status) => {
  const app = createApp(
    routeParts({ ...parts, authenticate: nobody, settings: { ...parts.settings, access: ON } }),
  );

  expect((await app.request("/metrics", { headers })).status).toBe(status);
});
