import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test, expect } from "vitest";
import { testDatabase } from "../support/database.ts";
import { runCli } from "../support/run-cli.ts";

const database = await testDatabase();

async function cacheHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "concierge-cache-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

async function leave(env: Readonly<Record<string, string>>) {
  const own = { DATABASE_URL: database.url, NODE_COMPILE_CACHE: "", ...env };
  return runCli({ command: "chat", env: own });
}

test("a command keeps its compiled code for the next start", async () => {
  const home = await cacheHome();

  const { exitCode } = await leave({ XDG_CACHE_HOME: home });

  expect(exitCode).toBe(0);
  const [version = ""] = await readdir(join(home, "concierge-graph", "compiled"));
  expect(await readdir(join(home, "concierge-graph", "compiled", version))).not.toEqual([]);
});

test("a command starts where its compiled code cannot be kept", async () => {
  const file = join(await cacheHome(), "file");
  await writeFile(file, "not a folder");

  const { exitCode, stderr } = await leave({ XDG_CACHE_HOME: file });

  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/^Model: .*\nThread: .*\n$/),
  });
});
