import { createRoute, z } from "@hono/zod-openapi";
import type { RunRecord } from "../../state/run.ts";
import type { RouteParts } from "../parts.ts";
import {
  ChatBodySchema,
  LINE_WRITER,
  readChatInput,
  SSE_WRITER,
  type ChatWriter,
} from "../protocol/chat.ts";
import { PathIdSchema } from "../protocol/ids.ts";
import { readPerson } from "../protocol/run-context.ts";
import { idAt, IDEMPOTENCY_KEY, MessageIdSchema } from "../protocol/run-input.ts";
import { PROBLEM_RESPONSE, type ApiApp, type ApiContext } from "../route.ts";
import { createRun } from "../runs/create-run.ts";
import { ownThreadId } from "../runs/own-thread-id.ts";
import { findFollowedRun, readEventId } from "../runs/find-run.ts";
import { NDJSON } from "../stream/ndjson.ts";
import type { StreamFormat } from "../stream/open-streams.ts";
import type { RunStep } from "../stream/run-feed.ts";
import { SSE } from "../stream/sse.ts";
import { streamAnswer } from "./run-answers.ts";

const streamed = {
  200: {
    description:
      "The turn's events as they happen, `turn-start` first, `turn-end` or `error` last, then `end`; of a message that is cancelled while it waits, `end` alone. " +
      "As server-sent events (event: the type, id: the number), or with `accept: application/x-ndjson` one a line.",
    headers: z.object({
      "x-run-id": z.string().openapi({ description: "Resumes the stream: GET /chat/{run}." }),
      "x-thread-id": z.string(),
    }),
    content: {
      "text/event-stream": { schema: z.string() },
      "application/x-ndjson": { schema: z.string() },
    },
  },
  ...PROBLEM_RESPONSE,
};

const sendRoute = createRoute({
  method: "post",
  path: "/chat",
  summary: "Sends a message and streams its turn",
  description:
    "The turn does not depend on the stream: a client that leaves can resume it. An `idempotency-key` header is the message's id and replaces `messageId`; in a request without a thread it finds the thread of the first request.",
  tags: ["chat"],
  request: {
    headers: z.object({ "idempotency-key": MessageIdSchema.optional() }),
    body: { required: true, content: { "application/json": { schema: ChatBodySchema } } },
  },
  responses: streamed,
});

const followRoute = createRoute({
  method: "get",
  path: "/chat/{run}",
  summary: "Resumes a message's stream",
  description: "With `last-event-id`, from the event after that one; otherwise from the beginning.",
  tags: ["chat"],
  request: {
    params: z.object({ run: PathIdSchema }),
    headers: z.object({ "last-event-id": z.string().optional() }),
  },
  responses: streamed,
});

/** Registers the routes for clients without an SDK. */
export function registerChat(app: ApiApp, parts: RouteParts): void {
  app.openapi(sendRoute, async (context) => {
    const { thread, messageId, ...body } = context.req.valid("json");
    const idempotencyKey = context.req.valid("header")["idempotency-key"] ?? null;
    const caller = context.get("caller");
    const sent = readChatInput({ ...body, thread });
    const begin = (): Promise<RunRecord> =>
      createRun(parts, caller, {
        threadId: thread ?? ownThreadId(parts, caller.userId, idempotencyKey),
        message: {
          ...sent,
          messageId: idAt(IDEMPOTENCY_KEY, idempotencyKey) ?? idAt("/messageId", messageId),
        },
        person: readPerson(body, parts.now()),
        trace: body.trace ?? false,
        modes: ["custom"],
        subgraphs: false,
        strategy: "enqueue",
        metadata: {},
        ifMissing: "create",
      });
    return streamTurn(parts, context, { begin, after: 0 });
  });
  app.openapi(followRoute, async (context) => {
    const after = readEventId(context.req.valid("header")["last-event-id"]);
    const { run: runId } = context.req.valid("param");
    const run = await findFollowedRun(parts, context.get("caller"), {
      runId,
      threadId: null,
      after,
    });
    return streamTurn(parts, context, { begin: async () => run, after });
  });
}

interface StreamedRun {
  readonly begin: () => Promise<RunRecord>;
  /** The last event that the client has. */
  readonly after: number;
}

async function streamTurn(
  parts: RouteParts,
  context: ApiContext,
  { begin, after }: StreamedRun,
): Promise<Response> {
  const { userId } = context.get("caller");
  const { format, writer } = wanted(context.req.header("accept") ?? "");
  const { response } = await streamAnswer(parts, context, {
    format,
    begin,
    cancelOnLeave: false,
    content: ({ runId }, signal) =>
      writeSteps(parts.feed.follow({ userId, runId, after }, signal), writer, runId),
  });
  return response;
}

async function* writeSteps(
  steps: AsyncIterable<RunStep>,
  writer: ChatWriter,
  runId: string,
): AsyncGenerator<string> {
  for await (const { events, ended, isGone } of steps) {
    const isOver = isGone || ended !== null;
    yield writer.events(events) + (isOver ? writer.end(ended, runId) : "");
  }
}

function wanted(accept: string): { readonly format: StreamFormat; readonly writer: ChatWriter } {
  return accept.includes("application/x-ndjson")
    ? { format: NDJSON, writer: LINE_WRITER }
    : { format: SSE, writer: SSE_WRITER };
}
