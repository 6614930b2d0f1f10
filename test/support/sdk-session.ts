import { randomUUID } from "node:crypto";
import { RemoteGraph } from "@langchain/langgraph/remote";
import { Client, type StreamMode } from "@langchain/langgraph-sdk";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  type RunnerTestSuite,
  type TestContext,
} from "vitest";
import type { SdkServer } from "./sdk-server.ts";

let server: SdkServer;
let client: Client;

/** Tests that a server cannot pass, by their names, and why. */
export type Unsupported = Readonly<Record<string, string>>;

/**
 * Tests a server through LangGraph's own client, read as a person's session with it. What the server
 * does not support is left out, with the reason; a name in that list that no test has is an error.
 */
export function testSdkSession(
  open: () => Promise<SdkServer>,
  options: { readonly unsupported?: Unsupported; readonly timeoutMs?: number } = {},
): void {
  const { unsupported = {}, timeoutMs } = options;

  beforeAll(async () => {
    server = await open();
    client = new Client({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 0 } });
  }, timeoutMs);

  beforeEach(({ task, skip }: TestContext) => {
    const why = unsupported[task.name];
    skip(why !== undefined, why);
  });

  // oxlint-disable-next-line no-empty-pattern -- Vitest reads which fixtures are wanted off the pattern.
  afterAll(async ({}, suite) => {
    await server.close();
    expect(server.noted.errors).toEqual([]);
    const names = namesIn(suite);
    expect(Object.keys(unsupported).filter((name) => !names.includes(name))).toEqual([]);
  }, timeoutMs);

  describe("assistants", () => {
    testAssistants();
  });
  describe("threads", () => {
    testThreads();
  });
  describe("runs", () => {
    testRuns();
  });
  describe("state", () => {
    testState();
  });
  describe("several runs in a thread", () => {
    testSeveralRuns();
  });
  describe("a run that fails", () => {
    testFailure();
  });
}

function namesIn({ tasks }: Readonly<RunnerTestSuite>): string[] {
  return tasks.flatMap((task) => (task.type === "suite" ? namesIn(task) : [task.name]));
}

const CONCIERGE = "concierge";
const MODES = [
  "values",
  "updates",
  "messages",
  "messages-tuple",
  "custom",
  "events",
  "tasks",
  "checkpoints",
  "debug",
] as const satisfies readonly StreamMode[];

interface Part {
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

interface Spoken {
  readonly messages: readonly {
    readonly type: string;
    readonly id: string;
    readonly content: string;
  }[];
}

function say(content: string, id?: string) {
  return { messages: [{ type: "human", content, ...(id === undefined ? {} : { id }) }] };
}

const PANTRY = say("What do I have in the pantry?");

async function all(stream: AsyncIterable<unknown>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part as Part);
  return parts;
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

/** Lets one piece through in which an event has its number, then breaks as a connection does. */
function breakAfterFirst() {
  const decoder = new TextDecoder();
  let sent = "";
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const text = sent + decoder.decode(chunk, { stream: true });
      // A client that is cut off between two frames of one event gets both again.
      const first = /^[^]*?\nid: \d+\n[^]*?\n\n/u.exec(text)?.[0];
      if (first !== undefined && first.length <= sent.length) throw new TypeError("terminated");
      controller.enqueue(new TextEncoder().encode((first ?? text).slice(sent.length)));
      sent = first ?? text;
    },
  });
}

/** Returns the kind of an event or mode: `messages/partial` and `messages-tuple` are of the kind `messages`. */
function toEventKind(name: string): string {
  return name.startsWith("messages") ? "messages" : name;
}

async function newThread(): Promise<string> {
  return (await client.threads.create()).thread_id;
}

async function answeredThread(): Promise<string> {
  const threadId = await newThread();
  await client.runs.wait(threadId, CONCIERGE, { input: PANTRY });
  return threadId;
}

/** Lets the model answer nothing until the test is over or the function is called. */
function hold(): () => void {
  const release = server.hold?.() ?? (() => undefined);
  onTestFinished(release);
  return release;
}

/** Begins a run and reads on until its message is taken in and a model is asked. */
async function runningIn(threadId: string): Promise<string> {
  const run = await client.runs.create(threadId, CONCIERGE, {
    input: PANTRY,
    streamMode: "custom",
  });
  const stream = client.runs.joinStream(threadId, run.run_id, { streamMode: "custom" });
  for await (const { event, data } of stream) {
    if (event === "custom" && (data as { node?: string }).node === "understand") break;
  }
  return run.run_id;
}

async function statuses(threadId: string): Promise<Record<string, string>> {
  const runs = await client.runs.list(threadId, { limit: 100 });
  return Object.fromEntries(runs.map(({ run_id, status }) => [run_id, status]));
}

function listTexts(values: unknown): [string, string][] {
  return (values as Spoken).messages.map(({ type, content }) => [type, content]);
}

function testAssistants(): void {
  test("there is one, which can be drawn and described", async () => {
    const [found] = await client.assistants.search({ graphId: CONCIERGE });
    expect(found?.graph_id).toBe(CONCIERGE);
    expect(await client.assistants.get(found?.assistant_id ?? "")).toEqual(found);
    expect(await client.assistants.get(CONCIERGE)).toEqual(found);
    const { nodes } = await client.assistants.getGraph(CONCIERGE);
    expect(nodes.map(({ id }) => id)).toContain("understand");
    const { input_schema } = await client.assistants.getSchemas(CONCIERGE);
    expect(Object.keys(input_schema?.properties ?? {})).toContain("messages");
  });
}

function testThreads(): void {
  test("are made, noted on, found and counted, and deleted", async () => {
    const topic = randomUUID();
    const thread = await client.threads.create({ metadata: { topic, kept: true } });
    expect(thread).toMatchObject({ status: "idle", metadata: { topic, kept: true } });

    const noted = await client.threads.update(thread.thread_id, {
      metadata: { kept: false, n: 1 },
    });
    expect(noted.metadata).toEqual({ topic, kept: false, n: 1 });
    const found = await client.threads.search({
      metadata: { topic },
      select: ["thread_id", "status"],
    });
    expect(found).toEqual([{ thread_id: thread.thread_id, status: "idle" }]);
    expect(await client.threads.count({ metadata: { topic } })).toBe(1);

    await client.threads.delete(thread.thread_id);
    await expect(client.threads.get(thread.thread_id)).rejects.toMatchObject({ status: 404 });
    expect(await client.threads.count({ metadata: { topic } })).toBe(0);
  });

  test("are copied with what is known in them, and go on apart", async () => {
    const threadId = await answeredThread();
    const copy = await client.threads.copy(threadId);
    const before = await client.threads.get(threadId);
    expect(copy.thread_id).not.toBe(threadId);
    expect(copy.values).toEqual(before.values);
    await client.runs.wait(copy.thread_id, CONCIERGE, { input: say("And what is on the list?") });
    expect((await client.threads.get(threadId)).values).toEqual(before.values);
  });
}

function testRuns(): void {
  test("are waited for", async () => {
    const threadId = await newThread();
    const values = await client.runs.wait(threadId, CONCIERGE, { input: PANTRY });
    expect(listTexts(values)).toEqual([
      ["human", "What do I have in the pantry?"],
      ["ai", expect.any(String)],
    ]);
    const [run] = await client.runs.list(threadId);
    expect(run).toMatchObject({ thread_id: threadId, status: "success" });
    expect(await client.runs.join(threadId, run?.run_id ?? "")).toEqual(values);
    expect(await client.threads.get(threadId)).toMatchObject({ status: "idle", values });
  });

  test("tell the same in all modes at once", async () => {
    const threadId = await newThread();
    const parts = await all(
      client.runs.stream(threadId, CONCIERGE, { input: PANTRY, streamMode: [...MODES] }),
    );
    const of = (name: string) => parts.filter(({ event }) => event === name);
    const kinds = new Set(parts.map(({ event }) => toEventKind(event)));
    expect(kinds.add("end")).toEqual(new Set(["metadata", ...MODES.map(toEventKind), "end"]));
    const [run] = await client.runs.list(threadId);
    expect(of("metadata")[0]?.data).toMatchObject({ run_id: run?.run_id });

    const { values } = await client.threads.getState(threadId);
    const reply = (values as unknown as Spoken).messages.at(-1);
    expect(of("values").at(-1)?.data).toEqual(values);
    const pieces = of("messages").map(({ data }) => (data as [Spoken["messages"][number]])[0]);
    const texts = pieces.filter(({ type }) => type !== "human").map(({ content }) => content);
    expect(texts.join("")).toBe(reply?.content);
    expect(of("messages/complete").at(-1)?.data).toMatchObject([{ ...reply }]);
    const chunks = of("custom").map(({ data }) => data as { type: string; text?: string });
    expect(chunks.find(({ type }) => type === "reply")?.text).toBe(reply?.content);

    const ids = parts.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
    expect(ids.toSorted((a, b) => a - b)).toEqual(ids);
  });

  test("go on where a client left off", async () => {
    const threadId = await newThread();
    const modes = MODES.filter((mode) => mode !== "debug");
    const stream = { input: PANTRY, streamMode: modes, streamResumable: true };
    const chunks = await all(client.runs.stream(threadId, CONCIERGE, stream));
    const [run] = await client.runs.list(threadId);
    const runId = run?.run_id ?? "";
    expect(await all(client.runs.joinStream(threadId, runId, { lastEventId: "-1" }))).toEqual(
      chunks,
    );

    const ids = [...new Set(chunks.map(({ id }) => id).filter((id) => id !== undefined))];
    const lastEventId = ids[Math.floor(ids.length / 2)] ?? "";
    const rest = await all(client.runs.joinStream(threadId, runId, { lastEventId }));
    const after = chunks.findLastIndex(({ id }) => id === lastEventId) + 1;
    expect(rest.map(({ event, data }) => ({ event, data }))).toEqual(
      chunks.slice(after).map(({ event, data }) => ({ event, data })),
    );
  });

  test("are streamed whole to a client whose connection breaks", async () => {
    const threadId = await newThread();
    let breaks = 3;
    const shaky = new Client({
      apiUrl: server.url,
      apiKey: null,
      callerOptions: {
        fetch: async (...request: Parameters<typeof fetch>) => {
          const response = await fetch(...request);
          if (response.body === null || !isStream(response) || breaks === 0) return response;
          breaks -= 1;
          return new Response(response.body.pipeThrough(breakAfterFirst()), response);
        },
      },
    });
    const stream = { input: PANTRY, streamMode: [...MODES] };
    const chunks = await all(shaky.runs.stream(threadId, CONCIERGE, stream));
    const [run] = await client.runs.list(threadId);
    const whole = await all(client.runs.joinStream(threadId, run?.run_id ?? ""));
    expect(chunks.map(({ event, data }) => ({ event, data }))).toEqual(
      whole.map(({ event, data }) => ({ event, data })),
    );
    expect(breaks).toBe(0);
  });

  test("need no thread of their own making", async () => {
    const values = await client.runs.wait(null, CONCIERGE, { input: PANTRY });
    expect(listTexts(values)).toHaveLength(2);
    const parts = await all(
      client.runs.stream(null, CONCIERGE, { input: PANTRY, streamMode: "custom" }),
    );
    expect(parts.map(({ data }) => (data as { type?: string }).type)).toContain("reply");
  });
}

function testState(): void {
  test("is read as it is and as it was", async () => {
    const threadId = await answeredThread();
    const state = await client.threads.getState(threadId);
    expect(state).toMatchObject({ next: [], tasks: [], values: { turn: 1 } });
    const id = state.checkpoint.checkpoint_id ?? "";
    expect(await client.threads.getState(threadId, id)).toEqual(state);
    expect(await client.threads.getState(threadId, state.checkpoint)).toEqual(state);

    const history = await client.threads.getHistory(threadId, { limit: 100 });
    expect(history[0]).toEqual(state);
    expect(history.at(-1)?.metadata).toMatchObject({ source: "input" });
    const inputs = await client.threads.getHistory(threadId, { metadata: { source: "input" } });
    expect(inputs).toEqual([history.at(-1)]);
  });

  test("is changed between two turns, and the next goes by it", async () => {
    const threadId = await answeredThread();
    const before = await client.threads.getState<{ messages: unknown }>(threadId);
    const noNuts = {
      text: "no nuts",
      kind: "hard",
      count: null,
      until: null,
      scope: "conversation",
      turn: 1,
    };
    await client.threads.updateState(threadId, { values: { constraints: [noNuts] } });
    const state = await client.threads.getState<{ messages: unknown }>(threadId);
    expect(state).toMatchObject({
      next: [],
      values: { constraints: [noNuts], messages: before.values.messages },
    });
    const remote = new RemoteGraph({ graphId: CONCIERGE, client });
    await remote.updateState({ configurable: { thread_id: threadId } }, { pending: null });
    const { checkpoint } = await client.threads.getState(threadId);
    await client.threads.updateState(threadId, { values: { pending: null }, checkpoint });
    await client.runs.wait(threadId, CONCIERGE, { input: say("What is on the shopping list?") });
    const after = await client.threads.getState(threadId);
    expect(after.values).toMatchObject({ turn: 2, constraints: [{ text: "no nuts" }] });
  });
}

function testSeveralRuns(): void {
  beforeEach(({ skip }) => skip(server.hold === null, "its models cannot be held"));

  test("wait for each other, first in, first out", async () => {
    const threadId = await newThread();
    const release = hold();
    await runningIn(threadId);
    const later = ["And what is on the list?", "Thank you"].map((text) => say(text));
    for (const input of later) {
      await client.runs.create(threadId, CONCIERGE, { input, multitaskStrategy: "enqueue" });
    }
    const states = Object.values(await statuses(threadId)).toSorted();
    expect(states).toEqual(["pending", "pending", "running"]);
    expect((await client.threads.get(threadId)).status).toBe("busy");
    release();
    const values = await client.runs.wait(threadId, CONCIERGE, {
      input: say("Bye"),
      multitaskStrategy: "enqueue",
    });
    const texts = listTexts(values).filter(([type]) => type === "human");
    expect(texts.map(([, text]) => text)).toEqual([
      "What do I have in the pantry?",
      "And what is on the list?",
      "Thank you",
      "Bye",
    ]);
  });

  test("are refused one beside another where that is asked for", async () => {
    const threadId = await newThread();
    const release = hold();
    const first = await runningIn(threadId);
    const alone = { input: PANTRY, multitaskStrategy: "reject" } as const;
    await expect(client.runs.create(threadId, CONCIERGE, alone)).rejects.toThrow(/^HTTP 4/u);
    release();
    await client.runs.join(threadId, first);
    const second = await client.runs.create(threadId, CONCIERGE, alone);
    await client.runs.join(threadId, second.run_id);
    expect(await statuses(threadId)).toEqual({ [first]: "success", [second.run_id]: "success" });
  });

  test("interrupt the one that runs, whose work is kept", async () => {
    const threadId = await newThread();
    const release = hold();
    const first = await runningIn(threadId);
    const waiting = await client.runs.create(threadId, CONCIERGE, {
      input: say("Never mind"),
      multitaskStrategy: "enqueue",
    });
    const last = await client.runs.create(threadId, CONCIERGE, {
      input: say("What is on the shopping list?"),
      multitaskStrategy: "interrupt",
    });
    await client.runs.join(threadId, first);
    release();
    const values = await client.runs.join(threadId, last.run_id);
    expect(await statuses(threadId)).toEqual({
      [first]: "interrupted",
      [waiting.run_id]: "interrupted",
      [last.run_id]: "success",
    });
    const texts = listTexts(values).filter(([type]) => type === "human");
    expect(texts.map(([, text]) => text)).toEqual([
      "What do I have in the pantry?",
      "What is on the shopping list?",
    ]);
  });

  test("take the one that runs back, as if it had not been", async () => {
    const threadId = await answeredThread();
    const before = await client.threads.getState(threadId);
    const release = hold();
    const first = await runningIn(threadId);
    const last = await client.runs.create(threadId, CONCIERGE, {
      input: say("What is on the shopping list?"),
      multitaskStrategy: "rollback",
    });
    await client.runs.join(threadId, first).catch(() => undefined);
    release();
    const values = await client.runs.join(threadId, last.run_id);
    expect(Object.keys(await statuses(threadId))).not.toContain(first);
    expect(listTexts(values).slice(0, 3)).toEqual([
      ...listTexts(before.values),
      ["human", "What is on the shopping list?"],
    ]);
    expect(values).toMatchObject({ turn: 2 });
  });

  test("are cancelled, those that wait and the one that runs", async () => {
    const threadId = await newThread();
    hold();
    const running = await runningIn(threadId);
    const waiting = await client.runs.create(threadId, CONCIERGE, {
      input: say("Thank you"),
      multitaskStrategy: "enqueue",
    });
    for (const runId of [waiting.run_id, running]) {
      await client.runs.cancel(threadId, runId, true);
      expect((await client.runs.get(threadId, runId)).status).toBe("interrupted");
    }
    await client.runs.cancel(threadId, running);
  });

  test("are told that they were cancelled, and so is their thread", async () => {
    const threadId = await newThread();
    hold();
    const running = await runningIn(threadId);
    const stream = all(client.runs.joinStream(threadId, running, { streamMode: "custom" }));
    await client.runs.cancel(threadId, running, true);
    expect((await stream).at(-1)).toMatchObject({ event: "end", data: { status: "interrupted" } });
    expect((await client.threads.get(threadId)).status).toBe("interrupted");
  });

  test("go on without their client, or end with it", async () => {
    const threadId = await newThread();
    const release = hold();
    const leave = async (onDisconnect: "cancel" | "continue"): Promise<string> => {
      const left = new AbortController();
      let runId = "";
      const stream = client.runs.stream(threadId, CONCIERGE, {
        input: PANTRY,
        streamMode: "custom",
        onDisconnect,
        signal: left.signal,
        onRunCreated: (run) => {
          runId = run.run_id;
        },
      });
      for await (const { event } of stream) if (event === "custom") break;
      left.abort();
      return runId;
    };
    const cancelled = await leave("cancel");
    await client.runs.join(threadId, cancelled);
    const going = await leave("continue");
    release();
    await client.runs.join(threadId, going);
    expect(await statuses(threadId)).toEqual({ [cancelled]: "interrupted", [going]: "success" });
  });
}

function testFailure(): void {
  beforeEach(({ skip }) => skip(server.fail === null, "its models cannot be broken"));

  test("says why, and is gone on with", async () => {
    const threadId = await newThread();
    server.fail?.(1);
    const failed = await client.runs.create(threadId, CONCIERGE, { input: PANTRY });
    const parts = await all(client.runs.joinStream(threadId, failed.run_id));
    expect(parts.slice(-2)).toMatchObject([
      { event: "error", data: { error: "internal" } },
      { event: "end", data: { status: "error" } },
    ]);
    await expect(client.runs.join(threadId, failed.run_id)).resolves.toMatchObject({
      __error__: { error: "internal" },
    });
    expect((await client.threads.get(threadId)).status).toBe("error");

    const values = await client.runs.wait(threadId, CONCIERGE, { input: null });
    expect(listTexts(values)).toHaveLength(2);
    const [again] = await client.runs.list(threadId);
    expect(again).toMatchObject({ status: "success", metadata: { retryOf: failed.run_id } });
    await expect(client.runs.wait(threadId, CONCIERGE, { input: null })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("nothing_to_resume"),
    });
  });
}
