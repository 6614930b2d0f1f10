import { HumanMessage } from "@langchain/core/messages";
import { SCHEMA_VERSION } from "../state/migrate-state.ts";
import { CLEARED_TURN, type TurnState, type TurnUpdate } from "../state/turn.ts";

/** Makes the node that starts a turn: counts it, clears the last turn's scratch, takes in the message. */
export function createIntakeNode() {
  return function intake(state: TurnState): TurnUpdate {
    const { input, run } = state;
    if (input === null || run === null) {
      throw new TypeError(
        'Cannot start a turn without "input" and "run": pass both when invoking the graph',
      );
    }
    const turn = state.turn + 1;
    return {
      ...CLEARED_TURN,
      schemaVersion: SCHEMA_VERSION,
      turn,
      messages: [new HumanMessage({ id: `t${turn}-u`, content: input.text })],
      constraints: state.constraints.filter(({ until }) => until === null || until >= run.today),
    };
  };
}
