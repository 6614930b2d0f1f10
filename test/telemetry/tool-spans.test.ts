import { ROOT_CONTEXT, SpanStatusCode } from "@opentelemetry/api";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import { openToolSpans } from "../../telemetry/tool-spans.ts";
import { openRecorder, buildTree } from "../support/recorded-spans.ts";

const STAMP = { thread: "t", turn: 1, run: "r", seq: 1, time: "2026-01-12T09:00:00.000Z" };
const TABLE = { table: "recipes" };

function start(tool: string, place: { readonly step: number; readonly call: number }) {
  return { ...STAMP, type: "tool-start", ...place, tool, ...TABLE } satisfies TurnEvent;
}

function end(tool: string, place: { readonly step: number; readonly call: number; ok?: boolean }) {
  const how = { effect: "read", ok: true, count: 2, suppressed: false, ms: 3 } as const;
  return { ...STAMP, type: "tool-end", tool, ...TABLE, ...how, ...place } satisfies TurnEvent;
}

function open() {
  const { tracer, spans } = openRecorder();
  const parent = tracer.startSpan("node tools", {}, ROOT_CONTEXT);
  return { parent, spans, tools: openToolSpans(tracer, { threadId: "t" }) };
}

test("openToolSpans() tells calls that run side by side apart by their place", () => {
  const { tools, parent, spans } = open();

  tools.started(start("read_recipes", { step: 0, call: 0 }), parent);
  tools.started(start("read_recipes", { step: 1, call: 0 }), parent);
  tools.ended(end("read_recipes", { step: 1, call: 0, ok: false }));
  tools.ended(end("read_recipes", { step: 0, call: 0 }));
  parent.end();

  const call = { name: "execute_tool read_recipes", under: [] };
  expect(buildTree(spans())).toEqual([{ name: "node tools", under: [call, call] }]);
  const [refused, done] = spans();
  expect(refused).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "error.type": "tool_refused", "concierge.tool.count": 2 },
  });
  expect(done?.status).toEqual({ code: SpanStatusCode.UNSET });
});

test("openToolSpans() ends what is open when its run ends, and passes over ends of other processes' calls", () => {
  const { tools, parent, spans } = open();

  tools.ended(end("read_recipes", { step: 0, call: 0 }));
  tools.started(start("create_recipes", { step: 0, call: 1 }), parent);
  tools.close();
  tools.ended(end("create_recipes", { step: 0, call: 1 }));

  expect(spans().map(({ name }) => name)).toEqual(["execute_tool create_recipes"]);
});

test("openToolSpans() does not repeat what a model says instead of a tool's name", () => {
  const { tools, parent, spans } = open();

  tools.started(start("please call my wife Anna", { step: 0, call: 0 }), parent);
  tools.close();

  expect(spans()).toMatchObject([
    { name: "execute_tool unknown", attributes: { "gen_ai.tool.name": "unknown" } },
  ]);
});
