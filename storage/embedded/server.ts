import { execFile, spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readdir, readFile, rename, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { explainServerFailure } from "./failure.ts";
import type { EmbeddedHome } from "./home.ts";
import { nameProcess } from "./running-process.ts";
import {
  answers,
  EMBEDDED_USER,
  readServerFile,
  READY_MS,
  type RunningPostgres,
} from "./server-file.ts";

/** The parts needed to run one embedded server. */
export interface ServerSetup {
  readonly home: EmbeddedHome;
  readonly binaries: Binaries;
  /** False gives up what protects data from a power cut, for tests. */
  readonly durable: boolean;
  /** Called once a program of the server was started. */
  readonly whileWaiting?: (() => void) | undefined;
}

// Not settings: they only decide when a server that hangs is reported.
const STOP_MS = 20_000;
const POLL_MS = 10;
const OUTLIVED_MS = 100;
const LOG_LIMIT_BYTES = 1_000_000;

/** Neither user data nor statements reach the server's log: errors go to the program, which decides. */
const SETTINGS = [
  "listen_addresses=",
  "unix_socket_permissions=0700",
  "max_connections=100",
  "shared_buffers=64MB",
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_logical_replication_workers=0",
  "min_wal_size=32MB",
  "max_wal_size=256MB",
  "io_method=sync",
  "jit=off",
  "log_min_messages=log",
  "log_min_error_statement=panic",
  "log_error_verbosity=terse",
  "log_checkpoints=off",
];
const CARELESS_SETTINGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/**
 * Starts the server, creating its data folder first where there is none. To be called by one process at a time.
 *
 * @throws Error in a sentence, with the server's output, when it does not come up.
 */
export async function startPostgres(setup: ServerSetup): Promise<RunningPostgres> {
  const { home, binaries } = setup;
  const version = await readVersion(home);
  if (version === null) {
    await refuseRemains(home);
    await createData(setup);
  } else if (version.trim() !== binaries.major) {
    throw new Error(
      `Cannot open the database in "${home.folder}": it was created by PostgreSQL ${version.trim()} and this program includes ${binaries.major}; ` +
        `start the version that created it, or set CONCIERGE_DATA_DIR to a new folder`,
    );
  }
  return launchOver(setup);
}

/** Returns the version of the server that created the data; null if there is none. */
async function readVersion({ data }: EmbeddedHome): Promise<string | null> {
  return readFile(join(data, "PG_VERSION"), "utf8").catch(() => null);
}

/** @throws Error if the data of a server that ran are gone: a new, empty database would look as if all were lost. */
export async function assertHasData(home: EmbeddedHome): Promise<void> {
  if ((await readVersion(home)) !== null) return;
  throw new Error(
    `Cannot bring back the database in "${home.folder}": its folder "data" is missing or incomplete; put it back, or start the program again to begin with an empty database`,
  );
}

/** @throws Error if the data folder holds something else: nothing is ever deleted there. */
async function refuseRemains({ folder, data }: EmbeddedHome): Promise<void> {
  const found = (await readdir(data).catch((): string[] => [])).toSorted();
  if (found.length === 0) return;
  const named = found.slice(0, 3).map((name) => `"${name}"`);
  const more = found.length - named.length;
  const all = `${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
  throw new Error(
    `Cannot open the database in "${folder}": its folder "data" holds ${all}, but no PG_VERSION, so the database is incomplete; ` +
      `put back what is missing, move that folder away to begin with an empty database, or set CONCIERGE_DATA_DIR to another folder`,
  );
}

/** Message of a server that starts while processes of a killed one are still running. */
const OUTLIVED = /pre-existing shared memory block/;

/** Starts the server, also while processes of a killed one are still ending. */
async function launchOver(setup: ServerSetup): Promise<RunningPostgres> {
  const deadline = Date.now() + STOP_MS;
  for (;;) {
    try {
      return await launch(setup);
    } catch (error) {
      const { cause } = error instanceof Error ? error : {};
      const isOutlived = typeof cause === "string" && OUTLIVED.test(cause);
      if (!isOutlived || Date.now() > deadline) throw error;
      await delay(OUTLIVED_MS);
    }
  }
}

/** Stops the server and waits for its end: open transactions are rolled back, committed ones are kept. */
export async function stopServer(server: RunningPostgres): Promise<void> {
  const name = nameProcess(server.pid);
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    if (!sendSignal(server.pid, signal)) return;
    const deadline = Date.now() + STOP_MS;
    while (Date.now() < deadline) {
      if (nameProcess(server.pid) !== name) return;
      await delay(POLL_MS);
    }
  }
  throw new Error(
    `Cannot stop the database: process ${server.pid} does not end when asked to; end it (kill -9 ${server.pid}) and try again`,
  );
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function createData(setup: ServerSetup): Promise<void> {
  // Under another name until it is complete: a killed start leaves nothing behind that looks like data.
  const draft = `${setup.home.data}.new`;
  await rm(draft, { recursive: true, force: true });
  const output = await createIn(setup, [
    `--pgdata=${draft}`,
    `--username=${EMBEDDED_USER}`,
    // Only this user and root can enter the socket's folder.
    "--auth=trust",
    // UTF-8, whatever the machine's locale; upper and lower case beyond ASCII work too.
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    ...(setup.durable ? [] : ["--no-sync"]),
  ]);
  if (output === null) return rename(draft, setup.home.data);
  // On a full disk an unfinished folder would block everything else.
  await rm(draft, { recursive: true, force: true });
  throw explainServerFailure({ action: "create", folder: setup.home.folder, output });
}

async function launch(setup: ServerSetup): Promise<RunningPostgres> {
  const log = join(setup.home.folder, "server.log");
  const begin = await prepareLog(log);
  const child = spawnServer(setup, log);
  const end = watchEnd(child);
  setup.whileWaiting?.();
  // The server outlives this process if others use it.
  child.unref();
  const deadline = Date.now() + READY_MS;
  while (end.reason === null && Date.now() < deadline) {
    const found = await readServerFile(setup.home.data);
    if (found?.pid === child.pid && found?.status === "ready" && (await answers(found.socket))) {
      return found;
    }
    await delay(POLL_MS);
  }
  const printed = (await readFile(log).catch(() => Buffer.alloc(0))).subarray(begin).toString();
  const output = printed.trim() === "" ? (end.reason ?? "it does not answer") : printed;
  throw explainServerFailure({ action: "start", folder: setup.home.folder, output });
}

function watchEnd(child: ChildProcess): { readonly reason: string | null } {
  const end: { reason: string | null } = { reason: null };
  child.once("error", (error) => (end.reason = error.message));
  child.once("exit", (code, signal) => (end.reason = `it ended with ${code ?? signal}`));
  return end;
}

/** Starts the server in a separate session: Ctrl-C in a terminal must reach only the program, which then stops the server. */
function spawnServer(setup: ServerSetup, log: string): ChildProcess {
  const settings = [
    ...SETTINGS,
    ...(setup.durable ? [] : CARELESS_SETTINGS),
    `unix_socket_directories="${setup.home.socket.replaceAll('"', '""')}"`,
  ];
  const output = openSync(log, "a", 0o600);
  try {
    return spawn(
      program(setup, "postgres"),
      ["-D", setup.home.data, ...settings.flatMap((setting) => ["-c", setting])],
      { ...spawnOptions(setup), detached: true, stdio: ["ignore", output, output] },
    );
  } finally {
    closeSync(output);
  }
}

/** Empties a log that has grown large; returns where this start's lines begin. */
async function prepareLog(path: string): Promise<number> {
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size <= LOG_LIMIT_BYTES) return size;
  await truncate(path);
  return 0;
}

/** Runs initdb; returns its output if it failed. */
async function createIn(setup: ServerSetup, args: readonly string[]): Promise<string | null> {
  const options = { ...spawnOptions(setup), encoding: "utf8" } as const;
  return new Promise((resolve) => {
    execFile(program(setup, "initdb"), args, options, (error, stdout, stderr) => {
      resolve(error === null ? null : `${stdout}${stderr}` || error.message);
    });
    setup.whileWaiting?.();
  });
}

function program(setup: ServerSetup, name: string): string {
  return join(setup.binaries.folder, "bin", name);
}

/** Hides the program's environment from the server: it holds keys, and locales that would decide the encoding. */
function spawnOptions({ home }: ServerSetup) {
  return {
    cwd: home.folder,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    ...(home.account === null ? {} : { uid: home.account.uid, gid: home.account.gid }),
  };
}
