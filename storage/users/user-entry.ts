import type { Queryable } from "../../state/store.ts";
import { errorCode } from "../postgres/error-code.ts";
import type { Precondition } from "../postgres/transaction.ts";

/** SQLSTATE with which `concierge_enter_user` fails. */
const KEY_GONE = "ZK001";

/** A lock that was waited for too long (SQLSTATE). */
const LOCK_TIMEOUT = "55P03";

/** The key that something was asked for with was revoked, ran out, or was erased with its user. */
export class KeyGoneError extends Error {
  override readonly name = "KeyGoneError";

  constructor() {
    super(
      "Cannot go on with the request: its key is not valid any more; ask again with one that is",
    );
  }
}

/** Everything of the user is being erased, and nothing is made for them until that is done. */
export class UserBusyError extends Error {
  override readonly name = "UserBusyError";
  readonly code = "user_busy";

  constructor() {
    super("Cannot go on: everything of this user is being erased; ask again when that is done");
  }
}

/**
 * Lets a transaction make something of its user's that was not there, such as a thread: others may
 * do so beside it, and an erasure of the user waits for its end. It fails with a `KeyGoneError` where
 * the key it was asked for with, if any, is not valid when it begins, and with a `UserBusyError`
 * where an erasure takes longer than three seconds. To be taken before any row is.
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

/** Waits for what is being made of the user whom `tx` carries; until its end nothing more is. */
export async function lockOutOthers(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(concierge_user_lock())");
}
