import {
  context,
  propagation,
  SpanKind,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { z } from "zod";
import type { TurnEvent } from "../state/event.ts";
import {
  ModelError,
  type LanguageModel,
  type ModelAnswer,
  type ModelRequest,
} from "../state/model.ts";
import { failSpan } from "./fail-span.ts";
import { openToolSpans } from "./tool-spans.ts";
import type { StartedRun, WatchedEnd, WatchRun } from "./watch-runs.ts";

/**
 * Spans of the runs of a process, with their nodes and the calls of models and tools inside, named as
 * OpenTelemetry does for generative AI. They contain no text of a message, prompt or answer.
 *
 * Contract: without an SDK that records, nothing is stored and models are called directly.
 */
export interface Tracing {
  readonly watchRun: WatchRun;
  /** Opens a span for each call that a node of a watched run makes. */
  readonly traceModel: (model: LanguageModel) => LanguageModel;
}

/** Creates spans with the process's tracer provider; register an SDK to record them. */
export function createTracing(tracer: Tracer = trace.getTracer("concierge-graph")): Tracing {
  const runs = new Map<string, RunSpans>();
  return {
    watchRun(run) {
      const spans = openRunSpans(tracer, run);
      if (!spans.isRecording) return NOT_WATCHED;
      runs.set(run.threadId, spans);
      return {
        onEvent: (event) => spans.onEvent(event),
        onEnd(end) {
          if (runs.get(run.threadId) === spans) runs.delete(run.threadId);
          spans.ended(end);
        },
      };
    },
    traceModel: (model) => ({
      ...model,
      async complete(request) {
        const place = runs.size === 0 ? null : findPlace();
        const spans = place === null ? undefined : runs.get(place.threadId);
        if (place === null || spans === undefined) return model.complete(request);
        const { threadId: conversation } = place;
        return traceCall(model, request, { tracer, parent: spans.spanOf(place), conversation });
      },
    }),
  };
}

const NOT_WATCHED = { onEvent: () => undefined, onEnd: () => undefined };

/** The running node, as LangGraph reports it. */
interface Place {
  readonly threadId: string;
  readonly node: string;
  /** Distinguishes the executions of a node. */
  readonly task: string;
}

const PlaceSchema = z.object({
  metadata: z.object({ langgraph_node: z.string(), langgraph_checkpoint_ns: z.string() }),
  configurable: z.object({ thread_id: z.string() }),
});

/** Returns the running node; null outside of one. */
function findPlace(): Place | null {
  const found = PlaceSchema.safeParse(AsyncLocalStorageProviderSingleton.getRunnableConfig());
  if (!found.success) return null;
  const { metadata, configurable } = found.data;
  return {
    threadId: configurable.thread_id,
    node: metadata.langgraph_node,
    task: metadata.langgraph_checkpoint_ns,
  };
}

interface RunSpans {
  readonly isRecording: boolean;
  /** Returns the span of the node; the run's span for nodes without events. */
  spanOf(place: Place): Span;
  onEvent(event: TurnEvent): void;
  ended(end: WatchedEnd): void;
}

/** The span of a running node, opened by its first event or its first model call, whichever comes first. */
interface NodeSpan {
  readonly node: string;
  readonly span: Span;
  isAnnounced: boolean;
  task: string | null;
}

/** Nodes without `node-start` and `node-end`: experts run side by side and have events of their own. */
const WITHOUT_EVENTS: ReadonlySet<string> = new Set(["expert"]);
/** The node that executes tool calls. */
const TOOLS = "tools";

/** Makes the carrier from which the SDK's propagator reads the request's span. */
function toCarrier({ traceparent }: Pick<StartedRun, "traceparent">): Record<string, string> {
  return traceparent === null ? {} : { traceparent };
}

function openRunSpans(tracer: Tracer, run: StartedRun): RunSpans {
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "concierge",
    "gen_ai.conversation.id": run.threadId,
    "concierge.run.id": run.runId,
    "concierge.run.resumed": run.isResumed,
  };
  const root = tracer.startSpan(
    "invoke_agent concierge",
    { kind: SpanKind.INTERNAL, attributes },
    propagation.extract(context.active(), toCarrier(run)),
  );
  const under = trace.setSpan(context.active(), root);
  const nodes: NodeSpan[] = [];
  const tools = openToolSpans(tracer, run);
  const used = { input: 0, cached: 0, output: 0 };
  const open = (node: string, known: Pick<NodeSpan, "isAnnounced" | "task">): NodeSpan => {
    const attributes = { "concierge.node": node, "gen_ai.conversation.id": run.threadId };
    const opened = {
      node,
      span: tracer.startSpan(`node ${node}`, { attributes }, under),
      ...known,
    };
    nodes.push(opened);
    return opened;
  };
  const close = (node: NodeSpan): void => {
    nodes.splice(nodes.indexOf(node), 1);
    node.span.end();
  };
  return {
    isRecording: root.isRecording(),
    spanOf({ node, task }) {
      if (WITHOUT_EVENTS.has(node)) return root;
      const known =
        nodes.find((one) => one.task === task) ??
        nodes.find((one) => one.node === node && one.task === null) ??
        open(node, { isAnnounced: false, task });
      known.task = task;
      return known.span;
    },
    onEvent(event) {
      if (event.type === "node-start") {
        const early = nodes.find(({ node, isAnnounced }) => node === event.node && !isAnnounced);
        if (early === undefined) open(event.node, { isAnnounced: true, task: null });
        else early.isAnnounced = true;
      }
      if (event.type === "node-end") {
        const ended = nodes.find(({ node, isAnnounced }) => node === event.node && isAnnounced);
        if (ended !== undefined) close(ended);
      }
      if (event.type === "tool-start") {
        tools.started(event, nodes.find(({ node }) => node === TOOLS)?.span ?? root);
      }
      if (event.type === "tool-end") tools.ended(event);
      if (event.type === "usage") {
        used.input += event.input;
        used.cached += event.cached;
        used.output += event.output;
      }
    },
    ended({ outcome, error }) {
      tools.close();
      for (const { span } of nodes) span.end();
      root.setAttributes({ "concierge.run.outcome": outcome, ...usageAttributes(used) });
      if (error !== undefined) failSpan(root, error.code);
      root.end();
    },
  };
}

/** The span and the conversation that a model call belongs to. */
interface CallPlace {
  readonly tracer: Tracer;
  readonly parent: Span;
  readonly conversation: string;
}

/** Calls the model inside a span of its own: the spans of its client become children of that one. */
async function traceCall(
  model: LanguageModel,
  request: ModelRequest,
  place: CallPlace,
): Promise<ModelAnswer> {
  const under = trace.setSpan(context.active(), place.parent);
  const attributes: Attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": model.name,
    "gen_ai.request.max_tokens": request.maxOutputTokens,
    "gen_ai.output.type": request.schema === null ? "text" : "json",
    "gen_ai.conversation.id": place.conversation,
    "concierge.role": request.role,
  };
  const span = place.tracer.startSpan(
    `chat ${model.name}`,
    { kind: SpanKind.CLIENT, attributes },
    under,
  );
  try {
    const answer = await context.with(trace.setSpan(under, span), () => model.complete(request));
    span.setAttributes(usageAttributes(answer.usage));
    span.setAttribute("gen_ai.response.finish_reasons", [nameFinishReason(answer)]);
    return answer;
  } catch (error) {
    failSpan(span, error instanceof ModelError ? error.code : "error");
    throw error;
  } finally {
    span.end();
  }
}

function nameFinishReason({ truncated, toolCalls }: ModelAnswer): string {
  if (truncated) return "length";
  return toolCalls.length === 0 ? "stop" : "tool_calls";
}

function usageAttributes(usage: ModelAnswer["usage"]): Attributes {
  return {
    "gen_ai.usage.input_tokens": usage.input,
    "gen_ai.usage.cache_read.input_tokens": usage.cached,
    "gen_ai.usage.output_tokens": usage.output,
  };
}
