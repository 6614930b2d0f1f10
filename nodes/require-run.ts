import type { TurnContext, TurnState } from "../state/turn.ts";

/** Returns the turn's run. @throws TypeError when the graph was invoked without one. */
export function requireRun(state: TurnState): TurnContext {
  if (state.run === null) {
    throw new TypeError('Cannot read "run" from the state: pass it when invoking the graph');
  }
  return state.run;
}
