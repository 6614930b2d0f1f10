import { z } from "zod";
import type { Json } from "./json.ts";

/** The interface shared by a pool, a client in a transaction and the test database. */
export interface Queryable {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

/**
 * The right to write in a thread, as it was when the lease was taken. `owner` is unique for each
 * run; `fence` rises with every take-over: whoever holds a greater one came later.
 */
export const LeaseClaimSchema = z.object({ owner: z.string(), fence: z.number().int() }).readonly();
export type LeaseClaim = z.infer<typeof LeaseClaimSchema>;

/** Which write this is. Minted by code from thread, turn, step and call, never by a model. */
export interface EffectIdentity {
  readonly key: string;
  readonly threadId: string;
  /** Nothing is written once it is another's; null where nobody holds the thread (seeding, Studio). */
  readonly lease: LeaseClaim | null;
}

/** A user's domain rows. Row-level security is in force in all of them: other users' rows do not exist there. */
export interface UserData {
  /**
   * Reads with single queries, each for itself, in one way there and back where `read` takes two.
   * What is sent at once goes together. A statement that changes or locks rows is an error.
   */
  reader(userId: string): Queryable;
  /** Runs `work` in one read-only transaction. */
  read<T>(userId: string, work: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction, once per effect key for ever.
   *
   * Contract: the result is stored with the key in the same transaction; a repeated key runs
   * nothing and returns the stored result with `repeated: true`.
   *
   * @throws LeaseLostError when the effect's lease is another's by now; nothing was written.
   */
  write<T extends Json>(
    userId: string,
    effect: EffectIdentity,
    work: (tx: Queryable) => Promise<T>,
  ): Promise<{ readonly result: T; readonly repeated: boolean }>;
}
