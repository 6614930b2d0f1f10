import { createRoute, z } from "@hono/zod-openapi";
import { copyThread } from "../../storage/conversations/copy-thread.ts";
import { deleteThread } from "../../storage/conversations/delete-thread.ts";
import {
  countThreads,
  findThread,
  patchThread,
  searchThreads,
  type ThreadFilter,
  type ThreadOrder,
  type ThreadRecord,
} from "../../storage/conversations/thread-records.ts";
import { claimThread } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { Caller, RouteParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { assertUnset } from "../protocol/assert-unset.ts";
import { PathIdSchema } from "../protocol/ids.ts";
import { selectFields } from "../protocol/select-fields.ts";
import { threadAnswer, ThreadAnswerSchema, type ThreadAnswer } from "../protocol/thread-answer.ts";
import {
  ThreadCreateSchema,
  ThreadFilterSchema,
  ThreadPatchSchema,
  ThreadSearchSchema,
  type ThreadSearchBody,
} from "../protocol/thread-bodies.ts";
import { jsonAnswer, jsonBody, PROBLEM_RESPONSE, type ApiApp } from "../route.ts";
import { toUserEntry, getThread, threadBusy, threadNotFound } from "../threads/own-thread.ts";
import { readPublicState } from "../threads/read-state.ts";
import { whenReleased } from "../threads/when-released.ts";

const tags = ["threads"];
const params = z.object({ thread_id: PathIdSchema });
const ThreadSchema = ThreadAnswerSchema.openapi("Thread");

const answered = jsonAnswer("The thread", ThreadSchema);

const makeRoute = createRoute({
  method: "post",
  path: "/threads",
  summary: "Creates a thread",
  tags,
  request: { body: jsonBody(ThreadCreateSchema) },
  responses: answered,
});

const searchRoute = createRoute({
  method: "post",
  path: "/threads/search",
  summary: "Finds threads",
  tags,
  request: { body: jsonBody(ThreadSearchSchema) },
  responses: jsonAnswer("Matching threads", z.array(ThreadSchema.partial())),
});

const countRoute = createRoute({
  method: "post",
  path: "/threads/count",
  summary: "Counts the matching threads",
  tags,
  request: { body: jsonBody(ThreadFilterSchema) },
  responses: jsonAnswer("Their number", z.number().int()),
});

const getRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}",
  summary: "The thread with its newest values",
  tags,
  request: { params },
  responses: answered,
});

const patchRoute = createRoute({
  method: "patch",
  path: "/threads/{thread_id}",
  summary: "Changes the thread's metadata",
  tags,
  request: {
    params,
    body: jsonBody(ThreadPatchSchema),
  },
  responses: {
    ...answered,
    204: { description: 'With "prefer: return=minimal"' },
  },
});

const deleteRoute = createRoute({
  method: "delete",
  path: "/threads/{thread_id}",
  summary: "Deletes the thread with all its data",
  tags,
  request: { params },
  responses: { 204: { description: "It was deleted" }, ...PROBLEM_RESPONSE },
});

const copyRoute = createRoute({
  method: "post",
  path: "/threads/{thread_id}/copy",
  summary: "Copies the thread: its newest state and its archive",
  tags,
  request: { params },
  responses: answered,
});

/** Registers the routes that create, find, change, copy and delete threads. */
export function registerThreads(app: ApiApp, parts: RouteParts): void {
  const { pool } = parts;

  app.openapi(makeRoute, async (context) => {
    const body = context.req.valid("json");
    assertUnset(body, ["supersteps", "ttl"]);
    const caller = context.get("caller");
    const { userId } = caller;
    const threadId = body.thread_id ?? parts.newId();
    const thread = await asUser(pool, { userId, entry: toUserEntry(caller) }, async (tx) => {
      const claim = await claimThread(tx, { threadId });
      if (claim === "foreign" || (claim === "owned" && body.if_exists !== "do_nothing")) {
        throw threadExists(threadId);
      }
      const metadata = body.metadata ?? {};
      return claim === "created"
        ? patchThread(tx, { threadId, metadata })
        : findThread(tx, threadId);
    });
    if (thread === null) throw threadNotFound(threadId);
    return context.json(await withState(thread), 200);
  });
  app.openapi(searchRoute, async (context) => {
    const body = context.req.valid("json");
    assertUnset(body, ["values", "extract"]);
    const { userId } = context.get("caller");
    const options = { userId, readOnly: true };
    const limit = body.limit ?? 10;
    const offset = body.offset ?? 0;
    const { found, total } = await asUser(pool, options, async (tx) => ({
      found: await searchThreads(tx, {
        ...toThreadFilter(body),
        ...toThreadOrder(body),
        limit,
        offset,
      }),
      total: await countThreads(tx, toThreadFilter(body)),
    }));
    context.header("x-pagination-total", String(total));
    if (offset + found.length < total) {
      context.header("x-pagination-next", String(offset + found.length));
    }
    const wantsState = body.select == null || body.select.some((field) => STATE_FIELDS.has(field));
    // In parallel, so that the states are read in one batch.
    const answers = await Promise.all(
      found.map(async (thread) => (wantsState ? withState(thread) : threadAnswer(thread, null))),
    );
    return context.json(
      answers.map((answer) => selectFields(answer, body.select)),
      200,
    );
  });
  app.openapi(countRoute, async (context) => {
    const body = context.req.valid("json");
    assertUnset(body, ["values"]);
    const { userId } = context.get("caller");
    const count = await asUser(pool, { userId, readOnly: true }, (tx) =>
      countThreads(tx, toThreadFilter(body)),
    );
    return context.json(count, 200);
  });
  app.openapi(getRoute, async (context) => {
    const { thread_id: threadId } = context.req.valid("param");
    const thread = await getThread(parts, context.get("caller"), threadId);
    return context.json(await withState(thread), 200);
  });
  app.openapi(patchRoute, async (context) => {
    const { thread_id: threadId } = context.req.valid("param");
    const body = context.req.valid("json");
    assertUnset(body, ["ttl"]);
    const { userId } = context.get("caller");
    const metadata = body.metadata ?? {};
    const thread = await asUser(pool, { userId }, (tx) => patchThread(tx, { threadId, metadata }));
    if (thread === null) throw threadNotFound(threadId);
    if (context.req.header("prefer") === "return=minimal") return context.body(null, 204);
    return context.json(await withState(thread), 200);
  });
  app.openapi(deleteRoute, async (context) => {
    const { thread_id: threadId } = context.req.valid("param");
    const caller = context.get("caller");
    const { userId } = caller;
    const outcome = await whenReleased(parts, { caller, threadId }, () =>
      asUser(pool, { userId }, (tx) => deleteThread(tx, threadId)),
    );
    if (outcome === "absent") throw threadNotFound(threadId);
    if (outcome === "busy") throw threadBusy(threadId, "delete");
    return context.body(null, 204);
  });
  app.openapi(copyRoute, async (context) => {
    const { thread_id: from } = context.req.valid("param");
    return context.json(await withState(await copy(context.get("caller"), from)), 200);
  });

  async function copy(caller: Caller, from: string): Promise<ThreadRecord> {
    const to = parts.newId();
    const { userId } = caller;
    const outcome = await whenReleased(parts, { caller, threadId: from }, () =>
      asUser(pool, { userId, entry: toUserEntry(caller) }, (tx) => copyThread(tx, { from, to })),
    );
    if (outcome === "busy") throw threadBusy(from, "copy");
    if (outcome === "absent") throw threadNotFound(from);
    return getThread(parts, caller, to);
  }

  async function withState(thread: ThreadRecord): Promise<ThreadAnswer> {
    return threadAnswer(thread, await readPublicState(parts, thread.threadId));
  }
}

/** The fields of a thread for which its state is read. */
const STATE_FIELDS: ReadonlySet<string> = new Set(["values", "interrupts"]);

function toThreadFilter(body: z.infer<typeof ThreadFilterSchema>): ThreadFilter {
  const { metadata, ids, status } = body;
  return {
    ...(metadata == null ? {} : { metadata }),
    ...(ids == null ? {} : { ids }),
    ...(status == null ? {} : { status }),
  };
}

const ORDERS = {
  thread_id: "threadId",
  status: "status",
  created_at: "createdAt",
  updated_at: "updatedAt",
  state_updated_at: "updatedAt",
} as const satisfies Record<NonNullable<ThreadSearchBody["sort_by"]>, ThreadOrder>;

function toThreadOrder({ sort_by: field, sort_order: direction }: ThreadSearchBody) {
  return {
    ...(field == null ? {} : { sortBy: ORDERS[field] }),
    ...(direction == null ? {} : { sortOrder: direction }),
  };
}

function threadExists(threadId: string): Problem {
  return new Problem("thread_exists", {
    detail: `Cannot create thread "${threadId}": the id is taken; choose another one, or leave it out`,
    field: "/thread_id",
  });
}
