import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { START, StateGraph, StateSchema } from "@langchain/langgraph";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { openDatabase } from "../../../storage/postgres/database.ts";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../../../storage/embedded/embedded.ts";
import { silentLog } from "../../../state/log.ts";
import { nameProcess } from "../../../storage/embedded/running-process.ts";

let base = "";
/** One data folder serves most tests: making one takes most of a second. */
let dataDir = "";
const uses: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "concierge-embedded-"));
  // Root's server runs as another user, who has to get at the data folders in it.
  await chmod(base, 0o711);
  dataDir = join(base, "data");
});

afterEach(async () => {
  for (const child of children.splice(0)) await endChild(child);
  for (const use of uses.splice(0)) await use.stop();
});

afterAll(() => rm(base, { recursive: true, force: true }));

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const use = await startEmbeddedPostgres({ dataDir: folder, log: silentLog });
  uses.push(use);
  return use;
}

/** Starts a process that uses the server; resolves with the socket's folder once it does. */
async function startChild(folder: string, env: NodeJS.ProcessEnv = {}) {
  const script = fileURLToPath(new URL("./embedded-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, folder], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, socket: line.toString().trim() };
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.stdin?.end();
  await exit;
}

async function query(use: Pick<EmbeddedPostgres, "connection">, sql: string): Promise<unknown[]> {
  const client = new Client(use.connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(folder = dataDir): Promise<number | null> {
  const text = await readFile(pidFile(folder), "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  return Number.isNaN(pid) ? null : pid;
}

function pidFile(folder = dataDir): string {
  return join(folder, "postgres/data/postmaster.pid");
}

/** Ends the server as a crash would, and waits until it is gone. */
async function killServer(signal: NodeJS.Signals): Promise<void> {
  const pid = (await serverPid()) ?? 0;
  process.kill(pid, signal);
  while (nameProcess(pid) !== null) await delay(5);
}

test("stored rows are there after a stop and a start", async () => {
  const first = await start();
  await query(first, "create table kept as select 'żółć' as text");
  await first.stop();
  expect(await serverPid()).toBeNull();
  const second = await start();
  expect(await query(second, "select text from kept")).toEqual([{ text: "żółć" }]);
});

test("the server listens on a socket that only its user can reach, and nowhere else", async () => {
  const use = await start();
  expect(await query(use, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
  const folder = await stat(join(dataDir, "postgres"));
  expect(folder.mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, "postgres/data"))).mode & 0o077).toBe(0);
});

test("a second process shares the server, keeps it when the first leaves, and stops it when it leaves last", async () => {
  const use = await start();
  const pid = await serverPid();
  const { child, socket } = await startChild(dataDir);
  expect(socket).toBe(use.connection.host);
  expect(await serverPid()).toBe(pid);
  await use.stop();
  await use.stop();
  expect(await query(use, "select 1 as one")).toEqual([{ one: 1 }]);
  await endChild(child);
  expect(await serverPid()).toBeNull();
});

test("processes that start at once on an empty folder share one server", async () => {
  const folder = join(base, "together");
  const started = await Promise.all([startChild(folder), startChild(folder), start(folder)]);
  const [first, second, own] = started;
  expect([first.socket, second.socket]).toEqual([own.connection.host, own.connection.host]);
  expect(await readdir(join(folder, "postgres/users"))).toHaveLength(3);
});

test("a process that was killed leaves a server that is adopted, and does not keep it running", async () => {
  const { child } = await startChild(dataDir);
  const pid = await serverPid();
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
  const use = await start();
  expect(await serverPid()).toBe(pid);
  expect(await query(use, "select 1 as one")).toEqual([{ one: 1 }]);
  await use.stop();
  expect(await serverPid()).toBeNull();
});

test("a server that was killed is started again over its stale file", async () => {
  const use = await start();
  await query(use, "create table survives as select 1 as one");
  const pid = await serverPid();
  await killServer("SIGKILL");
  expect(await serverPid()).toBe(pid);
  const again = await start();
  expect(await serverPid()).not.toBe(pid);
  expect(await query(again, "select one from survives")).toEqual([{ one: 1 }]);
});

test("a server that was killed while it was used is started again where it was, once for all who ask", async () => {
  const use = await start();
  await query(use, "create table restored as select 1 as one");
  const holding = new Client(use.connection);
  holding.on("error", () => undefined);
  await holding.connect();
  const pid = await serverPid();
  await use.ensureRunning();
  expect(await serverPid()).toBe(pid);
  await killServer("SIGKILL");

  await Promise.all([use.ensureRunning(), use.ensureRunning()]);

  const again = await serverPid();
  expect(again).not.toBe(pid);
  expect(await query(use, "select one from restored")).toEqual([{ one: 1 }]);
  await use.ensureRunning();
  expect(await serverPid()).toBe(again);
  await use.stop();
  await use.ensureRunning();
  expect(await serverPid()).toBeNull();
});

test("a server that was told to end and waits for its users is ended, and started again", async () => {
  const use = await start();
  await query(use, "create table asked_to_end as select 1 as one");
  const staying = new Client(use.connection);
  staying.on("error", () => undefined);
  await staying.connect();
  const pid = (await serverPid()) ?? 0;
  process.kill(pid, "SIGTERM");
  while (!(await readFile(pidFile(), "utf8")).includes("stopping")) await delay(5);

  await use.ensureRunning();

  expect(await serverPid()).not.toBe(pid);
  expect(await query(use, "select one from asked_to_end")).toEqual([{ one: 1 }]);
});

test("a server that is about to die takes connections and answers none: it is not taken for one that runs", async () => {
  const use = await start();
  const pid = (await serverPid()) ?? 0;
  process.kill(pid, "SIGSTOP");

  const starting = use.ensureRunning();
  // That nothing comes of it has no event.
  await Promise.race([starting, delay(200)]);
  await killServer("SIGKILL");
  await starting;

  expect(await serverPid()).not.toBe(pid);
});

test("ensureRunning() writes nothing while the server runs, and says what is in its way where it does not", async () => {
  const use = await start();
  const lock = join(dataDir, "postgres/lock");
  // Taking it would wait for a minute.
  await writeFile(lock, `${nameProcess(process.pid)} another`);
  await use.ensureRunning();
  await rm(lock);

  await killServer("SIGKILL");
  const users = join(dataDir, "postgres/users");
  await rename(users, `${users}.away`);
  await writeFile(users, "");
  await expect(use.ensureRunning()).rejects.toThrow(
    `Cannot use the data folder "${dataDir}": a part of the path is a file; set CONCIERGE_DATA_DIR to another folder`,
  );
  await rm(users);
  await rename(`${users}.away`, users);
  await use.ensureRunning();
  expect(await query(use, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("ensureRunning() makes no empty database where the data are gone", async () => {
  const use = await start();
  await query(use, "create table put_back as select 1 as one");
  await killServer("SIGKILL");
  const home = await realpath(join(dataDir, "postgres"));
  const data = join(home, "data");
  await rename(data, `${data}.away`);

  await expect(use.ensureRunning()).rejects.toThrow(
    `Cannot bring back the database in "${home}": its folder "data" is missing or incomplete; put it back, or start the program again to begin with an empty database`,
  );

  expect(await readdir(home)).not.toContain("data");
  await rename(`${data}.away`, data);
  await use.ensureRunning();
  expect(await query(use, "select one from put_back")).toEqual([{ one: 1 }]);
});

test("a server that another process has started again is adopted", async () => {
  const first = await start();
  const second = await start();
  await killServer("SIGKILL");
  await second.ensureRunning();
  const pid = await serverPid();

  await first.ensureRunning();

  expect(await serverPid()).toBe(pid);
  expect(await query(first, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a stale file whose number now belongs to another process does not stand in the way", async () => {
  const use = await start();
  const lines = (await readFile(pidFile(), "utf8")).split("\n");
  await use.stop();
  await writeFile(pidFile(), [process.pid, ...lines.slice(1)].join("\n"));
  const again = await start();
  expect(await query(again, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a start that was killed half-way leaves nothing that looks like data", async () => {
  const folder = join(base, "half");
  await (await start(folder)).stop();
  const data = join(folder, "postgres/data");
  await rename(data, `${data}.new`);
  await rm(`${data}.new/PG_VERSION`);
  const use = await start(folder);
  expect(await query(use, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("databases are UTF-8 whatever the locale, and the server gets none of our environment", async () => {
  const folder = join(base, "locale");
  const { socket } = await startChild(folder, {
    LANG: "C",
    LC_ALL: "xx_YY.ISO-8859-1",
    OPENAI_API_KEY: "sk-planted",
  });
  const connection = { host: socket, port: 5432, user: "concierge", database: "postgres" };
  const answer = await query(
    { connection },
    "select current_setting('server_encoding') as encoding, lower('ÄÖÉ') as low",
  );
  expect(answer).toEqual([{ encoding: "UTF8", low: "äöé" }]);
  if (process.platform !== "linux") return;
  const environment = readFileSync(`/proc/${await serverPid(folder)}/environ`, "utf8");
  expect(environment.split("\0")).toContain("LC_ALL=C");
  expect(environment).not.toContain("sk-planted");
});

test("a data folder with a long path, blanks and quotes works", async () => {
  const folder = join(base, "it's a folder,", "long".repeat(20), "longer".repeat(20));
  const use = await start(folder);
  expect(Buffer.byteLength(join(use.connection.host, ".s.PGSQL.5432"))).toBeLessThanOrEqual(100);
  expect((await stat(use.connection.host)).mode & 0o777).toBe(0o700);
  expect(await query(use, "select 1 as one")).toEqual([{ one: 1 }]);
  expect((await start(folder)).connection).toEqual(use.connection);
  for (const one of uses.splice(0)) await one.stop();
  await rm(use.connection.host, { recursive: true });
});

test("a server whose socket was deleted is stopped, and started anew when nobody else uses it", async () => {
  const use = await start();
  const pid = await serverPid();
  await rm(use.connection.host, { recursive: true });
  await expect(start()).rejects.toThrow(
    `process ${pid} runs it but does not answer; end the programs that use it and try again`,
  );
  await rm(join(dataDir, "postgres/users"), { recursive: true });
  const again = await start();
  expect(await serverPid()).not.toBe(pid);
  expect(await query(again, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a data folder of another version is explained", async () => {
  const use = await start();
  await use.stop();
  const version = join(dataDir, "postgres/data/PG_VERSION");
  const own = await readFile(version, "utf8");
  await writeFile(version, "15\n");
  try {
    await expect(start()).rejects.toThrow(
      /it was created by PostgreSQL 15 and this program includes 18/,
    );
  } finally {
    await writeFile(version, own);
  }
});

test("a data folder with something else in it is explained, and left as it is", async () => {
  const folder = join(base, "remains");
  const data = join(folder, "postgres/data");
  await (await start(folder)).stop();
  await rm(join(data, "PG_VERSION"));
  const before = await readdir(data);
  await expect(start(folder)).rejects.toThrow(
    `Cannot open the database in "${await realpath(join(folder, "postgres"))}": its folder "data" holds "base", "global", "pg_commit_ts" and ${before.length - 3} more, but no PG_VERSION, so the database is incomplete; ` +
      "put back what is missing, move that folder away to begin with an empty database, or set CONCIERGE_DATA_DIR to another folder",
  );
  expect(await readdir(data)).toEqual(before);
});

test("damaged data is explained with what the server said", async () => {
  await (await start()).stop();
  const control = join(dataDir, "postgres/data/global/pg_control");
  await rename(control, `${control}.away`);
  try {
    await expect(start()).rejects.toThrow(
      /^Cannot start the database in ".*": .*could not find the database system; see .*server\.log, or set DATABASE_URL$/,
    );
  } finally {
    await rename(`${control}.away`, control);
  }
});

test("a data folder that cannot be one is explained, and a file in its place left as it is", async () => {
  const file = join(base, "file");
  await writeFile(file, "", { mode: 0o640 });
  const before = await stat(file);
  for (const folder of [file, join(file, "data")]) {
    await expect(start(folder)).rejects.toThrow(
      `Cannot use the data folder "${folder}": a part of the path is a file; set CONCIERGE_DATA_DIR to another folder`,
    );
  }
  const { mode, uid, gid } = await stat(file);
  expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid });
  await expect(start("/proc/concierge")).rejects.toThrow(
    'Cannot use the data folder "/proc/concierge": it cannot be made there; set CONCIERGE_DATA_DIR to another folder',
  );
});

test.runIf(process.getuid?.() === 0)(
  "root's data folder in a closed place links to an open one, and a link that leads nowhere is explained",
  async () => {
    const closed = join(base, "closed");
    await mkdir(closed, { mode: 0o700 });
    const folder = join(closed, "data");
    const use = await start(folder);
    await query(use, "create table kept as select 1 as one");
    const place = join(folder, "postgres");
    expect((await lstat(place)).isSymbolicLink()).toBe(true);
    const target = await realpath(place);
    try {
      await use.stop();
      expect(await query(await start(folder), "select one from kept")).toEqual([{ one: 1 }]);
      for (const one of uses.splice(0)) await one.stop();
    } finally {
      await rm(target, { recursive: true });
    }
    await expect(start(folder)).rejects.toThrow(
      `Cannot open the database in "${place}": it is a link to a folder that is gone; bring that folder back, or delete the link to start with an empty database`,
    );
  },
);

const CountState = new StateSchema({
  count: z.number().default(0),
  done: z.boolean().default(false),
});

test("Postgres gone in mid-turn: the turn fails with a sentence, and goes on when it is back", async () => {
  const options = { url: null, dataDir, migrations: [], log: silentLog };
  const database = await openDatabase(options);
  let crashes = 1;
  const graph = new StateGraph(CountState)
    .addNode("count_up", ({ count }) => ({ count: count + 1 }))
    .addNode("work", async () => {
      if (crashes-- > 0) await killServer("SIGQUIT");
      return { done: true };
    })
    .addEdge(START, "count_up")
    .addEdge("count_up", "work")
    .compile({ checkpointer: createCheckpointer(database.pool) });
  const thread = { configurable: { thread_id: "t" }, durability: "sync" as const };
  try {
    await expect(graph.invoke({ count: 1 }, thread)).rejects.toBeInstanceOf(
      DatabaseUnavailableError,
    );
    await expect(database.userData.read("ada", async () => 1)).rejects.toThrow(
      /^Cannot reach the database: the server does not answer/,
    );
    await start();
    expect((await graph.getState(thread)).tasks.map(({ name }) => name)).toEqual(["work"]);
    expect(await graph.invoke(null, thread)).toEqual({ count: 2, done: true });
  } finally {
    await database.close();
  }
});
