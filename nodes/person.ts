import type { Profile } from "../state/domain.ts";
import type { Run } from "../state/turn.ts";
import type { NodeServices } from "./node.ts";

/** What is known of the person now. Read anew in every node: what is read is never stale, a cache would be. */
export async function loadPerson(
  services: Pick<NodeServices, "domain" | "userData">,
  run: Run,
): Promise<{ readonly profile: Profile; readonly snapshot: string }> {
  const { domain, userData } = services;
  const reader = userData.reader(run.userId);
  // At once: they are sent together.
  const [profile, snapshot] = await Promise.all([
    domain.loadProfile(reader, run.userId),
    domain.loadSnapshot(reader, run),
  ]);
  return { profile, snapshot };
}
