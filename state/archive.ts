import type { StructuralAnalysis } from "./analysis.ts";
import type { Batch, ExpertAnswer } from "./batch.ts";
import type { Spent } from "./budget.ts";
import type { ClaimMap } from "./claims.ts";
import type { Constraint, WishChange } from "./constraint.ts";
import type { RowIdentity } from "./entity.ts";
import type { Manifest } from "./envelope.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ConciergePhaseState, Opening } from "./phase.ts";
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
  /** The thread's batch that was finished last; null where there is none. */
  latestBatch(thread: {
    readonly threadId: string;
    readonly userId: string;
  }): Promise<ArchivedBatch | null>;
  /** The thread's finished batches, the newest first. */
  listBatches(query: {
    readonly threadId: string;
    readonly userId: string;
    readonly limit: number;
  }): Promise<readonly ArchivedBatch[]>;
  /** Keeps a journey that is put aside, with its plan; upserts the row of (thread, turn). */
  saveJourney(
    journey: ArchiveWrite & {
      readonly turn: number;
      readonly runId: string;
      readonly opening: Opening | null;
      readonly concierge: ConciergePhaseState;
    },
  ): Promise<void>;
  /** Notes the last prompt manifest of a node; it is kept with the turn's row, for `inspect`. */
  noteManifest(manifest: {
    readonly threadId: string;
    readonly turn: number;
    readonly manifest: Manifest;
  }): void;
}

/** One batch of experts as the archive keeps it. */
export interface ArchivedBatch {
  readonly turn: number;
  readonly runId: string;
  readonly batch: Batch;
  readonly answers: readonly ExpertAnswer[];
  /** Null where fewer than two experts answered; so is the analysis. */
  readonly map: ClaimMap | null;
  readonly analysis: StructuralAnalysis | null;
}
