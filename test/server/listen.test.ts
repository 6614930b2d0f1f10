import { domainFolder } from "../../domain/list-grants.ts";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, expect, onTestFinished, test, vi } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import { startServer, type RunningServer } from "../../server/listen.ts";
import type { ServerLimits } from "../../server/settings.ts";
import { openDatabase } from "../../storage/postgres/database.ts";
import { silentLog } from "../../state/log.ts";
import { testDatabase } from "../support/database.ts";
import { openDatabaseProxy } from "../support/database-proxy.ts";
import { openServerParts } from "../support/server-parts.ts";
import { storeRunEvents } from "../support/store-run-events.ts";

const database = await testDatabase();
const parts = await openServerParts({ database });
afterAll(() => parts.close());

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

const PLACE = { host: "127.0.0.1", port: 0 };

/** The parts of a server that stops soon. */
function partsWith(limits: Partial<ServerLimits> = {}): typeof parts {
  const all = { ...parts.settings.limits, graceSeconds: 0.2, ...limits };
  return { ...parts, settings: { ...parts.settings, limits: all } };
}

async function start(limits: Partial<ServerLimits> = {}): Promise<RunningServer> {
  const server = await startServer(partsWith(limits), PLACE);
  running.push(server);
  return server;
}

async function open(server: RunningServer): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Everything that comes until the other side closes. */
async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => (text += chunk));
  if (!socket.closed) await once(socket, "close");
  return text;
}

/** Sends raw text and returns the answer's status and the problem's code. */
async function say(server: RunningServer, text: string) {
  const socket = await open(server);
  socket.write(text);
  return readStatus(await readAll(socket));
}

function readStatus(answer: string): readonly [number, string | null] {
  const status = /^HTTP\/1\.1 (\d+) \w/.exec(answer)?.[1];
  return [Number(status), /"code":"(\w+)"/.exec(answer)?.[1] ?? null];
}

const POST = (body: string, length = Buffer.byteLength(body)) =>
  `POST /assistants/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;

const START = { type: "turn-start", messageId: "m", message: "Hello" } as const;

async function post(url: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", body: JSON.stringify(body), headers });
}

test("the server says where it is and answers there", async () => {
  const server = await start();
  const response = await fetch(`${server.url}/ok`);

  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await response.json()).toEqual({ ok: true });
});

test.each([
  ["GET /ok", 200, null],
  ["GET /threads/x", 400, "bad_request"],
])("%s in HTTP/1.0 without a name is answered with %s", async (asked, status, code) => {
  const server = await start();

  expect(await say(server, `${asked} HTTP/1.0\r\n\r\n`)).toEqual([status, code]);
});

test("a check in HTTP/1.0 that came through a proxy is refused without authentication", async () => {
  const server = await start();

  const answer = await say(server, "GET /ok HTTP/1.0\r\nvia: 1.0 proxy\r\n\r\n");
  expect(answer).toEqual([403, "proxy_refused"]);
});

test("without authentication it refuses to be reached from elsewhere", async () => {
  await expect(startServer(parts, { host: "0.0.0.0", port: 0 })).rejects.toThrow(
    'Cannot listen on "0.0.0.0" without authentication',
  );
});

test("an address that is taken is an error of the system's", async () => {
  const server = await start();
  const port = Number(new URL(server.url).port);

  await expect(startServer(parts, { host: "127.0.0.1", port })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});

const HEAD = "HTTP/1.1\r\nhost: localhost\r\n";
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;

test.each([
  ["no HTTP", "hello\r\n\r\n", 400, "bad_request"],
  ["endless headers", `GET /ok ${HEAD}x: ${"x".repeat(20_000)}\r\n\r\n`, 431, "headers_too_large"],
  [
    "a name that is none",
    "GET /ok HTTP/1.1\r\nhost: a/b@c\r\nconnection: close\r\n\r\n",
    400,
    "bad_request",
  ],
  ["no name", "GET /ok HTTP/1.1\r\nconnection: close\r\n\r\n", 400, "bad_request"],
  ["a tunnel", "CONNECT a.com:443 HTTP/1.1\r\nhost: a.com:443\r\n\r\n", 422, "not_supported"],
  [
    "what nobody can expect",
    `POST /chat ${HEAD}expect: wonders\r\n\r\n`,
    417,
    "expectation_failed",
  ],
  ["an address of another kind", `OPTIONS * ${HEAD}connection: close\r\n\r\n`, 400, "bad_request"],
  [
    "a body of two lengths",
    `POST /chat ${HEAD}content-length: 2\r\n${CHUNKED.slice(HEAD.length)}{}`,
    400,
    "bad_request",
  ],
  ["a body in parts without a size", `POST /chat ${CHUNKED}some\r\n`, 400, "bad_request"],
  ["a body that is too large, before it comes", POST("{", 5_000_000), 413, "body_too_large"],
])("%s is answered with a problem, and closed", async (_name, text, status, code) => {
  const server = await start();

  expect(await say(server, text)).toEqual([status, code]);
});

test.each([
  ["headers", "GET /ok HTTP/1.1\r\nhost: local"],
  ["a body", POST("{", 20)],
])("%s that a client ends halfway are said to be cut", async (_name, text) => {
  const server = await start();
  const socket = await open(server);
  socket.end(text);

  expect(await readAll(socket)).toContain(
    "Cannot read the request: it ended before it was complete; send all of it",
  );
});

test("bytes after an answer that are no request get a problem, and the connection is closed", async () => {
  const server = await start();
  const socket = await open(server);
  socket.write(`GET /ok ${HEAD}\r\n`);
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(first.toString()).toContain('{"ok":true}');
  socket.write("hello\r\n\r\n");

  expect(readStatus(await readAll(socket))).toEqual([400, "bad_request"]);
});

test("a thrown value that is no error is noted, and answered with a problem", async () => {
  const lost = { ...partsWith(), authenticate: () => Promise.reject(LOST) };
  const server = await startServer(lost, PLACE);
  running.push(server);
  const response = await fetch(`${server.url}/threads/x`);

  expect([response.status, await response.json()]).toMatchObject([500, { code: "internal" }]);
  expect(parts.noted.errors.splice(0)).toEqual([LOST]);
});

/** As some libraries throw. */
const LOST: unknown = "The way is lost";

test("bytes in the middle of an answer that are no request cut it", async () => {
  const server = await start();
  const socket = await open(server);
  const body = JSON.stringify({ message: "Hello" });
  socket.write(POST(body).replace("/assistants/search", "/chat"));
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(first.toString()).toContain("text/event-stream");
  socket.write("hello\r\n\r\n");

  expect(await readAll(socket)).not.toContain("HTTP/1.1");
});

test("a body that does not come is waited for so long and no longer", async () => {
  const server = await start({ bodySeconds: 1 });

  expect(await say(server, POST('{"limit":', 100))).toEqual([408, "body_too_slow"]);
});

test("headers may have headerBytes and no more", async () => {
  const server = await start({ headerBytes: 300 });

  expect(await say(server, `GET /ok ${HEAD}x: ${"x".repeat(400)}\r\n\r\n`)).toEqual([
    431,
    "headers_too_large",
  ]);
});

test("a stream sends a heartbeat after heartbeatSeconds, and buffers streamBufferBytes", async () => {
  const buffered: number[] = [];
  const Strategy = class extends ByteLengthQueuingStrategy {
    constructor(init: { highWaterMark: number }) {
      super(init);
      buffered.push(init.highWaterMark);
    }
  };
  vi.stubGlobal("ByteLengthQueuingStrategy", Strategy);
  onTestFinished(() => void vi.unstubAllGlobals());
  const server = await start({ heartbeatSeconds: 0.05, streamBufferBytes: 7 });
  const stream = collectText(await post(`${server.url}/chat`, { message: "Hello" }));

  await expect.poll(() => stream.text()).toContain(": heartbeat\n");
  expect(buffered).toContain(7);
});

test("headers that do not come are waited for so long and no longer", async () => {
  const server = await start({ headersSeconds: 1 });

  const answer = await say(server, "GET /ok HTTP/1.1\r\nhost: local");
  expect(answer).toEqual([408, "request_too_slow"]);
});

test("a connection on which nothing is asked, or nothing more, is closed", async () => {
  const server = await start({ keepAliveSeconds: 1, stalledSeconds: 2 });
  const silent = await open(server);
  const socket = await open(server);
  socket.write("GET /ok HTTP/1.1\r\nhost: localhost\r\n\r\n");

  expect(await readAll(socket)).toContain('{"ok":true}');
  expect(await readAll(silent)).toBe("");
});

test("a request that takes longer than nothing may wait is waited for", async () => {
  const server = await start({ keepAliveSeconds: 1, stalledSeconds: 1 });
  const socket = await open(server);
  const body = JSON.stringify({ message: "Hello" });
  const request = `POST /chat HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const answer = readAll(socket);
  const timedOut = once(socket.setTimeout(2_500), "timeout");
  socket.write(request + body);
  // Longer than the server waits for who asks nothing.
  await timedOut;
  const run = await newestRun();
  await storeRunEvents(database, { run, bodies: [START], end: "success" });

  expect(await answer).toContain("event: turn-start");
});

async function newestRun() {
  const { rows } = await database.owner.query<{ runId: string; threadId: string; userId: string }>(
    `select run_id as "runId", thread_id as "threadId", user_id as "userId" from runs order by seq desc limit 1`,
  );
  const [run] = rows;
  if (run === undefined) throw new Error("Cannot find a run: none was made");
  return run;
}

/** Collects what reaches the console, which nothing here is to use, until the test is over. */
function watchConsole(): readonly unknown[] {
  const printed: unknown[] = [];
  const spies = (["error", "warn", "info", "log"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...words) => void printed.push(words)),
  );
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return printed;
}

/** A server whose database can be taken away; notifications still come. */
async function startOverProxy() {
  const proxy = await openDatabaseProxy(database.url);
  const distant = await openDatabase({
    url: proxy.url,
    dataDir: "",
    migrations: [domainFolder(mealsDomain)],
    log: silentLog,
  });
  const server = await startServer({ ...partsWith(), pool: distant.pool }, PLACE);
  onTestFinished(async () => {
    await server.close();
    await distant.close();
    await proxy.close();
  });
  return { url: server.url, cut: () => proxy.cut() };
}

test.each([
  ["/chat", { message: "Hello" }, "turn-start"],
  ["/runs/stream", { assistant_id: "concierge", input: "Hello", stream_mode: "custom" }, "custom"],
])("a stream of %s that fails midway is cut, and noted once", async (path, body, first) => {
  const server = await startOverProxy();
  const printed = watchConsole();
  const response = await post(server.url + path, body);
  const run = await newestRun();
  await storeRunEvents(database, { run, bodies: [START] });
  const received = collectText(response);
  await expect.poll(() => received.text()).toContain(`event: ${first}`);
  server.cut();
  const bodies = [{ type: "reply-reset", reply: "r-1" }] as const;
  await storeRunEvents(database, { run, bodies, from: 2, end: "success" });

  await expect(received.ended).rejects.toThrow("terminated");
  expect(received.text()).not.toMatch(/Error|Cannot|reply-reset/);
  expect(parts.noted.errors.splice(0)).toMatchObject([{ code: "database_unavailable" }]);
  expect(printed).toEqual([]);
});

test("a stream that fails before it has said anything is cut as well", async () => {
  const server = await startOverProxy();
  const printed = watchConsole();
  const answer = fetch(`${server.url}/user/export`).then((response) => response.text());
  server.cut();

  await expect(answer).rejects.toThrow(/terminated|fetch failed/);
  await expect.poll(() => parts.noted.errors.splice(0)).toHaveLength(1);
  expect(printed).toEqual([]);
});

/** Reads an answer as it comes. */
function collectText(response: Response): { text(): string; readonly ended: Promise<void> } {
  let text = "";
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  const ended = read();
  // Awaited by the test in its time.
  ended.catch(() => undefined);
  return { text: () => text, ended };
}

test("more connections than allowed are not taken", async () => {
  const server = await start({ connections: 1 });
  const first = await open(server);
  const second = await open(server);

  await readAll(second);
  expect(await server.connections()).toBe(1);
  first.destroy();
});

test("a client that reads nothing of what waits for it is dropped", async () => {
  const server = await start({ stalledSeconds: 1 });
  const socket = await open(server);
  socket.pause();
  const ask = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: localhost\r\n\r\n";
  socket.write(ask.repeat(20));

  await expect.poll(async () => server.connections(), { timeout: 20_000, interval: 200 }).toBe(0);
  socket.destroy();
});

test("a server that stops lets requests finish, tells streams to come back, and takes nothing new", async () => {
  const server = await start();
  const stream = await post(`${server.url}/chat`, { message: "Hello" });
  const closing = server.close();

  expect(await stream.text()).toBe("retry: 1000\n\n");
  await closing;
  expect(server.close()).toBe(closing);
  await expect(fetch(`${server.url}/ok`)).rejects.toThrow("fetch failed");
});

test.each([0.1, 1])(
  "a request that goes on has graceSeconds %d when the server stops",
  async (graceSeconds) => {
    const server = await start({ graceSeconds });
    const socket = await open(server);
    socket.write(POST('{"limit":', 100));
    // Until its headers are read, the connection counts as idle.
    await delay(200);

    const began = performance.now();
    await server.close();
    const seconds = (performance.now() - began) / 1_000;
    expect([seconds >= graceSeconds * 0.9, seconds < graceSeconds + 0.9]).toEqual([true, true]);
    expect(await readAll(socket)).not.toContain("200 OK");
  },
);

test("200 clients that connect and go, at any moment, leave nothing behind", async () => {
  const server = await start({ requestsPerMinute: 100_000, runsPerMinute: 100_000 });
  const abort = async (index: number): Promise<void> => {
    const socket = await open(server);
    const body = JSON.stringify({ message: "Hello", thread: `gone-${index % 7}` });
    const request = `POST /chat HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const parts = [request.slice(0, 20), request.slice(0, -10), request, request];
    const part = parts[index % 4] ?? "";
    socket.write(part);
    if (index % 4 === 3) await once(socket, "data");
    socket.destroy();
    await once(socket, "close");
  };
  await abort(3);
  await expect.poll(async () => server.connections()).toBe(0);
  const before = inventory();

  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 10 }, async (_, index) => abort(round * 10 + index)));
  }

  await expect.poll(async () => server.connections(), { timeout: 10_000 }).toBe(0);
  await expect.poll(() => parts.noted.streams.at(-1), { timeout: 10_000 }).toBe(0);
  await expect.poll(inventory, { timeout: 10_000 }).toEqual(before);
  expect(parts.noted.errors).toEqual([]);
});

/** Returns the resources of the process that could be left behind. The database's connections come and go as they are needed. */
function inventory(): Readonly<Record<string, number>> {
  const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap");
  const isLocal = new URL(database.url).searchParams.has("host");
  const { pool, owner } = database;
  return {
    sockets: sockets.length - (isLocal ? 0 : pool.totalCount + owner.totalCount),
    exit: process.listenerCount("exit"),
    warning: process.listenerCount("warning"),
    rejection: process.listenerCount("unhandledRejection"),
  };
}
