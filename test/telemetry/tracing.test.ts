import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { ModelError } from "../../state/model.ts";
import { createTracing } from "../../telemetry/tracing.ts";
import { testDatabase } from "../support/database.ts";
import { readAttributes, openRecorder, buildTree } from "../support/recorded-spans.ts";
import { workOffWatched } from "../support/watched-turn.ts";

const database = await testDatabase();

function openTracing() {
  const { tracer, spans } = openRecorder();
  return { tracing: createTracing(tracer), spans };
}

test("createTracing() shows a turn as a tree: its run, in it the nodes, in these the calls of models and tools", async () => {
  const { tracing, spans } = openTracing();
  const text = "what's in my fridge?";

  await workOffWatched({
    database,
    threadId: "tree",
    text,
    runs: [tracing.watchRun],
    wrapModel: tracing.traceModel,
  });

  const chat = { name: "chat simulated", under: [] };
  expect(buildTree(spans())).toEqual([
    {
      name: "invoke_agent concierge",
      under: [
        { name: "node intake", under: [] },
        { name: "node understand", under: [chat] },
        { name: "node act", under: [] },
        { name: "node tools", under: [{ name: "execute_tool read_inventory_items", under: [] }] },
        { name: "node reply", under: [] },
        { name: "node summarize", under: [] },
        { name: "node finish", under: [] },
      ],
    },
  ]);
  const call = spans().find(({ name }) => name === "chat simulated");
  expect(call).toMatchObject({
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.UNSET },
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "simulated",
      "gen_ai.request.max_tokens": expect.any(Number),
      "gen_ai.output.type": "json",
      "gen_ai.conversation.id": "tree",
      "gen_ai.usage.input_tokens": expect.any(Number),
      "gen_ai.usage.output_tokens": expect.any(Number),
      "gen_ai.response.finish_reasons": ["stop"],
      "concierge.role": "understand",
    },
  });
  const tool = spans().find(({ name }) => name === "execute_tool read_inventory_items");
  expect(tool).toMatchObject({
    kind: SpanKind.INTERNAL,
    status: { code: SpanStatusCode.UNSET },
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read_inventory_items",
      "gen_ai.tool.type": "function",
      "gen_ai.conversation.id": "tree",
      "concierge.tool.effect": "read",
      "concierge.tool.count": expect.any(Number),
      "concierge.tool.suppressed": false,
    },
  });
  expect(spans().at(-1)).toMatchObject({
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "concierge.run.id": "run-tree",
      "concierge.run.resumed": false,
      "concierge.run.outcome": "answered",
    },
  });
  const recorded = JSON.stringify(
    spans().map((span) => [span.name, readAttributes(span), span.events]),
  );
  expect(recorded).not.toContain("fridge");
});

test("createTracing() puts each expert's call, one beside the other, under the run", async () => {
  const { tracing, spans } = openTracing();

  await workOffWatched({
    database,
    threadId: "experts",
    text: "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?",
    runs: [tracing.watchRun],
    wrapModel: tracing.traceModel,
  });

  const root = spans().find(({ name }) => name === "invoke_agent concierge");
  const asked = spans().filter(({ attributes }) => attributes["concierge.role"] === "expert");
  expect(asked).toHaveLength(4);
  for (const { parentSpanContext } of asked) {
    expect(parentSpanContext?.spanId).toBe(root?.spanContext().spanId);
  }
  const open = new Set(spans().map((span) => span.spanContext().traceId));
  expect(open.size).toBe(1);
});

test("createTracing() says why a model gave no answer by its code alone", async () => {
  const { tracing, spans } = openTracing();
  const refused = new ModelError("model_rate_limited", "Cannot ask: the answer quoted fridge");

  await workOffWatched({
    database,
    threadId: "refused",
    text: "what's in my fridge?",
    runs: [tracing.watchRun],
    wrapModel: (model) => tracing.traceModel({ ...model, complete: () => Promise.reject(refused) }),
  });

  const call = spans().find(({ name }) => name === "chat simulated");
  expect(call).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "error.type": "model_rate_limited" },
  });
  expect(call?.status.message).toBeUndefined();
  expect(call?.events).toEqual([]);
});

test("createTracing() keeps nothing and calls models as they are where nobody records", async () => {
  const { tracing, spans } = openTracing();
  const idle = createTracing();

  await workOffWatched({
    database,
    threadId: "idle",
    text: "what's in my fridge?",
    runs: [idle.watchRun],
    // Were a run kept, calls in its nodes would be told to the recorder of the other.
    wrapModel: (model) => tracing.traceModel(idle.traceModel(model)),
  });

  expect(spans()).toEqual([]);
});
