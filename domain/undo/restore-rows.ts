import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import {
  findDragged,
  findNotRestored,
  type Conflict,
  type JournalPart,
  type UndoneRows,
} from "./find-conflicts.ts";
import { tableName } from "../table-tools/sql.ts";
import { NET, printCounted, type UndoTable } from "./undo-tables.ts";

/** Result of restoring rows: `failed` has changed nothing. */
export type Restoring =
  /** `partly`: rows of which triggers have set some values again. */
  | { readonly kind: "restored"; readonly partly: readonly Conflict[] }
  /** Rows stand in the way: others that would change as well, or those that a trigger changes again. */
  | { readonly kind: "failed"; readonly conflicts: readonly Conflict[] }
  | RefusedRow;

/** A row that a constraint or a trigger refuses. */
export interface RefusedRow {
  readonly kind: "refused";
  readonly table: string;
  /** Null where the database does not say which. */
  readonly key: string | null;
  readonly error: unknown;
}

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
  await tx.query("savepoint rows_as_they_are");
  const refused = await runAll(tx, rows);
  if (refused !== null) return refused;
  const late = await trySql(tx, IMMEDIATE);
  if (late !== null) {
    // A constraint that waits for the end of the transaction names no row: at once it does.
    await tx.query("rollback to savepoint rows_as_they_are");
    await tx.query(IMMEDIATE);
    const now = await runAll(tx, rows);
    return now ?? { kind: "refused", table: "", key: null, error: late };
  }
  const found = [
    ...(await findDragged(tx, rows.effectIds, restored)),
    ...(await findNotRestored(tx, rows)),
  ];
  const partly = found.filter(({ cause }) => cause === "partly");
  const conflicts = found.filter((one) => !partly.includes(one));
  return conflicts.length === 0 ? { kind: "restored", partly } : { kind: "failed", conflicts };
}

const IMMEDIATE = "set constraints all immediate";

/** Makes the rows as they were; returns the one that is refused. */
async function runAll(
  tx: Queryable,
  { effectIds, tables }: UndoneRows,
): Promise<RefusedRow | null> {
  // Triggers of the domain may have changed values again: those are set once more.
  const again = tables
    .filter(({ parts }) => parts.some((part) => part !== "delete"))
    .map((table): Piece => ({ part: "update", table, key: null }));
  return (
    (await runPieces(tx, effectIds, listPieces(tables))) ?? (await runPieces(tx, effectIds, again))
  );
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
): Promise<RefusedRow | null> {
  const left: Piece[] = [];
  let refused: RefusedRow | null = null;
  for (const piece of pieces) {
    const { part, table, key } = piece;
    const error = await trySql(tx, STATEMENTS[part](table), [effectIds, table.table, key]);
    if (error === null) continue;
    left.push(piece);
    refused ??= { kind: "refused", table: table.table, key, error };
  }
  if (refused === null) return null;
  if (left.length < pieces.length) return runPieces(tx, effectIds, left);
  if (left.every(({ key }) => key !== null)) return refused;
  const split = await Promise.all(left.map((piece) => splitPiece(tx, effectIds, piece)));
  return runPieces(tx, effectIds, split.flat());
}

/** Runs a statement in a savepoint, and returns the error of a constraint or a trigger. */
async function trySql(tx: Queryable, sql: string, values?: unknown[]): Promise<unknown> {
  await tx.query("savepoint restored_rows");
  try {
    await tx.query(sql, values);
    await tx.query("release savepoint restored_rows");
    return null;
  } catch (error) {
    if (!RefusalSchema.safeParse(error).success) throw error;
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

/** A constraint, a value out of its bounds, or an exception that a trigger raises. */
const RefusalSchema = z.object({ code: z.string().regex(/^(?:22...|23...|P0001)$/) });

const WANTED = "net.table_name = $2 and net.row_key = coalesce($3, net.row_key)";

const STATEMENTS = {
  insert: insertDeleted,
  update: resetChanged,
  delete: deleteInserted,
} as const satisfies Record<Piece["part"], (table: UndoTable) => string>;

/** A row that comes back has the version after the one it went with. */
function insertDeleted({ table, columns, counted }: UndoTable): string {
  const version = counted.includes("row_version")
    ? "jsonb_build_object('row_version', (net.before ->> 'row_version')::bigint + 1)"
    : "'{}'";
  return `with ${NET}
    insert into ${tableName(table)} (${columns.join(", ")}) overriding system value
    select ${columns.map((column) => `old.${column}`).join(", ")}
      from net, jsonb_populate_record(null::${tableName(table)}, net.before || ${version}) as old
     where ${WANTED} and net.before is not null and net.after is null`;
}

function resetChanged(undoTable: UndoTable): string {
  const { table, key, keyType, columns, counted, numbered } = undoTable;
  const kept = new Set([key, ...counted, ...numbered]);
  const reset = columns.filter((column) => !kept.has(column));
  const content = (row: string): string => `to_jsonb(${row}.*) - ${printCounted(undoTable)}`;
  return `with ${NET}
    update ${tableName(table)} t set ${reset.map((column) => `${column} = old.${column}`).join(", ")}
      from net join ${tableName(table)} now on now.${key} = net.row_key::${keyType},
           jsonb_populate_record(now.*, net.before) as old
     where t.${key} = now.${key} and ${WANTED} and net.before is not null
       and ${content("now")} <> ${content("old")}`;
}

function deleteInserted({ table, key, keyType }: UndoTable): string {
  return `with ${NET}
    delete from ${tableName(table)} t using net
     where t.${key} = net.row_key::${keyType} and ${WANTED}
       and net.before is null and net.after is not null`;
}
