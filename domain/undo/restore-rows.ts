import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import {
  findDragged,
  findNotRestored,
  type Conflict,
  type JournalPart,
  type UndoneRows,
} from "./find-conflicts.ts";
import { COUNTED, NET, type UndoTable } from "./undo-tables.ts";

/** Result of restoring rows: `failed` has changed nothing. */
export type Restoring =
  | { readonly kind: "restored" }
  /** Rows stand in the way: others that would change as well, or those that a trigger changes again. */
  | { readonly kind: "failed"; readonly conflicts: readonly Conflict[] }
  /** A constraint refuses a row of the table. */
  | { readonly kind: "refused"; readonly table: string; readonly error: unknown };

/** One statement: a part of a table, or of one of its rows. */
interface Piece {
  readonly part: UndoTable["parts"][number];
  readonly table: UndoTable;
  /** Null for all rows. */
  readonly key: string | null;
}

/** Makes the rows as they were before the effects, and reads them back. */
export async function restoreRows(
  tx: Queryable,
  rows: UndoneRows,
  restored: JournalPart,
): Promise<Restoring> {
  const { effectIds, tables } = rows;
  const left = await runPieces(tx, effectIds, listPieces(tables));
  if (left !== null) return left;
  // Triggers of the domain may have changed values again: those are set once more.
  const again = tables
    .filter(({ parts }) => parts.some((part) => part !== "delete"))
    .map((table): Piece => ({ part: "update", table, key: null }));
  const refused = await runPieces(tx, effectIds, again);
  if (refused !== null) return refused;
  const conflicts = [
    ...(await findDragged(tx, effectIds, restored)),
    ...(await findNotRestored(tx, rows)),
  ];
  return conflicts.length === 0 ? { kind: "restored" } : { kind: "failed", conflicts };
}

/** In the order that suits foreign keys. */
function listPieces(tables: readonly UndoTable[]): readonly Piece[] {
  return [
    ...selectPieces(tables, "insert"),
    ...selectPieces(tables, "update"),
    ...selectPieces(tables.toReversed(), "delete"),
  ];
}

function selectPieces(tables: readonly UndoTable[], part: Piece["part"]): readonly Piece[] {
  return tables
    .filter(({ parts }) => parts.includes(part))
    .map((table) => ({ part, table, key: null }));
}

/**
 * Runs each piece once. One that a constraint refuses, since another row still has its value, comes
 * after the others; where none of the rest can go first, they go row by row. Returns what is refused
 * for good; null where all have run.
 */
async function runPieces(
  tx: Queryable,
  effectIds: readonly number[],
  pieces: readonly Piece[],
): Promise<Restoring | null> {
  const left: Piece[] = [];
  let refused: Restoring | null = null;
  for (const piece of pieces) {
    const error = await tryPiece(tx, effectIds, piece);
    if (error === null) continue;
    left.push(piece);
    refused ??= { kind: "refused", table: piece.table.table, error };
  }
  if (refused === null) return null;
  if (left.length < pieces.length) return runPieces(tx, effectIds, left);
  if (left.every(({ key }) => key !== null)) return refused;
  const split = await Promise.all(left.map((piece) => splitPiece(tx, effectIds, piece)));
  return runPieces(tx, effectIds, split.flat());
}

/** Runs a piece in a savepoint, and returns the constraint's error. */
async function tryPiece(
  tx: Queryable,
  effectIds: readonly number[],
  { part, table, key }: Piece,
): Promise<unknown> {
  await tx.query("savepoint restored_rows");
  try {
    await tx.query(STATEMENTS[part](table), [effectIds, table.table, key]);
    await tx.query("release savepoint restored_rows");
    return null;
  } catch (error) {
    if (!isConstraint(error)) throw error;
    await tx.query("rollback to savepoint restored_rows");
    await tx.query("release savepoint restored_rows");
    return error;
  }
}

async function splitPiece(
  tx: Queryable,
  effectIds: readonly number[],
  { part, table }: Piece,
): Promise<readonly Piece[]> {
  const { rows } = await tx.query(`with ${NET} select row_key from net where table_name = $2`, [
    effectIds,
    table.table,
  ]);
  return rows.map((row) => ({ part, table, key: String(row["row_key"]) }));
}

const ConstraintErrorSchema = z.object({ code: z.string().startsWith("23") });

function isConstraint(error: unknown): boolean {
  return ConstraintErrorSchema.safeParse(error).success;
}

const WANTED = "net.table_name = $2 and net.row_key = coalesce($3, net.row_key)";

const STATEMENTS = {
  insert: insertDeleted,
  update: resetChanged,
  delete: deleteInserted,
} as const satisfies Record<Piece["part"], (table: UndoTable) => string>;

/** A row that comes back has the version after the one it went with. */
function insertDeleted({ table, columns }: UndoTable): string {
  const version =
    "case when net.before ? 'row_version' then jsonb_build_object('row_version', (net.before ->> 'row_version')::bigint + 1) else '{}' end";
  return `with ${NET}
    insert into ${table} (${columns.join(", ")}) overriding system value
    select ${columns.map((column) => `old.${column}`).join(", ")}
      from net, jsonb_populate_record(null::${table}, net.before || ${version}) as old
     where ${WANTED} and net.before is not null and net.after is null`;
}

function resetChanged({ table, key, keyType, columns }: UndoTable): string {
  const counted = new Set([key, "row_version", "updated_at"]);
  const reset = columns.filter((column) => !counted.has(column));
  return `with ${NET}
    update ${table} t set ${reset.map((column) => `${column} = old.${column}`).join(", ")}
      from net join ${table} now on now.${key} = net.row_key::${keyType},
           jsonb_populate_record(now, net.before) as old
     where t.${key} = now.${key} and ${WANTED} and net.before is not null
       and to_jsonb(now) - ${COUNTED} <> to_jsonb(old) - ${COUNTED}`;
}

function deleteInserted({ table, key, keyType }: UndoTable): string {
  return `with ${NET}
    delete from ${table} t using net
     where t.${key} = net.row_key::${keyType} and ${WANTED}
       and net.before is null and net.after is not null`;
}
