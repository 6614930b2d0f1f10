/** What a Ctrl-C does: it stops the turn that runs, asks for another one, or ends the program. */
export type InterruptOutcome = "stops" | "warns" | "leaves";

/** Why and how the program ends before its input does. */
export interface Departure {
  readonly exitCode: number;
}

/** Keeps what signals and Ctrl-C have asked for. */
export interface Interrupts {
  /** Resolves when the program is to end before its input does. */
  readonly left: Promise<Departure>;
  /** The same, for looking at; null while it has not been asked for. */
  departure(): Departure | null;
  /** Takes a Ctrl-C. */
  interrupt(): InterruptOutcome;
  /** Takes a signal that asks the program to end: the turn that runs is stopped. */
  terminate(exitCode: number): void;
  /** Forgets an earlier Ctrl-C: the person has gone on. */
  reset(): void;
  /** Runs a turn, beside others if need be; its signal aborts when the turns are to be stopped. */
  runTurn<T>(turn: (stop: AbortSignal) => Promise<T>): Promise<T>;
}

/** The exit code of a program that was interrupted; at a prompt, leaving by Ctrl-C is an ordinary end. */
const INTERRUPTED = { unasked: 130, confirmed: 0 } as const;

/**
 * Makes the rule of Ctrl-C: the first one stops the turns that run, and the next message goes on;
 * a second one before anything else has happened leaves. `confirm`: where no turn runs, the first
 * one only warns.
 */
export function createInterrupts({ confirm }: { readonly confirm: boolean }): Interrupts {
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
