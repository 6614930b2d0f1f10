import type { Archive, ArchivedTurn, ArchiveWrite } from "../../state/archive.ts";
import { describePlan, mergePlanChanges, type JourneyLine } from "../../state/journey.ts";
import { sumCalls } from "../../state/budget.ts";
import { CallRecordSchema } from "../../state/call-record.ts";
import type { Manifest } from "../../state/envelope.ts";
import type { RegistryEntry } from "../../state/registry.ts";

type SavedTurn = Parameters<Archive["saveTurn"]>[0];
type SavedBatch = Parameters<Archive["saveBatch"]>[0];
type SavedJourney = Parameters<Archive["saveJourney"]>[0];

/** An archive that keeps everything where a test can look. */
export interface MemoryArchive extends Archive {
  /** Every call of `saveTurn`, in order. */
  readonly saved: readonly SavedTurn[];
  readonly manifests: readonly Manifest[];
  /** Batches in the order in which they were first saved. */
  readonly batches: readonly SavedBatch[];
  /** Every call of `saveJourney`, in order. */
  readonly journeys: readonly SavedJourney[];
  /** Entries that left the registry, by ref. */
  readonly refs: ReadonlyMap<string, RegistryEntry>;
}

/** Makes an archive in memory; `turns` are what a recall finds. */
export function memoryArchive(
  options: { readonly turns?: readonly ArchivedTurn[]; readonly refs?: RegistryEntry[] } = {},
): MemoryArchive {
  const saved: SavedTurn[] = [];
  const manifests: Manifest[] = [];
  const batches: SavedBatch[] = [];
  const journeys: SavedJourney[] = [];
  const refs = new Map((options.refs ?? []).map((entry) => [entry.ref, entry]));
  /** The last row of each journey. */
  const newest = (threadId: string, userId: string): readonly SavedJourney[] => {
    const own = journeys.filter((one) => one.threadId === threadId && one.userId === userId);
    const sorted = own.toSorted((a, b) => a.changedTurn - b.changedTurn);
    return [...new Map(sorted.map((one) => [one.journeyId, one])).values()];
  };
  return {
    saved,
    manifests,
    batches,
    journeys,
    refs,
    async saveTurn(turn) {
      saved.push(turn);
    },
    async loadThreadSpending({ threadId }) {
      const turns = saved.filter((turn) => turn.threadId === threadId);
      return sumCalls(turns.flatMap(({ usage }) => CallRecordSchema.array().parse(usage)));
    },
    async loadWishes() {
      const last = new Map(
        saved.flatMap((turn) => turn.wishChanges).map((change) => [change.wish.text, change]),
      );
      return [...last.values()].filter(({ isWithdrawn }) => !isWithdrawn).map(({ wish }) => wish);
    },
    async findTurns({ turn, limit }) {
      const found = (options.turns ?? []).filter((one) => turn === null || one.turn === turn);
      return { turns: found.slice(0, limit), total: found.length };
    },
    async storeRefs({ entries }) {
      for (const entry of entries) refs.set(entry.ref, entry);
    },
    async findRefs(query) {
      const byRow = [...refs.values()].filter((entry) =>
        query.rows.some(({ type, id }) => type === entry.type && id === entry.id),
      );
      return [...query.refs.flatMap((ref) => refs.get(ref) ?? []), ...byRow];
    },
    async saveBatch(batch) {
      const index = batches.findIndex((one) => isSameBatch(one, batch));
      batches.splice(index < 0 ? batches.length : index, 1, batch);
    },
    async listBatches({ threadId, userId, journey, limit }) {
      return batches
        .filter((one) => one.threadId === threadId && one.userId === userId)
        .filter(({ journeyId }) => journey === undefined || journeyId === journey)
        .toReversed()
        .slice(0, limit)
        .map(withoutOwner);
    },
    async findBatch({ threadId, userId, batchId }) {
      const own = batches.findLast(
        (one) => one.threadId === threadId && one.userId === userId && one.batch.id === batchId,
      );
      return own === undefined ? null : withoutOwner(own);
    },
    async saveJourney(journey) {
      journeys.push(journey);
    },
    async findJourney({ threadId, userId, journeyId }) {
      const own = newest(threadId, userId).find((one) => one.journeyId === journeyId);
      return own === undefined ? null : withoutOwner(own);
    },
    async listJourneys({ threadId, userId }) {
      return newest(threadId, userId)
        .toSorted((a, b) => b.changedTurn - a.changedTurn || b.openedTurn - a.openedTurn)
        .map(toJourneyLine);
    },
    async listPlanChanges({ threadId, userId, journeyId }) {
      const own = journeys
        .filter((one) => one.threadId === threadId && one.userId === userId)
        .filter((one) => one.journeyId === journeyId)
        .toSorted((a, b) => a.changedTurn - b.changedTurn);
      return mergePlanChanges(own.map(({ state }) => state.plan));
    },
    noteManifest({ manifest }) {
      manifests.push(manifest);
    },
  };
}

function isSameBatch(one: SavedBatch, other: SavedBatch): boolean {
  return one.threadId === other.threadId && one.batch.id === other.batch.id;
}

function withoutOwner<Saved extends ArchiveWrite>({
  threadId: _thread,
  userId: _user,
  lease: _lease,
  ...kept
}: Saved): Omit<Saved, keyof ArchiveWrite> {
  return kept;
}

function toJourneyLine(journey: SavedJourney): JourneyLine {
  const { journeyId: id, title, status, reason, openedTurn, changedTurn, state } = journey;
  return {
    id,
    title,
    status,
    reason,
    phase: state.concierge.currentPhase,
    ...describePlan(state.plan),
    openedTurn,
    lastTurn: changedTurn,
  };
}
