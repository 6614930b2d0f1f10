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
    "last-event-id": z.string().optional().openapi({
      description: "The last event that was received; left out, or -1, for all events.",
    }),
  }),
  query: z.object({
    stream_mode: z
      .union([StreamModeSchema, z.array(StreamModeSchema)])
      .optional()
      .openapi({
        description: "Some of the modes that the run stores. Default: those it was requested with.",
      }),
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
  summary: "Streams a run from its beginning or from an event on",
  tags,
  request: { params: OfRunSchema, ...following },
  responses: STREAM_ANSWER,
});
const joinStreamAlone = createRoute({
  method: "get",
  path: "/runs/{run_id}/stream",
  summary: "Streams a run from its beginning or from an event on",
  tags,
  request: { params: OfRunSchema.pick({ run_id: true }), ...following },
  responses: STREAM_ANSWER,
});

/** Registers the routes that wait for an existing run, or stream it from any event on. */
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
    { name, after, modes, cancelOnLeave }: JoinRequest,
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
      ...readJoin(context.req.valid("header"), context.req.valid("query")),
    }),
  );
  app.openapi(joinStreamAlone, async (context) =>
    follow(context, {
      name: { runId: context.req.valid("param").run_id, threadId: null },
      ...readJoin(context.req.valid("header"), context.req.valid("query")),
    }),
  );
}

/** The request of a client that joins a run's stream. */
interface JoinRequest {
  readonly name: RunName;
  readonly after: number;
  /** Null for the modes that the run was requested with. */
  readonly modes: readonly StreamMode[] | null;
  readonly cancelOnLeave: boolean;
}

type JoinHeaders = z.output<typeof following.headers>;
type JoinQuery = z.output<typeof following.query>;

function readJoin(headers: JoinHeaders, query: JoinQuery): Omit<JoinRequest, "name"> {
  const { stream_mode: modes } = query;
  return {
    after: readEventId(headers["last-event-id"]),
    modes: modes === undefined ? null : [modes].flat(),
    cancelOnLeave: isOn(query.cancel_on_disconnect),
  };
}
