import type { UserData } from "../../state/store.ts";

/** User data in whose reads every statement that holds the text fails with what `fail` returns. */
export function failingReads(userData: UserData, text: string, fail: () => unknown): UserData {
  return {
    write: (userId, effect, work) => userData.write(userId, effect, work),
    read: (userId, work) =>
      userData.read(userId, (tx) =>
        work({
          query: (sql, values) =>
            sql.includes(text) ? Promise.reject(fail()) : tx.query(sql, values),
        }),
      ),
  };
}
