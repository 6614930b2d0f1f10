import type { Archive } from "../state/archive.ts";
import type { Budget } from "../state/budget.ts";
import type { Expert } from "../state/expert.ts";
import type { Domain } from "../state/domain.ts";
import type { DomainData } from "../domain/domain-data.ts";
import type { Toolbox } from "../domain/toolbox.ts";
import type { Emit } from "../state/event.ts";
import type { Limits } from "../state/limits.ts";
import type { Log } from "../state/log.ts";
import type { CountTokens, LanguageModel, ModelRole, ModelTier } from "../state/model.ts";
import type { LeaseClaim, UserData } from "../state/store.ts";
import type { DirectMessage, InvokedTurn } from "../state/turn-context.ts";
import type { TurnContext } from "../state/turn.ts";
import type { TurnMeter } from "./ask/turn-meter.ts";
import type { SentenceBook } from "./translate/sentence-book.ts";
import type { Lane } from "../state/understanding.ts";

/** The lanes of a graph. */
export type Lanes = Readonly<Record<Lane, boolean>>;

/** The services that every node gets when the graph is built. */
export interface NodeServices {
  readonly domain: Domain;
  readonly toolbox: Toolbox;
  readonly models: Readonly<Record<ModelRole, LanguageModel>>;
  /** The experts of a batch, in the order in which they are asked; ids are unique. */
  readonly experts: readonly Expert[];
  readonly lanes: Lanes;
  readonly limits: Limits;
  /** Tier of the model that the node asks. Default: full. */
  readonly tier?: ModelTier;
  /** A turn's tokens are bounded by `limits`, its money by this. */
  readonly budget: Budget;
  readonly countTokens: CountTokens;
  readonly userData: UserData;
  /** The rows of the domain's types, which tools and prompts work with. */
  readonly data: DomainData;
  readonly archive: Archive;
  /** Code's own sentences in the languages of its users. */
  readonly sentences: SentenceBook;
  /** Reports what fails in the domain's own functions. */
  readonly log: Pick<Log, "warn" | "info">;
  /** Milliseconds of a monotonic clock, for durations only. */
  readonly clock: () => number;
  /** Milliseconds since 1970, for deadlines that outlast the process. */
  readonly now: () => number;
  /**
   * Makes the run of a message that came without one; throws what its sender is to know. Left out
   * where every message comes with its run.
   */
  readonly openRun?: (message: DirectMessage) => Promise<InvokedTurn<TurnContext>>;
}

/** The context that a node gets with each call. */
export interface NodeIO {
  readonly emit: Emit;
  /** Aborts when the turn is to stop. */
  readonly signal: AbortSignal | null;
  /** Aborts when a message waits for the running batch; null where nothing reports that. */
  readonly cut: AbortSignal | null;
  /** When this attempt at the turn began, in milliseconds since 1970; left out where nobody bounds it. */
  readonly startedAt?: number;
  /** Counts what the turn uses; left out where nobody bounds it. */
  readonly meter?: TurnMeter;
  /** The lease that the node writes under; null where nobody holds the thread. */
  readonly lease: LeaseClaim | null;
  /** The invocation of the graph, for a message that came without a run. */
  readonly invoked?: Pick<DirectMessage, "threadId" | "runId" | "context">;
}
