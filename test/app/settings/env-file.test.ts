import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironmentLines } from "../../../app/settings/env-file.ts";

test("readEnvironmentLines() finds the line of each variable, and the lines that set nothing", () => {
  const file = [
    "# comment",
    "",
    "FOO bar",
    "export CONCIERGE_LOG=warn",
    "CONCIERGE_PORT = 80",
    'NOTE="two',
    'CONCIERGE_X = lines"',
    "CONCIERGE_PORT=81",
    "  garbage",
    "export OPENAI_BASE_URL: http://x",
    "= y",
  ].join("\r\n");

  expect(readEnvironmentLines(file)).toEqual({
    names: new Map([
      ["CONCIERGE_LOG", 4],
      ["CONCIERGE_PORT", 8],
      ["NOTE", 6],
    ]),
    unreadable: [
      { line: 3, name: "FOO" },
      { line: 9, name: "garbage" },
      { line: 10, name: "OPENAI_BASE_URL" },
      { line: 11, name: "" },
    ],
  });
});

test("readEnvironmentLines() finds no fault with the file that people copy", () => {
  const content = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");

  expect(readEnvironmentLines(content).unreadable).toEqual([]);
});

/** Runs a script in a folder with a file `.env`, and returns what it prints. */
function runBeside(file: string, script: string, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, ".env"), file);
  const module = JSON.stringify(join(import.meta.dirname, "../../../app/settings/env-file.ts"));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", `import { loadEnvironment } from ${module}; ${script}`],
    { cwd: folder, env: { PATH: process.env["PATH"], ...env }, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  return stdout;
}

test("loadEnvironment() adds the file .env to the environment for libraries, and keeps the two apart", () => {
  const script = `
    const [environment, file] = loadEnvironment();
    const { FIRST, A, B, C } = process.env;
    const names = Object.fromEntries(file.lines.names);
    console.log(JSON.stringify([{ FIRST, A, B, C }, environment.values.C ?? null, file.path, file.values, names]));`;

  expect(
    JSON.parse(runBeside("\uFEFFFIRST=1\nA=file\nB=file\nC='a b'\n", script, { A: "set", B: "" })),
  ).toEqual([
    { FIRST: "1", A: "set", B: "", C: "a b" },
    null,
    ".env",
    { FIRST: "1", A: "file", B: "file", C: "a b" },
    { FIRST: 1, A: 2, B: 3, C: 4 },
  ]);
});
