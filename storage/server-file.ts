import { readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { commandLine, nameProcess, workingFolder } from "./running-process.ts";

/** A server that runs. */
export interface RunningServer {
  readonly pid: number;
  /** Folder of its socket. */
  readonly socket: string;
}

/** Stands in the socket's name; the folder is what tells servers apart. */
export const EMBEDDED_PORT = 5432;
/** A large recovery after a crash may take this long, in milliseconds. */
export const READY_MS = 60_000;
/** A server that says it is ready answers at once, unless its socket was deleted. */
const SILENT_MS = 1_000;
const POLL_MS = 10;

/** What is known of a data folder's server: there is none, it answers, or it runs and cannot be reached. */
export type ServerState =
  | { readonly kind: "none" }
  | { readonly kind: "running"; readonly server: RunningServer }
  | { readonly kind: "silent"; readonly server: RunningServer };

/** Looks for the server that already runs on the data folder, waiting while one is starting or stopping. */
export async function inspectServer(data: string): Promise<ServerState> {
  const began = Date.now();
  for (;;) {
    const found = await readServerFile(data);
    if (found === null || nameProcess(found.pid) === null) return { kind: "none" };
    if (!isServerOf(found.pid, data)) {
      // The number now belongs to another process; the server itself would refuse to start.
      await rm(serverFile(data), { force: true });
      return { kind: "none" };
    }
    if (found.ready && (await answers(found.socket))) return { kind: "running", server: found };
    const patience = found.ready ? SILENT_MS : READY_MS;
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
): Promise<(RunningServer & { readonly ready: boolean }) | null> {
  const text = await readFile(serverFile(data), "utf8").catch(() => null);
  if (text === null) return null;
  const lines = text.split("\n");
  const pid = Number.parseInt(lines[0] ?? "", 10);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, socket: lines[4] ?? "", ready: (lines[7] ?? "").trim() === "ready" };
}

function isServerOf(pid: number, data: string): boolean {
  const folder = workingFolder(pid);
  if (folder !== null) return folder === data;
  return commandLine(pid)?.includes(data) ?? false;
}

/** Tells whether something listens on the socket in a folder. */
export async function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(join(socket, `.s.PGSQL.${EMBEDDED_PORT}`));
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });
}
