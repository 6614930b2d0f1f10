import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findBinaries, removeOldCopies, usableBinaries, type Binaries } from "./binaries.ts";
import { explainFolderError, prepareHome, type EmbeddedHome } from "./home.ts";
import { assertHasData, startPostgres, stopServer } from "./server.ts";
import type { Log } from "../../state/log.ts";
import { withProcessLock } from "./process-lock.ts";
import { isRunning, nameProcess } from "./running-process.ts";
import {
  answers,
  EMBEDDED_DATABASE,
  EMBEDDED_PORT,
  EMBEDDED_USER,
  inspectServer,
  readServerFile,
  type RunningPostgres,
} from "./server-file.ts";

/** Address of an embedded server: `host` is the folder of its socket; there is no password. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  /** A superuser. */
  readonly user: string;
  readonly database: string;
}

export interface EmbeddedOptions {
  /** The program's data folder; the server's lies in `postgres` under it. */
  readonly dataDir: string;
  readonly log: Log;
  /** False gives up what protects data from a power cut, for tests. Default true. */
  readonly durable?: boolean;
  /** Called whenever the start waits for the server, so that modules can be loaded meanwhile. Not awaited. */
  readonly whileWaiting?: () => void;
}

/**
 * Starts the PostgreSQL server in `dataDir`, and creates its data the first time.
 *
 * Contract: processes of one user share one server: the first starts it, the others join it, and the
 * last one stops it. Its databases are UTF-8. It listens on a Unix socket only, in a folder
 * that only this user can enter.
 *
 * @throws Error in a sentence that says what to do, when it cannot be started.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const binaries = findBinaries();
    const home = await prepareHome(options.dataDir, options.log);
    const postgres = new EmbeddedPostgres(home, { ...options, binaries });
    await postgres.join();
    return postgres;
  } catch (error) {
    throw explainFolderError(error, options.dataDir);
  }
}

/** This process's use of an embedded server. */
export class EmbeddedPostgres {
  readonly #options: StartOptions;
  readonly #lock: string;
  /** File that represents this use. */
  readonly #use: string;
  #home: EmbeddedHome;
  #server: RunningPostgres | null = null;
  #starting: Promise<void> | null = null;
  #stopping: Promise<void> | null = null;

  constructor(home: EmbeddedHome, options: StartOptions) {
    this.#home = home;
    this.#options = options;
    this.#lock = join(home.folder, "lock");
    this.#use = join(home.folder, "users", randomUUID());
  }

  get connection(): EmbeddedConnection {
    return {
      host: this.#home.socket,
      port: EMBEDDED_PORT,
      user: EMBEDDED_USER,
      database: EMBEDDED_DATABASE,
    };
  }

  /** Adopts the server that runs, or starts one. */
  async join(): Promise<void> {
    const server = await withProcessLock(this.#lock, async () => {
      const running = await adopt(this.#home);
      await mkdir(dirname(this.#use), { recursive: true, mode: 0o700 });
      await writeFile(this.#use, nameProcess(process.pid) ?? "", { mode: 0o600 });
      try {
        return running ?? (await bringUp(this.#home, this.#options));
      } catch (error) {
        if (this.#server === null) await rm(this.#use, { force: true });
        throw error;
      }
    });
    this.#server = server;
    // The server may use the temporary folder of another process.
    this.#home = { ...this.#home, socket: server.socket };
  }

  /**
   * Restarts the server if it was ended from outside, or joins one that another process has started;
   * `connection` is valid afterwards.
   *
   * @throws Error in a sentence that says what to do, when it cannot be started.
   */
  ensureRunning(): Promise<void> {
    this.#starting ??= this.#startAgain()
      .catch((error: unknown) => {
        throw explainFolderError(error, this.#options.dataDir);
      })
      .finally(() => (this.#starting = null));
    return this.#starting;
  }

  /** Ends this use; the last use stops the server. Calling it again does nothing. */
  stop(): Promise<void> {
    this.#stopping ??= withProcessLock(this.#lock, () => leave(this.#home, this.#use)).catch(
      (error: unknown) => {
        throw explainFolderError(error, this.#options.dataDir);
      },
    );
    return this.#stopping;
  }

  async #startAgain(): Promise<void> {
    const before = this.#server;
    // Nothing is written while the server runs: the disk may be full.
    if (this.#stopping !== null || before === null || (await isUp(this.#home.data, before))) return;
    await assertHasData(this.#home);
    await this.join();
    if (this.#server?.pid === before.pid) return;
    this.#options.log.warn("The database was ended from outside and has been restarted");
  }
}

/** Options for a start, and the programs to start. */
interface StartOptions extends EmbeddedOptions {
  readonly binaries: Binaries;
}

async function isUp(data: string, server: RunningPostgres): Promise<boolean> {
  const found = await readServerFile(data);
  if (found?.pid !== server.pid || found.status !== "ready") return false;
  return nameProcess(server.pid) !== null && (await answers(server.socket));
}

/** Returns the running server, or null if one must be started. */
async function adopt(home: EmbeddedHome): Promise<RunningPostgres | null> {
  const state = await inspectServer(home.data);
  if (state.kind === "running") return state.server;
  if (state.kind === "none") return null;
  // A server that is stopping accepts no connections, and may wait for open ones.
  if (state.kind === "silent" && (await isUsed(home))) {
    throw new Error(
      `Cannot reach the database in "${home.folder}": process ${state.server.pid} runs it but does not answer; end the programs that use it and try again`,
    );
  }
  await stopServer(state.server);
  return null;
}

async function bringUp(home: EmbeddedHome, options: StartOptions): Promise<RunningPostgres> {
  options.log.debug(`Starting the database in "${home.folder}"`);
  const copy = `native-${options.binaries.version}`;
  const binaries =
    home.account === null
      ? options.binaries
      : await usableBinaries(options.binaries, {
          account: home.account,
          target: join(home.folder, copy),
        });
  const { durable = true, whileWaiting } = options;
  const server = await startPostgres({ home, binaries, durable, whileWaiting });
  await removeOldCopies(home.folder, copy);
  return server;
}

async function leave(home: EmbeddedHome, use: string): Promise<void> {
  await rm(use, { force: true });
  if (await isUsed(home)) return;
  const state = await inspectServer(home.data);
  if (state.kind !== "none") await stopServer(state.server);
}

/** Returns true if a running process uses the server, and removes the files of dead ones. */
async function isUsed(home: EmbeddedHome): Promise<boolean> {
  const folder = join(home.folder, "users");
  const notes = await readdir(folder).catch(() => []);
  const alive = await Promise.all(
    notes.map(async (note) => {
      const name = await readFile(join(folder, note), "utf8").catch(() => "");
      if (isRunning(name)) return true;
      await rm(join(folder, note), { force: true });
      return false;
    }),
  );
  return alive.includes(true);
}
