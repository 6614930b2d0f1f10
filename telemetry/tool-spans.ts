import { context, SpanKind, trace, type Span, type Tracer } from "@opentelemetry/api";
import type { TurnEvent } from "../state/event.ts";
import { failSpan } from "./fail-span.ts";
import type { StartedRun } from "./watch-runs.ts";

type ToolStart = TurnEvent & { readonly type: "tool-start" };
type ToolEnd = TurnEvent & { readonly type: "tool-end" };

/** The spans of a run's tool calls. */
export interface ToolSpans {
  started(call: ToolStart, parent: Span): void;
  /** Ends the span of a call; ignores calls that another process started. */
  ended(call: ToolEnd): void;
  /** Ends all open spans. */
  close(): void;
}

/** Creates the spans from the run's events, which contain no arguments or results. */
export function openToolSpans(tracer: Tracer, run: Pick<StartedRun, "threadId">): ToolSpans {
  const open = new Map<string, Span>();
  return {
    started(call, parent) {
      const tool = readToolName(call);
      const attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.type": "function",
        "gen_ai.conversation.id": run.threadId,
      };
      const under = trace.setSpan(context.active(), parent);
      const options = { kind: SpanKind.INTERNAL, attributes };
      open.set(callKey(call), tracer.startSpan(`execute_tool ${tool}`, options, under));
    },
    ended(call) {
      const span = open.get(callKey(call));
      if (span === undefined) return;
      open.delete(callKey(call));
      span.setAttributes({
        "concierge.tool.effect": call.effect,
        "concierge.tool.count": call.count,
        "concierge.tool.suppressed": call.suppressed,
      });
      if (!call.ok) failSpan(span, "tool_refused");
      span.end();
    },
    close() {
      for (const span of open.values()) span.end();
      open.clear();
    },
  };
}

/** Returns the tool's name; `unknown` for any other text, since a model wrote it. */
function readToolName({ tool }: ToolStart): string {
  return /^[\w-]{1,64}$/u.test(tool) ? tool : "unknown";
}

/** Identifies a call by its position: calls run side by side. */
function callKey({ step, call }: ToolStart | ToolEnd): string {
  return `${step}/${call}`;
}
