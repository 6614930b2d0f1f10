import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { commandLine, nameProcess, workingFolder } from "./running-process.ts";

/** A running server. */
export interface RunningPostgres {
  readonly pid: number;
  /** Folder of its socket. */
  readonly socket: string;
}

/** Stands in the socket's name; the folder distinguishes servers. */
export const EMBEDDED_PORT = 5432;
/** The superuser of an embedded server; reachable only through its socket. */
export const EMBEDDED_USER = "concierge";
export const EMBEDDED_DATABASE = "postgres";
/** Time that a recovery after a crash may take, in milliseconds. Not a setting: longer ones are reported with the server's log. */
export const READY_MS = 60_000;
/** A server that reports to be ready answers at once, unless its socket was deleted. */
const SILENT_MS = 1_000;
/** Milliseconds that a busy server may take to answer. */
const ANSWER_MS = 10_000;
/** `cannot_connect_now` in PostgreSQL's list of error codes. */
const STARTING_OR_STOPPING = "57P03";
const POLL_MS = 10;

/**
 * State of a data folder's server: none, running, stopping (it may wait for open connections), or
 * silent: it runs but does not answer.
 */
export type ServerState =
  | { readonly kind: "none" }
  | { readonly kind: "running" | "stopping" | "silent"; readonly server: RunningPostgres };

/** Finds the server that runs on the data folder; waits while one is starting. */
export async function inspectServer(data: string): Promise<ServerState> {
  const began = Date.now();
  for (;;) {
    const found = await readServerFile(data);
    if (found === null || nameProcess(found.pid) === null) return { kind: "none" };
    if (!servesData(found.pid, data)) {
      // The number now belongs to another process; the server itself would refuse to start.
      await rm(serverFile(data), { force: true });
      return { kind: "none" };
    }
    if (found.status === "stopping") return { kind: "stopping", server: found };
    const isReady = found.status === "ready";
    if (isReady && (await answers(found.socket))) return { kind: "running", server: found };
    const patience = isReady ? SILENT_MS : READY_MS;
    if (Date.now() - began > patience) return { kind: "silent", server: found };
    await delay(POLL_MS);
  }
}

function serverFile(data: string): string {
  return join(data, "postmaster.pid");
}

/** The server's own note about itself: number, data, start, port, socket folder, address, memory, status. */
export async function readServerFile(
  data: string,
): Promise<(RunningPostgres & { readonly status: string }) | null> {
  const text = await readFile(serverFile(data), "utf8").catch(() => null);
  if (text === null) return null;
  const lines = text.split("\n");
  const pid = Number.parseInt(lines[0] ?? "", 10);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, socket: lines[4] ?? "", status: (lines[7] ?? "").trim() };
}

function servesData(pid: number, data: string): boolean {
  const folder = workingFolder(pid);
  if (folder !== null) return folder === data;
  return commandLine(pid)?.includes(data) ?? false;
}

/**
 * Returns true if a server answers on the socket in a folder. A connection alone is not enough: the
 * system accepts connections for a killed server until the last of its processes is gone.
 */
export async function answers(socket: string): Promise<boolean> {
  const client = new Client({
    host: socket,
    port: EMBEDDED_PORT,
    user: EMBEDDED_USER,
    database: EMBEDDED_DATABASE,
    connectionTimeoutMillis: ANSWER_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // A refusal is an answer, unless the server is starting or stopping.
    return error instanceof DatabaseError && error.code !== STARTING_OR_STOPPING;
  } finally {
    await client.end().catch(() => undefined);
  }
}
