import type { Pool } from "pg";
import { dayIn } from "../state/calendar.ts";
import { cleanMessage } from "../driver/clean-message.ts";
import { createTitle } from "../driver/thread-title.ts";
import { ForeignThreadError } from "../driver/turn-errors.ts";
import type { Lanes, NodeServices } from "../nodes/node.ts";
import { narrowedLanes, RUN_LIMITS, type TurnBounds } from "../state/turn-context.ts";
import { holdIdle } from "../storage/conversations/idle-threads.ts";
import { claimThread } from "../storage/conversations/threads.ts";
import { asUser } from "../storage/users/user-data.ts";
import { readContext, type ContextDefaults, type StudioContext } from "./context.ts";

/** The parts that opening a run needs. */
export interface OpenRunParts extends ContextDefaults {
  readonly pool: Pool;
  /** The lanes that the program has. */
  readonly lanes: Lanes;
  readonly now: () => Date;
  readonly newId: () => string;
}

/**
 * Creates the function that starts the run of a message from Studio: it reads the run's context and
 * claims the thread for its user.
 *
 * That function throws TypeError or RangeError for a context that cannot be used,
 * MessageRefusedError, ForeignThreadError and ThreadBusyError; then nothing was stored.
 */
export function createOpenRun(parts: OpenRunParts): NonNullable<NodeServices["openRun"]> {
  return async (message) => {
    const { threadId } = message;
    if (threadId === null) {
      throw new TypeError(
        'Cannot accept a message without a thread: pass "thread_id" in "configurable"',
      );
    }
    const context = readContext(message.context, parts);
    const bounds = readBounds(context, parts);
    const text = cleanMessage(message.text, parts.limits.messageCharacters);
    const title = createTitle(text, parts.limits.titleCharacters);
    await claimIdleThread(parts.pool, { threadId, userId: context.user, title });
    const { timeZone, locale } = context;
    const run = {
      runId: message.runId ?? parts.newId(),
      threadId,
      userId: context.user,
      today: context.today ?? dayIn(timeZone, parts.now()),
      timeZone,
      locale,
    };
    return { text, run: bounds === null ? run : { ...run, bounds } };
  };
}

/** Thrown when another program works on the thread: two at once would lose each other's turns. */
export class ThreadBusyError extends Error {
  override readonly name = "ThreadBusyError";
  readonly code = "thread_busy";

  constructor(threadId: string) {
    super(
      `Cannot accept a message in thread "${threadId}": another program is working on it; send the message again when it is done`,
    );
  }
}

async function claimIdleThread(
  pool: Pool,
  { threadId, userId, title }: { threadId: string; userId: string; title: string },
): Promise<void> {
  await asUser(pool, { userId, entry: { keyId: null } }, async (tx) => {
    const claim = await claimThread(tx, { threadId, title });
    if (claim === "foreign") throw new ForeignThreadError(threadId);
    if (!(await holdIdle(tx, [threadId]))) throw new ThreadBusyError(threadId);
  });
}

/** Returns the run's bounds below those of the program; null where they are the same. */
function readBounds(context: StudioContext, { lanes, limits }: OpenRunParts): TurnBounds | null {
  if (narrowedLanes(lanes, context.lanes) === null) {
    throw new RangeError(
      `Cannot use the run's context: lanes "${context.lanes}" is not among those that the program has; leave it out`,
    );
  }
  const narrower = RUN_LIMITS.filter((name) => context[name] < limits[name]);
  if (context.lanes === "both" && narrower.length === 0) return null;
  return {
    lanes: context.lanes,
    limits: Object.fromEntries(narrower.map((name) => [name, context[name]])),
  };
}
