import { createRoute, z } from "@hono/zod-openapi";
import { JsonObjectSchema } from "../../state/json.ts";
import { CancelActionSchema, isEnded, RunStatusSchema, type RunRecord } from "../../state/run.ts";
import { ringBell } from "../../storage/bell.ts";
import { deleteRun, listRuns, lockRun } from "../../storage/runs.ts";
import { findUnfinishedRuns } from "../../storage/unfinished-runs.ts";
import { asUser } from "../../storage/user-data.ts";
import type { RouteParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { PathIdSchema } from "../protocol/ids.ts";
import { runAnswer, RunAnswerSchema, RunFieldSchema } from "../protocol/run-answer.ts";
import { readRunBody, RunBodySchema, type AskedRun, type RunBody } from "../protocol/run-body.ts";
import { MessageIdSchema } from "../protocol/run-input.ts";
import { selectFields } from "../protocol/select-fields.ts";
import { modesOfRun, StreamModeSchema, type StreamMode } from "../protocol/stream-modes.ts";
import { PROBLEM_RESPONSE, type ApiApp, type ApiContext } from "../route.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { createRun, nothingToResume } from "../runs/create-run.ts";
import { findFollowedRun, getRun, readEventId, runNotFound } from "../runs/find-run.ts";
import { awaitRun } from "../runs/stream-run.ts";
import { getThread } from "../threads/own-thread.ts";
import { answerOutcome, answerStream, runHeaders } from "./run-answers.ts";

const tags = ["runs"];
const inThread = z.object({ thread_id: PathIdSchema });
const ofRun = inThread.extend({ run_id: PathIdSchema });
const RunSchema = RunAnswerSchema.openapi("Run");

const asked = {
  headers: z.object({
    "idempotency-key": MessageIdSchema.optional().openapi({
      description: "Makes sending safe to repeat: the same run is answered again.",
    }),
  }),
  body: { required: true, content: { "application/json": { schema: RunBodySchema } } },
};

interface KeyHeader {
  readonly "idempotency-key"?: string | undefined;
}

const flag = z.enum(["0", "1", "true", "false"]).optional();

const following = {
  headers: z.object({
    "last-event-id": z
      .string()
      .optional()
      .openapi({ description: "The last event that came; none, or -1, for all." }),
  }),
  query: z.object({
    stream_mode: z
      .union([StreamModeSchema, z.array(StreamModeSchema)])
      .optional()
      .openapi({ description: "Some of what the run keeps. Default: what it was asked for." }),
    cancel_on_disconnect: flag,
  }),
};

const JSON_TYPE: string = "application/json";

const answered = {
  200: { description: "The run", content: { "application/json": { schema: RunSchema } } },
  ...PROBLEM_RESPONSE,
};
const streamed = {
  200: {
    description: "LangGraph's stream events, `metadata` first, `end` last",
    content: { "text/event-stream": { schema: z.string() } },
  },
  ...PROBLEM_RESPONSE,
};
const awaited = {
  200: {
    description:
      "The thread's values once the run has ended, or `__error__`; blank lines before it keep the connection open",
    // It comes as a stream: to the compiler no answer of `context.json`.
    content: { [JSON_TYPE]: { schema: JsonObjectSchema } },
  },
  ...PROBLEM_RESPONSE,
};

const createInThread = createRoute({
  method: "post",
  path: "/threads/{thread_id}/runs",
  summary: "Begins a run",
  tags,
  request: { params: inThread, ...asked },
  responses: answered,
});
const streamInThread = createRoute({
  method: "post",
  path: "/threads/{thread_id}/runs/stream",
  summary: "Begins a run and streams it",
  tags,
  request: { params: inThread, ...asked },
  responses: streamed,
});
const waitInThread = createRoute({
  method: "post",
  path: "/threads/{thread_id}/runs/wait",
  summary: "Begins a run and waits for its end",
  tags,
  request: { params: inThread, ...asked },
  responses: awaited,
});
const createAlone = createRoute({
  method: "post",
  path: "/runs",
  summary: "Begins a run in a thread of its own",
  description:
    "The thread is deleted a minute after the run's end, unless `on_completion` is `keep`.",
  tags,
  request: asked,
  responses: answered,
});
const streamAlone = createRoute({
  method: "post",
  path: "/runs/stream",
  summary: "Begins a run in a thread of its own and streams it",
  tags,
  request: asked,
  responses: streamed,
});
const waitAlone = createRoute({
  method: "post",
  path: "/runs/wait",
  summary: "Begins a run in a thread of its own and waits for its end",
  tags,
  request: asked,
  responses: awaited,
});
const listRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/runs",
  summary: "The thread's runs, the newest first",
  tags,
  request: {
    params: inThread,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1_000).default(10),
      offset: z.coerce.number().int().min(0).default(0),
      status: RunStatusSchema.optional(),
      select: z.union([RunFieldSchema, z.array(RunFieldSchema)]).optional(),
    }),
  },
  responses: {
    200: {
      description: "Runs",
      content: { "application/json": { schema: z.array(RunSchema.partial()) } },
    },
    ...PROBLEM_RESPONSE,
  },
});
const getRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/runs/{run_id}",
  summary: "A run",
  tags,
  request: { params: ofRun },
  responses: answered,
});
const joinRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/runs/{run_id}/join",
  summary: "Waits for a run's end",
  tags,
  request: { params: ofRun, query: z.object({ cancel_on_disconnect: flag }) },
  responses: awaited,
});
const joinStreamRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/runs/{run_id}/stream",
  summary: "Streams a run, or goes on with it",
  tags,
  request: { params: ofRun, ...following },
  responses: streamed,
});
const joinStreamAlone = createRoute({
  method: "get",
  path: "/runs/{run_id}/stream",
  summary: "Streams a run, or goes on with it",
  tags,
  request: { params: ofRun.pick({ run_id: true }), ...following },
  responses: streamed,
});
const cancelRoute = createRoute({
  method: "post",
  path: "/threads/{thread_id}/runs/{run_id}/cancel",
  summary: "Cancels a run",
  description: "One that has ended stays as it is.",
  tags,
  request: {
    params: ofRun,
    query: z.object({ wait: flag, action: CancelActionSchema.default("interrupt") }),
  },
  responses: {
    202: { description: "It is told to end" },
    204: { description: "It has ended" },
    ...PROBLEM_RESPONSE,
  },
});
const cancelManyRoute = createRoute({
  method: "post",
  path: "/runs/cancel",
  summary: "Cancels several runs",
  tags,
  request: {
    query: z.object({ action: CancelActionSchema.default("interrupt") }),
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.looseObject({
            thread_id: PathIdSchema.nullish(),
            run_ids: z.array(PathIdSchema).max(1_000).nullish(),
            status: z
              .enum(["pending", "running", "all"])
              .nullish()
              .openapi({ description: "All of these; of the thread, where one is named." }),
          }),
        },
      },
    },
  },
  responses: { 204: { description: "They are told to end" }, ...PROBLEM_RESPONSE },
});
const deleteRoute = createRoute({
  method: "delete",
  path: "/threads/{thread_id}/runs/{run_id}",
  summary: "Deletes a run that has ended, with its events",
  tags,
  request: { params: ofRun },
  responses: { 204: { description: "It is gone" }, ...PROBLEM_RESPONSE },
});

/** Runs: begun, streamed, waited for, joined, cancelled, deleted. */
export function registerRuns(app: ApiApp, parts: RouteParts): void {
  registerBeginning(app, parts);
  registerFollowing(app, parts);
  registerCancelling(app, parts);
}

function registerBeginning(app: ApiApp, parts: RouteParts): void {
  const read = (body: RunBody, { "idempotency-key": key }: KeyHeader): AskedRun =>
    readRunBody(body, { now: parts.now(), idempotencyKey: key ?? null });
  const beginIn = (context: ApiContext, asked: AskedRun, threadId: string): Promise<RunRecord> =>
    createRun(parts, context.get("caller"), { ...asked, threadId });
  const beginAlone = (context: ApiContext, asked: AskedRun): Promise<RunRecord> => {
    if (asked.message === null) throw nothingToResume();
    return createRun(parts, context.get("caller"), {
      ...asked,
      threadId: parts.newId(),
      ifMissing: "create",
      isTemporary: asked.onCompletion === "delete",
    });
  };

  app.openapi(createInThread, async (context) => {
    const asked = read(context.req.valid("json"), context.req.valid("header"));
    const run = await beginIn(context, asked, context.req.valid("param").thread_id);
    return context.json(runAnswer(run), 200, runHeaders(run));
  });
  app.openapi(streamInThread, async (context) => {
    const asked = read(context.req.valid("json"), context.req.valid("header"));
    const { thread_id: threadId } = context.req.valid("param");
    return answerStream(parts, context, {
      ...tellingOf(asked),
      begin: () => beginIn(context, asked, threadId),
    });
  });
  app.openapi(waitInThread, async (context) => {
    const asked = read(context.req.valid("json"), context.req.valid("header"));
    const { thread_id: threadId } = context.req.valid("param");
    return answerOutcome(parts, context, {
      begin: () => beginIn(context, asked, threadId),
      cancelOnLeave: asked.onDisconnect === "cancel",
    });
  });
  app.openapi(createAlone, async (context) => {
    const asked = read(context.req.valid("json"), context.req.valid("header"));
    const run = await beginAlone(context, asked);
    return context.json(runAnswer(run), 200, runHeaders(run));
  });
  app.openapi(streamAlone, async (context) => {
    const asked = read(context.req.valid("json"), context.req.valid("header"));
    return answerStream(parts, context, {
      ...tellingOf(asked),
      begin: () => beginAlone(context, asked),
    });
  });
  app.openapi(waitAlone, async (context) => {
    const asked = read(context.req.valid("json"), context.req.valid("header"));
    return answerOutcome(parts, context, {
      begin: () => beginAlone(context, asked),
      cancelOnLeave: asked.onDisconnect === "cancel",
    });
  });
}

function registerFollowing(app: ApiApp, parts: RouteParts): void {
  app.openapi(listRoute, async (context) => {
    const { thread_id: threadId } = context.req.valid("param");
    const { limit, offset, status, select } = context.req.valid("query");
    const caller = context.get("caller");
    await getThread(parts, caller, threadId);
    const filter = { threadId, limit, offset, ...(status === undefined ? {} : { status }) };
    const options = { userId: caller.userId, readOnly: true };
    const runs = await asUser(parts.pool, options, (tx) => listRuns(tx, filter));
    const fields = typeof select === "string" ? [select] : select;
    return context.json(
      runs.map((run) => selectFields(runAnswer(run), fields)),
      200,
    );
  });
  app.openapi(getRoute, async (context) => {
    const run = await getRun(parts, context.get("caller"), nameIn(context.req.valid("param")));
    return context.json(runAnswer(run), 200);
  });
  app.openapi(joinRoute, async (context) => {
    const name = nameIn(context.req.valid("param"));
    return answerOutcome(parts, context, {
      begin: () => getRun(parts, context.get("caller"), name),
      cancelOnLeave: isOn(context.req.valid("query").cancel_on_disconnect),
    });
  });
  const follow = async (
    context: ApiContext,
    { name, after, modes, cancelOnLeave }: Followed,
  ): Promise<Response> => {
    const run = await findFollowedRun(parts, context.get("caller"), { ...name, after });
    return answerStream(parts, context, {
      modes: modes ?? modesOfRun(run),
      subgraphs: run.kwargs["stream_subgraphs"] === true,
      after,
      cancelOnLeave,
      begin: async () => run,
    });
  };
  app.openapi(joinStreamRoute, async (context) =>
    follow(context, {
      name: nameIn(context.req.valid("param")),
      ...followedIn(context.req.valid("header"), context.req.valid("query")),
    }),
  );
  app.openapi(joinStreamAlone, async (context) =>
    follow(context, {
      name: { runId: context.req.valid("param").run_id, threadId: null },
      ...followedIn(context.req.valid("header"), context.req.valid("query")),
    }),
  );
}

function registerCancelling(app: ApiApp, parts: RouteParts): void {
  app.openapi(cancelRoute, async (context) => {
    const caller = context.get("caller");
    const { wait, action } = context.req.valid("query");
    const run = await getRun(parts, caller, nameIn(context.req.valid("param")));
    await cancelRun(parts, caller, { runId: run.runId, action });
    if (!isOn(wait)) return context.body(null, 202);
    await awaitRun(parts, run, context.req.raw.signal);
    return context.body(null, 204);
  });
  app.openapi(cancelManyRoute, async (context) => {
    const caller = context.get("caller");
    const { action } = context.req.valid("query");
    const { thread_id: threadId = null, run_ids: ids, status } = context.req.valid("json");
    if (ids == null && status == null) throw nothingNamed();
    for (const runId of ids ?? []) await getRun(parts, caller, { runId, threadId });
    const options = { userId: caller.userId, readOnly: true };
    const found =
      status == null
        ? []
        : await asUser(parts.pool, options, (tx) =>
            findUnfinishedRuns(tx, { threadId, status: status === "all" ? null : status }),
          );
    for (const runId of new Set([...(ids ?? []), ...found])) {
      await cancelRun(parts, caller, { runId, action });
    }
    return context.body(null, 204);
  });
  app.openapi(deleteRoute, async (context) => {
    const { userId } = context.get("caller");
    const { runId, threadId } = nameIn(context.req.valid("param"));
    await asUser(parts.pool, { userId }, async (tx) => {
      const run = await lockRun(tx, runId);
      if (run === null || run.threadId !== threadId) throw runNotFound(runId);
      if (!isEnded(run.status)) throw runActive(runId);
      await deleteRun(tx, runId);
      await ringBell(tx, "run", runId);
    });
    return context.body(null, 204);
  });
}

/** What a client that joins a run's stream wants of it. */
interface Followed {
  readonly name: { readonly runId: string; readonly threadId: string | null };
  readonly after: number;
  /** Null: what the run was asked for. */
  readonly modes: readonly StreamMode[] | null;
  readonly cancelOnLeave: boolean;
}

function followedIn(
  headers: { readonly "last-event-id"?: string | undefined },
  query: {
    readonly stream_mode?: StreamMode | readonly StreamMode[] | undefined;
    readonly cancel_on_disconnect?: z.infer<typeof flag>;
  },
): Omit<Followed, "name"> {
  const { stream_mode: modes } = query;
  return {
    after: readEventId(headers["last-event-id"]),
    modes: modes === undefined ? null : [modes].flat(),
    cancelOnLeave: isOn(query.cancel_on_disconnect),
  };
}

function tellingOf({ modes, subgraphs, onDisconnect }: AskedRun) {
  return { modes, subgraphs, after: 0, cancelOnLeave: onDisconnect === "cancel" };
}

function nameIn(params: z.infer<typeof ofRun>) {
  return { runId: params.run_id, threadId: params.thread_id };
}

function isOn(value: z.infer<typeof flag>): boolean {
  return value === "1" || value === "true";
}

function runActive(runId: string): Problem {
  return new Problem("run_active", {
    detail: `Cannot delete run "${runId}": it has not ended; cancel it first`,
  });
}

function nothingNamed(): Problem {
  return new Problem("invalid_request", {
    detail: 'Cannot tell which runs to cancel: name them in "run_ids", or a "status"',
    field: "/run_ids",
  });
}
