import { createRoute, z } from "@hono/zod-openapi";
import { CancelActionSchema } from "../../state/run.ts";
import { findUnfinishedRuns } from "../../storage/runs/unfinished-runs.ts";
import { readingAs } from "../../storage/users/user-data.ts";
import type { RouteParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { PathIdSchema } from "../protocol/ids.ts";
import { jsonBody, PROBLEM_RESPONSE, type ApiApp } from "../route.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { getRun } from "../runs/find-run.ts";
import { awaitRun } from "../runs/stream-run.ts";
import { FlagSchema, isOn, nameIn, OfRunSchema, tags } from "./run-shapes.ts";

const cancelRoute = createRoute({
  method: "post",
  path: "/threads/{thread_id}/runs/{run_id}/cancel",
  summary: "Cancels a run",
  description: "A run that has ended is left as it is.",
  tags,
  request: {
    params: OfRunSchema,
    query: z.object({ wait: FlagSchema, action: CancelActionSchema.default("interrupt") }),
  },
  responses: {
    202: { description: "It was cancelled and is about to end" },
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
      ...jsonBody(
        z.looseObject({
          thread_id: PathIdSchema.nullish(),
          run_ids: z.array(PathIdSchema).max(1_000).nullish(),
          status: z.enum(["pending", "running", "all"]).nullish().openapi({
            description: "Cancels all runs with this status, of the thread if one is named.",
          }),
        }),
      ),
    },
  },
  responses: {
    204: { description: "They were cancelled and are about to end" },
    ...PROBLEM_RESPONSE,
  },
});

/** Registers the routes that cancel one run, or several at once. */
export function registerCancelRuns(app: ApiApp, parts: RouteParts): void {
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
    const found =
      status == null
        ? []
        : await findUnfinishedRuns(readingAs(parts.pool, caller.userId), {
            threadId,
            status: status === "all" ? null : status,
          });
    for (const runId of new Set([...(ids ?? []), ...found])) {
      await cancelRun(parts, caller, { runId, action });
    }
    return context.body(null, 204);
  });
}

function nothingNamed(): Problem {
  return new Problem("invalid_request", {
    detail: 'Cannot cancel runs: none are named; send "run_ids" or a "status"',
    field: "/run_ids",
  });
}
