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
  for (const { userId, seed } of domain.demo ?? []) {
    const key = `demo/${domain.name}/${userId}`;
    const write = (name: string): Promise<{ readonly repeated: boolean }> =>
      userData.seed(userId, name, (tx) => seed(tx, { userId, today }));
    const first = await write(key);
    if (reset && first.repeated) await write(`${key}/${randomUUID()}`);
  }
}
