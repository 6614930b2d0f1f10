/** Where storage says what it does, one sentence a call, never with a password in it. A pino logger fits. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
}

/** A log that keeps nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {} };
