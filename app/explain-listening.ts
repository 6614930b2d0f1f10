import { UsageError } from "./usage-error.ts";

/** An address to listen on. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Turns a failure to listen into an error in one sentence; returns any other error unchanged. */
export function explainListening(error: unknown, { host, port }: Place): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const reason = REASONS[code];
  if (reason === undefined)
    return error instanceof RangeError ? new UsageError(error.message) : error;
  const shown = host.includes(":") ? `[${host}]` : host;
  return new Error(`Cannot listen on ${shown}:${port}: ${reason}`, { cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "another program already listens there; stop it, or choose another port with --port or CONCIERGE_PORT",
  EACCES: "this user is not allowed to; choose a port from 1024 on with --port or CONCIERGE_PORT",
  EADDRNOTAVAIL:
    "this machine has no such address; choose one that it has with --host or CONCIERGE_HOST",
  ENOTFOUND: "the name is not known; choose an address with --host or CONCIERGE_HOST",
  EAI_AGAIN: "the name cannot be looked up; choose an address with --host or CONCIERGE_HOST",
};
