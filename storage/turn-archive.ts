import type { Pool } from "pg";
import { z } from "zod";
import type { Archive, ArchivedTurn } from "../nodes/node.ts";
import type { Manifest } from "../state/envelope.ts";
import { snakeCaseCodec } from "../state/codec.ts";
import { JsonSchema } from "../state/json.ts";
import { RegistryEntrySchema } from "../state/registry.ts";
import type { Queryable } from "../state/store.ts";
import { TurnExecutionSummarySchema } from "../state/turn-summary.ts";
import { findRefs, findTurns, readTurns, saveTurn, storeRefs } from "./archive.ts";
import { asUser } from "./user-data.ts";

/** Stored in `snake_case`, so that a Python program reads its own field names. */
const RECORDS = snakeCaseCodec(TurnExecutionSummarySchema);
const ENTRIES = snakeCaseCodec(RegistryEntrySchema);

/**
 * Keeps turns and older refs in Postgres, for the nodes.
 *
 * Manifests of a running turn wait in memory for its row: they are for looking at, and a statement
 * for each model call would cost more than losing them in a crash.
 */
export function createTurnArchive(pool: Pool): Archive {
  const manifests = new Map<
    string,
    { readonly turn: number; readonly byNode: Map<string, Manifest> }
  >();
  const as = <T>(userId: string, work: (tx: Queryable) => Promise<T>): Promise<T> =>
    asUser(pool, { userId }, work);
  return {
    noteManifest: ({ threadId, turn, manifest }) => {
      const known = manifests.get(threadId);
      const byNode = known?.turn === turn ? known.byNode : new Map<string, Manifest>();
      byNode.set(manifest.node, manifest);
      manifests.set(threadId, { turn, byNode });
    },
    saveTurn: async ({ threadId, userId, record, usage, ...turn }) => {
      const noted = manifests.get(threadId);
      manifests.delete(threadId);
      await as(userId, (tx) =>
        saveTurn(tx, {
          ...turn,
          threadId,
          replies: [...turn.replies],
          record: record === null ? null : RECORDS.encode(record),
          usage,
          manifests: JsonSchema.parse([...(noted?.byNode.values() ?? [])]),
        }),
      );
    },
    findTurns: async ({ threadId, userId, ref, turn, words, limit }) =>
      as(userId, async (tx) => {
        if (turn !== null) {
          const turns = await readTurns(tx, { threadId, from: turn, to: turn, limit });
          return { turns: turns.map(turnOf), total: turns.length };
        }
        const found = await findTurns(tx, { threadId, query: words, ref, limit });
        return { turns: found.turns.map(turnOf), total: found.total };
      }),
    storeRefs: async ({ threadId, userId, entries }) =>
      as(userId, (tx) =>
        storeRefs(tx, {
          threadId,
          entries: entries.map((entry) => ({
            ref: entry.ref,
            entry: ENTRIES.encode(entry),
          })),
        }),
      ),
    findRefs: async ({ threadId, userId, refs, ids }) =>
      as(userId, async (tx) => {
        const found = await findRefs(tx, { threadId, refs, ids });
        return found.map(({ entry }) => ENTRIES.decode(entry));
      }),
  };
}

function turnOf(row: {
  readonly turn: number;
  readonly userMessage: string;
  readonly replies: unknown;
  readonly record: unknown;
}): ArchivedTurn {
  return {
    turn: row.turn,
    userMessage: row.userMessage,
    replies: z.array(z.string()).parse(row.replies),
    record: row.record === null ? null : RECORDS.decode(row.record),
  };
}
