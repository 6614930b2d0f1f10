import { SpanStatusCode, type Span } from "@opentelemetry/api";

/** Marks a span as failed with a code only: error messages may quote private data. */
export function failSpan(span: Span, code: string): void {
  span.setAttribute("error.type", code);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
