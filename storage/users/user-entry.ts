import type { Queryable } from "../../state/store.ts";
import { errorCode } from "../postgres/error-code.ts";
import type { Precondition } from "../postgres/transaction.ts";

/** SQLSTATE with which `concierge_enter_user` fails. */
const KEY_GONE = "ZK001";

/** SQLSTATE of a lock that could not be acquired in time. */
const LOCK_TIMEOUT = "55P03";

/** Thrown when the key of a request was revoked, has expired, or was erased with its user. */
export class KeyGoneError extends Error {
  override readonly name = "KeyGoneError";

  constructor() {
    super("Cannot continue the request: its key is no longer valid; repeat it with a valid key");
  }
}

/** Thrown while all data of a user is being erased: nothing is created for that user until then. */
export class UserBusyError extends Error {
  override readonly name = "UserBusyError";
  readonly code = "user_busy";

  constructor() {
    super("Cannot continue: all data of this user is being erased; try again afterwards");
  }
}

/**
 * Lets a transaction create rows for its user, such as a thread: an erasure of the user waits for its
 * end. It fails with a `KeyGoneError` if the key of its request, if any, is no longer valid, and with
 * a `UserBusyError` if an erasure takes longer than three seconds. It must precede any row lock.
 */
export function enteringWith(keyId: string | null): Precondition {
  return {
    text: "select concierge_enter_user($1)",
    values: [keyId],
    explain,
  };
}

function explain(error: unknown): unknown {
  const code = errorCode(error);
  if (code === KEY_GONE) return new KeyGoneError();
  return code === LOCK_TIMEOUT ? new UserBusyError() : error;
}

/** Waits for transactions that create rows for the user whom `tx` carries, and keeps new ones out until it ends. */
export async function lockOutOthers(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(concierge_user_lock())");
}
