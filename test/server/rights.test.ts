import { expect, test, afterAll } from "vitest";
import { createAuthenticate } from "../../server/access/authenticate.ts";
import { createKeyLookup } from "../../server/access/key-lookup.ts";
import { createApp } from "../../server/app.ts";
import { createApiKey, revokeApiKey } from "../../storage/users/api-keys.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { openServerParts, routeParts } from "../support/server-parts.ts";
import { storeRunEvents } from "../support/store-run-events.ts";
import { createTokenIssuer } from "../support/token-issuer.ts";
import { wholeDatabase } from "../support/whole-database.ts";

/** Texts that nobody else may read, wherever they are kept. */
const SECRET = "my grandmother's xanthan dumplings";

/** The message that every caller sends. */
const MESSAGES = "Hello";

const database = await testDatabase();
const issuer = await createTokenIssuer();
const access = { kind: "on", apiKeys: true, jwt: issuer.settings } as const;
const parts = await openServerParts({ database, access });
afterAll(() => parts.close());
const app = createApp(
  routeParts({
    ...parts,
    authenticate: createAuthenticate(access, {
      findKeyOwner: createKeyLookup(database.pool),
      fetch: issuer.fetch,
    }),
  }),
);

const owner = await testAssistant({ database });
await owner.send(`I would like ${SECRET} tonight`);
const keys = {
  owner: await newKey(owner.userId),
  other: await newKey("somebody-else"),
  revoked: await newKey(owner.userId),
};
await revokeApiKey(database.pool, keys.revoked.record.keyId);

async function newKey(userId: string) {
  return createApiKey(database.pool, { userId, label: "test", expiresAt: null });
}

/** A run of the owner's that has ended. */
async function newRun() {
  const response = await ask("POST /chat", "/chat", { "x-api-key": keys.owner.key });
  await response.body?.cancel();
  const runId = response.headers.get("x-run-id") ?? "";
  const run = { runId, threadId: owner.threadId, userId: owner.userId };
  await storeRunEvents(database, {
    run: run,
    bodies: [{ type: "turn-start", messageId: "m", message: SECRET }],
    end: "success",
  });
  return run;
}

async function newestCheckpoint(): Promise<string> {
  const { rows } = await database.owner.query<{ id: string }>(
    "select checkpoint_id as id from checkpoints where thread_id = $1 order by 1 desc limit 1",
    [owner.threadId],
  );
  return rows[0]?.id ?? "";
}

const JSON_TYPE = { "content-type": "application/json" };
const CHAT = { message: MESSAGES, thread: owner.threadId };
const run = await newRun();
const checkpointId = await newestCheckpoint();

const PUBLIC = [
  "GET /docs",
  "GET /docs/page.js",
  "GET /docs/swagger-ui-bundle.js",
  "GET /docs/swagger-ui.css",
  "GET /info",
  "GET /ok",
  "GET /openapi.json",
];

/** Every route of the app, as `GET /path/:with/:names`. One that is new is here by itself. */
const ALL = new Set(app.routes.map(({ method, path }) => `${method} ${path}`));
const ROUTES = [...ALL].filter((route) => !route.startsWith("ALL") && !PUBLIC.includes(route));

const RUN = {
  assistant_id: "concierge",
  input: { messages: [{ type: "human", content: MESSAGES }] },
};

/** Returns the body that the owner could send there. Others send it too. */
function writeBody(route: string): unknown {
  const bodies: Readonly<Record<string, unknown>> = {
    "DELETE /user": { confirm: owner.userId },
    "POST /threads": { thread_id: owner.threadId, if_exists: "do_nothing" },
    "POST /threads/search": { ids: [owner.threadId] },
    "POST /threads/count": { ids: [owner.threadId] },
    "POST /threads/:thread_id/state": { values: { constraints: [] } },
    "POST /threads/:thread_id/state/checkpoint": { checkpoint: { checkpoint_id: checkpointId } },
    "POST /threads/:thread_id/runs": { ...RUN, if_not_exists: "create" },
    "POST /threads/:thread_id/runs/stream": { ...RUN, if_not_exists: "create" },
    "POST /threads/:thread_id/runs/wait": { ...RUN, if_not_exists: "create" },
    "POST /runs": RUN,
    "POST /runs/stream": RUN,
    "POST /runs/wait": RUN,
    "POST /runs/cancel": { thread_id: owner.threadId, run_ids: [run.runId] },
  };
  return bodies[route] ?? {};
}

function fillPath(route: string): string {
  const names: Readonly<Record<string, string>> = {
    assistant_id: "concierge",
    namespace: "inner",
    thread_id: owner.threadId,
    run_id: run.runId,
    run: run.runId,
    checkpoint_id: checkpointId,
  };
  const path = route.slice(route.indexOf(" ") + 1);
  return path.replaceAll(/:(\w+)/g, (whole, name: string) => names[name] ?? whole);
}

async function ask(
  route: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const [method = ""] = route.split(" ");
  const hasBody = method !== "GET";
  return app.request(path, {
    method,
    // Not this machine's own name: metrics are nobody's.
    headers: { host: "api.example", ...headers, ...(hasBody ? JSON_TYPE : {}) },
    ...(hasBody ? { body: JSON.stringify(route === "POST /chat" ? CHAT : writeBody(route)) } : {}),
  });
}

/** The answer as far as it comes by itself: a stream of a run that nobody works on has no end. */
async function readBriefly(response: Response): Promise<string> {
  const isStream = /event-stream|ndjson/.test(response.headers.get("content-type") ?? "");
  if (!isStream && !response.headers.has("content-location")) return response.text();
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const read = await Promise.race([reader?.read(), nothingMore()]);
    if (read?.value === undefined) break;
    text += decoder.decode(read.value, { stream: true });
  }
  await reader?.cancel();
  return text;
}

/** Long enough for what is stored to be read. */
async function nothingMore(): Promise<undefined> {
  await database.owner.query("select pg_sleep(0.3)");
  return undefined;
}

test("the routes that anybody may read are known, and there are others", () => {
  expect(PUBLIC.filter((route) => !ALL.has(route))).toEqual([]);
  expect(ROUTES.length).toBeGreaterThan(40);
  expect(ROUTES.map(fillPath).filter((path) => path.includes(":"))).toEqual([]);
});

const past = Math.floor(Date.now() / 1_000) - 3_600;
const token = await issuer.sign(owner.userId, { exp: past });

test.each([
  { name: "no key", headers: {} },
  { name: "a revoked key", headers: { "x-api-key": keys.revoked.key } },
  { name: "an expired token", headers: { authorization: `Bearer ${token}` } },
])("$name opens no route: nothing is read or changed", async ({ headers }) => {
  const before = await wholeDatabase(database);
  const answers: unknown[] = [];
  for (const route of ROUTES) {
    const response = await ask(route, fillPath(route), headers);
    const { code } = (await response.json()) as { code?: string };
    answers.push([route, response.status, code]);
  }

  expect(answers).toEqual(ROUTES.map((route) => [route, 401, "unauthorized"]));
  expect(await wholeDatabase(database)).toEqual(before);
});

test("another user's key opens nothing of the owner's: nothing is read or changed", async () => {
  const before = await ofOwner();
  const wrong: unknown[] = [];
  for (const route of ROUTES) {
    const response = await ask(route, fillPath(route), { "x-api-key": keys.other.key });
    const text = await readBriefly(response);
    const isNamed = /:(?:thread_id|run_id|run)\b/.test(route) || route === "POST /chat";
    const isRefused = response.status === 404 || isUnsupported(response, text);
    if (isNamed && !isRefused) wrong.push([route, response.status, text]);
    if (text.includes(SECRET)) wrong.push([route, response.status, text]);
    if (response.status >= 500) wrong.push([route, text]);
  }

  expect(wrong).toEqual([]);
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(["api_keys", "checkpoints", "inbox", "run_events", "runs", "threads"]),
  );
  expect(await ofOwner()).toEqual(before);
});

/** Returns true for what the protocol has and this server has not. */
function isUnsupported({ status }: Response, text: string): boolean {
  return status === 422 && text.includes('"code":"not_supported"');
}

/** Ranks a route by what it deletes: nothing, something, or everything of its user. */
function rankHarm(route: string): number {
  if (!route.startsWith("DELETE")) return 0;
  return route === "DELETE /user" ? 2 : 1;
}

test("the owner's own key opens every one of them: the requests are good ones", async () => {
  const wrong: unknown[] = [];
  const leaking: string[] = [];
  for (const route of ROUTES.toSorted((a, b) => rankHarm(a) - rankHarm(b))) {
    const response = await ask(route, fillPath(route), { "x-api-key": keys.owner.key });
    const text = await readBriefly(response);
    const isGood = response.ok || response.status === 409 || isUnsupported(response, text);
    if (!isGood) wrong.push([route, response.status, text]);
    if (text.includes(SECRET)) leaking.push(route);
  }

  expect(wrong).toEqual([]);
  expect(leaking).toEqual(
    expect.arrayContaining([
      "GET /chat/:run",
      "GET /threads/:thread_id",
      "GET /threads/:thread_id/history",
      "GET /threads/:thread_id/runs/:run_id/stream",
      "GET /threads/:thread_id/state",
      "GET /threads/:thread_id/state/:checkpoint_id",
      "GET /user/export",
      "POST /threads/search",
    ]),
  );
});

/** Everything that is the owner's, wherever it is kept: rows that name the owner, the thread or the run. */
async function ofOwner(): Promise<Readonly<Record<string, string>>> {
  const digests: Record<string, string> = {};
  for (const name of Object.keys(await wholeDatabase(database))) {
    const { rows } = await database.owner.query<{ digest: string }>(
      `select count(*) || ' ' || md5(string_agg(t::text, ' ' order by t::text)) as digest
         from ${name} as t where t::text ~ any($1)`,
      [[owner.userId, owner.threadId, run.runId]],
    );
    const digest = rows[0]?.digest ?? null;
    if (digest !== null) digests[name] = digest;
  }
  return digests;
}
