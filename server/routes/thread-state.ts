import { createRoute, z } from "@hono/zod-openapi";
import type { RouteParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { CheckpointIdSchema, CheckpointSchema } from "../protocol/checkpoint.ts";
import { PathIdSchema } from "../protocol/ids.ts";
import { MetadataSchema } from "../protocol/metadata.ts";
import { selectFields } from "../protocol/select-fields.ts";
import { StateAnswerSchema } from "../protocol/state-answer.ts";
import { jsonAnswer, jsonBody, type ApiApp } from "../route.ts";
import { getThread } from "../threads/own-thread.ts";
import { checkpointNotFound, readHistory, readState } from "../threads/read-state.ts";
import { StateValuesSchema, updateState, type MeantCheckpoint } from "../threads/update-state.ts";

const tags = ["thread state"];
const params = z.object({ thread_id: PathIdSchema });
const StateSchema = StateAnswerSchema.openapi("ThreadState");

const SelectSchema = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((select): readonly string[] =>
    typeof select === "string" ? [select] : (select ?? []),
  );

const query = z.object({
  subgraphs: z.string().optional().openapi({ description: "There are none." }),
  select: SelectSchema.openapi({ description: "Fields, or `values.<key>`. Default: all." }),
});

/** A place as clients send it. A thread id in it is ignored: the path names the thread. */
const PlaceSchema = z.looseObject({
  checkpoint_id: PathIdSchema.nullish(),
  checkpoint_ns: z.string().nullish(),
});
type Place = z.infer<typeof PlaceSchema>;

const BeforePlaceSchema = PlaceSchema.extend({ checkpoint_id: CheckpointIdSchema.nullish() });

/** The checkpoint before which states are looked for: its id, its place, or a config that names it. */
const BeforeSchema = z.union([
  CheckpointIdSchema,
  BeforePlaceSchema.refine((place) => !("configurable" in place), {
    path: ["configurable"],
    message: "it names no checkpoint",
  }).transform(readCheckpointId),
  z
    .looseObject({ configurable: BeforePlaceSchema })
    .transform(({ configurable }) => readCheckpointId(configurable)),
]);

function readCheckpointId({ checkpoint_id: id }: Place): string | null {
  return id ?? null;
}

const answered = jsonAnswer("The state", StateSchema.partial());

const newestRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/state",
  summary: "The newest state",
  tags,
  request: { params, query },
  responses: answered,
});

const checkpointRoute = createRoute({
  method: "post",
  path: "/threads/{thread_id}/state/checkpoint",
  summary: "The state at a checkpoint",
  tags,
  request: {
    params,
    body: jsonBody(
      z.looseObject({
        checkpoint: PlaceSchema.nullish(),
        select: z.array(z.string()).nullish(),
      }),
    ),
  },
  responses: answered,
});

const atRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/state/{checkpoint_id}",
  summary: "The state at a checkpoint",
  tags,
  request: { params: params.extend({ checkpoint_id: PathIdSchema }), query },
  responses: answered,
});

const updateRoute = createRoute({
  method: "post",
  path: "/threads/{thread_id}/state",
  summary: "Changes the newest state between two turns",
  description:
    "`constraints` can be replaced, and `pending` dropped with null; nothing else can be changed. A checkpoint is the newest one, or left out; `as_node` is `finish`, or left out.",
  tags,
  request: {
    params,
    body: {
      required: true,
      ...jsonBody(
        z.looseObject({
          values: StateValuesSchema,
          as_node: z.string().nullish(),
          checkpoint: PlaceSchema.nullish(),
          checkpoint_id: PathIdSchema.nullish(),
        }),
      ),
    },
  },
  responses: jsonAnswer(
    "Where the changed state is",
    z.object({ checkpoint: CheckpointSchema, configurable: CheckpointSchema }),
  ),
});

const limit = z.coerce.number().int().min(1).max(1_000);

const history = jsonAnswer(
  "States, the newest first; those of older turns are not kept",
  z.array(StateSchema.partial()),
);

const historyRoute = createRoute({
  method: "get",
  path: "/threads/{thread_id}/history",
  summary: "Earlier states",
  tags,
  request: {
    params,
    query: z.object({
      limit: limit.optional(),
      before: CheckpointIdSchema.optional().openapi({
        description: "Only those before this checkpoint.",
      }),
    }),
  },
  responses: history,
});

const historySearchRoute = createRoute({
  method: "post",
  path: "/threads/{thread_id}/history",
  summary: "Earlier states",
  tags,
  request: {
    params,
    body: jsonBody(
      z.looseObject({
        limit: limit.nullish(),
        before: BeforeSchema.nullish().openapi({
          description: "A checkpoint, its id, or a config that names it.",
        }),
        metadata: MetadataSchema.nullish(),
        checkpoint: PlaceSchema.nullish(),
        select: z.array(z.string()).nullish(),
      }),
    ),
  },
  responses: history,
});

/** Registers the routes of a thread's state, now and at stored checkpoints. */
export function registerThreadState(app: ApiApp, parts: RouteParts): void {
  app.openapi(newestRoute, async (context) => {
    const { thread_id: threadId } = context.req.valid("param");
    await getThread(parts, context.get("caller"), threadId);
    const state = await readState(parts, { threadId, checkpointId: null });
    return context.json(selectFields(state, context.req.valid("query").select), 200);
  });
  app.openapi(checkpointRoute, async (context) => {
    const { thread_id: threadId } = context.req.valid("param");
    const { checkpoint, select } = context.req.valid("json");
    await getThread(parts, context.get("caller"), threadId);
    const state = await readState(parts, { threadId, checkpointId: idIn(checkpoint) });
    return context.json(selectFields(state, select), 200);
  });
  app.openapi(atRoute, async (context) => {
    const { thread_id: threadId, checkpoint_id: checkpointId } = context.req.valid("param");
    await getThread(parts, context.get("caller"), threadId);
    const state = await readState(parts, { threadId, checkpointId });
    return context.json(selectFields(state, context.req.valid("query").select), 200);
  });
  app.openapi(updateRoute, async (context) => {
    const { thread_id: threadId } = context.req.valid("param");
    const body = context.req.valid("json");
    assertNode(body.as_node);
    const { values } = body;
    const change = { threadId, values, meant: readMeant(body) };
    const place = await updateState(parts, context.get("caller"), change);
    return context.json({ checkpoint: place, configurable: place }, 200);
  });
  app.openapi(historyRoute, async (context) => {
    const { thread_id: threadId } = context.req.valid("param");
    const { limit: most = 10, before = null } = context.req.valid("query");
    await getThread(parts, context.get("caller"), threadId);
    const states = await readHistory(parts, {
      threadId,
      limit: most,
      before,
      checkpointId: null,
      metadata: {},
    });
    return context.json([...states], 200);
  });
  app.openapi(historySearchRoute, async (context) => {
    const { thread_id: threadId } = context.req.valid("param");
    const body = context.req.valid("json");
    await getThread(parts, context.get("caller"), threadId);
    if (isSubgraph(body.checkpoint)) return context.json([], 200);
    const states = await readHistory(parts, {
      threadId,
      limit: body.limit ?? 10,
      before: body.before ?? null,
      checkpointId: body.checkpoint?.checkpoint_id ?? null,
      metadata: body.metadata ?? {},
    });
    return context.json(
      states.map((state) => selectFields(state, body.select)),
      200,
    );
  });
}

/** The graph has no subgraphs that keep states of their own. */
function isSubgraph(place: Place | null | undefined): boolean {
  return (place?.checkpoint_ns ?? "") !== "";
}

function idIn(place: Place | null | undefined): string | null {
  const id = place?.checkpoint_id ?? null;
  if (isSubgraph(place)) throw checkpointNotFound(id ?? place?.checkpoint_ns ?? "");
  return id;
}

/** The fields of a change that name a checkpoint. */
interface ChangedPlace {
  readonly checkpoint?: Place | null | undefined;
  readonly checkpoint_id?: string | null | undefined;
}

/** LangGraph's clients send a checkpoint that names the thread alone: that is the newest. */
function readMeant({ checkpoint, checkpoint_id: bare }: ChangedPlace): MeantCheckpoint | null {
  const placed = idIn(checkpoint);
  if (placed !== null) return { id: placed, field: "/checkpoint" };
  return bare == null ? null : { id: bare, field: "/checkpoint_id" };
}

function assertNode(node: string | null | undefined): void {
  if (node == null || node === "finish") return;
  throw new Problem("not_supported", {
    detail: `Cannot change the state as node "${node.slice(0, 40)}": the graph would continue from there; leave it out`,
    field: "/as_node",
  });
}
