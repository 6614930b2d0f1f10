import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { databaseUrl, runSql } from "../support/database-url.ts";
import { startOpenAIMock, type ChatRequest, type MockAnswer } from "../support/openai-mock.ts";
import { eventsIn } from "../support/run-cli.ts";
import { renderSchemas } from "../../schemas/generate.ts";
import { readFiles, installPacked, packProject } from "../support/packed-project.ts";

const packed = await packProject();
afterAll(() => packed.remove());

test("npm pack holds the built program, its pages and licence, and nothing else", () => {
  const others = packed.files.filter((path) => !/^(dist|docs)\//.test(path));
  const built = packed.files.filter((path) => path.startsWith("dist/"));
  const kinds = new Set(built.map((path) => path.replace(/^.*?((\.d)?\.\w+)$/, "$1")));

  expect(others).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "package.json"]);
  expect([...kinds].toSorted()).toEqual([".d.ts", ".js", ".json", ".ohm", ".sql", ".yaml"]);
  expect(built.filter((path) => path.endsWith(".json"))).toEqual([
    "dist/models/prices.json",
    ...[...renderSchemas().keys()].map((name) => `dist/schemas/${name}`).toSorted(),
  ]);
  expect(built.filter((path) => /\/(test|dev|node_modules)\//.test(path))).toEqual([]);
  expect(packed.files.filter((path) => /\.env|\.tgz|\.log/.test(path))).toEqual([]);
});

describe("docs/own-domain.md, with docs/testing-your-domain.md", async () => {
  const files = new Map([
    ...(await readFiles("docs/own-domain.md")),
    ...(await readFiles("docs/testing-your-domain.md")),
  ]);
  const project = await installPacked(packed, files);
  afterAll(() => project.remove());
  const database = await emptyDatabase();
  afterAll(() => database.drop());

  test("its files compile against the package's declarations", async () => {
    const { exitCode, stdout } = await project.run("tsc", []);

    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
  }, 120_000);

  test("the package's declarations stand by themselves, with what it depends on", async () => {
    const { stdout } = await project.run("tsc", ["--noEmit", "--skipLibCheck", "false"]);

    // What others declare is theirs.
    expect(stdout.split("\n").filter((line) => line.includes("concierge-graph"))).toEqual([]);
  }, 120_000);

  test("its conversation without a key prints what the page says", async () => {
    const page = files.get("talk") ?? "";
    // As the script of the page's package.json does; the settings are in `.env`.
    await writeFile(join(project.folder, ".env"), `DATABASE_URL=${database.url}\n`);
    const [, command = ""] =
      /"talk": "tsc && node (.+)"/.exec(files.get("package.json") ?? "") ?? [];
    const { exitCode, stdout, stderr } = await project.run("node", command.split(" "), {
      input: page.replace(/^(?!> ).*\n/gm, "").replaceAll("> ", ""),
    });

    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: page, stderr: "" });
  }, 120_000);

  test("its scripted models try the tool", async () => {
    const other = await emptyDatabase();
    onTestFinished(() => other.drop());

    const tried = await project.run("node", ["dist/try.js"], { env: { DATABASE_URL: other.url } });

    expect(tried).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  }, 120_000);

  test("its server answers, runs a turn, and ends when it is told to", async () => {
    const other = await emptyDatabase();
    onTestFinished(() => other.drop());
    const served = project.start("dist/serve.js", {
      DATABASE_URL: other.url,
      CONCIERGE_PORT: "0",
      // Nobody is there: the turn says so, in the words of the domain's own assistant.
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_MODEL: "none",
      CONCIERGE_LOG: "silent",
    });
    onTestFinished(() => void served.kill("SIGKILL"));
    const ended = once(served, "exit");

    const url = await addressIn(served);
    const answer = await fetch(`${url}/chat`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/x-ndjson" },
      body: JSON.stringify({ message: "What is on my list?" }),
    });
    const events = (await answer.text()).trimEnd().split("\n");
    served.kill("SIGTERM");

    expect(answer.status).toBe(200);
    expect(JSON.parse(events[0] ?? "")).toMatchObject({ type: "turn-start", seq: 1 });
    expect(JSON.parse(events.at(-1) ?? "")).toMatchObject({ type: "end" });
    expect(await ended).toEqual([0, null]);
  }, 120_000);

  test("talking to an endpoint ends with the input, every line of it answered", async () => {
    const other = await emptyDatabase();
    onTestFinished(() => other.drop());
    const endpoint = await startOpenAIMock({ answer: answerAsRole });
    onTestFinished(() => endpoint.close());

    const talked = await project.run("node", ["dist/talk.js"], {
      env: {
        DATABASE_URL: other.url,
        OPENAI_BASE_URL: endpoint.baseUrl,
        OPENAI_MODEL: "understand",
        CONCIERGE_MODEL_REPLY: "reply",
      },
      input: `What is on my list?\n${TOO_LONG}\nAnd now?\n`,
    });

    expect(talked).toEqual({
      exitCode: 0,
      stdout: [
        "> What is on my list?",
        "Two books are on your list.",
        `> ${TOO_LONG}`,
        "Cannot send a message of 32001 characters: at most 32000 are allowed; shorten it or send it in parts",
        "> And now?",
        "Two books are on your list.\n",
      ].join("\n"),
      stderr: "",
    });
  }, 120_000);
});

const TOO_LONG = "?".repeat(32_001);

/** Looks at the list whatever is said: each role is a model of its own name. */
function answerAsRole({ model }: ChatRequest): MockAnswer {
  if (model === "reply") return { text: "Two books are on your list." };
  return { json: LOOK };
}

const LOOK = {
  reasoning: "As it says.",
  references: [],
  constraints: [],
  needs: "look",
  look: { type: "book", refs: [], all: false, where: [] },
  extras: null,
};

describe("concierge-graph", async () => {
  const project = await installPacked(packed, new Map([["package.json", "{}"]]));
  afterAll(() => project.remove());
  const program = "node_modules/concierge-graph/dist/cli/main.js";

  test("its program holds a conversation", async () => {
    const database = await emptyDatabase();
    try {
      const { exitCode, stdout } = await project.run("node", [program, "chat", "--json"], {
        env: { DATABASE_URL: database.url },
        input: "what is in my pantry?\n",
      });

      const events = eventsIn(stdout);
      expect(exitCode).toBe(0);
      expect(events.at(-1)).toMatchObject({ type: "turn-end" });
      expect(events.find(({ type }) => type === "reply")).toMatchObject({
        text: expect.stringContaining("**Pantry** (27)"),
      });
    } finally {
      await database.drop();
    }
  }, 120_000);

  test("a command that is not there is named, with the one that was meant", async () => {
    expect(await project.run("node", [program, "chatt"])).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        'Cannot run "chatt": there is no such command; did you mean "chat"?; concierge-graph --help lists them\n',
    });
  }, 120_000);
});

/** Returns the address on which a program says that it listens. */
async function addressIn(program: ChildProcess): Promise<string> {
  if (program.stdout === null)
    throw new Error("Cannot read what the program says: it has no output");
  for await (const line of createInterface({ input: program.stdout })) {
    const [, url] = /^Listening: (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("Cannot find the address: the program has ended");
}

async function emptyDatabase() {
  const server = inject("databaseServer");
  const name = `concierge_test_${randomBytes(6).toString("hex")}`;
  await runSql(server.url, `create database ${name} encoding 'UTF8' template template0`);
  return {
    url: databaseUrl(server.url, name),
    drop: () => runSql(server.url, `drop database ${name} with (force)`),
  };
}
