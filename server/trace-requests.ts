import {
  context as traced,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type TextMapGetter,
} from "@opentelemetry/api";
import type { MiddlewareHandler } from "hono";
import { toProblem } from "./problems.ts";
import type { ApiContext, ApiEnv } from "./route.ts";
import { matchedRoute } from "./matched-route.ts";

/** Methods that appear in spans by name; any other is reported as `_OTHER`. */
const METHODS: ReadonlySet<string> = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE".split(" "),
);

/**
 * Opens a span for each request until it is answered (for a stream, until it begins), with
 * OpenTelemetry's attribute names for servers; the caller's `traceparent` is its parent. A span holds
 * the route's pattern, never a path, a query or a body.
 *
 * Contract: without an SDK nothing is recorded.
 */
export function traceRequests(): MiddlewareHandler<ApiEnv> {
  const tracer = trace.getTracer("concierge-graph");
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
      if (span.isRecording()) describeAnswer(span, context, method);
    } finally {
      span.end();
    }
  };
}

/**
 * Returns the current span as W3C's `traceparent`; undefined if there is none. It names the span and
 * nothing else.
 */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(traced.active(), carrier);
  return carrier["traceparent"];
}

function describeAnswer(span: Span, context: ApiContext, method: string): void {
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
