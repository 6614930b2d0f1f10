import {
  context as traced,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type TextMapGetter,
  type Tracer,
} from "@opentelemetry/api";
import type { MiddlewareHandler } from "hono";
import { toProblem } from "./problems.ts";
import type { ApiContext, ApiEnv } from "./route.ts";
import { matchedRoute } from "./route-of.ts";

/** Methods that are told by name: any other word is the client's own. */
const METHODS: ReadonlySet<string> = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE".split(" "),
);

/**
 * A span of each request until it is answered, of a stream until it begins, with the names that
 * OpenTelemetry has for servers; a caller's `traceparent` is its parent. Never a path, a query or a
 * body: the pattern of the route alone.
 *
 * Contract: without an SDK nothing is recorded and nothing read.
 */
export function traceRequests(
  tracer: Tracer = trace.getTracer("concierge-graph"),
): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const caller = propagation.extract(traced.active(), context.req, HEADERS);
    const method = METHODS.has(context.req.method) ? context.req.method : "_OTHER";
    const span = tracer.startSpan(
      nameSpan(method, null),
      {
        kind: SpanKind.SERVER,
        attributes: {
          "http.request.method": method,
          "url.scheme": "http",
          "concierge.request.id": context.var.requestId,
        },
      },
      caller,
    );
    try {
      await traced.with(trace.setSpan(caller, span), next);
      if (span.isRecording()) describeAnswer(span, { context, method });
    } finally {
      span.end();
    }
  };
}

/**
 * The span that is under way, as W3C's `traceparent`; undefined where there is none. It names a
 * span and says nothing else.
 */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(traced.active(), carrier);
  return carrier["traceparent"];
}

function describeAnswer(
  span: Span,
  { context, method }: { readonly context: ApiContext; readonly method: string },
): void {
  const route = matchedRoute(context);
  const { status } = context.res;
  span.updateName(nameSpan(method, route));
  if (route !== null) span.setAttribute("http.route", route);
  span.setAttribute("http.response.status_code", status);
  if (status < 500) return;
  const { error } = context;
  span.setAttribute("error.type", error === undefined ? String(status) : toProblem(error).code);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function nameSpan(method: string, route: string | null): string {
  const verb = method === "_OTHER" ? "HTTP" : method;
  return route === null ? verb : `${verb} ${route}`;
}

const HEADERS: TextMapGetter<ApiContext["req"]> = {
  get: (request, name) => request.header(name),
  keys: (request) => Object.keys(request.header()),
};
