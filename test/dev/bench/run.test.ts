import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "concierge-bench-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command in a folder of its own, where nobody's `.env` decides anything. */
function bench(...args: readonly string[]): Promise<readonly [number | null, string]> {
  const script = join(import.meta.dirname, "../../../dev/bench/run.ts");
  const env = { PATH: process.env["PATH"], HOME: folder, LANGSMITH_TRACING: "true" };
  return new Promise((resolve) => {
    const options = { cwd: folder, env };
    const child = execFile(process.execPath, [script, ...args], options, (_, out, err) =>
      resolve([child.exitCode, out + err]),
    );
  });
}

test(
  "npm run bench -- --quick NAME measures, prints and writes a report",
  { timeout: 120_000 },
  async () => {
    const [exitCode, printed] = await bench("--quick", "throughput", "--json", "out.json");

    expect(printed).toMatch(/^.+ cores, .+; seed 7; quick\n\n== throughput: /);
    expect(exitCode).toBe(0);
    const report: unknown = JSON.parse(readFileSync(join(folder, "out.json"), "utf8"));
    expect(report).toMatchObject({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      quick: true,
      results: [
        {
          name: "throughput",
          failure: null,
          tables: [{ rows: Array.from({ length: 6 }, () => expect.any(Array)) }],
        },
      ],
    });
  },
);

test("npm run bench refuses an unknown measurement with exit code 2", async () => {
  const [exitCode, printed] = await bench("throughputs");
  expect(exitCode).toBe(2);
  expect(printed).toContain('did you mean "throughput"?');
});
