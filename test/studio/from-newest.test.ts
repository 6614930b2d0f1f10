import { Hono } from "hono";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { createStudioApp } from "../../studio/create-app.ts";
import { CLOSED_DOOR } from "../../studio/door.ts";
import { fromNewest } from "../../studio/from-newest.ts";

const DEFAULTS = { anyUser: false, limits: DEFAULT_LIMITS, timeZone: "UTC", locale: "en" };

test.each([
  [{ assistant_id: "a" }, { assistant_id: "a", config: { configurable: { checkpoint_id: "" } } }],
  [
    { input: null, checkpoint: null, config: { tags: ["x"], configurable: { thread: 1 } } },
    {
      input: null,
      checkpoint: null,
      config: { tags: ["x"], configurable: { thread: 1, checkpoint_id: "" } },
    },
  ],
  [{ config: null }, { config: { configurable: { checkpoint_id: "" } } }],
])("fromNewest() lets a run that names no checkpoint begin at the newest: %j", (body, expected) => {
  expect(JSON.parse(fromNewest(JSON.stringify(body)))).toEqual(expected);
});

test.each([
  '{"checkpoint_id":"c"}',
  '{"checkpoint":{"checkpoint_id":"c"}}',
  '{"config":{"configurable":{"checkpoint_id":"c"}}}',
  '{"config":"none"}',
  "[]",
  "{",
  "",
])("fromNewest() leaves a body as it is that says where to begin, or nothing: %s", (body) => {
  expect(fromNewest(body)).toBe(body);
});

test.each(["/threads/t/runs", "/threads/t/runs/stream", "/threads/t/runs/wait"])(
  "createApp() reads the body of a run before the server does: %s",
  async (path) => {
    const server = new Hono();
    server.route("/", createStudioApp(DEFAULTS, CLOSED_DOOR));
    server.post(path, async (context) => context.json(await context.req.json()));

    const response = await server.request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"input":1}',
    });

    expect(await response.json()).toEqual({
      input: 1,
      config: { configurable: { checkpoint_id: "" } },
    });
  },
);
