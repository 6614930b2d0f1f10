import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { eventsIn, runCli } from "../support/run-cli.ts";

const database = await testDatabase();
const env = { DATABASE_URL: database.url };
/** A database that is not there: what is printed before it was printed first. */
const NOWHERE = "postgresql://nobody@127.0.0.1:9/none";

/** Standard input: every kind of line, the last one without an end. */
const INPUT = Buffer.concat([
  Buffer.from("\uFEFFwhat's in my fridge?\r\n\n", "utf8"),
  Buffer.from("   \n", "utf8"),
  Buffer.from([0x63, 0x6f, 0x64, 0xff, 0x3f, 0x0a]),
  Buffer.from(`${"long ".repeat(20_000)}\n`, "utf8"),
  Buffer.from("nul\0 and <<<END>>> **markers**\nand the freezer?", "utf8"),
]);

const first = await runCli({
  command: "chat",
  args: ["--json", "--today", "2026-01-12"],
  input: INPUT,
  env: { ...env, CONCIERGE_LOGG: "loud", CONCIERGE_AUTH: "magic" },
});
const events = eventsIn(first.stdout);
const threadId = events[0]?.thread ?? "";

async function readArchivedTurns(thread: string): Promise<unknown[]> {
  const { rows } = await database.owner.query(
    "select turn, user_message from turns where thread_id = $1 order by turn",
    [thread],
  );
  return rows;
}

test("chat --json prints events in their order, and exits 1 when a line was not answered", () => {
  expect(first.exitCode).toBe(1);
  expect(checkEventOrder(events)).toEqual([]);
  expect(events.filter(({ type }) => type === "prompt")).toEqual([]);
});

test("chat answers every line, or reports why it does not", () => {
  const outcomes = events.flatMap((event): (string | number)[] => {
    if (event.type === "turn-start") return [event.message.slice(0, 30)];
    if (event.type === "turn-end") return [event.summary.turnNumber];
    return event.type === "error" ? [event.code] : [];
  });

  expect(outcomes).toEqual([
    "what's in my fridge?",
    1,
    "   ",
    "message_empty",
    "cod\uFFFD?",
    2,
    "long ".repeat(6),
    "message_too_long",
    "nul and <<<END>>> **markers**",
    3,
    "and the freezer?",
    4,
  ]);
});

test("chat writes everything else on standard error, one sentence each, settings that it does not use included", () => {
  expect(first.stderr.trimEnd().split("\n")).toEqual([
    "Model: none is set; the simulated model follows plain commands (set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL)",
    "Not used: CONCIERGE_LOGG (environment) is not a setting; did you mean CONCIERGE_LOG?",
    'Not used here: CONCIERGE_AUTH "magic" (environment) must be "off", "keys", "jwt" or "keys,jwt"',
    `Thread: ${threadId}`,
    "Cannot send an empty message: write something",
    "Line 4 is not UTF-8: invalid bytes were replaced with \uFFFD",
    "Cannot send a message of 100000 characters: at most 32000 are allowed; shorten it or send it in parts",
  ]);
});

test.each(["chat", "serve"] as const)(
  "%s does not start when a model setting is misspelled and no model is set, unless it is simulated",
  async (command) => {
    const misspelled = { DATABASE_URL: NOWHERE, OPENAI_KEY: "sk-secret" };
    const stopped = await runCli({ command, env: misspelled });
    const simulated = await runCli({ command, args: ["--model", "simulated"], env: misspelled });

    expect(stopped).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        "OPENAI_KEY (environment) is not a setting; did you mean OPENAI_API_KEY? No model is set: correct the name, or remove it for the simulated model\n",
    });
    expect(simulated.exitCode).toBe(4);
    expect(simulated.stdout + simulated.stderr).toContain(
      "Not used: OPENAI_KEY (environment) is not a setting; did you mean OPENAI_API_KEY?\n",
    );
  },
);

test("chat --thread continues a conversation of another process, and inspect shows it", async () => {
  const second = await runCli({
    command: "chat",
    args: ["--thread", threadId, "--today", "2026-01-13", "--trace", "--json"],
    input: "thank you\n",
    env,
  });
  const more = eventsIn(second.stdout);
  const inspected = await runCli({ command: "inspect", args: [threadId, "--turns", "2"], env });

  expect(second.exitCode).toBe(0);
  expect(checkEventOrder(more)).toEqual([]);
  expect(more.filter(({ type }) => type === "prompt").length).toBeGreaterThan(0);
  expect(new Set(more.map(({ turn }) => turn))).toEqual(new Set([5]));
  expect(await readArchivedTurns(threadId)).toHaveLength(5);
  expect(inspected).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(inspected.stdout)).toMatchObject({
    thread: { threadId, userId: "demo", title: "what's in my fridge?" },
    state: {
      schemaVersion: 1,
      turn: 5,
      registry: { entries: expect.any(Array) },
      turnExecutionSummaries: [{ turnNumber: 4 }, { turnNumber: 5 }],
      ledger: [{ turn: 1 }, { turn: 2 }, { turn: 3 }],
      history: { throughTurn: 0 },
      constraints: expect.any(Array),
      pending: null,
    },
    waiting: [],
    usage: { turns: 5, total: { calls: expect.any(Number) } },
    lastTurns: [
      { turn: 4, userMessage: "and the freezer?" },
      { turn: 5, userMessage: "thank you", manifests: expect.any(Array) },
    ],
  });
});

test("chat --thread starts a conversation that has no messages yet", async () => {
  const id = "k3fr7y2n9m";
  const empty = await runCli({ command: "inspect", args: [id], env });
  const begun = await runCli({
    command: "chat",
    args: ["--thread", id, "--json"],
    input: "hello\n",
    env,
  });

  expect(empty).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `Cannot inspect thread "${id}": it has no messages yet; npm run chat -- --thread ${id} starts it\n`,
  });
  expect(begun.exitCode).toBe(0);
  expect(new Set(eventsIn(begun.stdout).map(({ thread }) => thread))).toEqual(new Set([id]));
});

test.each([
  [
    "chat",
    ["--thread", threadId, "--user", "anna"],
    `Cannot continue thread "${threadId}": user "anna" has no such thread; leave --thread out to start a new one, or use /threads in the chat to list the others`,
  ],
  [
    "inspect",
    [threadId, "--user", "anna"],
    `Cannot inspect thread "${threadId}": user "anna" has no such thread; /threads in the chat lists them`,
  ],
] as const)(
  "%s %j rejects the thread of another user, and changes nothing",
  async (command, args, sentence) => {
    const before = await readArchivedTurns(threadId);

    const refused = await runCli({ command, args, input: "hello\n", env });

    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr.trimEnd().split("\n").at(-1)).toBe(sentence);
    expect(await readArchivedTurns(threadId)).toEqual(before);
  },
);
