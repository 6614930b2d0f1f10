import { randomUUID } from "node:crypto";
import { DomainError } from "../domain/domain-error.ts";
import type { Domain } from "../state/domain.ts";
import type { UserData } from "../state/store.ts";
import { DatabaseUnavailableError } from "../storage/postgres/database-error.ts";

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
 *
 * @throws DomainError for a seed that fails; DatabaseUnavailableError.
 */
export async function seedDemo(userData: UserData, demo: DemoSeed): Promise<void> {
  const { domain, today, reset } = demo;
  for (const { userId, seed } of domain.demo ?? []) {
    const key = `demo/${domain.name}/${userId}`;
    const write = (name: string): Promise<{ readonly repeated: boolean }> =>
      userData
        .seed(userId, name, (tx) => seed(tx, { userId, today }))
        .catch((error: unknown) => throwProblem(error, { domain: domain.name, userId }));
    const first = await write(key);
    if (reset && first.repeated) await write(`${key}/${randomUUID()}`);
  }
}

function throwProblem(
  error: unknown,
  { domain, userId }: Record<"domain" | "userId", string>,
): never {
  if (error instanceof DatabaseUnavailableError || !(error instanceof Error)) throw error;
  const problem = `The demo data of user "${userId}" failed: ${error.message}; correct its seed, which need not set user_id`;
  throw new DomainError(domain, [problem], { cause: error });
}
