import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { publicChunk } from "../../graph/public-chunk.ts";
import { publicValues } from "../../graph/public-state.ts";
import { JsonSchema, type Json } from "../../state/json.ts";
import { GraphModeSchema, type GraphMode } from "../../state/run.ts";
import { ADDING } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { openThread, testThread } from "../support/test-thread.ts";
import { fold } from "../support/registry-events.ts";
import { makeCuration, turnState } from "../support/turn-state.ts";

const database = await testDatabase();

interface Chunk {
  readonly mode: GraphMode;
  readonly raw: unknown;
  readonly shown: Json;
}

/** Everything that the graph streams of a turn that writes, in every mode, and what is shown of it. */
async function chunksOfTurn() {
  const thread = await testThread(database, { behaviour: ADDING });
  await thread.send("add nuts");
  const input = { input: { messageId: "m-2", text: "add figs" }, run: thread.run };
  const config = {
    configurable: {
      thread_id: thread.run.threadId,
      secret: "sk-secret",
      stop: new AbortController().signal,
    },
    durability: "sync",
    recursionLimit: 100,
  } as const;
  const chunks: Chunk[] = [];
  const take = (mode: string, raw: unknown): void => {
    const known = GraphModeSchema.parse(mode);
    chunks.push({ mode: known, raw, shown: publicChunk(known, raw) });
  };
  const streamMode = GraphModeSchema.exclude(["events"]).options;
  const stream = await thread.graph.stream(input, { ...config, streamMode });
  for await (const [mode, chunk] of stream) take(mode, chunk);
  const again = openThread(database, { run: thread.run, behaviour: ADDING });
  const events = again.graph.streamEvents(
    { ...input, input: { messageId: "m-3", text: "add figs" } },
    { ...config, version: "v2" },
  );
  for await (const event of events) take("events", event);
  const { rows } = await database.owner.query<{ id: string }>(
    `select id::text from shopping_list where user_id = $1
      union all select id::text from recipes where user_id = $1`,
    [thread.run.userId],
  );
  const prompts = thread.requests.flatMap(({ messages }) => messages.map(({ text }) => text));
  return { chunks, ids: rows.map(({ id }) => id), prompts };
}

const { chunks, ids, prompts } = await chunksOfTurn();

describe("publicChunk()", () => {
  test.each(GraphModeSchema.options)("makes strict JSON of every chunk in mode %s", (mode) => {
    const own = chunks.filter((chunk) => chunk.mode === mode);
    expect(own.length).toBeGreaterThan(5);
    for (const { shown } of own) {
      expect(JsonSchema.parse(shown)).toEqual(shown);
      expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
    }
  });

  test.each(GraphModeSchema.options)(
    "holds no id of a row, no prompt and no key in mode %s, though the chunk does",
    (mode) => {
      const own = chunks.filter((chunk) => chunk.mode === mode);
      const raw = own.map((chunk) => JSON.stringify(chunk.raw)).join("\n");
      const shown = own.map((chunk) => JSON.stringify(chunk.shown)).join("\n");
      expect(ids.filter((id) => raw.includes(id))).not.toEqual([]);
      expect(ids.filter((id) => shown.includes(id))).toEqual([]);
      const [system = ""] = prompts;
      expect(shown).not.toContain(JSON.stringify(system.slice(0, 60)).slice(1, -1));
      expect(shown).not.toMatch(/sk-secret|"lease"|"stop"|"cut"|pendingCalls|effectKey|userId/u);
    },
  );

  test("tells a checkpoint with its place and its parent's", () => {
    const found = chunks.findLast(({ mode }) => mode === "checkpoints")?.shown;
    expect(found).toMatchObject({
      next: [],
      checkpoint: { checkpoint_ns: "", checkpoint_id: expect.any(String) },
      parent_checkpoint: { checkpoint_id: expect.any(String) },
      metadata: { source: "loop" },
      tasks: [],
      values: { turn: 2 },
    });
  });

  test("shows nothing of what a task failed with", () => {
    const task = { id: "t", name: "think", result: {}, error: new Error("sk-secret at row 7") };
    expect(publicChunk("tasks", task)).toEqual({
      id: "t",
      name: "think",
      result: {},
      error: "The task failed",
      interrupts: [],
    });
  });

  test("shows of a model's event only that it was", () => {
    const event = {
      event: "on_chat_model_start",
      name: "ChatOpenAI",
      run_id: "r",
      tags: [],
      metadata: { ls_model_name: "x", langgraph_node: "think" },
      data: { input: { messages: [["the prompt"]] } },
    };
    expect(publicChunk("events", event)).toEqual({
      event: "on_chat_model_start",
      name: "ChatOpenAI",
      run_id: "r",
      tags: [],
      metadata: { langgraph_node: "think" },
      data: {},
    });
  });

  test.each(GraphModeSchema.options)("survives what is no object in mode %s", (mode) => {
    for (const data of [null, undefined, "text", 7, []]) {
      expect(JsonSchema.safeParse(publicChunk(mode, data)).success).toBe(true);
    }
  });
});

describe("publicValues()", () => {
  test("shows messages as LangGraph's API does, refs without rows, and no ids", () => {
    const id = "0b9af2c5-4f0c-4d4e-9f0e-0a6f5d3b2c1a";
    const row = { id, rowVersion: 3, values: { name: "Soup", instructions: "Stir." } };
    const registry = fold([
      { kind: "read", turn: 1, type: "recipe", ids: [id], rows: [row], detail: "full" },
      { kind: "listed", turn: 1, refs: ["recipe_1"] },
      {
        kind: "curated",
        turn: 1,
        curation: makeCuration({ demote: [{ ref: "recipe_1", reason: "Too warm" }] }),
      },
    ]);
    const state = turnState({
      input: { messageId: "m", text: "hello" },
      messages: [
        new HumanMessage({ id: "m", content: "hello" }),
        new AIMessage({ id: "reply_r1_1", content: "Hi", response_metadata: { request: "req_1" } }),
      ],
      registry,
      notices: [{ node: "tools", code: "write-failed", text: `No row ${id}` }],
    });

    const shown = publicValues(state);

    expect(Object.keys(shown).toSorted()).toEqual([
      "concierge",
      "constraints",
      "effects",
      "history",
      "journeyPlan",
      "journeys",
      "ledger",
      "messages",
      "notices",
      "opening",
      "pending",
      "plan",
      "registry",
      "replies",
      "turn",
      "turnExecutionSummaries",
    ]);
    expect(shown).toMatchObject({
      messages: [
        { type: "human", id: "m", content: "hello", additional_kwargs: {} },
        { type: "ai", id: "reply_r1_1", content: "Hi", response_metadata: {}, tool_calls: [] },
      ],
      registry: {
        entries: [
          {
            ref: "recipe_1",
            type: "recipe",
            label: "Soup",
            action: "read",
            byUser: false,
            retained: false,
            demoted: true,
          },
        ],
        listed: [],
      },
      notices: [{ node: "tools", code: "write-failed", text: "No row [id]" }],
    });
    expect(JSON.stringify(shown)).not.toContain(id);
  });

  test("shows the message of a turn that has not taken it yet", () => {
    const input = { messageId: "m", text: "hello" };
    const sent = [{ type: "human", id: "m", content: "hello" }];

    expect(publicValues({ input, messages: [] })).toMatchObject({ messages: sent });
    const messages = [new HumanMessage({ id: "m", content: "hello" })];
    expect(publicValues({ input, messages })).toMatchObject({ messages: sent });
    expect(publicValues({ input })).toEqual({});
  });

  test("shows only what is there", () => {
    expect(publicValues({ turn: 3, calls: [] })).toEqual({ turn: 3 });
  });
});
