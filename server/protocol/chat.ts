import { z } from "@hono/zod-openapi";
import type { JsonObject } from "../../state/json.ts";
import type { RunEvent, RunRecord } from "../../state/run.ts";
import { encodeFrames } from "../stream/sse.ts";
import { Problem } from "../problems.ts";
import { DecisionBodySchema, isDecision, readDecision, type Sent } from "./decision.ts";
import { ThreadIdSchema } from "./ids.ts";
import { RunContextSchema } from "./run-context.ts";
import { MessageIdSchema } from "./run-input.ts";

const UNKNOWN_FIELD =
  'there is no such field; the conversation is "thread", the text "message", and /docs lists the others';

/** The body of `POST /chat`. */
export const ChatBodySchema = z
  .strictObject(
    {
      message: z.string().nullish().openapi({ description: "What the person says." }),
      decision: DecisionBodySchema.extend({
        confirmation: z.string().openapi({ description: "Its id in the event `confirmation`." }),
      })
        .nullish()
        .openapi({
          description:
            "In place of `message`: answers a confirmation of the conversation in `thread`, without a call of a model.",
        }),
      thread: ThreadIdSchema.nullish().openapi({
        description: "The conversation; it is created if it does not exist. Default: a new one.",
      }),
      messageId: MessageIdSchema.nullish().openapi({
        description:
          "Makes sending safe to repeat: a message with the same id in the same thread gets the same run; with another text it is refused.",
      }),
      ...RunContextSchema.shape,
    },
    { error: ({ code }) => (code === "unrecognized_keys" ? UNKNOWN_FIELD : undefined) },
  )
  .openapi("ChatMessage");

type ChatBody = z.infer<typeof ChatBodySchema>;

/**
 * Reads what is sent: the person's words, or a decision about a confirmation.
 *
 * @throws Problem `invalid_request` for neither or both, and for a decision without a conversation;
 * `not_supported` for a decision of another type.
 */
export function readChatInput({ message, decision, thread }: ChatBody): Sent {
  if (decision == null) {
    if (message == null) throw refused("message", 'it is missing; send it, or a "decision"');
    return { text: message, field: "/message", messageId: null };
  }
  if (message != null) throw refused("decision", 'it stands beside "message"; send one of them');
  if (thread == null) throw refused("thread", "it is missing; a decision is about one");
  const sent = readDecision(decision, "/decision");
  return isDecision(sent) ? { ...sent, confirmation: decision.confirmation } : sent;
}

function refused(name: string, why: string): Problem {
  return new Problem("invalid_request", {
    detail: `Cannot use "${name}": ${why}`,
    field: `/${name}`,
  });
}

/** Returns the last line of a stream. Not a `TurnEvent`: it has no number. */
function toEndEvent(run: RunRecord | null, runId: string): JsonObject {
  return { type: "end", run: runId, status: run?.status ?? "rollback" };
}

/** Writes a run's turn events as a client wants them. Pure. */
export interface ChatWriter {
  /** Writes the turn's events; events of other modes are left out. */
  events(events: readonly RunEvent[]): string;
  /** Writes the run's end; null if it was rolled back or deleted. */
  end(run: RunRecord | null, runId: string): string;
}

/** Server-sent events: `event` is the type, `id` the number. */
export const SSE_WRITER: ChatWriter = {
  events: (events) =>
    encodeFrames(
      turnEvents(events).map(({ seq, data }) => ({
        event: readEventType(data),
        data,
        id: String(seq),
      })),
    ),
  end: (run, runId) => encodeFrames([{ event: "end", data: toEndEvent(run, runId) }]),
};

/** One event per line. */
export const LINE_WRITER: ChatWriter = {
  events: (events) =>
    turnEvents(events)
      .map(({ data }) => `${JSON.stringify(data)}\n`)
      .join(""),
  end: (run, runId) => `${JSON.stringify(toEndEvent(run, runId))}\n`,
};

function turnEvents(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.filter(({ mode }) => mode === "custom");
}

const TypedSchema = z.object({ type: z.string() });

function readEventType(data: RunEvent["data"]): string {
  return TypedSchema.parse(data).type;
}
