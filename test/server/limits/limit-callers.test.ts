import { expect, test } from "vitest";
import { createApp } from "../../../server/app.ts";
import type { ServerLimits } from "../../../server/settings.ts";
import { openTestApp, routeParts } from "../../support/server-parts.ts";

const { parts } = await openTestApp();

/** Keys are users' names here. */
function appWith(limits: Partial<ServerLimits>, asked: string[] = []) {
  const access = { kind: "on", apiKeys: true, jwt: null } as const;
  const settings = { ...parts.settings, access, limits: { ...parts.settings.limits, ...limits } };
  return createApp(
    routeParts({
      ...parts,
      settings,
      authenticate: async (request) => {
        const key = request.header("x-api-key") ?? "";
        asked.push(key);
        return key.startsWith("user-") ? { userId: key, via: "api-key" } : null;
      },
    }),
  );
}

type App = ReturnType<typeof appWith>;

async function statuses(
  app: App,
  requests: readonly (readonly [string, string])[],
): Promise<number[]> {
  const found: number[] = [];
  for (const [path, key] of requests) {
    const response = await app.request(path, { headers: { "x-api-key": key } });
    found.push(response.status);
  }
  return found;
}

test("a caller has so many requests a minute, and others have theirs", async () => {
  const app = appWith({ requestsPerMinute: 2 });
  const path = "/assistants/concierge";

  const found = await statuses(app, [
    [path, "user-a"],
    [path, "user-a"],
    [path, "user-a"],
    [path, "user-b"],
  ]);
  const refused = await app.request(path, { headers: { "x-api-key": "user-a" } });

  expect(found).toEqual([200, 200, 429, 200]);
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(await refused.json()).toMatchObject({ code: "rate_limited" });
});

test("a caller who guesses keys is soon refused without a look-up", async () => {
  const asked: string[] = [];
  const app = appWith({ requestsPerMinute: 2 }, asked);
  const path = "/threads/x";

  const keys = ["guess-1", "guess-2", "guess-3", "guess-4"];
  const guesses = keys.map((key) => [path, key] as const);
  const found = await statuses(app, guesses);

  expect(found).toEqual([401, 401, 429, 429]);
  expect(asked).toEqual(["guess-1", "guess-2"]);
});

test("public routes are limited by address", async () => {
  const app = appWith({ requestsPerMinute: 2 });

  const paths = ["/info", "/openapi.json", "/info"];
  const found = await statuses(
    app,
    paths.map((path) => [path, ""] as const),
  );

  expect(found).toEqual([200, 200, 429]);
});

test("that the server lives is told at any rate, also where others ask too much from there", async () => {
  const app = appWith({ requestsPerMinute: 2 });

  const found = await statuses(app, [
    ["/ok", ""],
    ["/ok", "guess-1"],
    ["/ok", "guess-2"],
    ["/threads/x", "guess-3"],
    ["/threads/x", "guess-4"],
    ["/threads/x", "user-a"],
    ["/ok", "user-a"],
  ]);

  expect(found).toEqual([200, 200, 200, 401, 401, 429, 200]);
  const posted = await app.request("/ok", { method: "POST", headers: { "x-api-key": "guess-5" } });
  expect(posted.status).toBe(429);
});

test("runs have a limit of their own, whatever route starts them", async () => {
  const app = appWith({ runsPerMinute: 1 });
  const start = async (path: string, key: string): Promise<number> => {
    const response = await app.request(path, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: "{}",
    });
    await response.body?.cancel();
    return response.status;
  };
  const routes = [
    "/chat",
    "/runs",
    "/runs/stream",
    "/runs/wait",
    "/runs/batch",
    "/threads/t/runs",
    "/threads/t/runs/stream",
    "/threads/t/runs/wait",
  ];

  for (const [index, path] of routes.entries()) {
    const key = `user-${index}`;
    const [first, second] = [await start(path, key), await start(path, key)];
    expect([path, first === 429, second]).toEqual([path, false, 429]);
    // Only what starts runs is refused.
    expect(await statuses(app, [["/assistants/concierge", key]])).toEqual([200]);
  }
});
