import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../app/config.ts";
import { UsageError } from "../../app/usage-error.ts";
import { everyRole } from "../support/every-role.ts";
import { openAIConfig } from "../support/model-requests.ts";
import { DEFAULT_SERVER_LIMITS } from "../../server/settings.ts";

test("readConfig() needs nothing to be set", () => {
  const { dataDir, ...config } = readConfig({});

  expect(dataDir).toMatch(/concierge-graph/);
  expect(config).toEqual({
    databaseUrl: null,
    model: { kind: "simulated" },
    limits: {},
    ignored: [],
    logLevel: "warn",
    logMessages: false,
    tracing: null,
    service: {
      host: "127.0.0.1",
      port: 8123,
      workerPort: null,
      settings: {
        access: { kind: "off" },
        origins: [],
        trustedProxies: [],
        limits: DEFAULT_SERVER_LIMITS,
      },
      poolSize: 20,
      worker: { slots: 16, runMs: 900_000, drainMs: 20_000 },
      retention: { eventsHours: 24, runsDays: 30, checkpointsDays: 30, archiveDays: null },
    },
  });
});

test("readConfig() reads what the service is told", () => {
  const { service } = readConfig({
    CONCIERGE_HOST: "::",
    CONCIERGE_PORT: "0",
    CONCIERGE_WORKER_PORT: "9100",
    CONCIERGE_AUTH: "keys",
    CONCIERGE_SERVER_LIMITS: "runsPerMinute=5",
    CONCIERGE_POOL_SIZE: "40",
    CONCIERGE_WORKER_SLOTS: "64",
    CONCIERGE_RUN_MINUTES: "5",
    CONCIERGE_DRAIN_SECONDS: "0",
    CONCIERGE_KEEP_EVENTS_HOURS: "6",
    CONCIERGE_KEEP_RUNS_DAYS: "7",
    CONCIERGE_KEEP_CHECKPOINTS_DAYS: "Never",
    CONCIERGE_KEEP_ARCHIVE_DAYS: "365",
  });

  expect(service).toEqual({
    host: "::",
    port: 0,
    workerPort: 9_100,
    settings: {
      access: { kind: "on", apiKeys: true, jwt: null },
      origins: [],
      trustedProxies: [],
      limits: { ...DEFAULT_SERVER_LIMITS, runsPerMinute: 5 },
    },
    poolSize: 40,
    worker: { slots: 64, runMs: 300_000, drainMs: 0 },
    retention: { eventsHours: 6, runsDays: 7, checkpointsDays: null, archiveDays: 365 },
  });
});

test("readConfig() logs as much as the command does by itself, unless told otherwise", () => {
  expect(readConfig({}, { logLevel: "info" }).logLevel).toBe("info");
  expect(readConfig({ CONCIERGE_LOG: "error" }, { logLevel: "info" }).logLevel).toBe("error");
});

test("readConfig() reads every setting, and empty ones as absent", () => {
  const config = readConfig({
    DATABASE_URL: "postgresql://me:secret@db.example/concierge",
    CONCIERGE_DATA_DIR: "~/kitchen",
    OPENAI_BASE_URL: "http://localhost:11434/v1",
    OPENAI_MODEL: "llama3",
    CONCIERGE_MODEL_THINK: "qwen3",
    CONCIERGE_MODEL_ACT: " ",
    CONCIERGE_LIMITS: "recordTurns=3, stepsPerPlan=6,",
    CONCIERGE_LOG: "DEBUG",
    CONCIERGE_LOG_MESSAGES: "on",
    LANGCHAIN_TRACING_V2: "true",
  });

  expect(config).toEqual({
    databaseUrl: "postgresql://me:secret@db.example/concierge",
    dataDir: join(homedir(), "kitchen"),
    model: openAIConfig("http://localhost:11434/v1", {
      models: { ...everyRole("llama3"), think: "qwen3" },
    }),
    ignored: [],
    limits: { recordTurns: 3, stepsPerPlan: 6 },
    logLevel: "debug",
    logMessages: true,
    tracing: "LANGCHAIN_TRACING_V2",
    service: readConfig({}).service,
  });
});

test("readConfig() names every setting that is wrong for a program of one's own", () => {
  const env = { CONCIERGE_PORT: "x", CONCIERGE_LOG: "loud", OPENAI_API_KEY: "sk-very-secret" };

  expect(() => readConfig(env)).toThrow(
    new UsageError(
      [
        'CONCIERGE_PORT "x" (environment) must be a whole number from 0 to 65535',
        'CONCIERGE_LOG "loud" (environment) must be one of silent, error, warn, info, debug',
      ].join("\n"),
    ),
  );
});

test("readConfig() lets nothing that a command does not use stop it", () => {
  const env = { CONCIERGE_AUTH: "jwt", CONCIERGE_KEEP_ARCHIVE_DAYS: "1", CONCIERGE_EXPERTS: "[]" };
  const { ignored, ...config } = readConfig(env, { command: "keys" });

  expect({ ...config, ignored: [] }).toEqual(readConfig({}));
  expect(ignored).toEqual([
    expect.stringMatching(/^Not used here: CONCIERGE_EXPERTS \(environment\) cannot be used/),
    'Not used here: CONCIERGE_AUTH "jwt" (environment) needs CONCIERGE_JWKS_URL, which is not set; set it',
    expect.stringMatching(
      /^Not used here: CONCIERGE_KEEP_ARCHIVE_DAYS "1" \(environment\) must be/,
    ),
  ]);
});

test.each([
  [
    "# a comment\n\n\nCONCIERGE_LOG=loud",
    '.env line 4: CONCIERGE_LOG "loud" must be one of silent, error, warn, info, debug',
  ],
  ["CONCIERGE_LOG loud", "Not used: .env line 1 cannot be read"],
])("loadConfig() reads the file .env of its folder: %j", (content, sentence) => {
  const folder = mkdtempSync(join(tmpdir(), "settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, ".env"), `${content}\n`);
  const module = join(import.meta.dirname, "../../app/config.ts");
  const script = `import { loadConfig } from ${JSON.stringify(module)};
    try { console.log(loadConfig("chat").ignored.join("; ")); } catch (error) { console.log(error.message); }`;

  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    env: { PATH: process.env["PATH"] },
    encoding: "utf8",
  });

  expect(stdout).toContain(sentence);
});
