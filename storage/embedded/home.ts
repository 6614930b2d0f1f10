import { createHash, randomUUID } from "node:crypto";
import { chmod, chown, lstat, mkdir, realpath, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "../postgres/error-code.ts";
import type { Log } from "../../state/log.ts";
import { findServerAccount, isRoot, mayEnter, type Account } from "./server-account.ts";

/** Folders of one embedded server, and the account that runs it. */
export interface EmbeddedHome {
  /** Holds everything below, real path. Only the server's user (and root) may enter. */
  readonly folder: string;
  /** PostgreSQL's own data folder; does not exist before the first start. */
  readonly data: string;
  /** Folder in which the server opens its socket. */
  readonly socket: string;
  /** The user the server runs as; null when that is this process's own. */
  readonly account: Account | null;
}

/** For root, when the data folder lies where no other user may enter (root's home). */
const OPEN_BASE = "/var/lib/concierge-graph";
/** A socket's whole path may have about 104 bytes. */
const SOCKET_LIMIT = 100;
const SOCKET_NAME = ".s.PGSQL.5432";

/**
 * Creates the folders of the embedded server under `dataDir` and chooses the account that runs it.
 *
 * An ordinary user runs it directly. Root cannot: then it runs as the owner of the data that is
 * there, else as an unprivileged user. Where that user may not enter the folders above `dataDir`,
 * the data lives in `/var/lib/concierge-graph` and `dataDir/postgres` is a link to it.
 *
 * @throws Error when a folder belongs to someone else or cannot be made.
 */
export async function prepareHome(dataDir: string, log: Log): Promise<EmbeddedHome> {
  const place = join(resolve(dataDir), "postgres");
  await makeFolder(dirname(place));
  const account = isRoot() ? await prepareForAccount(place, log) : null;
  if (account === null) await makeFolder(place);
  const folder = await realpath(place);
  await refuseForeign(folder, account);
  const socket = await prepareSocketFolder(folder, account);
  return { folder, data: join(folder, "data"), socket, account };
}

/** Makes what is missing, open only to its owner; folders above it as the system makes them. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    if (errorCode(error) !== "EEXIST") throw error;
    // As root the start would continue, and open someone's file to the server's user.
    const there = await stat(path).catch(() => null);
    if (there !== null && !there.isDirectory()) throw error;
  });
}

async function prepareForAccount(place: string, log: Log): Promise<Account> {
  const existing = await stat(place).catch(() => null);
  if (existing !== null && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  if (existing === null && (await lstat(place).catch(() => null)) !== null) {
    throw new Error(
      `Cannot open the database in "${place}": it is a link to a folder that is gone; ` +
        `bring that folder back, or delete the link to start with an empty database`,
    );
  }
  const account = await findServerAccount();
  if (await letThrough(dirname(place), account)) {
    await makeFolder(place);
    await chown(place, account.uid, account.gid);
  } else {
    await makeElsewhere(place, { account, log });
  }
  return account;
}

/** Lets the server's group pass through the program's own data folder, never through one above it. */
async function letThrough(dataDir: string, account: Account): Promise<boolean> {
  if (!(await mayEnter(dirname(dataDir), account))) return false;
  if (await mayEnter(dataDir, account)) return true;
  const folder = await stat(dataDir);
  if (folder.uid !== 0) return false;
  await chown(dataDir, 0, account.gid);
  await chmod(dataDir, (folder.mode & 0o707) | 0o010);
  return true;
}

async function makeElsewhere(
  place: string,
  options: { account: Account; log: Log },
): Promise<void> {
  const target = join(OPEN_BASE, randomUUID());
  await mkdir(target, { recursive: true });
  await chmod(OPEN_BASE, 0o711);
  await chmod(target, 0o700);
  await chown(target, options.account.uid, options.account.gid);
  try {
    await symlink(target, place);
    options.log.info(
      `The database lives in "${target}", because the user it runs as may not enter "${dirname(place)}"`,
    );
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    // Another process made the link first: its folder is used.
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

async function refuseForeign(folder: string, account: Account | null): Promise<void> {
  const owner = (await stat(folder)).uid;
  const expected = account?.uid ?? process.getuid?.() ?? owner;
  if (owner === expected) return;
  throw new Error(
    `Cannot open the database in "${folder}": it belongs to user number ${owner}; ` +
      `start the program as that user, or set CONCIERGE_DATA_DIR to a folder of your own`,
  );
}

/** The socket lies beside the data; in the temporary folder where that path would be too long for one. */
async function prepareSocketFolder(folder: string, account: Account | null): Promise<string> {
  const owner = account?.uid ?? process.getuid?.() ?? 0;
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 12);
  const name = `concierge-${owner}-${hash}`;
  const places = [join(folder, "run"), join(tmpdir(), name)];
  const socket = places.find(fits) ?? join("/tmp", name);
  await makeFolder(socket);
  const made = await lstat(socket);
  if (account !== null && made.uid === 0) await chown(socket, account.uid, account.gid);
  else if (!made.isDirectory() || made.uid !== owner || (made.mode & 0o077) !== 0) {
    throw new Error(
      `Cannot open the database's socket in "${socket}": the folder belongs to someone else or is open to others; delete it`,
    );
  }
  return socket;
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= SOCKET_LIMIT;
}

const ELSEWHERE = "set CONCIERGE_DATA_DIR to another folder";
const FOLDER_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: `this user may not write there; ${ELSEWHERE}`,
  EPERM: `this user may not write there; ${ELSEWHERE}`,
  EROFS: `the disk is read-only; ${ELSEWHERE}`,
  ENOTDIR: `a part of the path is a file; ${ELSEWHERE}`,
  ENOENT: `it cannot be made there; ${ELSEWHERE}`,
  EEXIST: `a part of the path is a file; ${ELSEWHERE}`,
  ENOSPC:
    "the disk is full; free some space, or set CONCIERGE_DATA_DIR to a folder on another disk",
};

/** Turns the system's refusal of a file or folder into a sentence that says what to do; other errors come back as they are. */
export function explainFolderError(error: unknown, dataDir: string): unknown {
  const problem = FOLDER_PROBLEMS[errorCode(error)];
  if (problem === undefined) return error;
  return new Error(`Cannot use the data folder "${dataDir}": ${problem}`, { cause: error });
}
