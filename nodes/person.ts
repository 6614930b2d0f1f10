import type { Profile } from "../domains/domain.ts";
import type { Run } from "../state/turn.ts";
import type { NodeServices } from "./node.ts";

/** What is known of the person now. Read anew in every node: two small queries are never stale, a cache would be. */
export async function loadPerson(
  services: Pick<NodeServices, "domain" | "userData">,
  run: Run,
): Promise<{ readonly profile: Profile; readonly snapshot: string }> {
  const { domain, userData } = services;
  return userData.read(run.userId, async (tx) => {
    // At once: they are sent together.
    const [profile, snapshot] = await Promise.all([
      domain.loadProfile(tx, run.userId),
      domain.loadSnapshot(tx, run),
    ]);
    return { profile, snapshot };
  });
}
