import type { TurnState } from "../../state/turn.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { runOf } from "../run-of.ts";

/** Keeps the journey as it stands, with its plan, in the archive before another takes its place. */
export async function putJourneyAside(
  state: TurnState,
  { services, io }: { readonly services: NodeServices; readonly io: NodeIO },
): Promise<void> {
  const { turn, opening, concierge } = state;
  const { threadId, userId } = runOf(state);
  const { lease } = io;
  await services.archive.saveJourney({ threadId, userId, lease, turn, opening, concierge });
}
