import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { withRemoteParent } from "../../telemetry/trace-parent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test("withRemoteParent() puts the span that is named into the context", () => {
  const context = withRemoteParent(ROOT_CONTEXT, `00-${TRACE}-${SPAN}-01`);

  expect(trace.getSpanContext(context)).toEqual({
    traceId: TRACE,
    spanId: SPAN,
    traceFlags: 1,
    isRemote: true,
  });
});

test.each([
  null,
  "",
  "hello",
  `01-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
])("withRemoteParent() leaves the context as it is where no span is named: %j", (traceparent) => {
  expect(withRemoteParent(ROOT_CONTEXT, traceparent)).toBe(ROOT_CONTEXT);
});
