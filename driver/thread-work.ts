import { EventBodySchema, type EventBody } from "../state/event.ts";
import { GraphModeSchema } from "../state/run.ts";
import type { Limits } from "../state/limits.ts";
import type { LeaseClaim } from "../state/store.ts";
import type { Attempts } from "./attempts.ts";
import type { Cleaning } from "./cleaning.ts";
import type { ConversationStore, UserThread, WaitingMessage } from "../state/conversation-store.ts";
import type { EventSequence, TurnEvent } from "./events.ts";
import { streamChunks, type GraphInput } from "./graph-chunks.ts";
import { createInboxWatch } from "./inbox-watch.ts";
import { publicChunk } from "./public-chunk.ts";
import type { RunObserver, RunPlan } from "./run-observer.ts";
import { computeRecursionLimit, type TurnGraph } from "../graph/turn-graph.ts";

/** Collaborators of the driver. */
export interface TurnDriverParts {
  readonly graph: TurnGraph;
  readonly store: ConversationStore;
  readonly limits: Limits;
  /** Wall clock, for the events' stamps. */
  readonly now: () => Date;
  /** Mints ids of runs, messages and lease owners. */
  readonly newId: () => string;
  /**
   * Brings the database up again where it is the program's own and was ended from outside. True
   * when what failed may be tried again at once. Default: it is somebody else's. It throws what
   * stands in the way.
   */
  readonly restore?: () => Promise<boolean>;
  /** Gets what a turn's `error` event has no room for: the error itself, with stack and causes. */
  readonly onFailure?: (error: unknown) => void;
}

/** A thread whose inbox is being drained, and its user. */
export interface ThreadWork extends UserThread {
  readonly parts: TurnDriverParts;
  readonly attempts: Attempts;
  readonly cleaning: Cleaning;
  readonly observer: RunObserver;
  /** Aborts when the turn is to be handed off as it is, for another process to continue. */
  readonly handOff: AbortSignal | undefined;
  /** Lease that every write requires; once another process has it, writes fail. */
  readonly lease: LeaseClaim;
  /** Aborts when the lease is lost, or with what aborted the wait for it. */
  readonly leaseLost: AbortSignal;
}

/** A message's turn in progress and its event sequence. */
export interface RunningTurn {
  readonly message: WaitingMessage;
  readonly work: ThreadWork;
  readonly plan: RunPlan;
  readonly sequence: EventSequence;
}

/** Sends events to the observer of the run. */
export function emitEvents({ work }: RunningTurn, events: readonly TurnEvent[]): void {
  for (const event of events) work.observer.onEvent(event);
}

/** Runs the graph until it is idle and emits its events. */
export async function streamTurn(
  input: GraphInput,
  { turn, stoppable = true }: { readonly turn: RunningTurn; readonly stoppable?: boolean },
): Promise<void> {
  const { work, plan, sequence } = turn;
  const { runId } = plan;
  const watch = watchInbox(work);
  const lost = whenAborted(work.leaseLost);
  try {
    const signals = [work.leaseLost, plan.stop, work.handOff].filter(
      (signal) => signal !== undefined,
    );
    const chunks = await streamChunks(work.parts.graph, input, {
      ...createChunkSettings(work, watch.cut),
      modes: plan.modes,
      stop: stoppable ? AbortSignal.any(signals) : null,
    });
    for await (const [mode, data] of chunks) {
      if (mode === "custom") {
        const body = EventBodySchema.parse(data);
        watch.see(body);
        if (body.type !== "prompt" || plan.trace) emitEvents(turn, sequence.next(body));
      } else {
        const known = GraphModeSchema.parse(mode);
        const shown = publicChunk(known, data);
        if (shown !== null) {
          work.observer.onChunk({ runId, mode: known, namespace: [], data: shown });
        }
      }
      if (work.observer.waitForRoom !== undefined)
        await Promise.race([work.observer.waitForRoom(), lost.happens]);
    }
  } finally {
    lost.end();
    watch.end();
  }
}

/** Runs the graph until it is idle, without emitting events. */
export async function runSilently(work: ThreadWork): Promise<void> {
  const watch = watchInbox(work);
  try {
    const signals = [work.leaseLost, work.handOff].filter((signal) => signal !== undefined);
    const chunks = await streamChunks(work.parts.graph, null, {
      ...createChunkSettings(work, watch.cut),
      modes: [],
      stop: AbortSignal.any(signals),
    });
    for await (const [, data] of chunks) watch.see(EventBodySchema.parse(data));
  } finally {
    watch.end();
  }
}

function createChunkSettings(work: ThreadWork, cut: AbortSignal) {
  const { configurable } = threadConfig(work);
  return { configurable, cut, recursionLimit: computeRecursionLimit(work.parts.limits) };
}

/** Cuts a batch short when a message waits behind it. */
function watchInbox(work: ThreadWork) {
  const cut = new AbortController();
  const watch = createInboxWatch({ ...toUserThread(work), store: work.parts.store }, () =>
    cut.abort(),
  );
  return {
    cut: cut.signal,
    see(body: EventBody): void {
      // Only help with a step is asked for after the person has been answered: only there may they write on.
      if (body.type === "expert-start" && body.purpose === "step-help") watch.start();
    },
    end: () => watch.stop(),
  };
}

function whenAborted(signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = (): void => resolve();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", listener);
  return { happens: promise, end: () => signal.removeEventListener("abort", listener) };
}

/** Ends an unfinished turn as it is: its pending tasks are discarded. */
export async function discardPendingTasks(work: ThreadWork): Promise<void> {
  await work.parts.graph.updateState(threadConfig(work), {}, "finish");
}

/** The thread alone, as storage is asked for it. */
export function toUserThread({ threadId, userId }: ThreadWork): UserThread {
  return { threadId, userId };
}

/** Builds the graph config that names the thread and the lease, also for the checkpointer. */
export function threadConfig({ threadId, lease }: Pick<ThreadWork, "threadId" | "lease">): {
  readonly configurable: { readonly thread_id: string; readonly lease: LeaseClaim };
} {
  // An object, so that LangGraph does not copy it into the metadata of checkpoints.
  return { configurable: { thread_id: threadId, lease } };
}
