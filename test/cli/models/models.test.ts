import { expect, test } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { startProbedEndpoint } from "../../support/probed-endpoint.ts";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();

/** An address at which no database is. */
const NO_DATABASE = { DATABASE_URL: "postgresql://somebody:secret@127.0.0.1:9/none" };

test("npm run models lists each model once, with who asks it, profile, evidence and price", async () => {
  const experts = [
    { id: "risk", model: "qwen3:4b", baseUrl: "http://localhost:11434/v1" },
    { id: "cost", model: "gpt-4.1-mini" },
  ];

  const { exitCode, stdout, stderr } = await runCli({
    command: "models",
    env: {
      ...NO_DATABASE,
      OPENAI_API_KEY: "sk-secret-key",
      CONCIERGE_MODEL_THINK: "o3",
      CONCIERGE_EXPERTS: JSON.stringify(experts),
      CONCIERGE_STRUCTURED_OUTPUT: "tool",
    },
  });

  expect(stderr).toMatch(/^Profiles are assumed, since the database cannot be opened: .+\n$/);
  expect(stdout).toBe(`gpt-4.1-mini at api.openai.com                                  tier: full
  asked by             understand, act, reply, summarize, concierge, expert, mapper, expert "cost"
  structured answers   tool                                     set
  tool calls           required                                 assumed
  streaming            in pieces                                assumed
  thinking             none                                     assumed
  window               1,000,000 tokens                         known
  cached tokens        unreported                               assumed
  price                $0.40 read, $0.10 cached, $1.60 written  a million tokens, 2026-11-25

o3 at api.openai.com                                            tier: full
  asked by             think
  structured answers   tool                                     set
  tool calls           required                                 assumed
  streaming            in pieces                                assumed
  thinking             hidden, by effort, 8,192 tokens          known
  window               200,000 tokens                           known
  cached tokens        unreported                               assumed
  price                not known

qwen3:4b at localhost:11434                                     tier: small
  asked by             expert "risk"
  structured answers   tool                                     set
  tool calls           required                                 assumed
  streaming            in pieces                                assumed
  thinking             tags, by template, 4,096 tokens          known
  window               8,192 tokens                             assumed
  cached tokens        unreported                               assumed
  price                nothing, on this machine
`);
  expect(exitCode).toBe(0);
});

test("npm run models -- test remembers what it found out for the next process", async () => {
  const { baseUrl } = await startProbedEndpoint({ ignoresSchema: true });
  const env = { DATABASE_URL: database.url, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: "gpt-test" };

  const tested = await runCli({ command: "main", args: ["models", "test", "reply"], env });
  const listed = await runCli({ command: "models", env });

  expect(tested).toMatchObject({ exitCode: 0, stderr: "" });
  expect(tested.stdout).toMatch(
    /^Testing gpt-test at 127.0.0.1:\d+: at most 60 s, about [\d,]+ tokens, for nothing.\n/,
  );
  expect(listed.stdout).toContain(
    "structured answers   json_object                              probed\n",
  );
});

test("npm run models -- test exits with 3 and the first thing to do", async () => {
  const { baseUrl } = await startProbedEndpoint({ key: "sk-another" });
  const env = {
    ...NO_DATABASE,
    OPENAI_BASE_URL: baseUrl,
    OPENAI_MODEL: "m",
    OPENAI_API_KEY: "sk-mine",
  };

  const { exitCode, stdout } = await runCli({ command: "models", args: ["test"], env });

  expect(exitCode).toBe(3);
  expect(stdout).toContain("check OPENAI_API_KEY");
  expect(stdout).not.toContain("sk-mine");
});

test("npm run models refuses a name that nothing has", async () => {
  const { exitCode, stderr } = await runCli({
    command: "models",
    args: ["test", "thinc"],
    env: { ...NO_DATABASE, OPENAI_API_KEY: "sk-1" },
  });

  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    'Cannot use "thinc": no model, role or expert has this name; did you mean "think"?; npm run models lists them\n',
  );
});

test("npm run models says what to set where the simulated model answers", async () => {
  const listed = await runCli({ command: "models" });
  const tested = await runCli({ command: "models", args: ["test"] });

  expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(listed.stdout).toMatch(/^simulated: /);
  expect(listed.stdout).toContain("OPENAI_BASE_URL=");
  expect(tested).toEqual({ ...listed, exitCode: 3 });
});

test("npm run doctor checks Node, settings and database too", async () => {
  const { baseUrl } = await startProbedEndpoint();
  const env = { DATABASE_URL: database.url, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: "gpt-test" };

  const fine = await runCli({ command: "doctor", env });
  const away = await runCli({ command: "doctor", env: NO_DATABASE });
  const wrong = await runCli({ command: "doctor", env: { OPENAI_BASE_URL: "localhost" } });

  expect(fine).toMatchObject({ exitCode: 0, stderr: "" });
  expect(fine.stdout).toMatch(
    /^Node {6}v24\S+\nsettings {2}can be used\ndatabase {2}can be opened\nTesting gpt-test/,
  );
  expect(away.exitCode).toBe(3);
  expect(away.stdout).toMatch(/\ndatabase {2}Cannot reach the database: .+\n/);
  expect(wrong.exitCode).toBe(3);
  expect(wrong.stdout).toContain(
    'To do first:\nOPENAI_BASE_URL "localhost" (environment) must be a URL that begins with "http://"',
  );
});
