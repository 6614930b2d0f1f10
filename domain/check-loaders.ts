import { z } from "zod";
import type { Domain } from "../state/domain.ts";
import type { UserData } from "../state/store.ts";
import { assertNoProblems } from "./domain-error.ts";

/** A name, a right or the syntax of a statement: no data makes it right. */
const MistakeSchema = z.object({ code: z.string().regex(/^42/u), message: z.string() });

const LOADERS = ["loadProfile", "loadSnapshot"] as const;

/**
 * Calls what every turn calls, for a user who has nothing, so that a mistake in its SQL is found at the
 * start. Every other error is left to the turn.
 *
 * @throws DomainError with what the database says.
 */
export async function checkLoaders(
  domain: Domain,
  userData: Pick<UserData, "reader">,
  today: string,
): Promise<void> {
  const userId = "nobody";
  const reader = userData.reader(userId);
  const problems = await Promise.all(
    LOADERS.map(async (name) => {
      try {
        await (name === "loadProfile"
          ? domain.loadProfile(reader, userId)
          : domain.loadSnapshot(reader, { userId, today }));
        return [];
      } catch (error) {
        const mistake = MistakeSchema.safeParse(error);
        return mistake.success ? [`${name} failed: ${mistake.data.message}; correct its SQL`] : [];
      }
    }),
  );
  assertNoProblems(domain.name, problems.flat());
}
