import { EventBodySchema } from "../state/event.ts";
import type { Limits } from "../state/limits.ts";
import type { LeaseClaim } from "../state/store.ts";
import type { Attempts } from "./attempts.ts";
import type { ConversationStore, UserThread } from "./conversation-store.ts";
import type { EventSequence, TurnEvent } from "./events.ts";
import { createInboxWatch } from "./inbox-watch.ts";
import { recursionLimitOf, type TurnGraph } from "./turn-graph.ts";

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
  readonly onEvent: (event: TurnEvent) => void;
  readonly stop: AbortSignal | undefined;
  readonly trace: boolean;
  /** What everything is written under: below, nothing is once it is another's. */
  readonly lease: LeaseClaim;
  /** Aborts with the caller's stop, or when the lease is lost. */
  readonly lost: AbortSignal;
}

/** What the graph is given: a new input, or null to go on where it stopped. */
export type GraphInput = Parameters<TurnGraph["stream"]>[0];

/** Runs the graph until it rests; its events go out stamped, or nowhere without a sequence. */
export async function streamTurn(
  input: GraphInput,
  {
    work,
    sequence,
    stoppable = true,
  }: {
    readonly work: ThreadWork;
    readonly sequence: EventSequence | null;
    readonly stoppable?: boolean;
  },
): Promise<void> {
  const cut = new AbortController();
  const chunks = await work.parts.graph.stream(input, {
    configurable: {
      ...configOf(work).configurable,
      ...(stoppable ? { stop: work.lost } : {}),
      cut: cut.signal,
    },
    streamMode: "custom",
    durability: "sync",
    recursionLimit: recursionLimitOf(work.parts.limits),
  });
  const watch = createInboxWatch({ ...threadOf(work), store: work.parts.store }, () => cut.abort());
  try {
    for await (const chunk of chunks) {
      const body = EventBodySchema.parse(chunk);
      // Only help with a step is asked for after the person has been answered: only there may they write on.
      if (body.type === "expert-start" && body.purpose === "step-help") watch.begin();
      if (sequence === null || (body.type === "prompt" && !work.trace)) continue;
      sequence.next(body).forEach(work.onEvent);
    }
  } finally {
    watch.end();
  }
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
