import { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { requestId } from "hono/request-id";
import { allowOrigins, guardLoopback, isFromHere } from "./access/guard.ts";
import { authenticateAndRateLimit } from "./limits/limit-callers.ts";
import { readBody } from "./limits/read-body.ts";
import { createProblemLog, type LogProblem } from "./log-problem.ts";
import { describeSecurity } from "./openapi.ts";
import type { RequestLine, RouteParts } from "./parts.ts";
import { invalidRequest, Problem, problemDocument, toProblem } from "./problems.ts";
import { matchedRoute } from "./matched-route.ts";
import type { ApiApp, ApiContext, ApiEnv, RegisterRoutes } from "./route.ts";
import { registerAssistants } from "./routes/assistants.ts";
import { registerCancelRuns } from "./routes/cancel-runs.ts";
import { registerChat } from "./routes/chat.ts";
import { registerCreateRuns } from "./routes/create-runs.ts";
import { registerDocs } from "./routes/docs.ts";
import { registerJoinRuns } from "./routes/join-runs.ts";
import { registerMeta } from "./routes/meta.ts";
import { registerRuns } from "./routes/runs.ts";
import { registerThreadState } from "./routes/thread-state.ts";
import { registerThreads } from "./routes/threads.ts";
import { registerUser } from "./routes/user.ts";
import { traceRequests } from "./trace-requests.ts";

const ROUTES: readonly RegisterRoutes[] = [
  registerMeta,
  (app) => registerDocs(app),
  registerAssistants,
  registerThreads,
  registerThreadState,
  registerCreateRuns,
  registerRuns,
  registerJoinRuns,
  registerCancelRuns,
  registerChat,
  registerUser,
];

/** Routes that need no authentication: they return nothing that belongs to a user. */
const PUBLIC = /^\/(?:info|openapi\.json|docs(?:\/.*)?)$/;

export interface AppOptions {
  /** Aborts when the server stops: requests are refused from then on. */
  readonly stopping?: AbortSignal;
}

/**
 * Creates the HTTP application: every route behind authentication, limits and problem documents.
 * It does not listen: `startServer` does, and tests call `request`.
 */
export function createApp(parts: RouteParts, options: AppOptions = {}): ApiApp {
  const app: ApiApp = new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidRequest(result.error, result.target);
    },
  });
  const note = createProblemLog(parts.log);
  app.onError((error, context) => answerProblem(context, error, note));
  app.notFound((context) => answerProblem(context, missingRoute(app, context), note));
  app.use(
    requestId({ generator: () => parts.newId(), limitLength: 128 }),
    traceRequests(),
    measure(parts),
    dropBodyOfHead(),
    refuseWhileStopping(options.stopping),
    guardLoopback(parts.settings),
    allowOrigins(parts.settings.origins),
    authenticateAndRateLimit(parts, { isPublic, isUncounted }),
    readBody(parts.settings.limits),
  );
  describeSecurity(app);
  for (const register of ROUTES) register(app, parts);
  return app;
}

/** A health check is answered however many requests come from the same address. */
function isUncounted({ req: { method, path } }: ApiContext): boolean {
  return path === "/ok" && (method === "GET" || method === "HEAD");
}

/** A scraper on the same machine needs no key for the metrics. */
function isPublic(context: ApiContext): boolean {
  const { path } = context.req;
  return PUBLIC.test(path) || (path === "/metrics" && isFromHere(context));
}

function answerProblem(context: ApiContext, error: unknown, note: LogProblem): Response {
  const problem = toProblem(error);
  const { requestId } = context.var;
  note(problem, requestId);
  const document = JSON.stringify(problemDocument(problem, requestId));
  const headers = { "content-type": "application/problem+json", ...problem.headers };
  return context.body(document, problem.status, headers);
}

/** 405 where the path is known with other methods, else 404. */
function missingRoute(app: ApiApp, context: ApiContext): Problem {
  const { method, path } = context.req;
  const allowed = findMethods(app, path);
  if (allowed.length === 0) {
    return new Problem("route_not_found", {
      detail: "Cannot find this route: no route has this path; /openapi.json lists them all",
    });
  }
  return new Problem("method_not_allowed", {
    detail: `Cannot ${method} this route: it supports ${allowed.join(", ")}`,
    headers: { allow: allowed.join(", ") },
  });
}

function findMethods(app: ApiApp, path: string): readonly string[] {
  const methods = new Set(app.routes.map(({ method }) => method).filter((name) => name !== "ALL"));
  return [...methods].filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
}

function measure(parts: RouteParts): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const began = performance.now();
    await next();
    // Set last: a stream's response replaces the earlier one, headers included.
    context.res.headers.set("x-request-id", context.var.requestId);
    context.res.headers.set("x-content-type-options", "nosniff");
    const { method } = context.req;
    const route = matchedRoute(context) ?? "none";
    const { status } = context.res;
    const seconds = (performance.now() - began) / 1_000;
    parts.metrics.requestEnded({ method, route, status, seconds });
    parts.log.noteRequest?.({
      request: context.var.requestId,
      user: context.get("caller")?.userId ?? null,
      method,
      route,
      status,
      ms: Math.round(seconds * 1_000),
      ...findSubject(context),
    });
  };
}

/** Returns the thread and run of a request, from its path or from the headers of its response. */
function findSubject({ req, res }: ApiContext): Pick<RequestLine, "thread" | "run"> {
  const thread = req.param("thread_id") ?? res.headers.get("x-thread-id");
  const run = req.param("run_id") ?? req.param("run") ?? res.headers.get("x-run-id");
  return { thread: thread?.slice(0, LONGEST_ID) ?? null, run: run?.slice(0, LONGEST_ID) ?? null };
}

const LONGEST_ID = 255;

/** The framework handles HEAD as GET and drops the body: without this, a stream would go on unread. */
function dropBodyOfHead(): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    await next();
    if (context.req.method === "HEAD") await context.res.body?.cancel();
  };
}

function refuseWhileStopping(stopping: AbortSignal | undefined): MiddlewareHandler<ApiEnv> {
  return async (_context, next) => {
    if (stopping?.aborted !== true) return next();
    throw new Problem("stopping", {
      detail: "Cannot accept the request: this server is stopping; send it again",
      headers: { "retry-after": "1", connection: "close" },
    });
  };
}
