import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";
import { testDatabase } from "../support/database.ts";
import { openDatabaseProxy } from "../support/database-proxy.ts";
import { chatModelAnswers, startOpenAIMock } from "../support/openai-mock.ts";
import { readSse } from "../support/read-sse.ts";
import { runCli, startService } from "../support/run-cli.ts";

const database = await testDatabase();
const env = { DATABASE_URL: database.url };
/** Each starts several processes, one after the other. */
const SLOW = { timeout: 90_000 };

async function say(url: string, body: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** An endpoint that answers by the simulated model, and holds every answer until it is let go. */
async function holdingEndpoint() {
  const answer = chatModelAnswers(createSimulatedModel({ words: SIMULATED_WORDS }));
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { promise: letGo, resolve: go } = Promise.withResolvers<void>();
  const mock = await startOpenAIMock({
    answer: async (request) => {
      resolve();
      await letGo;
      return answer(request);
    },
  });
  onTestFinished(() => mock.close());
  return {
    env: { ...env, OPENAI_BASE_URL: mock.baseUrl, OPENAI_MODEL: "m", CONCIERGE_MODEL_RETRIES: "0" },
    asked,
    go,
  };
}

async function outcomeOf(threadId: string): Promise<unknown> {
  const { rows } = await database.owner.query("select outcome from inbox where thread_id = $1", [
    threadId,
  ]);
  return rows;
}

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "concierge-serve-"));
  // Root's server runs as another user, who has to get at the data folder in it.
  await chmod(dataDir, 0o711);
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return dataDir;
}

async function databasePid(dataDir: string): Promise<number | null> {
  const file = join(dataDir, "postgres/data/postmaster.pid");
  const pid = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
  return Number.isNaN(pid) ? null : pid;
}

test("npm start answers without any configuration, and a signal ends it with 0", SLOW, async () => {
  const dataDir = await makeDataDir();
  const service = startService({ env: { CONCIERGE_DATA_DIR: dataDir } });
  const url = await service.url();

  const events = await readSse(await say(url, { message: "what's in my fridge?" }));
  service.child.kill("SIGTERM");
  const { exitCode, stdout, stderr } = await service.ended();

  expect(events.at(-1)).toMatchObject({ event: "end", data: { status: "success" } });
  expect(events.filter(({ event }) => event === "reply")).toHaveLength(1);
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "Model: simulated (follows plain commands, needs no key)",
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

test(
  "an embedded database that is ended from outside is started again, with no turn to ask for it",
  SLOW,
  async () => {
    const dataDir = await makeDataDir();
    const service = startService({ env: { CONCIERGE_DATA_DIR: dataDir } });
    const url = await service.url();
    const ends: unknown[] = [];

    for (const [index, signal] of (["SIGKILL", "SIGTERM"] as const).entries()) {
      process.kill((await databasePid(dataDir)) ?? 0, signal);
      await service.logged("The database was ended from outside and has been restarted", index + 1);
      const events = await readSse(await say(url, { message: "what's in my fridge?" }));
      ends.push(events.at(-1));
    }
    service.child.kill("SIGTERM");
    const { exitCode } = await service.ended();

    const end = { event: "end", data: { status: "success" } };
    expect(ends).toMatchObject([end, end]);
    expect(exitCode).toBe(0);
  },
);

test("an embedded database that gets the signal, too, is not brought back", SLOW, async () => {
  const { env, asked, go } = await holdingEndpoint();
  const dataDir = await makeDataDir();
  // Longer than it takes to look for it.
  const own = { ...env, DATABASE_URL: "", CONCIERGE_DRAIN_SECONDS: "6" };
  const service = startService({ env: { ...own, CONCIERGE_DATA_DIR: dataDir } });

  await say(await service.url(), { message: "what's in my fridge?" });
  await asked;
  service.child.kill("SIGTERM");
  await service.line("Leaving");
  process.kill((await databasePid(dataDir)) ?? 0, "SIGTERM");
  const { exitCode, stderr } = await service.ended();
  go();

  expect({ exitCode, stderr, pid: await databasePid(dataDir) }).toEqual({
    exitCode: 0,
    stderr: expect.not.stringContaining("is started again"),
    pid: null,
  });
});

test(
  "a signal lets the run end that is under way, and tells its stream to come back",
  SLOW,
  async () => {
    const { env, asked, go } = await holdingEndpoint();
    const service = startService({ env });
    const url = await service.url();

    const answer = await say(url, { message: "what's in my fridge?", thread: "drained" });
    await asked;
    service.child.kill("SIGINT");
    await service.line("Leaving");
    const told = await answer.text();
    go();
    const { exitCode } = await service.ended();

    expect(told).toContain("retry:");
    expect(exitCode).toBe(0);
    expect(await outcomeOf("drained")).toEqual([{ outcome: "answered" }]);
  },
);

test(
  "what does not end in time is left where it is, and another process goes on with it",
  SLOW,
  async () => {
    const { env, asked, go } = await holdingEndpoint();
    const first = startService({ env: { ...env, CONCIERGE_DRAIN_SECONDS: "0" } });

    const begun = await say(await first.url(), { message: "what's in my fridge?", thread: "left" });
    const run = begun.headers.get("x-run-id") ?? "";
    await asked;
    first.child.kill("SIGHUP");
    const { exitCode } = await first.ended();
    const left = await outcomeOf("left");
    go();
    const second = startService({ env });
    const events = await readSse(await fetch(`${await second.url()}/chat/${run}`));
    second.child.kill("SIGTERM");
    await second.ended();

    expect(exitCode).toBe(0);
    expect(left).toEqual([{ outcome: null }]);
    expect(events.filter(({ event }) => event === "turn-start")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ event: "end", data: { run, status: "success" } });
    expect(await outcomeOf("left")).toEqual([{ outcome: "answered" }]);
  },
);

test("npm start --role runs the server and the worker as separate processes", SLOW, async () => {
  const server = startService({ args: ["--role", "server"], env });
  const worker = startService({
    args: ["--role", "worker"],
    env: { ...env, CONCIERGE_WORKER_PORT: "0", CONCIERGE_WORKER_SLOTS: "3" },
  });

  const working = await worker.line("Working: 3 threads at once (status: ");
  const status = working.replace("/ok, ", " ").split(" ")[0] ?? "";
  const events = await readSse(await say(await server.url(), { message: "what's in my fridge?" }));
  const ok = await fetch(`${status}/ok`);
  const metrics = await (await fetch(`${status}/metrics`)).text();
  const other = await fetch(`${status}/threads`);
  server.child.kill("SIGTERM");
  worker.child.kill("SIGTERM");
  const ends = await Promise.all([server.ended(), worker.ended()]);

  expect(events.at(-1)).toMatchObject({ event: "end", data: { status: "success" } });
  expect(await ok.json()).toEqual({ ok: true });
  expect(metrics).toContain('concierge_runs_total{outcome="answered"} 1');
  expect(other.status).toBe(404);
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(ends[1]?.stdout).not.toContain("Listening");
});

test.each(["server", "all"])(
  "a signal ends the role %s while its database hangs, with 1",
  SLOW,
  async (role) => {
    const proxy = await openDatabaseProxy(database.url);
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

test("npm start exits at once at a second signal", SLOW, async () => {
  const { env, asked } = await holdingEndpoint();
  const service = startService({ env });

  await say(await service.url(), { message: "what's in my fridge?", thread: "abandoned" });
  await asked;
  const again = setInterval(() => service.child.kill("SIGTERM"), 200);
  const { exitCode } = await service.ended();
  clearInterval(again);

  expect(exitCode).toBe(143);
  expect(await outcomeOf("abandoned")).toEqual([{ outcome: null }]);
});

test("npm start names a misspelled setting before it opens anything", SLOW, async () => {
  const { exitCode, stdout } = await startService({
    env: { DATABASE_URL: "postgresql://nobody@127.0.0.1:9/none", CONCIERGE_HOTS: "0.0.0.0" },
  }).ended();

  expect(exitCode).toBe(1);
  expect(stdout.split("\n")).toEqual([
    "Model: simulated (follows plain commands, needs no key)",
    'Authentication: off: every caller is the user "demo", and only this machine can connect',
    "Database: none at 127.0.0.1:9",
    "Not used: CONCIERGE_HOTS is not a setting; did you mean CONCIERGE_HOST?",
    "",
  ]);
});

test(
  "without authentication no other address is listened on, and nothing is opened for it",
  SLOW,
  async () => {
    const { exitCode, stdout, stderr } = await startService({
      args: ["--host", "0.0.0.0"],
      env: { DATABASE_URL: "postgresql://nobody@127.0.0.1:9/none" },
    }).ended();

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toBe(
      'Cannot listen on "0.0.0.0" without authentication: whoever reaches that address could read and change everything; set CONCIERGE_AUTH to "keys" or "jwt", or listen on 127.0.0.1\n',
    );
  },
);

test("keys create admits its user until the key is revoked", SLOW, async () => {
  const made = await runCli({ command: "keys", args: ["create", "--user", "ann"], env });
  const key = made.stdout.trim();
  const service = startService({ env: { ...env, CONCIERGE_AUTH: "keys" } });
  const ask = async (): Promise<number> => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const options = { method: "POST", headers, body: "{}" };
    return (await fetch(`${await service.url()}/threads/search`, options)).status;
  };

  const before = await ask();
  const listed = await runCli({ command: "keys", args: ["list", "--user", "ann"], env });
  const keyId = listed.stdout.split("\n")[1]?.split(" ")[0] ?? "";
  const revoked = await runCli({ command: "keys", args: ["revoke", keyId], env });
  const after = await ask();
  const again = await runCli({ command: "keys", args: ["revoke", keyId], env });
  service.child.kill("SIGTERM");
  const { exitCode, stdout, stderr } = await service.ended();

  expect(key).toMatch(/^cg_[\w-]{43}$/);
  expect(made.stderr).toContain(`Key ${keyId} of user "ann"`);
  expect([before, after, exitCode]).toEqual([200, 401, 0]);
  expect([revoked.exitCode, again.exitCode]).toEqual([0, 1]);
  expect(stdout).toContain(
    "Authentication: API keys (npm run keys -- create --user NAME makes one)\n",
  );
  expect(listed.stdout + stderr).not.toContain(key);
});

test("user-data exports everything about a user, and erases it", SLOW, async () => {
  await runCli({ command: "chat", args: ["--user", "bob"], input: "hello\n", env });

  const exported = await runCli({ command: "user-data", args: ["export", "--user", "bob"], env });
  const erased = await runCli({ command: "user-data", args: ["erase", "--user", "bob"], env });
  const rest = await runCli({ command: "user-data", args: ["export", "--user", "bob"], env });
  const again = await runCli({ command: "user-data", args: ["erase", "--user", "bob"], env });

  const lines = exported.stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines[0]).toEqual({ kind: "user", userId: "bob" });
  expect(lines.at(-1)).toEqual({ kind: "end", lines: lines.length - 1 });
  expect(exported.stdout).toContain('"table":"inbox"');
  expect(erased).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: 'Erased everything that was stored about user "bob"\n',
  });
  expect(again).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: 'Nothing was stored about user "bob": check the id, unless it was erased before\n',
  });
  expect(rest.stdout).toBe('{"kind":"user","userId":"bob"}\n{"kind":"end","lines":1}\n');
});

test(
  "--help prints the help of a command and opens nothing, and a wrong option exits 2",
  SLOW,
  async () => {
    for (const command of ["chat", "serve"] as const) {
      const env = { DATABASE_URL: "nonsense" };
      const help = await runCli({ command, args: ["--help"], env });

      expect(help).toMatchObject({ exitCode: 0, stderr: "" });
      expect(help.stdout).toContain("Usage: npm");
    }
    const wrong = await runCli({ command: "chat", args: ["--trase"], env });
    expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
  },
);
