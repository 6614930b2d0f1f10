/** The effect of a Ctrl-C: it stops the running turns, asks for a second Ctrl-C, or ends the program. */
export type InterruptOutcome = "stops" | "warns" | "leaves";

/** A request to end the program before its input ends. */
export interface Departure {
  readonly exitCode: number;
}

/** The requests made by signals and Ctrl-C. */
export interface Interrupts {
  /** Resolves when the program is to end before its input does. */
  readonly left: Promise<Departure>;
  /** Returns the request to end; null while there is none. */
  departure(): Departure | null;
  /** Handles a Ctrl-C. */
  interrupt(): InterruptOutcome;
  /** Handles a signal to end the program: stops the running turns. */
  terminate(exitCode: number): void;
  /** Forgets an earlier Ctrl-C, because the person has continued. */
  reset(): void;
  /** Runs a turn, possibly while others run. Its signal aborts when the turns are to stop. */
  runTurn<T>(turn: (stop: AbortSignal) => Promise<T>): Promise<T>;
}

/** The exit code of a program that was interrupted; at a prompt, leaving by Ctrl-C is an ordinary end. */
const INTERRUPTED = { unasked: 130, confirmed: 0 } as const;

/** Options of `createInterrupts`. */
export interface InterruptOptions {
  /** Makes a first Ctrl-C only warn while no turn is running. */
  readonly confirm: boolean;
}

/**
 * Creates the rule for Ctrl-C: the first one stops the running turns and the next message continues
 * the conversation; a second one, before anything else happens, ends the program.
 */
export function createInterrupts({ confirm }: InterruptOptions): Interrupts {
  const { promise: left, resolve } = Promise.withResolvers<Departure>();
  let departure: Departure | null = null;
  const turns = new Set<AbortController>();
  let pressed = false;

  function leave(exitCode: number): void {
    departure ??= { exitCode };
    resolve(departure);
    stopTurns();
  }
  function stopTurns(): void {
    for (const turn of turns) turn.abort();
  }

  return {
    left,
    departure: () => departure,
    interrupt() {
      const first = !pressed && departure === null;
      pressed = true;
      if (first && turns.size > 0) {
        stopTurns();
        return "stops";
      }
      if (first && confirm) return "warns";
      leave(confirm ? INTERRUPTED.confirmed : INTERRUPTED.unasked);
      return "leaves";
    },
    terminate: leave,
    reset() {
      pressed = false;
    },
    async runTurn(run) {
      const controller = new AbortController();
      turns.add(controller);
      try {
        return await run(controller.signal);
      } finally {
        turns.delete(controller);
        if (!controller.signal.aborted) pressed = false;
      }
    },
  };
}
