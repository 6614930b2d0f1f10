import { SpanStatusCode, type Span } from "@opentelemetry/api";

/** Marks what failed with a code alone: messages of errors may quote. */
export function failSpan(span: Span, code: string): void {
  span.setAttribute("error.type", code);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
