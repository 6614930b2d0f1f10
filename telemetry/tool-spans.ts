import { context, SpanKind, trace, type Span, type Tracer } from "@opentelemetry/api";
import type { TurnEvent } from "../driver/events.ts";
import { failSpan } from "./fail-span.ts";
import type { StartedRun } from "./watch-runs.ts";

type ToolStart = TurnEvent & { readonly type: "tool-start" };
type ToolEnd = TurnEvent & { readonly type: "tool-end" };

/** The spans of the tools that a run calls, one a call. */
export interface ToolSpans {
  started(call: ToolStart, parent: Span): void;
  /** An end without a beginning, of a call that another process made, is nothing here. */
  ended(call: ToolEnd): void;
  /** Ends what is open. */
  close(): void;
}

/** Makes them from the run's own events: arguments and results are in none of these. */
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

/** A model's word until a tool is found by it. */
function readToolName({ tool }: ToolStart): string {
  return /^[\w-]{1,64}$/u.test(tool) ? tool : "unknown";
}

/** Calls run side by side, each in a place of its own. */
function callKey({ step, call }: ToolStart | ToolEnd): string {
  return `${step}/${call}`;
}
