import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../postgres/error-code.ts";
import { isRunning, nameProcess } from "./running-process.ts";

// Not settings: a start that takes longer reports the process that holds the lock.
const WAIT_MS = 60_000;
const POLL_MS = 15;

/**
 * Runs `work` while no other process on this machine holds the lock file at `path`.
 *
 * Contract: a lock left by a process that is gone is taken over.
 *
 * @throws Error when another process keeps the lock for a minute.
 */
export async function withProcessLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const content = `${nameProcess(process.pid)} ${randomUUID()}`;
  await takeLock(path, content);
  try {
    return await work();
  } finally {
    if ((await readLock(path)) === content) await rm(path, { force: true });
  }
}

async function takeLock(path: string, content: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!(await createWhole(path, content))) {
    const held = await readLock(path);
    if (held !== null && !isRunning(parseHolder(held))) await removeStale(path, held);
    else if (Date.now() > deadline) throw lockedError(path, held);
    else await delay(POLL_MS);
  }
}

/** Creates the file with its content in one step, so that no process reads half a lock. */
async function createWhole(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes the lock file of a dead process; puts it back if another process has replaced it meanwhile. */
async function removeStale(path: string, held: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  if ((await readLock(aside)) !== held) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function readLock(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

function parseHolder(content: string): string {
  return content.split(" ")[0] ?? "";
}

function lockedError(path: string, held: string | null): Error {
  const pid = held === null ? "unknown" : parseHolder(held).split(":")[0];
  return new Error(
    `Cannot take the lock "${path}": process ${pid} has held it for a minute; end that process or delete the file`,
  );
}
