import { AsyncLocalStorage } from "node:async_hooks";
import {
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  type AttributeValue,
  type Context,
  type ContextManager,
  type Tracer,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { onTestFinished } from "vitest";

export interface SpanRecorder {
  readonly tracer: Tracer;
  /** Spans that have ended, in that order. */
  readonly spans: () => readonly ReadableSpan[];
}

/** Records what its tracer makes, and nothing else. */
export function openRecorder(): SpanRecorder {
  const { provider, spans } = record();
  return { tracer: provider.getTracer("test"), spans };
}

/** Records whatever this process does until the test has ended, as an SDK that is loaded first. */
export function recordProcess(): Pick<SpanRecorder, "spans"> {
  const { provider, spans } = record();
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(createContexts());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  onTestFinished(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });
  return { spans };
}

/** A span and those under it, in the order in which they began. */
export interface SpanTree {
  readonly name: string;
  readonly under: readonly SpanTree[];
}

/** The spans under one, by its id; default: under none. */
export function buildTree(spans: readonly ReadableSpan[], parent?: string): SpanTree[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .toSorted((a, b) => compareTimes(a.startTime, b.startTime))
    .map((span) => ({ name: span.name, under: buildTree(spans, span.spanContext().spanId) }));
}

/** The values alone. */
export function readAttributes(span: ReadableSpan): (AttributeValue | undefined)[] {
  return Object.values(span.attributes);
}

function record() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { provider, spans: () => exporter.getFinishedSpans() };
}

function compareTimes(a: ReadableSpan["startTime"], b: ReadableSpan["startTime"]): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** As an SDK for Node brings one. */
function createContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const contexts: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => storage.run(active, () => work.apply(self, args)),
    bind: (_active, target) => target,
    enable: () => contexts,
    disable: () => contexts,
  };
  return contexts;
}
