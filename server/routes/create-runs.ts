import { createRoute, z } from "@hono/zod-openapi";
import type { RunRecord } from "../../state/run.ts";
import type { RouteParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { runAnswer } from "../protocol/run-answer.ts";
import { isDecision } from "../protocol/decision.ts";
import { readRunBody, RunBodySchema, type RunBody } from "../protocol/run-body.ts";
import { MessageIdSchema } from "../protocol/run-input.ts";
import { jsonBody, type ApiApp, type ApiContext } from "../route.ts";
import { createRun, nothingToResume } from "../runs/create-run.ts";
import { ownThreadId } from "../runs/own-thread-id.ts";
import { answerOutcome, answerStream, runHeaders, type StreamRequest } from "./run-answers.ts";
import { InThreadSchema, OUTCOME_ANSWER, RUN_ANSWER, STREAM_ANSWER, tags } from "./run-shapes.ts";

const asked = {
  headers: z.object({
    "idempotency-key": MessageIdSchema.optional().openapi({
      description:
        "Makes sending safe to repeat: the same run is answered again, as long as its thread is kept.",
    }),
  }),
  body: { required: true, ...jsonBody(RunBodySchema) },
};

type InThread = z.infer<typeof InThreadSchema>;

interface KeyHeader {
  readonly "idempotency-key"?: string | null | undefined;
}

const inThread = {
  method: "post",
  path: "/threads/{thread_id}/runs",
  tags,
  request: { params: InThreadSchema, ...asked },
} as const;
const createInThread = createRoute({ ...inThread, summary: "Starts a run", responses: RUN_ANSWER });
const streamInThread = createRoute({
  ...inThread,
  path: `${inThread.path}/stream`,
  summary: "Starts a run and streams it",
  responses: STREAM_ANSWER,
});
const waitInThread = createRoute({
  ...inThread,
  path: `${inThread.path}/wait`,
  summary: "Starts a run and waits for its end",
  responses: OUTCOME_ANSWER,
});
const alone = { method: "post", path: "/runs", tags, request: asked } as const;
const createAlone = createRoute({
  ...alone,
  summary: "Starts a run in a new thread",
  description:
    "The thread is deleted a minute after the run's end, unless `on_completion` is `keep`.",
  responses: RUN_ANSWER,
});
const streamAlone = createRoute({
  ...alone,
  path: `${alone.path}/stream`,
  summary: "Starts a run in a new thread and streams it",
  responses: STREAM_ANSWER,
});
const waitAlone = createRoute({
  ...alone,
  path: `${alone.path}/wait`,
  summary: "Starts a run in a new thread and waits for its end",
  responses: OUTCOME_ANSWER,
});

/** A request for a run: how it begins, and what its client reads of it. */
interface PreparedRun extends StreamRequest {
  readonly begin: () => Promise<RunRecord>;
  readonly cancelOnLeave: boolean;
}

/** Registers the routes that start a run, in a given thread or in a new one, and answer at once, stream it or wait for its end. */
export function registerCreateRuns(app: ApiApp, parts: RouteParts): void {
  const prepare = (
    context: ApiContext,
    body: RunBody,
    { "idempotency-key": key, thread_id: threadId }: KeyHeader & Partial<InThread>,
  ): PreparedRun => {
    const idempotencyKey = key ?? null;
    const asked = readRunBody(body, { now: parts.now(), idempotencyKey });
    const caller = context.get("caller");
    const begin = async (): Promise<RunRecord> => {
      if (threadId !== undefined) return createRun(parts, caller, { ...asked, threadId });
      if (asked.message === null || isDecision(asked.message)) throw nothingToResume();
      return createRun(parts, caller, {
        ...asked,
        threadId: ownThreadId(parts, caller.userId, idempotencyKey),
        ifMissing: "create",
        isTemporary: asked.onCompletion === "delete",
      });
    };
    const { modes, subgraphs, onDisconnect } = asked;
    return { modes, subgraphs, after: 0, begin, cancelOnLeave: onDisconnect === "cancel" };
  };

  app.post("/runs/batch", () => {
    throw new Problem("not_supported", {
      detail: "Cannot start several runs with one request: send a request for each",
    });
  });
  app.openapi(createInThread, async (context) => {
    const place = { ...context.req.valid("header"), ...context.req.valid("param") };
    const run = await prepare(context, context.req.valid("json"), place).begin();
    return context.json(runAnswer(run), 200, runHeaders(run));
  });
  app.openapi(streamInThread, async (context) => {
    const place = { ...context.req.valid("header"), ...context.req.valid("param") };
    return answerStream(parts, context, prepare(context, context.req.valid("json"), place));
  });
  app.openapi(waitInThread, async (context) => {
    const place = { ...context.req.valid("header"), ...context.req.valid("param") };
    return answerOutcome(parts, context, prepare(context, context.req.valid("json"), place));
  });
  app.openapi(createAlone, async (context) => {
    const prepared = prepare(context, context.req.valid("json"), context.req.valid("header"));
    const run = await prepared.begin();
    return context.json(runAnswer(run), 200, runHeaders(run));
  });
  app.openapi(streamAlone, async (context) => {
    const prepared = prepare(context, context.req.valid("json"), context.req.valid("header"));
    return answerStream(parts, context, prepared);
  });
  app.openapi(waitAlone, async (context) => {
    const prepared = prepare(context, context.req.valid("json"), context.req.valid("header"));
    return answerOutcome(parts, context, prepared);
  });
}
