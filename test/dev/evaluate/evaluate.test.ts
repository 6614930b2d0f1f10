import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { compareItems } from "../../../dev/evaluate/compare-reports.ts";
import { renderComparison, renderEvaluation } from "../../../dev/evaluate/render-report.ts";
import { ReportSchema, type Item, type Report } from "../../../dev/evaluate/report.ts";
import { evaluateModel, replayReport } from "../../../dev/evaluate/run-evaluation.ts";
import { createOpenAIModels } from "../../../models/client/openai.ts";
import { countTokens } from "../../../models/tokens.ts";
import { openAIConfig } from "../../support/model-requests.ts";
import { startOpenAIMock, type OpenAIMockOptions } from "../../support/openai-mock.ts";

const TIMEOUT = { timeout: 120_000 };

const folder = mkdtempSync(join(tmpdir(), "concierge-evaluate-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in a folder of its own, where nobody's `.env` decides anything. */
function runEvaluate(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const programs = inject("programs");
  const script = join(programs, "dev/evaluate/evaluate.js");
  const NODE_COMPILE_CACHE = join(programs, "compiled");
  const env = { PATH: process.env["PATH"], HOME: folder, NODE_COMPILE_CACHE, ...settings };
  return new Promise((resolve) => {
    const options = { cwd: folder, env };
    const child = execFile(process.execPath, [script, ...args], options, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

/** Evaluates what an endpoint answers, over HTTP. */
async function evaluateMock(answer: OpenAIMockOptions["answer"]): Promise<Report> {
  const mock = await startOpenAIMock({ answer });
  const report = await evaluateModel({
    model: "mock",
    models: createOpenAIModels(openAIConfig(mock.baseUrl)),
    limit: 2,
    seed: 4,
    countTokens,
    findPrice: () => ({ model: "mock", input: 1, cached: 0.1, output: 4 }),
    mayBegin: () => Promise.resolve(true),
  });
  await mock.close();
  if (report === null) throw new Error("The evaluation has not begun");
  return report;
}

test(
  "evaluateModel() judges a real client over HTTP, and replays to the same report",
  TIMEOUT,
  async () => {
    const report = await evaluateMock(() => ({ text: "I would rather talk." }));
    const stored = ReportSchema.parse(JSON.parse(JSON.stringify(report)));
    const again = await replayReport(stored, countTokens);

    expect(report.items.length).toBeGreaterThan(4);
    expect(report.items.every(({ nodes }) => nodes.understand === false)).toBe(true);
    expect(report.items.every(({ invalidFirst, repairs }) => invalidFirst > 0 && repairs > 0)).toBe(
      true,
    );
    expect(again).toEqual(stored);
    expect(renderEvaluation(again)).toBe(renderEvaluation(report));
  },
);

test("replayReport() refuses answers to other prompts", TIMEOUT, async () => {
  const report = await evaluateMock(() => ({ text: "I would rather talk." }));
  const items = report.items.map((item) => ({
    ...item,
    calls: item.calls.map((call) => ({ ...call, request: "0123456789abcdef" })),
  }));

  await expect(replayReport({ ...report, items }, countTokens)).rejects.toThrow(
    'Cannot replay conversation "intents 1": it asks "understand" something that is not recorded, so prompts or code have changed since; evaluate the model again',
  );
});

test("evaluateModel() asks nothing of the model where it may not begin", TIMEOUT, async () => {
  const mock = await startOpenAIMock({ answer: () => ({ text: "" }) });
  const report = await evaluateModel({
    model: "mock",
    models: createOpenAIModels(openAIConfig(mock.baseUrl)),
    limit: 2,
    seed: 4,
    countTokens,
    findPrice: () => ({ model: "mock", input: 1_000, cached: 0, output: 0 }),
    mayBegin({ calls, tokens, micros }) {
      expect({
        calls: calls > 5,
        tokens: tokens > 5_000,
        micros: (micros ?? 0) > 5_000_000,
      }).toEqual({
        calls: true,
        tokens: true,
        micros: true,
      });
      return Promise.resolve(false);
    },
  });
  await mock.close();

  expect(report).toBeNull();
  expect(mock.attempts()).toBe(0);
});

const ITEM: Item = {
  set: "intents",
  id: "1.1",
  intent: "list",
  message: "show me all sorels",
  right: true,
  failures: [],
  nodes: { understand: true },
  effects: { wanted: 0, right: 0, wrong: 0 },
  refs: { wanted: 0, right: 0, wrong: 0 },
  excludedNamed: 0,
  needlessQuestions: 0,
  repairs: 0,
  invalidFirst: 0,
  fallbacks: 0,
  outcome: "answered",
  calls: [],
};

function makeItem(verdict: string, index: number): Item {
  return { ...ITEM, id: `${index + 1}.1`, right: verdict === "+" };
}

/** Makes one item for each letter: "+" for one that is right. */
function makeItems(verdicts: string): readonly Item[] {
  return [...verdicts].map(makeItem);
}

describe("compareItems()", () => {
  test.each([
    ["++++++", "------", 0, 6, true],
    ["+++++-", "-----+", 1, 5, false],
    ["------", "++++++", 6, 0, false],
    ["++--", "++--", 0, 0, false],
  ])("of %s and %s finds %i better, %i worse", (before, after, better, worse, isWorse) => {
    const comparison = compareItems(makeItems(before), makeItems(after));

    expect(comparison).toMatchObject({ pairs: before.length, isWorse });
    expect([comparison.better.length, comparison.worse.length]).toEqual([better, worse]);
  });

  test("pairs only what is the same item with the same message", () => {
    const other = { ...ITEM, message: "list the sorels", right: false };
    const comparison = compareItems([ITEM], [other, { ...ITEM, id: "2.1" }]);

    expect(renderComparison(comparison)).toBe(
      "Against the earlier run: 0 turns in both, 0 better, 0 worse; McNemar p = 1.0000: no more than chance",
    );
  });
});

describe("npm run evaluate", TIMEOUT, () => {
  test("judges the simulated model without a key, and prints the same again from its record", async () => {
    const first = await runEvaluate(["--model", "simulated", "--limit", "3", "--out", "a.json"]);
    const again = await runEvaluate([
      "--replay",
      "a.json",
      "--out",
      "b.json",
      "--against",
      "a.json",
    ]);

    expect(first.exitCode).toBe(0);
    expect(first.stdout).toMatch(
      /^Model: simulated\nEstimate: \d+ calls, [\d,]+ tokens without thinking, \$0\.00, about \d+ s\nintents: \d+ turns of 3 conversations\n {2}whole turn {3}/u,
    );
    const figures = first.stdout.slice(first.stdout.indexOf("intents:"));
    expect(again.stdout).toContain(figures);
    expect(again.stdout).toMatch(
      / 0 better, 0 worse; McNemar p = 1\.0000: no more than chance\n$/u,
    );
    expect(again.exitCode).toBe(0);
    const [a, b] = ["a.json", "b.json"].map((name) => readFileSync(join(folder, name), "utf8"));
    expect(b).toBe(a);
  });

  test("exits with 1 where the model is significantly worse", async () => {
    const report = await evaluateMock(() => ({ text: "I would rather talk." }));
    const better = { ...report, items: report.items.map((item) => ({ ...item, right: true })) };
    writeFileSync(join(folder, "now.json"), JSON.stringify(report));
    writeFileSync(join(folder, "before.json"), JSON.stringify(better));
    const { exitCode, stdout } = await runEvaluate([
      "--replay",
      "now.json",
      "--against",
      "before.json",
    ]);

    expect(stdout).toMatch(/: significantly worse\n {2}worse {2}intents \d+\.\d+ \(/u);
    expect(exitCode).toBe(1);
  });

  test.each([
    [[], {}, "Cannot play with the configured model: none is set"],
    [
      ["--sets", "tau=retail"],
      {},
      'Cannot use --sets "tau=retail": write intents, the one set there is',
    ],
    [
      ["--replay", "none.json"],
      {},
      'Cannot read the report "none.json" (ENOENT): write one with --out',
    ],
    [
      ["--replay", "none.json", "--seed", "1"],
      {},
      "Cannot use --replay with --model, --limit or --seed: the report has its own; leave them out",
    ],
    [
      ["--limit", "1"],
      { OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "a-model-without-a-price" },
      "Cannot begin without a yes: it takes an unknown amount of money; add --yes, or play fewer conversations with --limit",
    ],
    [
      ["--limit", "1"],
      { OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "dear", CONCIERGE_PRICES: "prices.json" },
      "Cannot begin without a yes: it takes about $",
    ],
  ])("exits with 2 for %j", async (args, settings, sentence) => {
    const prices = [{ model: "dear", input: 5_000, cached: 5_000, output: 5_000 }];
    const list = { currency: "USD", date: "2026-01-31", prices };
    writeFileSync(join(folder, "prices.json"), JSON.stringify(list));
    const { exitCode, stderr } = await runEvaluate(args, settings);

    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(2);
  });
});
