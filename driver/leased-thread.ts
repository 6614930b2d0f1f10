import { EventBodySchema, type EventBody } from "../state/event.ts";
import { GraphModeSchema, type GraphMode } from "../state/run.ts";
import type { LeaseClaim } from "../state/store.ts";
import type { UnderLease, UserThread } from "../state/conversation-store.ts";
import type { TurnState } from "../state/turn.ts";
import { createTurnAttempt } from "../graph/turn-attempt.ts";
import { computeRecursionLimit, type TurnGraph } from "../graph/turn-graph.ts";
import type { DriverParts } from "./driver-parts.ts";
import { streamChunks, type GraphInput } from "../graph/stream-chunks.ts";
import { createInboxWatch } from "./inbox-watch.ts";
import { loadThread, type LoadedThread } from "./load-thread.ts";

/** The lease on a thread, and the signals that end the work under it. */
export interface ThreadLease extends UnderLease {
  /** Aborts when the lease is lost. */
  readonly lost: AbortSignal;
  /** Aborts when the turn is to be left as it is, for another process to continue. */
  readonly handOff: AbortSignal | undefined;
}

/** Settings for one run of the graph; those left out are not needed. */
export interface GraphRun {
  /** Modes streamed besides the turn's events. */
  readonly modes?: readonly GraphMode[];
  /** Stops the graph between two nodes, as the loss of the lease and a hand-off do. */
  readonly stop?: AbortSignal | undefined;
  /** False runs to the end, whatever happens. Default: true. */
  readonly stoppable?: boolean;
  readonly onEvent?: (body: EventBody) => void;
  readonly onChunk?: (mode: GraphMode, data: unknown) => void;
  /** The graph's next step waits for it. */
  readonly waitForRoom?: (() => Promise<void>) | undefined;
}

type NodeName = Exclude<Parameters<TurnGraph["updateState"]>[2], undefined>;

/** A thread of the graph under its lease, which every write requires: once another process has it, writes fail. */
export class LeasedThread implements UserThread {
  readonly threadId: string;
  readonly userId: string;
  readonly held: ThreadLease;
  readonly #parts: DriverParts;

  constructor({ threadId, userId }: UserThread, held: ThreadLease, parts: DriverParts) {
    this.threadId = threadId;
    this.userId = userId;
    this.held = held;
    this.#parts = parts;
  }

  /** The thread alone, as storage expects it. */
  get key(): UserThread {
    return { threadId: this.threadId, userId: this.userId };
  }

  get lease(): LeaseClaim {
    return this.held.lease;
  }

  /** @throws StateVersionError when this program cannot read the thread's state. */
  load(): Promise<LoadedThread> {
    return loadThread(this.#parts.graph, this.#config());
  }

  /** Writes to the state as if `node` had. */
  async update(values: Partial<TurnState>, node: NodeName): Promise<void> {
    await this.#parts.graph.updateState(this.#config(), values, node);
  }

  /** Ends an unfinished turn as it is. */
  discardPendingTasks(): Promise<void> {
    return this.update({}, "finish");
  }

  /** Runs the graph until it is idle; null continues where it stopped. */
  async runGraph(input: GraphInput, run: GraphRun = {}): Promise<void> {
    const { modes = [], stop, stoppable = true } = run;
    const { graph, limits, store } = this.#parts;
    const signals = [this.held.lost, stop, this.held.handOff];
    const cut = new AbortController();
    const watch = createInboxWatch(store, this.key, () => cut.abort());
    const lost = whenAborted(this.held.lost);
    try {
      const chunks = await streamChunks(graph, input, {
        configurable: {
          ...this.#config().configurable,
          attempt: createTurnAttempt(),
        },
        recursionLimit: computeRecursionLimit(limits),
        cut: cut.signal,
        stop: stoppable ? AbortSignal.any(signals.filter((signal) => signal !== undefined)) : null,
        modes,
      });
      for await (const [mode, data] of chunks) {
        if (mode === "custom") {
          const body = EventBodySchema.parse(data);
          // Only step help is requested after the reply: only then may the person write on.
          if (body.type === "expert-start" && body.purpose === "step-help") watch.start();
          run.onEvent?.(body);
        } else {
          run.onChunk?.(GraphModeSchema.parse(mode), data);
        }
        if (run.waitForRoom !== undefined) await Promise.race([run.waitForRoom(), lost.happens]);
      }
    } finally {
      lost.end();
      watch.stop();
    }
  }

  /** An object as `lease`, so that LangGraph does not copy it into the metadata of checkpoints. */
  #config() {
    return { configurable: { thread_id: this.threadId, lease: this.held.lease } };
  }
}

function whenAborted(signal: AbortSignal): {
  readonly happens: Promise<void>;
  readonly end: () => void;
} {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = (): void => resolve();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", listener);
  return { happens: promise, end: () => signal.removeEventListener("abort", listener) };
}
