import type { PlayedTurn } from "../../cli/scenarios/play.ts";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/giu;

/** Database ids of the user's rows that turns let a model or a person see, each with where it stood. */
export function idsShown(turns: readonly PlayedTurn[]): readonly string[] {
  const ids = new Set(
    turns.flatMap(({ before, after }) =>
      [...Object.values(before), ...Object.values(after)].flat().map(({ id }) => id),
    ),
  );
  return turns.flatMap((turn, index) =>
    turn.events.flatMap((event) => {
      // The thread's own id is no row's.
      const shown = JSON.stringify({ ...event, thread: "", run: "" });
      const found = shown.match(UUID)?.filter((id) => ids.has(id.toLowerCase())) ?? [];
      return found.map((id) => `turn ${index + 1}, ${event.type}: ${id}`);
    }),
  );
}
