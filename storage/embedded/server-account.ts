import { readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** A user of this machine, by its numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Unprivileged users that usually exist, the best one first. */
const CANDIDATES = ["postgres", "_postgres", "nobody"];

/** Returns true if this process is root, as which PostgreSQL refuses to run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Finds the unprivileged user that the server runs as when the program is started by root.
 *
 * @throws Error when the machine has none.
 */
export async function findServerAccount(): Promise<Account> {
  const entries = (await readFile("/etc/passwd", "utf8"))
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of CANDIDATES) {
    const entry = entries.find(([user]) => user === name);
    if (entry !== undefined) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error(
    `Cannot start the embedded database as root: none of the users ${CANDIDATES.join(", ")} exists; ` +
      `start the program as an ordinary user or set DATABASE_URL`,
  );
}

/** Owner and mode of a file, as `stat` reports them. */
export interface Permissions extends Account {
  readonly mode: number;
}

/** Returns true if the permission bits of a file let `account` read, write or enter it. Pure. */
export function permits(
  file: Permissions,
  wanted: { account: Account; right: "read" | "write" | "enter" },
): boolean {
  const bit = { read: 4, write: 2, enter: 1 }[wanted.right];
  const { uid, gid } = wanted.account;
  const shift = file.uid === uid ? 6 : file.gid === gid ? 3 : 0;
  return ((file.mode >> shift) & bit) !== 0;
}

/** Returns true if `account` may enter the folder at `path` and all folders above it. */
export async function mayEnter(path: string, account: Account): Promise<boolean> {
  let folder = await realpath(path);
  for (;;) {
    if (!permits(await stat(folder), { account, right: "enter" })) return false;
    const above = dirname(folder);
    if (above === folder) return true;
    folder = above;
  }
}
