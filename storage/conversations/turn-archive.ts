import type { Pool } from "pg";
import type {
  Archive,
  ArchivedBatch,
  ArchivedJourney,
  ArchivedTurn,
  ArchiveWrite,
} from "../../state/archive.ts";
import type { Manifest } from "../../state/envelope.ts";
import { StructuralAnalysisSchema } from "../../state/analysis.ts";
import { BatchSchema, ExpertAnswerSchema } from "../../state/batch.ts";
import { ClaimMapSchema } from "../../state/claims.ts";
import { snakeCaseCodec } from "../../state/codec.ts";
import {
  describePlan,
  JourneyStateSchema,
  mergePlanChanges,
  type JourneyLine,
} from "../../state/journey.ts";
import { JourneyPlanSchema } from "../../state/journey-plan.ts";
import { JsonSchema } from "../../state/json.ts";
import { RegistryEntrySchema } from "../../state/registry.ts";
import type { Queryable } from "../../state/store.ts";
import { TurnExecutionSummarySchema } from "../../state/turn-summary.ts";
import {
  listBatches,
  findRefs,
  readTurns,
  saveBatch,
  saveTurn,
  storeRefs,
  type BatchRow,
  type NewTurnRow,
} from "./archive-rows.ts";
import {
  findJourney,
  listJourneys,
  listPlans,
  saveJourney,
  type JourneyRow,
  type JourneySummary,
} from "./journey-rows.ts";
import { findTurns } from "./search-turns.ts";
import { asUser } from "../users/user-data.ts";
import { saveSpending, sumThreadSpending } from "../users/spending.ts";
import { readWishes, saveWishes } from "../users/wishes.ts";

/** Stored in `snake_case`, so that a Python program reads its own field names. */
const SUMMARIES = snakeCaseCodec(TurnExecutionSummarySchema);
const ENTRIES = snakeCaseCodec(RegistryEntrySchema);
const BATCHES = snakeCaseCodec(BatchSchema);
const ANSWERS = snakeCaseCodec(ExpertAnswerSchema);
const MAPS = snakeCaseCodec(ClaimMapSchema);
const ANALYSES = snakeCaseCodec(StructuralAnalysisSchema);
const JOURNEYS = snakeCaseCodec(JourneyStateSchema);
const PLANS = snakeCaseCodec(JourneyPlanSchema);

/**
 * Creates the nodes' archive of turns, older refs, batches and journeys in Postgres.
 *
 * Manifests of a running turn wait in memory for its row: they only serve inspection, and a statement
 * for each model call would cost more than losing them in a crash.
 */
export function createTurnArchive(pool: Pool): Archive {
  const manifests = new Map<
    string,
    { readonly turn: number; readonly byNode: Map<string, Manifest> }
  >();
  const as = <T>(userId: string, work: (tx: Queryable) => Promise<T>): Promise<T> =>
    asUser(pool, { userId }, work);
  const writeAs = (write: ArchiveWrite, work: (tx: Queryable) => Promise<void>): Promise<void> =>
    asUser(pool, { userId: write.userId, fence: write }, (tx) => tx.last(() => work(tx)));
  return {
    noteManifest: ({ threadId, turn, manifest }) => {
      const known = manifests.get(threadId);
      const byNode = known?.turn === turn ? known.byNode : new Map<string, Manifest>();
      byNode.set(manifest.node, manifest);
      manifests.set(threadId, { turn, byNode });
    },
    saveTurn: async (write) => {
      const {
        threadId,
        userId: _user,
        lease: _lease,
        summary,
        usage,
        day,
        wishChanges,
        ...turn
      } = write;
      const noted = manifests.get(threadId);
      manifests.delete(threadId);
      const row: NewTurnRow = {
        ...turn,
        threadId,
        replies: [...turn.replies],
        summary: summary === null ? null : SUMMARIES.encode(summary),
        usage,
        manifests: JsonSchema.parse([...(noted?.byNode.values() ?? [])]),
      };
      await asUser(pool, { userId: write.userId, fence: write }, async (tx) => {
        await saveWishes(tx, { threadId, runId: turn.runId }, wishChanges);
        await saveSpending(tx, { threadId, runId: turn.runId, day, usage });
        await tx.last(() => saveTurn(tx, row));
      });
    },
    loadThreadSpending: async ({ threadId, userId }) =>
      as(userId, (tx) => sumThreadSpending(tx, threadId)),
    loadWishes: async (userId) => as(userId, readWishes),
    findTurns: async ({ threadId, userId, ref, turn, words, limit }) =>
      as(userId, async (tx) => {
        if (turn !== null) {
          const turns = await readTurns(tx, { threadId, turn, limit });
          return { turns: turns.map(toArchivedTurn), total: turns.length };
        }
        const found = await findTurns(tx, { threadId, query: words, ref, limit });
        return { turns: found.turns.map(toArchivedTurn), total: found.total };
      }),
    storeRefs: async (write) =>
      writeAs(write, (tx) =>
        storeRefs(tx, {
          threadId: write.threadId,
          entries: write.entries.map((entry) => ({
            ref: entry.ref,
            entry: ENTRIES.encode(entry),
          })),
        }),
      ),
    findRefs: async ({ threadId, userId, refs, rows }) =>
      as(userId, async (tx) => {
        const found = await findRefs(tx, { threadId, refs, rows });
        return found.map(({ entry }) => ENTRIES.decode(entry));
      }),
    saveBatch: async ({ batch, answers, map, analysis, ...write }) =>
      writeAs(write, (tx) =>
        saveBatch(tx, {
          threadId: write.threadId,
          runId: write.runId,
          batchId: batch.id,
          turn: write.turn,
          journeyId: write.journeyId ?? null,
          purpose: batch.purpose,
          prompt: batch.question.text,
          batch: BATCHES.encode(batch),
          answers: answers.map((answer) => ANSWERS.encode(answer)),
          map: map === null ? null : MAPS.encode(map),
          analysis: analysis === null ? null : ANALYSES.encode(analysis),
        }),
      ),
    listBatches: async ({ threadId, userId, journey, limit }) => {
      const wanted = { threadId, limit, ...(journey !== undefined && { journeyId: journey }) };
      const rows = await as(userId, (tx) => listBatches(tx, wanted));
      return rows.map(toArchivedBatch);
    },
    findBatch: async ({ threadId, userId, batchId }) => {
      const [row] = await as(userId, (tx) => listBatches(tx, { threadId, batchId, limit: 1 }));
      return row === undefined ? null : toArchivedBatch(row);
    },
    saveJourney: async ({ userId, lease, state, ...row }) =>
      writeAs({ threadId: row.threadId, userId, lease }, (tx) =>
        saveJourney(tx, { ...row, state: JOURNEYS.encode(state) }),
      ),
    findJourney: async ({ userId, ...query }) => {
      const row = await as(userId, (tx) => findJourney(tx, query));
      return row === null ? null : toArchivedJourney(row);
    },
    listJourneys: async ({ threadId, userId }) => {
      const rows = await as(userId, (tx) => listJourneys(tx, threadId));
      return rows.map(toJourneyLine);
    },
    listPlanChanges: async ({ userId, ...query }) => {
      const plans = await as(userId, (tx) => listPlans(tx, query));
      return mergePlanChanges(plans.map((plan) => (plan === null ? null : PLANS.decode(plan))));
    },
  };
}

/** Converts a stored turn to the form that nodes and driver use. */
export function toArchivedTurn(row: Pick<NewTurnRow, keyof ArchivedTurn>): ArchivedTurn {
  return {
    turn: row.turn,
    runId: row.runId,
    messageId: row.messageId,
    userMessage: row.userMessage,
    replies: row.replies,
    summary: row.summary === null ? null : SUMMARIES.decode(row.summary),
  };
}

function toArchivedJourney({ threadId: _thread, state, ...row }: JourneyRow): ArchivedJourney {
  return { ...row, state: JOURNEYS.decode(state) };
}

function toJourneyLine(summary: JourneySummary): JourneyLine {
  const { journeyId, changedTurn, plan: json, ...known } = summary;
  const plan = json === null ? null : PLANS.decode(json);
  return {
    ...known,
    id: journeyId,
    ...describePlan(plan),
    lastTurn: changedTurn,
  };
}

function toArchivedBatch(row: BatchRow): ArchivedBatch {
  const { turn, runId, journeyId, batch, answers, map, analysis } = row;
  return {
    turn,
    runId,
    ...(journeyId !== null && { journeyId }),
    batch: BATCHES.decode(batch),
    answers: answers.map((answer) => ANSWERS.decode(answer)),
    map: map === null ? null : MAPS.decode(map),
    analysis: analysis === null ? null : ANALYSES.decode(analysis),
  };
}
