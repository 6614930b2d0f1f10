import type { Pool } from "pg";
import { z } from "zod";
import type { Json } from "../../state/json.ts";
import type {
  AppliedEffect,
  BegunCall,
  EffectIdentity,
  EffectWork,
  LeaseClaim,
  Queryable,
  UserData,
} from "../../state/store.ts";
import { quickly, sharing } from "../postgres/connections.ts";
import { asDatabaseError } from "../postgres/database-error.ts";
import { toJsonColumn } from "../postgres/json-column.ts";
import { retryConflicts } from "../postgres/retry-conflicts.ts";
import { whileLeased } from "../conversations/leases.ts";
import { enteringWith } from "./user-entry.ts";
import {
  withTransaction,
  type Precondition,
  type Transaction,
  type TransactionOptions,
} from "../postgres/transaction.ts";

/**
 * Gives access to users' rows over the program's pool: every transaction carries its user, and
 * row-level security does the rest. What seeds or takes back goes over the administrator's.
 *
 * @throws DatabaseUnavailableError from both methods when the database is gone; RangeError for an empty user.
 */
export function createUserData(pool: Pool, admin: Pool): UserData {
  return {
    // A domain's own statements may take long: other statements must not wait for them.
    reader: (userId) => readingOn(sharing(pool), userId),
    read: (userId, work) => asUser(pool, { userId, readOnly: true }, work),
    write: (userId, effect, work) =>
      retryConflicts(() => writeOnce(pool, { userId, effect, work })),
    beginCall: (userId, effect) =>
      asUser(pool, { userId, fence: effect }, (tx) => beginCall(tx, userId, effect)),
    answerCall: (userId, effect, result) =>
      asUser(pool, { userId, fence: effect }, (tx) => storeResult(tx, effect, result)),
    restore: (userId, effect, work) =>
      retryConflicts(() =>
        asUser(admin, { userId, fence: effect }, (tx) => applyOnce(tx, { userId, effect, work })),
      ),
    seed: (userId, key, work) =>
      asUser(admin, { userId }, (tx) => seedOnce(tx, { userId, key, work })),
  };
}

/** User of a transaction, and what it may write. */
export interface UserTransaction extends Pick<TransactionOptions, "readOnly"> {
  readonly userId: string;
  /** The thread it writes in, and the lease that must hold until it ends; left out if it belongs to no thread. */
  readonly fence?: { readonly threadId: string; readonly lease: LeaseClaim | null };
  /**
   * For a transaction without a fence that may create a thread: the key of its request, null without
   * one. The transaction then runs before the user's erasure or after it, never during it.
   */
  readonly entry?: { readonly keyId: string | null };
}

/**
 * Runs `work` in one transaction that carries its user: other users' rows do not exist there.
 *
 * @throws as `withTransaction`; RangeError for an empty user; LeaseLostError, KeyGoneError,
 * UserBusyError: nothing was stored.
 */
export async function asUser<T>(
  pool: Pool,
  { userId, fence, entry, ...options }: UserTransaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const condition = buildCondition(fence, entry);
  return withTransaction(pool, work, {
    ...options,
    ...(condition !== null && { condition }),
    settings: { "concierge.user_id": checkUserName(userId) },
  });
}

function buildCondition(
  fence: UserTransaction["fence"],
  entry: UserTransaction["entry"],
): Precondition | null {
  if (entry !== undefined) return enteringWith(entry.keyId);
  if (fence === undefined || fence.lease === null) return null;
  return whileLeased({ threadId: fence.threadId, ...fence.lease });
}

/**
 * Reads as a user. Each statement stands alone and takes one round trip, where a transaction takes
 * three. It must be a query without locks; anything else fails.
 *
 * @throws RangeError, from `query`, for an empty user; DatabaseUnavailableError.
 */
export function readingAs(pool: Pool, userId: string): Queryable {
  return readingOn(quickly(pool), userId);
}

function readingOn(db: Queryable, userId: string): Queryable {
  return {
    async query(text, values = []) {
      const named = [...values, checkUserName(userId)];
      try {
        return await db.query(asCaller(text, named.length), named);
      } catch (error) {
        throw asDatabaseError(error);
      }
    },
  };
}

/**
 * Sets the user before the query runs: the query needs a row of `caller` first, and `offset 0` keeps
 * the planner from merging the two.
 */
function asCaller(query: string, parameter: number): string {
  return `with caller as materialized (
      select set_config('concierge.user_id', $${parameter}, true) as user_id)
    select answer.*
      from caller
     cross join lateral (select * from (${query}
) as query where caller.user_id <> '' offset 0) as answer`;
}

/** Checks a user's name for use in a setting. */
function checkUserName(userId: string): string {
  if (userId === "") throw new RangeError('Cannot act for the user "": name one');
  // PostgreSQL would cut the setting off there.
  if (userId.includes("\0"))
    throw new RangeError("Cannot act for a user whose name contains a zero byte");
  return userId;
}

const EffectId = z.number().int();

interface OneWrite<T> {
  readonly userId: string;
  readonly effect: EffectIdentity;
  readonly work: EffectWork<T>;
}

/** Thrown in a transaction whose work was started for a key that another one has used. */
class KeyUsedError extends Error {
  override readonly name = "KeyUsedError";
}

/**
 * Work of a generated tool sends its first statements together with the effect, which saves a round trip;
 * a domain's own code is not started for a key that was used.
 */
async function writeOnce<T extends Json>(
  pool: Pool,
  write: OneWrite<T>,
): Promise<AppliedEffect<T>> {
  const { userId, effect } = write;
  const fenced = { userId, fence: effect };
  try {
    if (effect.origin === "tool") return await asUser(pool, fenced, (tx) => applyAtOnce(tx, write));
  } catch (error) {
    if (!(error instanceof KeyUsedError)) throw error;
  }
  return asUser(pool, fenced, (tx) => applyOnce(tx, write));
}

/** @throws KeyUsedError: by then statements may have failed for want of an effect. */
async function applyAtOnce<T extends Json>(
  tx: Transaction,
  { userId, effect, work }: OneWrite<T>,
): Promise<AppliedEffect<T>> {
  const begun = insertEffect(tx, userId, effect).then((effectId) => {
    if (effectId !== null) return effectId;
    throw new KeyUsedError(`The key "${effect.key}" was used`);
  });
  const afterIt: Queryable["query"] = async (text, values) => {
    const answer = tx.query(text, values);
    answer.catch(() => undefined);
    await begun;
    return answer;
  };
  const working = work({ query: afterIt }, begun);
  working.catch(() => undefined);
  const effectId = await begun;
  return keepResult(tx, effect, { effectId, result: await working });
}

/**
 * Runs the work in the first transaction that inserts the key. A second one waits for its end and
 * returns its result or, if the first was rolled back, runs the work itself.
 */
async function applyOnce<T extends Json>(
  tx: Transaction,
  { userId, effect, work }: OneWrite<T>,
): Promise<AppliedEffect<T>> {
  const effectId = await insertEffect(tx, userId, effect);
  if (effectId === null) return { ...(await findResult<T>(tx, effect.key)), repeated: true };
  return keepResult(tx, effect, { effectId, result: await work(tx, Promise.resolve(effectId)) });
}

/** Returns the number of a new effect, which the transaction's changes are journalled under; null for a key that was used. */
async function insertEffect(
  tx: Queryable,
  userId: string,
  effect: EffectIdentity,
): Promise<number | null> {
  const { rows } = await tx.query(
    `with effect as (${INSERT_EFFECT} returning effect_id)
     select effect_id, set_config('concierge.effect', effect_id::text, true) from effect`,
    effectValues(userId, effect),
  );
  return EffectId.nullable().parse(rows[0]?.["effect_id"] ?? null);
}

async function keepResult<T extends Json>(
  tx: Transaction,
  effect: EffectIdentity,
  applied: Omit<AppliedEffect<T>, "repeated">,
): Promise<AppliedEffect<T>> {
  await tx.last(() => storeResult(tx, effect, applied.result));
  return { ...applied, repeated: false };
}

const INSERT_EFFECT = `insert into effects (key, thread_id, turn, run_id, caller, origin, tool, final)
  values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (key) do nothing`;

function effectValues(userId: string, effect: EffectIdentity): unknown[] {
  const { key, threadId, turn, runId, origin, tool, final = null } = effect;
  return [key, threadId, turn, runId, userId, origin, tool, final];
}

async function storeResult(tx: Queryable, { key }: EffectIdentity, result: Json): Promise<void> {
  await tx.query("update effects set result = $2 where key = $1", [key, toJsonColumn(result)]);
}

async function beginCall(
  tx: Queryable,
  userId: string,
  effect: EffectIdentity,
): Promise<BegunCall> {
  const inserted = await tx.query(INSERT_EFFECT, effectValues(userId, effect));
  if (inserted.rowCount !== 0) return { kind: "begun" };
  const { rows } = await tx.query(
    "select coalesce(result::text, '') as result from effects where key = $1",
    [effect.key],
  );
  const text = z.string().parse(rows[0]?.["result"]);
  return text === "" ? { kind: "unanswered" } : { kind: "answered", result: JSON.parse(text) };
}

interface OneSeed {
  readonly userId: string;
  readonly key: string;
  readonly work: (tx: Queryable) => Promise<void>;
}

async function seedOnce(
  tx: Queryable,
  { userId, key, work }: OneSeed,
): Promise<{ readonly repeated: boolean }> {
  const { rowCount } = await tx.query(
    `insert into effects (key, caller, origin, tool, result) values ($1, $2, 'seed', 'seed', 'null')
     on conflict (key) do nothing`,
    [key, userId],
  );
  if (rowCount !== 0) await work(tx);
  return { repeated: rowCount === 0 };
}

async function findResult<T extends Json>(
  tx: Queryable,
  key: string,
): Promise<Omit<AppliedEffect<T>, "repeated">> {
  const { rows } = await tx.query(
    "select effect_id, result::text as result from effects where key = $1",
    [key],
  );
  const row = rows[0];
  if (row === undefined) {
    throw new Error(`Cannot apply the effect "${key}": another user's write has that key`);
  }
  // What is stored under the key is what `work` returned, so it is of its type.
  const result: T = JSON.parse(z.string().parse(row["result"]));
  return { effectId: EffectId.parse(row["effect_id"]), result };
}
