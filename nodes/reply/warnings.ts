import type { TurnState } from "../../state/turn.ts";
import { renderSentence } from "../../text/sentences.ts";

/** Lists the warnings about the rows that a turn has stored or drafted, each once. */
export function listWarnings({ stepResults }: Pick<TurnState, "stepResults">): string[] {
  return [...new Set(stepResults.flatMap(({ warnings }) => warnings))];
}

/** Describes them for the end of a reply; empty where there are none. */
export function describeWarnings(state: Pick<TurnState, "stepResults">): string {
  const lines = listWarnings(state).map((warning) => renderSentence("warning", { warning }));
  return lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
}
