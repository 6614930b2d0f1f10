import type { StructuralAnalysis } from "./analysis.ts";
import type { Batch, ExpertAnswer } from "./batch.ts";
import type { Spent } from "./budget.ts";
import type { ClaimMap } from "./claims.ts";
import type { Constraint, WishChange } from "./constraint.ts";
import type { RowIdentity } from "./entity.ts";
import type { Manifest } from "./envelope.ts";
import type { JourneyLine, JourneyState } from "./journey.ts";
import type { PlanChange } from "./journey-plan.ts";
import type { Json, JsonObject } from "./json.ts";
import type { RegistryEntry } from "./registry.ts";
import type { LeaseClaim } from "./store.ts";
import type { Reply } from "./turn.ts";
import type { TurnExecutionSummary } from "./turn-summary.ts";

/** One turn as the archive keeps it. */
export interface ArchivedTurn {
  readonly turn: number;
  /** The run that answered it; two branches of a thread have turns of the same number. */
  readonly runId: string;
  readonly messageId: string;
  readonly userMessage: string;
  readonly replies: readonly Reply[];
  /** Null for a turn that left none. */
  readonly summary: TurnExecutionSummary | null;
}

/** A finished turn on its way into the archive. */
export interface SavedTurn extends ArchivedTurn {
  /** The run of the turn before it on its branch; null for the first. */
  readonly parentRunId: string | null;
  /** The records of its calls. */
  readonly usage: Json;
  /** `YYYY-MM-DD` where the person is: the day that its calls count for. */
  readonly day: string;
  /** The time at which the confirmation that it leaves waiting expires, ISO 8601 in UTC; null where it leaves none. */
  readonly decisionUntil: string | null;
  /** Lasting wishes that it has noted or withdrawn. */
  readonly wishChanges: readonly WishChange[];
}

/** The view of a turn's events (`TurnView`), to be kept with the turn that a run began. */
export interface SavedView {
  readonly runId: string;
  readonly view: JsonObject;
}

/** The owner, thread and lease of a write; the lease is null where no process holds the thread. */
export interface ArchiveWrite {
  readonly threadId: string;
  readonly userId: string;
  readonly lease: LeaseClaim | null;
}

/**
 * Port of the conversation archive; `storage/` implements it. Every query and write is limited to one
 * user's rows. A write under a lease that another process holds by now throws a `LeaseLostError`.
 */
export interface Archive {
  /**
   * Upserts the row of (thread, run), and adds its calls to the user's spending, once. It and the turns
   * before it on its branch become the thread's current ones; turns of another branch stay, and are no
   * longer current.
   */
  saveTurn(turn: ArchiveWrite & SavedTurn): Promise<void>;
  /** Returns what the turns of a thread have used; turns that are not saved yet do not count. */
  loadThreadSpending(thread: {
    readonly threadId: string;
    readonly userId: string;
  }): Promise<Spent>;
  /** The wishes that the person has in every conversation, oldest first. */
  loadWishes(userId: string): Promise<readonly Constraint[]>;
  /** Current turns that name a ref or contain the words, newest first, and how many match in all. */
  findTurns(query: {
    readonly threadId: string;
    readonly userId: string;
    readonly ref: string | null;
    readonly turn: number | null;
    readonly words: string | null;
    readonly limit: number;
  }): Promise<{ readonly turns: readonly ArchivedTurn[]; readonly total: number }>;
  /** Keeps entries that leave the registry. */
  storeRefs(refs: ArchiveWrite & { readonly entries: readonly RegistryEntry[] }): Promise<void>;
  /** Entries that had left the registry, by ref or by row; what is not kept is left out. */
  findRefs(query: {
    readonly threadId: string;
    readonly userId: string;
    readonly refs: readonly string[];
    readonly rows: readonly RowIdentity[];
  }): Promise<readonly RegistryEntry[]>;
  /** Upserts the row of (thread, batch). */
  saveBatch(batch: ArchiveWrite & ArchivedBatch): Promise<void>;
  /** The thread's finished batches, or those of one journey, the newest first. */
  listBatches(query: BatchQuery): Promise<readonly ArchivedBatch[]>;
  /** Returns a batch by its id; null where it is not kept. */
  findBatch(query: {
    readonly threadId: string;
    readonly userId: string;
    readonly batchId: string;
  }): Promise<ArchivedBatch | null>;
  /**
   * Keeps a journey as a turn left it: its newest row counts. Earlier rows stay; that of the same turn and
   * run is replaced.
   */
  saveJourney(journey: ArchiveWrite & ArchivedJourney): Promise<void>;
  /** Returns a journey as it was kept last; null where it is not kept. */
  findJourney(query: JourneyQuery): Promise<ArchivedJourney | null>;
  /** Every journey of the thread as it was kept last, the newest first. */
  listJourneys(thread: {
    readonly threadId: string;
    readonly userId: string;
  }): Promise<readonly JourneyLine[]>;
  /** Every change of a journey's last plan that is kept, oldest first. */
  listPlanChanges(query: JourneyQuery): Promise<readonly PlanChange[]>;
  /** Notes the last prompt manifest of a node; it is kept with the turn's row, for `inspect`. */
  noteManifest(manifest: {
    readonly threadId: string;
    readonly turn: number;
    readonly manifest: Manifest;
  }): void;
}

/** One journey of a thread. */
export interface JourneyQuery {
  readonly threadId: string;
  readonly userId: string;
  readonly journeyId: string;
}

/** The batches of a thread. */
export interface BatchQuery {
  readonly threadId: string;
  readonly userId: string;
  /** Id of the journey whose batches are listed. Default: those of all. */
  readonly journey?: string;
  readonly limit: number;
}

/** A journey as it was after a turn that changed it. */
export interface ArchivedJourney extends Pick<
  JourneyLine,
  "title" | "status" | "reason" | "openedTurn"
> {
  readonly journeyId: string;
  /** The turn that changed it. */
  readonly changedTurn: number;
  /** The run of that turn. */
  readonly runId: string;
  readonly state: JourneyState;
}

/** One batch of experts as the archive keeps it. */
export interface ArchivedBatch {
  readonly turn: number;
  readonly runId: string;
  /** Id of the journey for which they were asked; left out where it is not known. */
  readonly journeyId?: string;
  readonly batch: Batch;
  readonly answers: readonly ExpertAnswer[];
  /** Null where fewer than two experts answered; so is the analysis. */
  readonly map: ClaimMap | null;
  readonly analysis: StructuralAnalysis | null;
}
