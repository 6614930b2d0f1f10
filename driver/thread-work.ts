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
import { recursionLimitOf, type TurnGraph } from "../graph/turn-graph.ts";

/** What the driver is made of. */
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

/** A thread that is being worked off, and for whom. */
export interface ThreadWork extends UserThread {
  readonly parts: TurnDriverParts;
  readonly attempts: Attempts;
  readonly cleaning: Cleaning;
  readonly observer: RunObserver;
  /** Aborts when the turn is to be left as it is, for another process to go on with. */
  readonly leave: AbortSignal | undefined;
  /** What everything is written under: below, nothing is once it is another's. */
  readonly lease: LeaseClaim;
  /** Aborts when the lease is lost, or with what aborted the wait for it. */
  readonly lost: AbortSignal;
}

/** A message's turn that is being run, and the events it has told so far. */
export interface RunningTurn {
  readonly message: WaitingMessage;
  readonly work: ThreadWork;
  readonly plan: RunPlan;
  readonly sequence: EventSequence;
}

/** Passes events on to whoever follows the run. */
export function tell({ work }: RunningTurn, events: readonly TurnEvent[]): void {
  for (const event of events) work.observer.onEvent(event);
}

/** Runs the graph until it rests, and tells what comes of it. */
export async function streamTurn(
  input: GraphInput,
  { turn, stoppable = true }: { readonly turn: RunningTurn; readonly stoppable?: boolean },
): Promise<void> {
  const { work, plan, sequence } = turn;
  const { runId } = plan;
  const watch = watchInbox(work);
  const lost = whenAborted(work.lost);
  try {
    const signals = [work.lost, plan.stop, work.leave].filter((signal) => signal !== undefined);
    const chunks = await streamChunks(work.parts.graph, input, {
      ...settingsOf(work, watch.cut),
      modes: plan.modes,
      stop: stoppable ? AbortSignal.any(signals) : null,
    });
    for await (const [mode, data] of chunks) {
      if (mode === "custom") {
        const body = EventBodySchema.parse(data);
        watch.see(body);
        if (body.type !== "prompt" || plan.trace) tell(turn, sequence.next(body));
      } else {
        const known = GraphModeSchema.parse(mode);
        const shown = publicChunk(known, data);
        if (shown !== null) {
          work.observer.onChunk({ runId, mode: known, namespace: [], data: shown });
        }
      }
      if (work.observer.room !== undefined)
        await Promise.race([work.observer.room(), lost.happens]);
    }
  } finally {
    lost.end();
    watch.end();
  }
}

/** Runs the graph until it rests; nobody is told. */
export async function runUntold(work: ThreadWork): Promise<void> {
  const watch = watchInbox(work);
  try {
    const signals = [work.lost, work.leave].filter((signal) => signal !== undefined);
    const chunks = await streamChunks(work.parts.graph, null, {
      ...settingsOf(work, watch.cut),
      modes: [],
      stop: AbortSignal.any(signals),
    });
    for await (const [, data] of chunks) watch.see(EventBodySchema.parse(data));
  } finally {
    watch.end();
  }
}

function settingsOf(work: ThreadWork, cut: AbortSignal) {
  const { configurable } = configOf(work);
  return { configurable, cut, recursionLimit: recursionLimitOf(work.parts.limits) };
}

/** Cuts a batch short when a message waits behind it. */
function watchInbox(work: ThreadWork) {
  const cut = new AbortController();
  const watch = createInboxWatch({ ...threadOf(work), store: work.parts.store }, () => cut.abort());
  return {
    cut: cut.signal,
    see(body: EventBody): void {
      // Only help with a step is asked for after the person has been answered: only there may they write on.
      if (body.type === "expert-start" && body.purpose === "step-help") watch.begin();
    },
    end: () => watch.end(),
  };
}

function whenAborted(signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = (): void => resolve();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", listener);
  return { happens: promise, end: () => signal.removeEventListener("abort", listener) };
}

/** Leaves an unfinished turn as it is: what it would have done next is forgotten. */
export async function abandonTurn(work: ThreadWork): Promise<void> {
  await work.parts.graph.updateState(configOf(work), {}, "finish");
}

/** The thread alone, as storage is asked for it. */
export function threadOf({ threadId, userId }: ThreadWork): UserThread {
  return { threadId, userId };
}

/** How the graph, and the checkpointer below it, are told which thread is meant and under which lease. */
export function configOf({ threadId, lease }: Pick<ThreadWork, "threadId" | "lease">): {
  readonly configurable: { readonly thread_id: string; readonly lease: LeaseClaim };
} {
  // An object, so that LangGraph does not copy it into the metadata of checkpoints.
  return { configurable: { thread_id: threadId, lease } };
}
