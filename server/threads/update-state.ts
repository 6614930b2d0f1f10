import { z } from "zod";
import { loadThread } from "../../driver/load-thread.ts";
import { ConstraintSchema, WishScopeSchema } from "../../state/constraint.ts";
import type { LeaseClaim } from "../../state/store.ts";
import type { TurnUpdate } from "../../state/turn.ts";
import { dropDecision } from "../../storage/conversations/archive-rows.ts";
import { holdLease } from "../../storage/conversations/leases.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { toCheckpoint, type Checkpoint } from "../protocol/checkpoint.ts";
import { getThread, threadBusy } from "./own-thread.ts";
import { isAtWork, RELEASE_MS } from "./when-released.ts";

/**
 * The part of a state that a client may change: the constraints, and a question that waits for its
 * answer, which can be dropped. The rest records what happened or steers the graph.
 */
export const StateValuesSchema = z.strictObject({
  constraints: z
    .array(
      ConstraintSchema.extend({
        text: z.string().trim().min(1).max(500),
        count: z.number().int().nullable().default(null),
        until: z.string().nullable().default(null),
        scope: WishScopeSchema.default("conversation"),
        turn: z.number().int().positive().optional(),
      }),
    )
    .optional()
    .describe("All constraints that apply from now on; those left out no longer do."),
  pending: z.null().optional().describe("Null drops the question that waits for an answer."),
});
export type StateValues = z.infer<typeof StateValuesSchema>;

/** A checkpoint's id, with its place in the body as a JSON pointer. */
export interface MeantCheckpoint {
  readonly id: string;
  readonly field: string;
}

/** New values for the newest state of a thread. */
export interface StateChange {
  readonly threadId: string;
  /** The checkpoint of the state that is meant; null for the newest. */
  readonly meant: MeantCheckpoint | null;
  readonly values: StateValues;
}

/**
 * Changes a thread's newest state between two turns.
 *
 * @throws Problem `thread_not_found`, `thread_busy` while a turn is under way or unfinished,
 * `not_supported` for an older state, `state_missing` before the first turn, `invalid_request`; LeaseLostError; DatabaseUnavailableError.
 */
export async function updateState(
  parts: Pick<ServerParts, "pool" | "graph" | "limits" | "newId">,
  caller: Pick<Caller, "userId">,
  change: StateChange,
): Promise<Checkpoint> {
  const { threadId } = change;
  await getThread(parts, caller, threadId);
  const thread = { caller, threadId };
  if (await isAtWork(parts, thread)) throw threadBusy(threadId, "change");
  const request = {
    threadId,
    owner: parts.newId(),
    ttlMs: parts.limits.leaseSeconds * 1_000,
    // A run's end is sent a moment before its worker releases the thread.
    waitMs: RELEASE_MS,
    signal: null,
  };
  const held = await holdLease(parts.pool, request, async ({ lease }) => {
    // A run that was created meanwhile waits for the lease.
    if (await isAtWork(parts, thread)) throw threadBusy(threadId, "change");
    const place = await write(parts, change, lease);
    if (change.values.pending === null) {
      const options = { userId: caller.userId, fence: { threadId, lease } };
      await asUser(parts.pool, options, (tx) => dropDecision(tx, threadId));
    }
    return place;
  });
  if (!held.held) throw threadBusy(threadId, "change");
  return held.result;
}

async function write(
  parts: Pick<ServerParts, "graph" | "limits">,
  { threadId, values: changed, meant }: StateChange,
  lease: LeaseClaim,
): Promise<Checkpoint> {
  const config = { configurable: { thread_id: threadId, lease } };
  const { values, stage, checkpoint } = await loadThread(parts.graph, config);
  if (meant !== null && meant.id !== checkpoint) throw olderState(meant);
  if (stage !== "idle") throw threadBusy(threadId, "change");
  if (values.turn === undefined) {
    throw new Problem("state_missing", {
      detail: `Cannot change thread "${threadId}": it has no state before its first turn; send a message first`,
    });
  }
  const update = toTurnUpdate(changed, values.turn, parts.limits.constraints);
  const place = toCheckpoint(await parts.graph.updateState(config, update, "finish"));
  if (place === null)
    throw new Error(`Cannot find the checkpoint that holds the change of "${threadId}"`);
  return place;
}

/** A change of an older state would start a branch that replaces the newer ones. */
function olderState({ field }: MeantCheckpoint): Problem {
  return new Problem("not_supported", {
    detail: "Cannot change an older state: only the newest can be changed; leave it out",
    field,
  });
}

function toTurnUpdate(
  { constraints, pending }: StateValues,
  turn: number,
  limit: number,
): TurnUpdate {
  if (constraints !== undefined && constraints.length > limit) {
    throw new Problem("invalid_request", {
      detail: `Cannot use ${constraints.length} constraints: the limit is ${limit}; leave some out`,
      field: "/values/constraints",
    });
  }
  return {
    ...(constraints === undefined
      ? {}
      : { constraints: constraints.map((one) => ({ ...one, turn: one.turn ?? turn })) }),
    ...(pending === undefined ? {} : { pending }),
  };
}
