import type { Queryable, UserData } from "../../state/store.ts";

/** An insert that is to fail: into this table, of a row in which this text stands. */
export interface Fault {
  readonly table: string;
  readonly text: string;
}

/** User data with one insert that the database refuses as long as a fault is set. */
export interface FaultyUserData extends UserData {
  set(fault: Fault | null): void;
}

/**
 * Wraps user data so that inserts can be made to fail.
 *
 * The statement is replaced by one that fails in the database itself, so the transaction is in the
 * state that a real refusal leaves behind.
 */
export function createFaultyUserData(userData: UserData): FaultyUserData {
  let fault: Fault | null = null;
  return {
    set: (next) => void (fault = next),
    reader: (userId) => userData.reader(userId),
    read: (userId, work) => userData.read(userId, work),
    write: (userId, effect, work) =>
      userData.write(userId, effect, (tx, id) =>
        work(fault === null ? tx : refusing(tx, fault), id),
      ),
    beginCall: (userId, effect) => userData.beginCall(userId, effect),
    answerCall: (userId, effect, result) => userData.answerCall(userId, effect, result),
    restore: (userId, effect, work) => userData.restore(userId, effect, work),
    seed: (userId, key, work) => userData.seed(userId, key, work),
  };
}

function refusing(tx: Queryable, fault: Fault): Queryable {
  return {
    query: (text, values) =>
      isMeant(text, { values: values ?? [], fault }) ? tx.query(REFUSE) : tx.query(text, values),
  };
}

const REFUSE = `do $$ begin raise exception 'the storage has no room for it right now'; end $$`;

function isMeant(
  text: string,
  { values, fault }: { readonly values: readonly unknown[]; readonly fault: Fault },
): boolean {
  const insert = /^\s*insert\s+into\s+"?([a-z_]+)"?/iu.exec(text);
  return insert?.[1] === fault.table && values.includes(fault.text);
}
