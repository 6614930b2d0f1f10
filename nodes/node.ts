import type { Domain } from "../state/domain.ts";
import type { Toolbox } from "../domain/toolbox.ts";
import type { StructuralAnalysis } from "../state/analysis.ts";
import type { Batch, ExpertAnswer, ExpertProfile } from "../state/batch.ts";
import type { ClaimMap } from "../state/claims.ts";
import type { Emit } from "../state/event.ts";
import type { Manifest } from "../state/envelope.ts";
import type { Limits } from "../state/limits.ts";
import type { CountTokens, LanguageModel, ModelRole } from "../state/model.ts";
import type { ConciergePhaseState, Opening } from "../state/phase.ts";
import type { RegistryEntry } from "../state/registry.ts";
import type { Json } from "../state/json.ts";
import type { LeaseClaim, UserData } from "../state/store.ts";
import type { DirectMessage, OpenedRun } from "../state/turn-context.ts";
import type { Run } from "../state/turn.ts";
import type { TurnExecutionSummary } from "../state/turn-summary.ts";
import type { Lane } from "../state/understanding.ts";

/** A turn as the archive keeps it. */
export interface ArchivedTurn {
  readonly turn: number;
  readonly userMessage: string;
  readonly replies: readonly string[];
  /** Null for a turn that left none. */
  readonly record: TurnExecutionSummary | null;
}

/** Whose rows of which thread are written, and under which lease; null where nobody holds the thread. */
export interface ArchiveWrite {
  readonly threadId: string;
  readonly userId: string;
  readonly lease: LeaseClaim | null;
}

/**
 * What nodes need of the archive; `storage/` fulfils it. All of it is one user's. What is written
 * under a lease that is another's by now throws a `LeaseLostError`.
 */
export interface Archive {
  /** Upserts the row of (thread, turn). */
  saveTurn(
    turn: ArchiveWrite & {
      readonly turn: number;
      readonly userMessage: string;
      readonly replies: readonly string[];
      /** Null for a turn that left none. */
      readonly record: TurnExecutionSummary | null;
      readonly usage: Json;
    },
  ): Promise<void>;
  /** Turns that name a ref or contain the words, newest first, and how many match in all. */
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
  /** Entries that had left the registry, by ref or by database id; what is not kept is left out. */
  findRefs(query: {
    readonly threadId: string;
    readonly userId: string;
    readonly refs: readonly string[];
    readonly ids: readonly string[];
  }): Promise<readonly RegistryEntry[]>;
  /** Upserts the row of (thread, batch). */
  saveBatch(batch: ArchiveWrite & ArchivedBatch): Promise<void>;
  /** The thread's batch that was finished last; null where there is none. */
  latestBatch(thread: {
    readonly threadId: string;
    readonly userId: string;
  }): Promise<ArchivedBatch | null>;
  /** Keeps a journey that is put aside, with its plan; upserts the row of (thread, turn). */
  saveJourney(
    journey: ArchiveWrite & {
      readonly turn: number;
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

/** A batch as the archive keeps it. */
export interface ArchivedBatch {
  readonly turn: number;
  readonly batch: Batch;
  readonly answers: readonly ExpertAnswer[];
  /** Null where fewer than two experts answered; so is the analysis. */
  readonly map: ClaimMap | null;
  readonly analysis: StructuralAnalysis | null;
}

/** An expert, ready to be asked. */
export interface Expert extends ExpertProfile {
  readonly model: LanguageModel;
}

/** Which lanes a graph has. */
export type Lanes = Readonly<Record<Lane, boolean>>;

/** What every node is handed when the graph is built. */
export interface NodeServices {
  readonly domain: Domain;
  readonly toolbox: Toolbox;
  readonly models: Readonly<Record<ModelRole, LanguageModel>>;
  /** Who is asked in a batch, in this order; ids are unique. */
  readonly experts: readonly Expert[];
  readonly lanes: Lanes;
  readonly limits: Limits;
  readonly countTokens: CountTokens;
  readonly userData: UserData;
  readonly archive: Archive;
  /** Milliseconds of a monotonic clock, for durations only. */
  readonly clock: () => number;
  /** Milliseconds since 1970, for deadlines that outlast the process. */
  readonly now: () => number;
  /**
   * Makes the run of a message that came without one; throws what its sender is to know. Left out
   * where every message comes with its run.
   */
  readonly openRun?: (message: DirectMessage) => Promise<OpenedRun<Run>>;
  /** Leaves a section out of a node's prompts; only tests pass it. */
  readonly omitSection?: (node: string, kind: string) => boolean;
}

/** What a node is handed with each call. */
export interface NodeIO {
  readonly emit: Emit;
  /** Aborts when the turn is to stop. */
  readonly signal: AbortSignal | null;
  /** Aborts when a message waits for the batch that runs; null where nobody tells. */
  readonly cut: AbortSignal | null;
  /** What the node writes under; null where nobody holds the thread. */
  readonly lease: LeaseClaim | null;
  /** How the graph was invoked, for a message that came without a run. */
  readonly invoked?: Pick<DirectMessage, "threadId" | "runId" | "context">;
}
