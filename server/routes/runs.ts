import { createRoute, z } from "@hono/zod-openapi";
import { isEnded, RunStatusSchema } from "../../state/run.ts";
import { notify } from "../../storage/postgres/notifications.ts";
import { deleteRun, listRuns, lockRun } from "../../storage/runs/runs.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { RouteParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { runAnswer, RunFieldSchema } from "../protocol/run-answer.ts";
import { selectFields } from "../protocol/select-fields.ts";
import { jsonAnswer, PROBLEM_RESPONSE, type ApiApp } from "../route.ts";
import { getRun, runNotFound } from "../runs/find-run.ts";
import { getThread } from "../threads/own-thread.ts";
import { InThreadSchema, nameIn, OfRunSchema, RUN_ANSWER, RunSchema, tags } from "./run-shapes.ts";

const listRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/runs",
  summary: "The thread's runs, the newest first",
  tags,
  request: {
    params: InThreadSchema,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1_000).default(10),
      offset: z.coerce.number().int().min(0).default(0),
      status: RunStatusSchema.optional(),
      select: z.union([RunFieldSchema, z.array(RunFieldSchema)]).optional(),
    }),
  },
  responses: jsonAnswer("Runs", z.array(RunSchema.partial())),
});
const getRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/runs/{run_id}",
  summary: "A run",
  tags,
  request: { params: OfRunSchema },
  responses: RUN_ANSWER,
});
const deleteRoute = createRoute({
  method: "delete",
  path: "/threads/{thread_id}/runs/{run_id}",
  summary: "Deletes a run that has ended, with its events",
  tags,
  request: { params: OfRunSchema },
  responses: { 204: { description: "It was deleted" }, ...PROBLEM_RESPONSE },
});

/** Registers the routes that list, return and delete a thread's runs. */
export function registerRuns(app: ApiApp, parts: RouteParts): void {
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
  app.openapi(deleteRoute, async (context) => {
    const { userId } = context.get("caller");
    const { runId, threadId } = nameIn(context.req.valid("param"));
    await asUser(parts.pool, { userId }, async (tx) => {
      const run = await lockRun(tx, runId);
      if (run === null || run.threadId !== threadId) throw runNotFound(runId);
      if (!isEnded(run.status)) throw runActive(runId);
      await deleteRun(tx, runId);
      await notify(tx, "run", runId);
    });
    return context.body(null, 204);
  });
}

function runActive(runId: string): Problem {
  return new Problem("run_active", {
    detail: `Cannot delete run "${runId}": it has not ended; cancel it first`,
  });
}
