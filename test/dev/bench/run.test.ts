import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { MEASUREMENTS } from "../../../dev/bench/measurements/index.ts";

const folder = mkdtempSync(join(tmpdir(), "concierge-bench-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in a folder of its own, where nobody's `.env` decides anything. */
async function bench(...args: readonly string[]): Promise<Ended> {
  const script = join(import.meta.dirname, "../../../dev/bench/run.ts");
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    NODE_COMPILE_CACHE: join(tmpdir(), "concierge-cli-compiled"),
    LANGSMITH_TRACING: "true",
  };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      { cwd: folder, env },
      (_, stdout, stderr) => resolve({ exitCode: child.exitCode, stdout, stderr }),
    );
  });
}

test(
  "npm run bench -- --quick NAME measures, prints and writes down",
  { timeout: 120_000 },
  async () => {
    const { exitCode, stdout, stderr } = await bench("--quick", "structure", "--json", "out.json");

    expect(stderr).toBe("structure: 50 claims\nstructure: 500 claims\n");
    expect(stdout).toMatch(/^.+ cores, .+; seed 7; quick\n\n== structure: /);
    expect(stdout).toContain("\nWritten to out.json\n");
    expect(exitCode).toBe(0);
    const report: unknown = JSON.parse(readFileSync(join(folder, "out.json"), "utf8"));
    expect(report).toEqual({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      quick: true,
      seed: 7,
      machine: {
        cpu: expect.any(String),
        cores: expect.any(Number),
        memoryGB: expect.any(Number),
        os: expect.any(String),
        load: expect.any(Number),
      },
      versions: {
        node: process.version,
        langgraph: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        checkpointPostgres: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        commit: expect.toSatisfy(
          (commit) => commit === null || /^[\da-f]{40}\+?$/.test(String(commit)),
        ),
        // It needs none.
        postgres: null,
      },
      results: [
        {
          name: "structure",
          about: expect.any(String),
          seconds: expect.any(Number),
          failure: null,
          tables: [
            {
              title: "Structural analysis",
              columns: ["claims", "edges", "analysis, ms", "per claim, µs", "brief, ms", "shape"],
              rows: [50, 500].map((claims) => [
                claims,
                2 * claims,
                expect.any(Number),
                expect.any(Number),
                expect.any(Number),
                expect.any(String),
              ]),
              notes: expect.any(Array),
            },
          ],
        },
      ],
    });
  },
);

test(
  "npm run bench refuses what it does not know, with exit code 2",
  { timeout: 120_000 },
  async () => {
    expect(await bench("structures")).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        'Cannot measure "structures": there is no such measurement; did you mean "structure"?\n',
    });
  },
);

test("every measurement has a name of its own", () => {
  const names = MEASUREMENTS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
