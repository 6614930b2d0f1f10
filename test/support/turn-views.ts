import type { TurnEvent } from "../../state/event.ts";
import { reduceTurn, startTurn } from "../../view/reduce-turn.ts";
import type { TurnView } from "../../view/turn-view.ts";
import type { TestDatabase } from "./database.ts";

/** Returns the view of a turn's events. */
export function reduceEvents(events: readonly TurnEvent[]): TurnView {
  return events.reduce((view, event) => reduceTurn(view, event), startTurn(""));
}

/** Reads the views that are stored with the turns of a thread, in their order. */
export async function readStoredViews(
  database: Pick<TestDatabase, "owner">,
  threadId: string,
): Promise<readonly unknown[]> {
  const { rows } = await database.owner.query<{ view: unknown }>(
    "select view from turns where thread_id = $1 order by turn",
    [threadId],
  );
  return rows.map(({ view }) => view);
}
