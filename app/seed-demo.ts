import { randomUUID } from "node:crypto";
import type { Domain } from "../state/domain.ts";
import type { UserData } from "../state/store.ts";

/**
 * Gives the domain's demo users their data, once a database: the effect's key sees to it that of
 * two processes one does it, and that what a user has changed since stays. `reset` makes it anew.
 */
export async function seedDemo(
  userData: UserData,
  demo: { readonly domain: Domain; readonly today: string; readonly reset: boolean },
): Promise<void> {
  const { domain, today, reset } = demo;
  for (const { userId, seed } of domain.demo) {
    const threadId = `demo/${domain.name}`;
    const write = (key: string): Promise<{ readonly repeated: boolean }> =>
      userData.write(userId, { key, threadId, lease: null }, async (tx) => {
        await seed(tx, { userId, today });
        return { today };
      });
    const first = await write(`${threadId}/${userId}`);
    if (reset && first.repeated) await write(`${threadId}/${userId}/${randomUUID()}`);
  }
}
