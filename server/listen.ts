import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { isLoopbackAddress } from "./access/loopback.ts";
import { assertListenAllowed } from "./access/may-listen.ts";
import { createApp } from "./app.ts";
import type { ServerParts } from "./parts.ts";
import { Problem, problemDocument, toProblem } from "./problems.ts";
import type { ApiApp } from "./route.ts";
import type { AccessSettings } from "./settings.ts";
import { cutOnFailure } from "./stream/cut-on-failure.ts";
import { createOpenStreams, type OpenStreams } from "./stream/open-streams.ts";
import { createRunFeed } from "./stream/run-feed.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** A server that listens. */
export interface RunningServer {
  /** The address, as `http://127.0.0.1:2024`. */
  readonly url: string;
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  /**
   * Stops the server: accepts no more connections, ends streams with a request to reconnect, lets
   * other requests finish, and cuts what is left after the grace. Calling it again does nothing.
   */
  close(): Promise<void>;
}

/** Interval of the check for slow connections. Not a setting: it bounds how late their time limits apply. */
const CHECK_MS = 1_000;
/** Interval at which a stopping server closes idle connections. Not a setting: it only delays the stop. */
const IDLE_CHECK_MS = 100;

/**
 * Starts the HTTP server.
 *
 * @throws RangeError without authentication for an address that others reach; the system's error
 * for one that cannot be listened on.
 */
export async function startServer(
  parts: ServerParts,
  options: ListenOptions,
): Promise<RunningServer> {
  const { access, limits } = parts.settings;
  assertListenAllowed(access, options.host);
  const stopping = new AbortController();
  const feed = createRunFeed(parts);
  const streams = createOpenStreams({
    perUser: limits.streamsPerCaller,
    stalledMs: limits.stalledSeconds * 1_000,
    heartbeatMs: limits.heartbeatSeconds * 1_000,
    bufferBytes: limits.streamBufferBytes,
    stopping: stopping.signal,
    onCount: (count) => parts.metrics.openStreams(count),
  });
  const app = createApp({ ...parts, feed, streams }, { stopping: stopping.signal });
  const server = createHttpServer(app, parts, streams);
  const address = await listen(server, options, access);
  let closing: Promise<void> | null = null;
  return {
    url: formatUrl(address),
    connections: async () => countConnections(server),
    close() {
      closing ??= drain(server, stopping, limits.graceSeconds * 1_000);
      return closing;
    },
  };
}

type Bindings = Parameters<Parameters<typeof getRequestListener>[0]>[1];

function createHttpServer(
  app: ApiApp,
  parts: ServerParts,
  streams: Pick<OpenStreams, "made">,
): Server {
  const { limits } = parts.settings;
  /** The unfinished responses of each socket: a client may send requests before earlier ones are answered. */
  const pending = new WeakMap<Duplex, Set<ServerResponse>>();
  const answer = async (request: Request, bindings: Bindings): Promise<Response> => {
    const response = await app.fetch(request, bindings);
    const { body } = response;
    if (body === null || !streams.made(body)) return response;
    // A connection that ends before the response does shows the client that something is missing.
    return new Response(
      cutOnFailure(body, () => bindings.outgoing.destroy()),
      response,
    );
  };
  const listener = getRequestListener(answer, {
    // Keeps the process's own Request and Response classes.
    overrideGlobalObjects: false,
    errorHandler: (error) => answerFailure(parts, error),
  });
  const server = createServer(
    {
      headersTimeout: limits.headersSeconds * 1_000,
      // The limit on bodies answers first; this one is for bodies that no route reads.
      requestTimeout: (limits.headersSeconds + limits.bodySeconds + 5) * 1_000,
      keepAliveTimeout: limits.keepAliveSeconds * 1_000,
      connectionsCheckingInterval: CHECK_MS,
      maxHeaderSize: limits.headerBytes,
      // A request without a Host header gets the same answer as any other unreadable request.
      requireHostHeader: false,
      // Detects a client that disappeared without closing its connection.
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
      noDelay: true,
    },
    (incoming, outgoing) => {
      const answers = pending.get(incoming.socket) ?? new Set();
      pending.set(incoming.socket, answers.add(outgoing));
      outgoing.once("close", () => answers.delete(outgoing));
      // The framework refuses every request without a Host header.
      if (isPlainCheck(incoming)) incoming.headers.host = "localhost";
      void listener(incoming, outgoing);
    },
  );
  server.maxConnections = limits.connections;
  // No byte has moved for that long. A run may take that long, so its connection stays; an idle one
  // is closed, and so is one whose client does not read what waits for it.
  server.setTimeout(limits.stalledSeconds * 1_000, (socket: Socket) => {
    const isAsking = (pending.get(socket)?.size ?? 0) > 0;
    if (!isAsking || socket.writableLength > 0) socket.destroy();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const isAnswering = [...(pending.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (isAnswering || error.code === "ECONNRESET") socket.destroy();
    else answerRaw(socket, rawProblem(error.code ?? "", limits.headerBytes), parts.newId());
  });
  server.on("connect", (_incoming, socket) => {
    answerRaw(socket, noProxy(), parts.newId());
    // The server no longer tracks this socket: nothing else would close it.
    socket.resume().once("finish", () => socket.destroy());
  });
  server.on("checkExpectation", (_incoming, outgoing) => {
    const problem = unknownExpectation();
    const { headers, body } = encodeProblem(problem, parts.newId());
    outgoing.writeHead(problem.status, { ...headers, connection: "close" }).end(body);
  });
  return server;
}

/** Tests for a load balancer's check in HTTP/1.0, which needs no Host header. No browser sends one. */
function isPlainCheck({ httpVersion, headers, url }: IncomingMessage): boolean {
  return httpVersion === "1.0" && headers.host === undefined && url === "/ok";
}

/** Encodes a problem that never reached a route. */
function encodeProblem(
  problem: Problem,
  requestId: string,
): { readonly headers: Record<string, string>; readonly body: string } {
  const body = JSON.stringify(problemDocument(problem, requestId));
  const headers = {
    "content-type": "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": requestId,
  };
  return { headers, body };
}

/** Answers a request that reached no route: its address is unreadable, or something other than an error was thrown. */
function answerFailure(parts: Pick<ServerParts, "newId" | "log">, error: unknown): Response {
  const id = parts.newId();
  const isUnreadable = error instanceof RequestError;
  const problem = isUnreadable ? unreadable(error) : toProblem(error);
  if (!isUnreadable) parts.log.error(error, `Request ${id} failed unexpectedly`);
  const { headers, body } = encodeProblem(problem, id);
  return new Response(body, { status: problem.status, headers });
}

function unreadable(cause: RequestError): Problem {
  return new Problem("bad_request", {
    detail: "Cannot read the request: its address or Host header is not valid",
    cause,
  });
}

/** Answers on a socket whose request could not be parsed. */
function answerRaw(socket: Duplex, problem: Problem, id: string): void {
  // The socket may be closed already, or close during the write.
  socket.on("error", () => undefined);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { headers, body } = encodeProblem(problem, id);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ""}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function noProxy(): Problem {
  return new Problem("not_supported", {
    detail: "Cannot connect to another server: this one is no proxy; ask it for its own routes",
  });
}

function unknownExpectation(): Problem {
  return new Problem("expectation_failed", {
    detail: 'Cannot do what "Expect" wants: only "100-continue" is known; leave the header out',
    field: "/Expect",
  });
}

function rawProblem(code: string, headerBytes: number): Problem {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem("request_too_slow", {
        detail: "Cannot wait for the request any longer: it is not complete; send it at once",
      });
    case "HPE_HEADER_OVERFLOW":
      return new Problem("headers_too_large", {
        detail: `Cannot read the headers: they have more than ${headerBytes} bytes; send fewer`,
      });
    case "HPE_INVALID_EOF_STATE":
      return new Problem("bad_request", {
        detail: "Cannot read the request: it ended before it was complete; send all of it",
      });
    default:
      return new Problem("bad_request", { detail: "Cannot read the request: it is not HTTP/1.1" });
  }
}

async function listen(
  server: Server,
  { host, port }: ListenOptions,
  access: AccessSettings,
): Promise<Address> {
  server.listen({ host, port });
  // Rejects with the server's `error`.
  await once(server, "listening");
  const address = readAddress(server);
  // A name may resolve to an address that others reach.
  if (access.kind === "off" && !isLoopbackAddress(address.host)) {
    server.close();
    assertListenAllowed(access, address.host);
  }
  return address;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function readAddress(server: Server): Address {
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("Cannot tell where the server listens: it has no address");
  }
  return { host: address.address, port: address.port };
}

function formatUrl({ host, port }: Address): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

async function drain(server: Server, stopping: AbortController, graceMs: number): Promise<void> {
  const closed = once(server, "close");
  // Also closes idle connections.
  server.close();
  stopping.abort();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  // A connection whose last response ends now would be kept open for more requests.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  try {
    await closed;
  } finally {
    clearTimeout(timer);
    clearInterval(idle);
  }
}
