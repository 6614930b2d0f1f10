import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { runCli, startService } from "../support/run-cli.ts";

const database = await testDatabase();
const env = { DATABASE_URL: database.url };
/** Each test starts several processes, one after the other. */
const SLOW = { timeout: 90_000 };

test("keys create admits its user until the key is revoked", SLOW, async () => {
  const made = await runCli({ command: "keys", args: ["create", "--user", "ann"], env });
  const key = made.stdout.trim();
  const service = startService({
    args: ["--model", "simulated"],
    env: { ...env, CONCIERGE_AUTH: "keys" },
  });
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
    for (const [command, start] of [
      ["domain", "domain describe [TABLE…]"],
      ["serve", "serve [options]"],
    ] as const) {
      const help = await runCli({ command: "main", args: [command, "--help"], env });
      expect(help.stdout).toContain(`Usage: concierge-graph ${start}`);
    }
    const wrong = await runCli({ command: "chat", args: ["--trase"], env });
    expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
  },
);
