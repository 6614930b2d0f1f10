import { TurnMeter } from "../nodes/ask/turn-meter.ts";

/**
 * One attempt at a turn. An object, so that LangGraph does not copy it into the metadata of
 * checkpoints; its first node notes when it began, by the clock of the nodes, and all of them what
 * the turn has used.
 */
export class TurnAttempt {
  readonly meter = new TurnMeter();
  #startedAt: number | null = null;

  /** Returns when the attempt began, in milliseconds since 1970: now, for its first node. */
  begin(now: number): number {
    return (this.#startedAt ??= now);
  }
}

/** Makes the attempt of one invocation of the graph, from which `turnSeconds` count. */
export function createTurnAttempt(): TurnAttempt {
  return new TurnAttempt();
}
