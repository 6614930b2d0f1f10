import { UsageError } from "./usage-error.ts";

/** Where a server was to listen. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Why nobody can listen there, in a sentence; any other error as it is. */
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
    "another program listens there already; end it, or choose another port with --port or CONCIERGE_PORT",
  EACCES: "this user may not; choose a port from 1024 on with --port or CONCIERGE_PORT",
  EADDRNOTAVAIL:
    "this machine has no such address; choose one that it has with --host or CONCIERGE_HOST",
  ENOTFOUND: "there is no such name; choose an address with --host or CONCIERGE_HOST",
  EAI_AGAIN: "the name cannot be looked up; choose an address with --host or CONCIERGE_HOST",
};
