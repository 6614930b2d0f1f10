/** A request, by a person or the system, to end the program. */
export interface Shutdown {
  /** Resolves at the first signal. */
  readonly requested: Promise<void>;
  /** Acts like a first signal. */
  request(): void;
  /** Stops listening to signals. */
  stopListening(): void;
}

/** The source of signals: the process. */
export interface SignalSource {
  on(signal: ShutdownSignal, listener: () => void): unknown;
  off(signal: ShutdownSignal, listener: () => void): unknown;
}

/** The process that ends, and its clock in milliseconds. */
export interface ShutdownOptions {
  readonly leave: (exitCode: number) => void;
  readonly clock: () => number;
}

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
type ShutdownSignal = keyof typeof NUMBERS;
const SIGNALS: readonly ShutdownSignal[] = ["SIGHUP", "SIGINT", "SIGTERM"];

/** npm forwards a signal that the terminal has sent to both processes. */
const SAME_SIGNAL_MS = 500;

/**
 * Listens to the signals that end a program: the first requests the shutdown, a later one calls
 * `leave` with its exit code. Two signals at the same moment count as one.
 */
export function listenToSignals(source: SignalSource, options: ShutdownOptions): Shutdown {
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  let requestedAt: number | null = null;
  const listeners = SIGNALS.map((signal) => {
    const listener = (): void => {
      const now = options.clock();
      requestedAt ??= now;
      resolve();
      if (now - requestedAt > SAME_SIGNAL_MS) options.leave(128 + NUMBERS[signal]);
    };
    source.on(signal, listener);
    return { signal, listener };
  });
  return {
    requested: requested,
    request() {
      requestedAt ??= options.clock();
      resolve();
    },
    stopListening() {
      for (const { signal, listener } of listeners) source.off(signal, listener);
    },
  };
}
