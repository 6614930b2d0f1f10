import type { TurnState } from "../../state/turn.ts";

/** Code of the notice that Understand leaves where a question before a change no longer waits. */
export const CONFIRMATION_DROPPED = "confirmation-dropped";

/** Describes the question that no longer waits, for the end of a reply; empty where there is none. */
export function describeDropped({ notices }: Pick<TurnState, "notices">): string {
  return notices
    .filter(({ code }) => code === CONFIRMATION_DROPPED)
    .map(({ text }) => `\n\n${text}`)
    .join("");
}
