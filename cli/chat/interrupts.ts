/** The effect of a Ctrl-C: it stops the running turns, asks for a second Ctrl-C, or ends the program. */
export type InterruptOutcome = "stops" | "warns" | "leaves";

/** A request to end the program before its input ends. */
export interface Departure {
  readonly exitCode: number;
}

/** The exit code of a program that was interrupted; at a prompt, leaving by Ctrl-C is an ordinary end. */
const INTERRUPTED = { unasked: 130, confirmed: 0 } as const;

/**
 * The requests made by signals and Ctrl-C. A first Ctrl-C stops the running turns, and the next
 * message continues the conversation; a second one, before anything else happens, ends the program.
 */
export class Interrupts {
  /** Resolves when the program is to end before its input does. */
  readonly left: Promise<Departure>;
  readonly #leave: (departure: Departure) => void;
  readonly #confirm: boolean;
  readonly #turns = new Set<AbortController>();
  #departure: Departure | null = null;
  #wasPressed = false;

  /** `confirm` makes a first Ctrl-C only warn while no turn is running. */
  constructor({ confirm }: { readonly confirm: boolean }) {
    const { promise, resolve } = Promise.withResolvers<Departure>();
    this.left = promise;
    this.#leave = resolve;
    this.#confirm = confirm;
  }

  /** Returns the request to end; null while there is none. */
  departure(): Departure | null {
    return this.#departure;
  }

  /** Handles a Ctrl-C. */
  interrupt(): InterruptOutcome {
    const isFirst = !this.#wasPressed && this.#departure === null;
    this.#wasPressed = true;
    if (isFirst && this.#turns.size > 0) {
      this.#stopTurns();
      return "stops";
    }
    if (isFirst && this.#confirm) return "warns";
    this.terminate(this.#confirm ? INTERRUPTED.confirmed : INTERRUPTED.unasked);
    return "leaves";
  }

  /** Handles a signal to end the program: stops the running turns. */
  terminate(exitCode: number): void {
    this.#departure ??= { exitCode };
    this.#leave(this.#departure);
    this.#stopTurns();
  }

  /** Forgets an earlier Ctrl-C, because the person has continued. */
  reset(): void {
    this.#wasPressed = false;
  }

  /** Runs a turn, possibly while others run. Its signal aborts when the turns are to stop. */
  async runTurn<T>(turn: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#turns.add(controller);
    try {
      return await turn(controller.signal);
    } finally {
      this.#turns.delete(controller);
      if (!controller.signal.aborted) this.#wasPressed = false;
    }
  }

  #stopTurns(): void {
    for (const turn of this.#turns) turn.abort();
  }
}
