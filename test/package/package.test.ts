import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, inject, test } from "vitest";
import { databaseUrl, runSql } from "../support/database-url.ts";
import { eventsIn } from "../support/run-cli.ts";
import { filesOf, installPacked, packProject } from "../support/packed-project.ts";

const packed = await packProject();
afterAll(() => packed.remove());

test("npm pack holds the built program, its pages and licence, and nothing else", () => {
  const others = packed.files.filter((path) => !/^(dist|docs)\//.test(path));
  const built = packed.files.filter((path) => path.startsWith("dist/"));
  const kinds = new Set(built.map((path) => path.replace(/^.*?((\.d)?\.\w+)$/, "$1")));

  expect(others).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "package.json"]);
  expect([...kinds].toSorted()).toEqual([".d.ts", ".js", ".sql"]);
  expect(built.filter((path) => /\/(test|bench|node_modules)\//.test(path))).toEqual([]);
  expect(packed.files.filter((path) => /\.env|\.tgz|\.log/.test(path))).toEqual([]);
});

describe("docs/own-domain.md", async () => {
  const files = await filesOf("docs/own-domain.md");
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

  test("its conversation prints what the page says", async () => {
    const { exitCode, stdout, stderr } = await project.run("node", ["dist/practice.js"], {
      env: { DATABASE_URL: database.url },
    });

    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: files.get("practice"),
      stderr: "",
    });
  }, 120_000);

  test("talking without a model says what to set", async () => {
    const { exitCode, stderr } = await project.run("node", ["dist/talk.js"]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("Cannot talk without a model: set OPENAI_API_KEY");
  }, 120_000);
});

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

async function emptyDatabase() {
  const server = inject("databaseServer");
  const name = `concierge_test_${randomBytes(6).toString("hex")}`;
  await runSql(server.url, `create database ${name} encoding 'UTF8' template template0`);
  return {
    url: databaseUrl(server.url, name),
    drop: () => runSql(server.url, `drop database ${name} with (force)`),
  };
}
