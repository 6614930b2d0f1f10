import { describeModels, openModels } from "../../app/open-models.ts";
import { loadConfig } from "../../app/config.ts";
import { printIgnored } from "../../app/print-ignored.ts";
import { defineCommand, MODEL_ARGUMENT, readWholeNumber } from "../../cli/command-line.ts";
import { runWithArguments } from "../../cli/run-command.ts";
import { createBenchServer } from "../bench/server.ts";
import { DriverRunners } from "./driver-runner.ts";
import { loadPlayedModel } from "./load-played-model.ts";
import { findShortestFailure, keepFailure, renderFailure } from "./found-failures.ts";
import { judgeModel, renderModelVerdict } from "./judge-model.ts";
import { measureGrowth, MOST_GROWTH, renderGrowth } from "./measure-growth.ts";
import { withMadeUpTables } from "./stored-tables.ts";
import { listNeedlessSections, readLeftOutSection } from "./left-out-sections.ts";

const SIMULATE = defineCommand({
  start: "npm run simulate --",
  settings: "simulate",
  about: `
Plays made-up conversations over the nodes and routes of the task lane, with rows in memory and with
models that may use only what their prompts show, and judges the state, the prompts, the rows and the
replies after every turn. Prints the first failure as its shortest conversation, with the seed and
the path that play it again. With --slow, plays through the graph, the driver and PostgreSQL. With
--model, plays them as plain text with a real model instead, and prints how many of them hold and where
the others break. Exits with 1 where a promise was broken, with 2 for a wrong argument or setting.`,
  arguments: {
    runs: [
      "--runs NUMBER",
      "how many conversations (default: 400, with --slow 20)",
      readWholeNumber(1, 9_999_999),
      null,
    ],
    turns: ["--turns NUMBER", "turns of a conversation, at the most", readWholeNumber(1, 999), 12],
    seed: ["--seed NUMBER", "draws other conversations", readWholeNumber(0, 999_999_999), 7],
    path: ["--path PATH", "plays one failure of that seed again", String, ""],
    lies: ["--lies", "one answer of a model in four is wrong"],
    keep: ["--keep", "saves a failure in dev/simulation/found, for the tests"],
    model: [
      MODEL_ARGUMENT[0],
      "configured, simulated, or a model at the configured endpoint",
      MODEL_ARGUMENT[2],
      null,
    ],
    without: [
      "--without SECTION",
      "leaves a section out of one prompt, such as reply:choices",
      readLeftOutSection,
      null,
    ],
    slow: [
      "--slow",
      "plays through the graph, the driver and Postgres: DATABASE_URL, or one of its own",
    ],
    growth: ["--growth", "plays conversations of 60 turns, and measures how prompts grow"],
    sections: ["--sections", "leaves out each section in turn, and names those that nobody needs"],
  },
});

await runWithArguments(SIMULATE, async ({ keep, model, sections, growth, slow, ...given }) => {
  const options = { ...given, runs: given.runs ?? (slow ? 20 : 400) };
  if (model !== null) return playModel(model, options);
  if (sections) return playSections(options);
  if (growth) return playLong(options);
  if (!slow) return search({ ...options, keep });
  return withMadeUpTables(async (folder) => {
    const config = loadConfig("simulate", { allowsSimulated: true });
    printIgnored(config);
    const server = createBenchServer(config.databaseUrl, [folder]);
    try {
      const runners = new DriverRunners(await server.openDatabase());
      const exitCode = await search({ ...options, keep, openRunner: runners.open });
      await runners.close();
      return exitCode;
    } finally {
      await server.close();
    }
  });
});

type Search = Parameters<typeof findShortestFailure>[0] & { readonly keep: boolean };

async function search({ keep, ...options }: Search): Promise<number> {
  const began = performance.now();
  const { failure, conversations, turns } = await findShortestFailure(options);
  const seconds = (performance.now() - began) / 1_000;
  const rate = (turns / 12 / seconds).toFixed(0);
  const speed = `${turns} turns in ${seconds.toFixed(1)} s: ${rate} conversations of 12 turns a second`;
  if (failure === null) {
    process.stdout.write(`${conversations} conversations, no promise broken; ${speed}\n`);
    return 0;
  }
  process.stdout.write(`${await renderFailure(failure, options)}\n${speed}\n`);
  if (keep) process.stdout.write(`Saved as ${await keepFailure(failure.conversation)}\n`);
  return 1;
}

interface PlayedNumbers {
  readonly runs: number;
  readonly turns: number;
  readonly seed: number;
}

async function playModel(choice: string, numbers: PlayedNumbers): Promise<number> {
  const { config, settings } = loadPlayedModel(choice);
  printIgnored(settings);
  const { models } = await openModels(config);
  process.stdout.write(`Model: ${describeModels(config)}\n`);
  const verdict = await judgeModel({ models, ...numbers });
  process.stdout.write(`${renderModelVerdict(verdict)}\n`);
  return verdict.broken.length === 0 ? 0 : 1;
}

async function playSections(numbers: PlayedNumbers): Promise<number> {
  const needless = await listNeedlessSections(numbers);
  const names = needless.length === 0 ? "none" : needless.join(", ");
  process.stdout.write(`Sections that no conversation needs: ${names}\n`);
  return 0;
}

async function playLong(numbers: PlayedNumbers): Promise<number> {
  const long = await measureGrowth(numbers);
  const { all, failures } = long;
  const broken = failures.map(
    ({ turn, violations: [first] }) =>
      `turn ${turn}: ${first?.invariant}\n  expected: ${first?.expected}\n  found:    ${first?.found}`,
  );
  process.stdout.write(`${[renderGrowth(long), ...broken].join("\n")}\n`);
  return failures.length === 0 && all.late <= MOST_GROWTH * all.early ? 0 : 1;
}
