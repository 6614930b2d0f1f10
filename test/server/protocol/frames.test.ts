import { fc, test } from "@fast-check/vitest";
import { MessageTupleManager, StreamManager } from "@langchain/langgraph-sdk/ui";
import { describe, expect } from "vitest";
import { createFrameWriter, type Frame } from "../../../server/protocol/frames.ts";
import { StreamModeSchema, type StreamMode } from "../../../server/protocol/stream-modes.ts";
import type { EventBody } from "../../../state/event.ts";
import type { RunEvent } from "../../../state/run.ts";
import { keptEvents } from "../../support/run-events.ts";
import { replyEvent } from "../../support/replies.ts";

const RUN = { runId: "r", threadId: "t" };
const START: EventBody = { type: "turn-start", messageId: "m", message: "Hello" };
const METADATA = { run_id: "r", thread_id: "t", langgraph_node: "reply", tags: [] };
const PLAIN = { additional_kwargs: {}, response_metadata: {} };

function delta(text: string, reply = "reply_r1_1"): EventBody {
  return { type: "text-delta", reply, text };
}

function whole(text: string, reply = "reply_r1_1"): EventBody {
  return replyEvent(text, reply);
}

function writer(modes: readonly StreamMode[], subgraphs = false) {
  return createFrameWriter({ run: RUN, modes, subgraphs });
}

function writeFrames(events: readonly RunEvent[], modes: readonly StreamMode[]): Frame[] {
  const frames = writer(modes);
  return events.flatMap((event) => frames.next(event));
}

/** Returns the messages that LangGraph's own React hook would show after these frames. */
async function shownBy(frames: readonly Frame[]) {
  const stream = new StreamManager<{ messages?: { content: string; type: string }[] }>(
    new MessageTupleManager(),
    { throttle: false },
  );
  const seen: unknown[] = [];
  await stream.start(async () => asEvents(frames), {
    getMessages: ({ messages }) => (messages ?? []) as never,
    setMessages: (values, messages) => ({ ...values, messages: messages as never }),
    initialValues: {},
    callbacks: {
      onMetadataEvent: (data) => seen.push(["metadata", data]),
      onCustomEvent: (data) => seen.push(["custom", data]),
      onUpdateEvent: (data) => seen.push(["updates", data]),
      onTaskEvent: (data) => seen.push(["tasks", data]),
      onCheckpointEvent: (data) => seen.push(["checkpoints", data]),
      onDebugEvent: (data) => seen.push(["debug", data]),
      onLangChainEvent: (data) => seen.push(["events", data]),
    },
    onSuccess: () => undefined,
    onError: (error) => void seen.push(["error", String(error)]),
  });
  const messages = stream.values?.messages ?? [];
  return {
    seen,
    texts: messages.map(({ type, content }) => [type, content]),
    values: stream.values,
  };
}

async function* asEvents(frames: readonly Frame[]) {
  for (const frame of frames) yield structuredClone(frame) as never;
}

describe("createFrameWriter()", () => {
  test("begins with the run and ends with how it ended", () => {
    const frames = writer(["values"]);
    expect([...frames.begin(), ...frames.end({ status: "success", error: null })]).toEqual([
      { event: "metadata", data: { run_id: "r", thread_id: "t", attempt: 1 } },
      { event: "end", data: { run_id: "r", status: "success" } },
    ]);
  });

  test("says why a run failed before it ends", () => {
    const error = { code: "model_unavailable", message: "Cannot ask the model" };
    expect(writer(["values"]).end({ status: "error", error })).toEqual([
      { event: "error", data: { error: "model_unavailable", message: "Cannot ask the model" } },
      { event: "end", data: { run_id: "r", status: "error" } },
    ]);
    expect(writer(["values"]).end({ status: "timeout", error: null })[0]).toEqual({
      event: "error",
      data: { error: "timeout", message: "Cannot finish the run: it took longer than it may" },
    });
  });

  test("ends one that was taken back as rolled back", () => {
    expect(writer(["custom"]).end(null)).toEqual([
      { event: "end", data: { run_id: "r", status: "rollback" } },
    ]);
  });

  test("tells the turn's events as they are, by their number", () => {
    const [event] = keptEvents([START]);
    expect(writeFrames(keptEvents([START]), ["custom"])).toEqual([
      { event: "custom", data: event?.data, id: "1" },
    ]);
  });

  test("tells only what was asked for", () => {
    const chunk: Omit<RunEvent, "seq"> = { mode: "values", namespace: [], data: { turn: 1 } };
    expect(writeFrames(keptEvents([START, chunk, delta("Hi")]), ["values"])).toEqual([
      { event: "values", data: { turn: 1 }, id: "2" },
    ]);
  });

  test("tells what subgraphs stream only where that is asked for", () => {
    const events = keptEvents([{ mode: "updates", namespace: ["plan:1"], data: { think: {} } }]);
    expect(writeFrames(events, ["updates"])).toEqual([]);
    expect(events.flatMap((event) => writer(["updates"], true).next(event))).toEqual([
      { event: "updates|plan:1", data: { think: {} }, id: "1" },
    ]);
  });

  test("tells a reply in parts with all that was said", () => {
    const ai = { type: "ai", id: "reply_r1_1", tool_calls: [], invalid_tool_calls: [], ...PLAIN };
    const events = keptEvents([START, delta("Hel"), delta("lo"), whole("Hello")]);
    expect(writeFrames(events, ["messages"])).toEqual([
      {
        event: "messages/complete",
        data: [{ type: "human", id: "m", content: "Hello", ...PLAIN }],
        id: "1",
      },
      { event: "messages/metadata", data: { reply_r1_1: { metadata: METADATA } } },
      { event: "messages/partial", data: [{ ...ai, content: "Hel" }], id: "2" },
      { event: "messages/partial", data: [{ ...ai, content: "Hello" }], id: "3" },
      { event: "messages/complete", data: [{ ...ai, content: "Hello" }], id: "4" },
    ]);
  });

  test("tells a reply by the piece, and takes it back", () => {
    const chunk = (content: string) => ({
      type: "AIMessageChunk",
      id: "reply_r1_1",
      content,
      ...PLAIN,
    });
    const reset: EventBody = { type: "reply-reset", reply: "reply_r1_1" };
    const events = keptEvents([delta("Hel"), reset, delta("Hi"), whole("Hi")]);
    expect(writeFrames(events, ["messages-tuple"])).toEqual([
      { event: "messages", data: [chunk("Hel"), METADATA], id: "1" },
      {
        event: "messages",
        data: [{ type: "remove", id: "reply_r1_1", content: "", ...PLAIN }, METADATA],
        id: "2",
      },
      { event: "messages", data: [chunk("Hi"), METADATA], id: "3" },
    ]);
  });

  test("does not take back what was not said", () => {
    expect(
      writeFrames(keptEvents([{ type: "reply-reset", reply: "reply_r1_1" }]), [
        "messages",
        "messages-tuple",
      ]),
    ).toEqual([]);
  });

  test("numbers the last frame of an event alone", () => {
    const frames = writeFrames(keptEvents([delta("Hi")]), ["custom", "messages", "messages-tuple"]);
    expect(frames.map(({ event, id }) => [event, id])).toEqual([
      ["custom", undefined],
      ["messages/metadata", undefined],
      ["messages/partial", undefined],
      ["messages", "1"],
    ]);
  });
});

describe("LangGraph's own stream manager", () => {
  const chunks = StreamModeSchema.options
    .filter((mode) => !mode.startsWith("messages") && mode !== "custom" && mode !== "values")
    .map((mode) => ({ mode: mode as RunEvent["mode"], namespace: [], data: { of: mode } }));

  test("hears of every mode what was told in it", async () => {
    const frames = writer(StreamModeSchema.options);
    const events = keptEvents([START, ...chunks]);
    const sent = [...frames.begin(), ...events.flatMap((event) => frames.next(event))];
    // The hook knows messages by the piece only.
    const { seen } = await shownBy(sent.filter(({ event }) => !event.startsWith("messages/")));
    expect(seen).toEqual([
      ["metadata", { run_id: "r", thread_id: "t", attempt: 1 }],
      ["custom", events[0]?.data],
      ...chunks.map(({ mode, data }) => [mode, data]),
    ]);
  });

  test("shows a reply once, beside the values that hold it as well", async () => {
    const messages = [
      { type: "human", id: "m", content: "Hello" },
      { type: "ai", id: "reply_r1_1", content: "Hi there" },
    ];
    const events = keptEvents([
      START,
      { mode: "values", namespace: [], data: { messages: messages.slice(0, 1) } },
      delta("Hi "),
      delta("there"),
      whole("Hi there"),
      { mode: "values", namespace: [], data: { messages } },
    ]);
    const { texts } = await shownBy(writeFrames(events, ["values", "messages-tuple"]));
    expect(texts).toEqual([
      ["human", "Hello"],
      ["ai", "Hi there"],
    ]);
  });

  test("hears of a failure", async () => {
    const error = { code: "model_unavailable", message: "Cannot ask the model" };
    const { seen } = await shownBy(writer(["values"]).end({ status: "error", error }));
    expect(seen).toEqual([["error", expect.stringContaining("Cannot ask the model")]]);
  });

  const reply = fc.constantFrom("reply_r1_1", "reply_r1_2");
  const anyBody = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(reply, fc.string()).map(([id, text]) => delta(text, id)) },
    reply.map((id): EventBody => ({ type: "reply-reset", reply: id })),
  );

  test.prop([fc.array(anyBody)])(
    "shows what was said since the last reset, however it came",
    async (bodies) => {
      const texts = new Map<string, string>();
      for (const body of bodies) {
        if (body.type === "reply-reset") texts.delete(body.reply);
        if (body.type === "text-delta")
          texts.set(body.reply, (texts.get(body.reply) ?? "") + body.text);
      }
      const ends = [...texts].map(([id, text]) => whole(text, id));
      const { values } = await shownBy(
        writeFrames(keptEvents([...bodies, ...ends]), ["messages-tuple"]),
      );
      const shown = (values?.messages ?? []) as unknown as { id: string; content: string }[];
      expect(new Map(shown.map(({ id, content }) => [id, content]))).toEqual(texts);
    },
  );
});
