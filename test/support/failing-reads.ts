import type { Queryable, UserData } from "../../state/store.ts";

/** User data in whose reads every statement that holds the text fails with what `fail` returns. */
export function failingReads(userData: UserData, text: string, fail: () => unknown): UserData {
  const failing = (db: Queryable): Queryable => ({
    query: (sql, values) => (sql.includes(text) ? Promise.reject(fail()) : db.query(sql, values)),
  });
  return {
    beginCall: (userId, effect) => userData.beginCall(userId, effect),
    answerCall: (userId, effect, result) => userData.answerCall(userId, effect, result),
    seed: (userId, key, work) => userData.seed(userId, key, work),
    write: (userId, effect, work) => userData.write(userId, effect, work),
    restore: (userId, effect, work) => userData.restore(userId, effect, work),
    reader: (userId) => failing(userData.reader(userId)),
    read: (userId, work) => userData.read(userId, (tx) => work(failing(tx))),
  };
}
