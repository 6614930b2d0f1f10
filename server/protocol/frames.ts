import { z } from "zod";
import type { Json } from "../../state/json.ts";
import type { RunEvent, RunRecord } from "../../state/run.ts";
import type { StreamMode } from "./stream-modes.ts";

/** One server-sent event. Without an `id` it leaves the client's last event id as it is. */
export interface Frame {
  readonly event: string;
  readonly data: Json;
  readonly id?: string;
}

export interface FrameOptions {
  readonly run: Pick<RunRecord, "runId" | "threadId">;
  readonly modes: readonly StreamMode[];
  /** Includes the events of subgraphs, as `values|node`. */
  readonly subgraphs: boolean;
}

/** Turns what is kept of a run into LangGraph's v1 stream events. */
export interface FrameWriter {
  /** Returns the first frames of a stream from a run's beginning. */
  begin(): readonly Frame[];
  /**
   * Returns the frames of one kept event. Every event of the run has to pass here in order, also
   * those that the client has seen: replies are told in parts that add up.
   */
  next(event: RunEvent): readonly Frame[];
  /** Returns the last frames; the run is null if it was rolled back or deleted meanwhile. */
  end(run: Pick<RunRecord, "status" | "error"> | null): readonly Frame[];
}

/**
 * Makes the writer of one stream.
 *
 * Contract: the frames of a kept event bear its `seq` as their id, on the last of them alone, so
 * that a client that was cut off between two of them gets both again.
 */
export function createFrameWriter(options: FrameOptions): FrameWriter {
  const { runId, threadId } = options.run;
  const encodeReplies = createReplyEncoder(options);
  return {
    begin: () => [{ event: "metadata", data: { run_id: runId, thread_id: threadId, attempt: 1 } }],
    next(event) {
      const frames = event.mode === "custom" ? encodeReplies(event.data) : [];
      return numbered([...asKept(event, options), ...frames], event.seq);
    },
    end(run) {
      const failure = describeFailure(run);
      const end = { event: "end", data: { run_id: runId, status: run?.status ?? "rollback" } };
      return failure === null ? [end] : [{ event: "error", data: failure }, end];
    },
  };
}

function asKept(event: RunEvent, { modes, subgraphs }: FrameOptions): Frame[] {
  const { mode, namespace } = event;
  if (!modes.includes(mode)) return [];
  if (namespace.length > 0 && !subgraphs) return [];
  return [{ event: [mode, ...namespace].join("|"), data: event.data }];
}

function numbered(frames: readonly Frame[], seq: number): readonly Frame[] {
  const last = frames.length - 1;
  return frames.map((frame, index) => (index === last ? { ...frame, id: String(seq) } : frame));
}

/** Returns the failure of a run as clients of the protocol read it; null for a run without one. */
export function describeFailure(
  run: Pick<RunRecord, "status" | "error"> | null,
): { readonly error: string; readonly message: string } | null {
  if (run === null || (run.status !== "error" && run.status !== "timeout")) return null;
  const { code, message } = run.error ?? DEFAULT_FAILURES[run.status];
  return { error: code, message };
}

const DEFAULT_FAILURES = {
  error: { code: "internal", message: "Cannot finish the run: an unexpected error" },
  timeout: { code: "timeout", message: "Cannot finish the run: it took longer than it may" },
} as const;

/** The turn's events that messages are made of; any other event yields none. */
const ReplyEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("turn-start"), messageId: z.string(), message: z.string() }),
  z.object({ type: z.literal("text-delta"), reply: z.string(), text: z.string() }),
  z.object({ type: z.literal("reply"), reply: z.string(), text: z.string() }),
  z.object({ type: z.literal("reply-reset"), reply: z.string() }),
]);
type ReplyEvent = z.infer<typeof ReplyEventSchema>;

/** Makes the encoder of replies: growing messages (`messages`), or their pieces (`messages-tuple`). */
function createReplyEncoder({ modes, run }: FrameOptions): (data: Json) => readonly Frame[] {
  const whole = modes.includes("messages");
  const pieces = modes.includes("messages-tuple");
  if (!whole && !pieces) return () => [];
  const metadata = {
    run_id: run.runId,
    thread_id: run.threadId,
    langgraph_node: "reply",
    tags: [],
  };
  const texts = new Map<string, string>();
  const announced = new Set<string>();
  const announce = (id: string): readonly Frame[] => {
    if (!whole || announced.has(id)) return [];
    announced.add(id);
    return [{ event: "messages/metadata", data: { [id]: { metadata } } }];
  };
  const piece = (message: Json): readonly Frame[] =>
    pieces ? [{ event: "messages", data: [message, metadata] }] : [];
  const part = (id: string, content: string): readonly Frame[] =>
    whole ? [{ event: "messages/partial", data: [aiMessage(id, content)] }] : [];
  const append = (id: string, text: string): readonly Frame[] => {
    const shown = (texts.get(id) ?? "") + text;
    texts.set(id, shown);
    return [...announce(id), ...part(id, shown), ...piece(aiChunk(id, text))];
  };
  const reset = (id: string): readonly Frame[] => {
    if (!texts.delete(id)) return [];
    return [...part(id, ""), ...piece(removal(id))];
  };
  /** Sends the part of a reply that its pieces lacked, or all of it where they differ. */
  const complete = (id: string, text: string): readonly Frame[] => {
    const shown = texts.get(id) ?? "";
    if (shown === text) return [];
    return text.startsWith(shown)
      ? append(id, text.slice(shown.length))
      : [...reset(id), ...append(id, text)];
  };
  const done = (message: Json): readonly Frame[] =>
    whole ? [{ event: "messages/complete", data: [message] }] : [];
  const encode = (event: ReplyEvent): readonly Frame[] => {
    switch (event.type) {
      case "turn-start":
        return done(humanMessage(event.messageId, event.message));
      case "text-delta":
        return append(event.reply, event.text);
      case "reply-reset":
        return reset(event.reply);
      case "reply":
        return [...complete(event.reply, event.text), ...done(aiMessage(event.reply, event.text))];
      default:
        return event satisfies never;
    }
  };
  return (data) => {
    const event = ReplyEventSchema.safeParse(data);
    return event.success ? encode(event.data) : [];
  };
}

const PLAIN = { additional_kwargs: {}, response_metadata: {} } as const;

function humanMessage(id: string, content: string): Json {
  return { type: "human", id, content, ...PLAIN };
}

function aiMessage(id: string, content: string): Json {
  return { type: "ai", id, content, tool_calls: [], invalid_tool_calls: [], ...PLAIN };
}

function aiChunk(id: string, content: string): Json {
  return { type: "AIMessageChunk", id, content, ...PLAIN };
}

/** Makes the message by which a client that adds up pieces discards them. */
function removal(id: string): Json {
  return { type: "remove", id, content: "", ...PLAIN };
}
