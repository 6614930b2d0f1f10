import { createRoute, z } from "@hono/zod-openapi";
import type { RouteParts } from "../parts.ts";
import { modesOfRun, StreamModeSchema, type StreamMode } from "../protocol/stream-modes.ts";
import type { ApiApp, ApiContext } from "../route.ts";
import { findFollowedRun, getRun, readEventId, type RunName } from "../runs/find-run.ts";
import { answerOutcome, answerStream } from "./run-answers.ts";
import {
  FlagSchema,
  isOn,
  nameIn,
  OfRunSchema,
  OUTCOME_ANSWER,
  STREAM_ANSWER,
  tags,
} from "./run-shapes.ts";

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
    cancel_on_disconnect: FlagSchema,
  }),
};

const joinRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/runs/{run_id}/join",
  summary: "Waits for a run's end",
  tags,
  request: { params: OfRunSchema, query: z.object({ cancel_on_disconnect: FlagSchema }) },
  responses: OUTCOME_ANSWER,
});
const joinStreamRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/runs/{run_id}/stream",
  summary: "Streams a run, or goes on with it",
  tags,
  request: { params: OfRunSchema, ...following },
  responses: STREAM_ANSWER,
});
const joinStreamAlone = createRoute({
  method: "get",
  path: "/runs/{run_id}/stream",
  summary: "Streams a run, or goes on with it",
  tags,
  request: { params: OfRunSchema.pick({ run_id: true }), ...following },
  responses: STREAM_ANSWER,
});

/** Runs that were begun before are waited for, or streamed from any place on. */
export function registerJoinRuns(app: ApiApp, parts: RouteParts): void {
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

/** The request of a client that joins a run's stream. */
interface Followed {
  readonly name: RunName;
  readonly after: number;
  /** Null: what the run was asked for. */
  readonly modes: readonly StreamMode[] | null;
  readonly cancelOnLeave: boolean;
}

function followedIn(
  headers: { readonly "last-event-id"?: string | undefined },
  query: {
    readonly stream_mode?: StreamMode | readonly StreamMode[] | undefined;
    readonly cancel_on_disconnect?: z.infer<typeof FlagSchema>;
  },
): Omit<Followed, "name"> {
  const { stream_mode: modes } = query;
  return {
    after: readEventId(headers["last-event-id"]),
    modes: modes === undefined ? null : [modes].flat(),
    cancelOnLeave: isOn(query.cancel_on_disconnect),
  };
}
