import { isSpanContextValid, trace, type Context } from "@opentelemetry/api";

const TRACE_PARENT = /^00-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})$/u;

/**
 * The context with a span of another process in it, as W3C's `traceparent` names it; the context as
 * it is where that is null or names none.
 */
export function withRemoteParent(context: Context, traceparent: string | null): Context {
  const {
    traceId = "",
    spanId = "",
    flags = "",
  } = TRACE_PARENT.exec(traceparent ?? "")?.groups ?? {};
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(context, parent) : context;
}
