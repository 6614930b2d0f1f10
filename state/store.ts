import type { Json } from "./json.ts";

/** What a pool, a client in a transaction and the test database have in common. */
export interface Queryable {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

/** Which write this is. Minted by code from thread, turn, step and call, never by a model. */
export interface EffectIdentity {
  readonly key: string;
  readonly threadId: string;
}

/** A user's domain rows. Row-level security is in force inside both callbacks: other users' rows do not exist there. */
export interface UserData {
  /** Runs `work` in one read-only transaction. */
  read<T>(userId: string, work: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction, once per effect key for ever.
   *
   * Contract: the result is stored with the key in the same transaction; a repeated key runs
   * nothing and returns the stored result with `repeated: true`.
   */
  write<T extends Json>(
    userId: string,
    effect: EffectIdentity,
    work: (tx: Queryable) => Promise<T>,
  ): Promise<{ readonly result: T; readonly repeated: boolean }>;
}
