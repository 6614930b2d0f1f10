import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { errorCode } from "../postgres/error-code.ts";
import { retryWhileUnavailable } from "../postgres/retry-while-unavailable.ts";
import type { LeaseClaim, Queryable } from "../../state/store.ts";
import type { Precondition } from "../postgres/transaction.ts";

/** A claim, and the thread it is for. */
export interface Lease extends LeaseClaim {
  readonly threadId: string;
}

export interface LeaseRequest {
  readonly threadId: string;
  readonly owner: string;
  /** Milliseconds it lasts without renewal, by the database's clock. */
  readonly ttlMs: number;
}

/** SQLSTATE with which `concierge_hold_lease` fails. */
const NOT_HELD = "ZL001";

/** The lease went to another owner, or could not be renewed in time. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  readonly code = "lease_lost";

  constructor(threadId: string) {
    super(
      `Cannot continue thread "${threadId}": this process no longer holds its lease; the process that takes the thread next finishes the turn`,
    );
  }
}

const FenceRow = z.object({ fence: z.number().int() });

/**
 * Acquires the thread's lease if it is free or expired; null while it is held.
 *
 * Contract: waits for transactions that `whileLeased` let through, so their writes are visible.
 */
export async function acquireLease(
  db: Queryable,
  request: LeaseRequest,
): Promise<{ readonly fence: number } | null> {
  const { rows } = await db.query(
    `with free as materialized
       (select from leases
         where thread_id = $1 and (owner is null or expires_at <= clock_timestamp())
           for update)
     insert into leases (thread_id, owner, fence, expires_at)
     select $1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond'
       from (select count(*) from free) as locked
     on conflict (thread_id) do update
       set owner = excluded.owner,
           fence = leases.fence + 1,
           expires_at = clock_timestamp() + $3 * interval '1 millisecond'
       -- Only a row that was found free is locked as a take-over requires: a lease that has expired since is left for the next attempt.
       where exists (select from free)
     returning fence`,
    [request.threadId, request.owner, request.ttlMs],
  );
  return rows[0] === undefined ? null : FenceRow.parse(rows[0]);
}

/**
 * Lets a transaction write in the thread only while the claimed lease is held: another owner can take
 * it over before or after, not in between. Otherwise the transaction fails with a `LeaseLostError`.
 */
export function whileLeased({ threadId, owner, fence }: Lease): Precondition {
  return {
    text: "select concierge_hold_lease($1, $2, $3)",
    values: [threadId, owner, fence],
    explain: (error) => (errorCode(error) === NOT_HELD ? new LeaseLostError(threadId) : error),
  };
}

/** A lease, and how long it lasts without renewal. */
export interface TimedLease extends Lease {
  readonly ttlMs: number;
}

/** Extends the lease to `ttlMs` from now; false if another owner has taken it over. */
export async function renewLease(db: Queryable, lease: TimedLease): Promise<boolean> {
  const { rowCount } = await db.query(
    `update leases set expires_at = clock_timestamp() + $4 * interval '1 millisecond'
      where thread_id = $1 and owner = $2 and fence = $3`,
    [lease.threadId, lease.owner, lease.fence, lease.ttlMs],
  );
  return rowCount === 1;
}

/** Releases the lease; does nothing if another owner has taken it over. */
export async function releaseLease(db: Queryable, lease: Lease): Promise<void> {
  await db.query(
    "update leases set owner = null where thread_id = $1 and owner = $2 and fence = $3",
    [lease.threadId, lease.owner, lease.fence],
  );
}

export interface HoldRequest extends LeaseRequest {
  /** Connection for renewals. Default: the one that acquired the lease. */
  readonly heartbeats?: Queryable;
  /** Milliseconds to wait for a lease that is held; 0 tries once. */
  readonly waitMs: number;
  readonly signal: AbortSignal | null;
}

/** Lease passed to `work`. */
export interface HeldLease {
  readonly lease: LeaseClaim;
  /** Aborts when the caller's signal does, or with a `LeaseLostError` when the lease is lost. */
  readonly signal: AbortSignal;
}

/** `held: false` when another owner kept the lease for all of `waitMs`. */
export type HoldOutcome<T> = { readonly held: true; readonly result: T } | { readonly held: false };

// Not settings: the caller bounds the wait; these only decide how often it asks.
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;

/**
 * Runs `work` while holding the thread's lease: waits for it, renews it three times per lifetime and
 * releases it afterwards, also after an error. If the database is unavailable then, the release is
 * retried until the lease would have expired.
 *
 * @throws what `work` throws; the caller's abort reason while waiting; errors of the database.
 */
export async function holdLease<T>(
  db: Queryable,
  request: HoldRequest,
  work: (held: HeldLease) => Promise<T>,
): Promise<HoldOutcome<T>> {
  const taken = await waitForLease(db, request);
  if (taken === null) return { held: false };
  const claim = { owner: request.owner, fence: taken.fence };
  const lease = { threadId: request.threadId, ...claim };
  const lost = new AbortController();
  const stop = keepAlive(request.heartbeats ?? db, { ...lease, ttlMs: request.ttlMs }, () =>
    lost.abort(new LeaseLostError(lease.threadId)),
  );
  const signals = request.signal === null ? [lost.signal] : [lost.signal, request.signal];
  try {
    const result = await work({ lease: claim, signal: AbortSignal.any(signals) });
    return { held: true, result };
  } finally {
    await stop();
    await releaseWithRetry(db, { ...lease, ttlMs: request.ttlMs });
  }
}

/**
 * Releases the lease. If the database is unavailable, retries in the background until the lease
 * expires by itself.
 */
async function releaseWithRetry(db: Queryable, lease: TimedLease): Promise<void> {
  const release = (): Promise<void> => releaseLease(db, lease);
  await release().catch(() => {
    retryWhileUnavailable(release, { forMs: lease.ttlMs }).catch(() => undefined);
  });
}

async function waitForLease(db: Queryable, request: HoldRequest) {
  const deadline = performance.now() + request.waitMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    request.signal?.throwIfAborted();
    const taken = await acquireLease(db, request);
    const left = deadline - performance.now();
    if (taken !== null || left <= 0) return taken;
    const options = request.signal === null ? {} : { signal: request.signal };
    await delay(Math.min(wait, left), undefined, options).catch(() => undefined);
  }
}

/**
 * Renews the lease until stopped. Calls `onLost` once: when another owner has the lease, or when no
 * renewal succeeded for its whole lifetime (the database was unavailable, or this process slept).
 */
function keepAlive(db: Queryable, lease: TimedLease, onLost: () => void): () => Promise<void> {
  let ended = false;
  let renewing: Promise<void> = Promise.resolve();
  const end = () => {
    ended = true;
    clearInterval(heartbeat);
    clearTimeout(expiry);
  };
  const lose = () => {
    if (ended) return;
    end();
    onLost();
  };
  const renew = async () => {
    const began = performance.now();
    // A failed query proves nothing: the next heartbeat asks again, until the lease expires.
    const kept = await renewLease(db, lease).catch(() => null);
    if (kept === false) lose();
    if (kept !== true || ended) return;
    clearTimeout(expiry);
    expiry = setTimeout(lose, Math.max(0, lease.ttlMs - (performance.now() - began)));
  };
  let expiry = setTimeout(lose, lease.ttlMs);
  const heartbeat = setInterval(() => {
    renewing = renewing.then(renew);
  }, lease.ttlMs / 3);
  return async () => {
    end();
    await renewing;
  };
}
