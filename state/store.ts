import { z } from "zod";
import type { Json } from "./json.ts";
import type { ToolOutcome } from "./tool.ts";

/** The interface shared by a pool, a client in a transaction and the test database. */
export interface Queryable {
  /** Sends a statement; without `values` the text may hold several, with `[]` it may not. */
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

/** Origin of an effect: a tool of a step, a domain's own tool, a call of an outside service, one that takes back another, or the demo data. */
export type EffectOrigin = "tool" | "domain-tool" | "call" | "undo" | "seed";

/** Which write this is. Minted by code from thread, turn, step and call, never by a model. */
export interface EffectIdentity {
  readonly key: string;
  readonly threadId: string;
  readonly turn: number | null;
  readonly runId: string | null;
  readonly origin: EffectOrigin;
  readonly tool: string;
  /** Why it cannot be taken back. Default: it can. */
  readonly final?: string;
  /** Nothing is written once it is another's; null where nobody holds the thread (Studio). */
  readonly lease: LeaseClaim | null;
}

/** The work of one effect; its changes stand in the journal under the effect's number, known after the first round trip. */
export type EffectWork<T> = (tx: Queryable, effectId: Promise<number>) => Promise<T>;

/** An effect that was applied, now or earlier under the same key. */
export interface AppliedEffect<T> {
  readonly effectId: number;
  readonly result: T;
  readonly repeated: boolean;
}

/** An outside call under its key: begun now, begun earlier without an answer, or answered. */
export type BegunCall =
  | { readonly kind: "begun" }
  | { readonly kind: "unanswered" }
  | { readonly kind: "answered"; readonly result: Json };

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
   * Contract: the result is stored with the key in the same transaction; a repeated key changes
   * nothing and returns the stored result with `repeated: true`. Work of a generated tool is started
   * before it is known whether its key is repeated, and no statement of it is answered then. Where `work` throws, nothing is
   * stored and the same key may run again; it runs again at once where the server has ended the
   * transaction because of a deadlock.
   *
   * @throws LeaseLostError when the effect's lease is another's by now; nothing was written.
   */
  write<T extends Json>(
    userId: string,
    effect: EffectIdentity,
    work: EffectWork<T>,
  ): Promise<AppliedEffect<T>>;
  /** Stores that an outside call is begun, before it is made. @throws LeaseLostError. */
  beginCall(userId: string, effect: EffectIdentity): Promise<BegunCall>;
  /** Stores the answer of an outside call. @throws LeaseLostError. */
  answerCall(userId: string, effect: EffectIdentity, result: Json): Promise<void>;
  /** Does what `write` does, as the administrator, who may insert and delete whatever the tools may: for taking effects back. */
  restore<T extends Json>(
    userId: string,
    effect: EffectIdentity,
    work: EffectWork<T>,
  ): Promise<AppliedEffect<T>>;
  /** Runs `work` as `write` does, as the administrator and not as an effect that can be taken back: for demo data. */
  seed(
    userId: string,
    key: string,
    work: (tx: Queryable) => Promise<void>,
  ): Promise<{ readonly repeated: boolean }>;
}

/** Rows of one type, by their keys. */
export interface WantedRows {
  readonly type: string;
  readonly ids: readonly string[];
}

/** A user's rows by key, for prompts: without a tool, and without a model that asks for them. */
export interface RowStore {
  /**
   * Fetches rows of several types and those that they point at, in one transaction. A key without a
   * row is left out.
   */
  fetchRows(
    userId: string,
    wanted: readonly WantedRows[],
    detail: "summary" | "full",
  ): Promise<Pick<ToolOutcome, "reads" | "listed" | "linked">>;
}

/** A row that something outside a thread has changed. */
export interface OutsideRow {
  readonly type: string;
  readonly id: string;
  readonly action: "updated" | "deleted";
  /** Another conversation of the person, or nobody knows who: SQL, another program. */
  readonly who: "conversation" | "unknown";
}
