import type { Profile } from "../state/domain.ts";
import type { TurnContext } from "../state/turn.ts";
import type { NodeServices } from "./node.ts";

/** Loads what is known of the person now. Every node loads it again, because a cache could be stale. */
export async function loadPerson(
  services: Pick<NodeServices, "domain" | "userData">,
  run: TurnContext,
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
