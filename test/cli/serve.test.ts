import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, type TestContext } from "vitest";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { openDatabaseProxy } from "../support/database-proxy.ts";
import { chatModelAnswers, startOpenAIMock } from "../support/openai-mock.ts";
import { readSse } from "../support/read-sse.ts";
import { startService } from "../support/run-cli.ts";

/** Each test starts several processes, one after the other, and waits for them. */
const TIMEOUT_MS = 90_000;

/** A database for one test: on a shared one, workers would take each other's runs. */
async function openDatabase({ onTestFinished }: TestContext): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

async function send(url: string, body: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Starts an endpoint that answers by the simulated model, and holds every answer to a turn until it is released. */
async function startHoldingEndpoint({ onTestFinished }: TestContext) {
  const answer = chatModelAnswers(createSimulatedModel({ words: SIMULATED_WORDS }));
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const mock = await startOpenAIMock({
    answer: async (request) => {
      // The check at the start.
      if (request["max_tokens"] === 1) return answer(request);
      resolve();
      await released;
      return answer(request);
    },
  });
  onTestFinished(() => mock.close());
  const env = { OPENAI_BASE_URL: mock.baseUrl, OPENAI_MODEL: "m" };
  return { env, asked, release };
}

async function readOutcomes({ owner }: TestDatabase): Promise<unknown> {
  const { rows } = await owner.query("select thread_id, outcome from inbox");
  return rows;
}

async function makeDataDir({ onTestFinished }: TestContext): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "concierge-serve-"));
  // Root's server runs as another user, who has to get at the data folder in it.
  await chmod(dataDir, 0o711);
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return dataDir;
}

async function readDatabasePid(dataDir: string): Promise<number | null> {
  const file = join(dataDir, "postgres/data/postmaster.pid");
  const pid = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
  return Number.isNaN(pid) ? null : pid;
}

const MESSAGE = "what's in my fridge?";

describe.concurrent("npm start", { timeout: TIMEOUT_MS }, () => {
  test("answers without any configuration, and a signal ends it with 0", async (context) => {
    const dataDir = await makeDataDir(context);
    const service = startService({ env: { CONCIERGE_DATA_DIR: dataDir } });
    const url = await service.url();

    const events = await readSse(await send(url, { message: MESSAGE }));
    service.child.kill("SIGTERM");
    const { exitCode, stdout, stderr } = await service.ended();

    expect(events.at(-1)).toMatchObject({ event: "end", data: { status: "success" } });
    expect(events.filter(({ event }) => event === "reply")).toHaveLength(1);
    expect(exitCode).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "Model: none is set; the simulated model follows plain commands (set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL)",
      'Authentication: off: every caller is the user "demo", and only this machine can connect',
      `Database: an embedded PostgreSQL in ${dataDir}`,
      `Listening: ${url} (the API's page: ${url}/docs)`,
      "Leaving: active runs may end first; another signal leaves at once",
      "",
    ]);
    expect(stderr).not.toContain("fridge");
    expect(
      stderr
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ msg: "A request was answered", route: "/chat", user: "demo" }),
        expect.objectContaining({ msg: "A run ended", outcome: "answered", user: "demo" }),
      ]),
    );
  });

  test("restarts an embedded database that is ended from outside, without a turn", async (context) => {
    const dataDir = await makeDataDir(context);
    const service = startService({ env: { CONCIERGE_DATA_DIR: dataDir } });
    const url = await service.url();
    const ends: unknown[] = [];

    for (const [index, signal] of (["SIGKILL", "SIGTERM"] as const).entries()) {
      process.kill((await readDatabasePid(dataDir)) ?? 0, signal);
      await service.logged("The database was ended from outside and has been restarted", index + 1);
      const events = await readSse(await send(url, { message: MESSAGE }));
      ends.push(events.at(-1));
    }
    service.child.kill("SIGTERM");
    const { exitCode } = await service.ended();

    const end = { event: "end", data: { status: "success" } };
    expect(ends).toMatchObject([end, end]);
    expect(exitCode).toBe(0);
  });

  test("leaves an embedded database down that gets the signal, too", async (context) => {
    const { env, asked, release } = await startHoldingEndpoint(context);
    const dataDir = await makeDataDir(context);
    const service = startService({
      // Longer than it takes to look for it.
      env: { ...env, CONCIERGE_DATA_DIR: dataDir, CONCIERGE_DRAIN_SECONDS: "6" },
    });

    await send(await service.url(), { message: MESSAGE });
    await asked;
    service.child.kill("SIGTERM");
    await service.line("Leaving");
    process.kill((await readDatabasePid(dataDir)) ?? 0, "SIGTERM");
    const { exitCode, stderr } = await service.ended();
    release();

    expect({ exitCode, stderr, pid: await readDatabasePid(dataDir) }).toEqual({
      exitCode: 0,
      stderr: expect.not.stringContaining("is started again"),
      pid: null,
    });
  });

  test("lets the active run end after a signal, and has its stream come back", async (context) => {
    const database = await openDatabase(context);
    const { env, asked, release } = await startHoldingEndpoint(context);
    const service = startService({ env: { ...env, DATABASE_URL: database.url } });

    const answer = await send(await service.url(), { message: MESSAGE, thread: "drained" });
    await asked;
    service.child.kill("SIGINT");
    await service.line("Leaving");
    const stream = await answer.text();
    release();
    const { exitCode } = await service.ended();

    expect(stream).toContain("retry:");
    expect(exitCode).toBe(0);
    expect(await readOutcomes(database)).toEqual([{ thread_id: "drained", outcome: "answered" }]);
  });

  test("hands a run that does not end in time to another process", async (context) => {
    const database = await openDatabase(context);
    const { env: endpoint, asked, release } = await startHoldingEndpoint(context);
    const env = { ...endpoint, DATABASE_URL: database.url };
    const first = startService({ env: { ...env, CONCIERGE_DRAIN_SECONDS: "0" } });

    const begun = await send(await first.url(), { message: MESSAGE, thread: "left" });
    const run = begun.headers.get("x-run-id") ?? "";
    await asked;
    first.child.kill("SIGHUP");
    const { exitCode } = await first.ended();
    const before = await readOutcomes(database);
    release();
    const second = startService({ env });
    const events = await readSse(await fetch(`${await second.url()}/chat/${run}`));
    second.child.kill("SIGTERM");
    await second.ended();

    expect(exitCode).toBe(0);
    expect(before).toEqual([{ thread_id: "left", outcome: null }]);
    expect(events.filter(({ event }) => event === "turn-start")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ event: "end", data: { run, status: "success" } });
    expect(await readOutcomes(database)).toEqual([{ thread_id: "left", outcome: "answered" }]);
  });

  test("--role runs the server and the worker as separate processes", async (context) => {
    const env = { DATABASE_URL: (await openDatabase(context)).url };
    const server = startService({ args: ["--role", "server"], env });
    const worker = startService({
      args: ["--role", "worker"],
      env: { ...env, CONCIERGE_WORKER_PORT: "0", CONCIERGE_WORKER_SLOTS: "3" },
    });

    const working = await worker.line("Working: 3 threads at once (status: ");
    const status = working.replace("/ok, ", " ").split(" ")[0] ?? "";
    const events = await readSse(await send(await server.url(), { message: MESSAGE }));
    const ok = await fetch(`${status}/ok`);
    const metrics = await (await fetch(`${status}/metrics`)).text();
    const other = await fetch(`${status}/threads`);
    server.child.kill("SIGTERM");
    worker.child.kill("SIGTERM");
    const ends = await Promise.all([server.ended(), worker.ended()]);

    expect(events.at(-1)).toMatchObject({ event: "end", data: { status: "success" } });
    expect(await ok.json()).toEqual({ ok: true });
    expect(metrics).toContain('concierge_runs_total{outcome="answered",code=""} 1');
    expect(other.status).toBe(404);
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(ends[1]?.stdout).not.toContain("Listening");
  });

  test.for(["server", "all"])(
    "ends the role %s with 1 after a signal while its database hangs",
    async (role, context) => {
      const proxy = await openDatabaseProxy((await openDatabase(context)).url);
      try {
        const service = startService({
          args: ["--role", role],
          env: { DATABASE_URL: proxy.url, CONCIERGE_DRAIN_SECONDS: "0" },
        });
        await service.url();
        proxy.hang();

        service.child.kill("SIGTERM");
        const { exitCode, stderr } = await service.ended();

        expect([exitCode, stderr]).toEqual([
          1,
          expect.stringContaining("could not be ended in time"),
        ]);
      } finally {
        await proxy.close();
      }
    },
  );

  test("exits at once at a second signal", async (context) => {
    const database = await openDatabase(context);
    const { env, asked } = await startHoldingEndpoint(context);
    const service = startService({ env: { ...env, DATABASE_URL: database.url } });

    await send(await service.url(), { message: MESSAGE, thread: "abandoned" });
    await asked;
    const again = setInterval(() => service.child.kill("SIGTERM"), 200);
    const { exitCode } = await service.ended();
    clearInterval(again);

    expect(exitCode).toBe(143);
    expect(await readOutcomes(database)).toEqual([{ thread_id: "abandoned", outcome: null }]);
  });

  test("names a misspelled setting before it opens anything", async () => {
    const { exitCode, stdout } = await startService({
      env: { DATABASE_URL: "postgresql://nobody@127.0.0.1:9/none", CONCIERGE_HOTS: "0.0.0.0" },
    }).ended();

    expect(exitCode).toBe(4);
    expect(stdout.split("\n")).toEqual([
      "Model: none is set; the simulated model follows plain commands (set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL)",
      'Authentication: off: every caller is the user "demo", and only this machine can connect',
      "Database: none at 127.0.0.1:9",
      "Not used: CONCIERGE_HOTS (environment) is not a setting; did you mean CONCIERGE_HOST?",
      "",
    ]);
  });

  test("with authentication and without a model refuses to start, unless it asks none", async () => {
    const env = { DATABASE_URL: "postgresql://nobody@127.0.0.1:9/none", CONCIERGE_AUTH: "keys" };
    const refused = await startService({ env }).ended();
    const others = await Promise.all(
      [
        ["--model", "simulated"],
        ["--role", "server"],
      ].map((args) => startService({ env, args }).ended()),
    );

    expect(refused).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        "No model is set. Set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL, or pass --model simulated.\n",
    });
    // They come as far as the database, which is not there.
    expect(others.map(({ exitCode, stdout }) => [exitCode, stdout.split("\n").at(-2)])).toEqual([
      [4, "Database: none at 127.0.0.1:9"],
      [4, "Database: none at 127.0.0.1:9"],
    ]);
  });

  test("without authentication refuses any other address, and opens nothing", async () => {
    const { exitCode, stdout, stderr } = await startService({
      args: ["--host", "0.0.0.0"],
      env: { DATABASE_URL: "postgresql://nobody@127.0.0.1:9/none" },
    }).ended();

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toBe(
      'Cannot listen on "0.0.0.0" without authentication: whoever reaches that address could read and change everything; set CONCIERGE_AUTH to "keys" or "jwt", or listen on 127.0.0.1\n',
    );
  });
});
