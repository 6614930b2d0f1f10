import { randomUUID } from "node:crypto";
import type { Domain } from "../state/domain.ts";
import type { UserData } from "../state/store.ts";

/** The domain whose demo users get data. */
export interface DemoSeed {
  readonly domain: Domain;
  readonly today: string;
  /** Restores the data of users who have some. */
  readonly reset: boolean;
}

/**
 * Gives the demo users of the domain their data, once per database. The key of the effect ensures
 * that only one of two processes does so and that later changes stay.
 */
export async function seedDemo(userData: UserData, demo: DemoSeed): Promise<void> {
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
