import { writeFile } from "node:fs/promises";
import { describeModels, openModels, SIMULATED } from "../../app/open-models.ts";
import { printIgnored } from "../../app/print-ignored.ts";
import { readPrices } from "../../app/read-prices.ts";
import { UsageError } from "../../app/usage-error.ts";
import { askToGoOn } from "../../cli/chat/ask-to-go-on.ts";
import {
  defineCommand,
  InvalidValue,
  MODEL_ARGUMENT,
  readWholeNumber,
} from "../../cli/command-line.ts";
import { runWithArguments } from "../../cli/run-command.ts";
import { isLoopback, type ModelConfig } from "../../models/config.ts";
import { findPrice, type Price } from "../../models/prices.ts";
import { countTokens } from "../../models/tokens.ts";
import { formatMoney } from "../../state/budget.ts";
import type { ModelRole } from "../../state/model.ts";
import { CONFIGURED, loadPlayedModel } from "../simulation/load-played-model.ts";
import { compareItems } from "./compare-reports.ts";
import { INTENTS } from "./play-intents.ts";
import type { Estimate } from "./rehearse.ts";
import { renderComparison, renderRunEstimate, renderEvaluation } from "./render-report.ts";
import { readReport, type Report } from "./report.ts";
import { evaluateModel, replayReport } from "./run-evaluation.ts";

const EVALUATE = defineCommand({
  start: "npm run evaluate --",
  settings: "evaluate",
  about: `
Judges a model, or a prompt, by whole conversations. The set "intents" comes with the program: made-up
conversations over made-up tables, each wish said in five wordings and two with typos, over the nodes
and routes of the task lane. After every turn it compares what was stored, left out and said with what
was asked for.

First prints what this will take; above $1, or where no price is known, it asks, and without a terminal
it needs --yes. Prints for the set and each node how many turns are right, with a 95 % interval, the
most frequent failures and the hash of every prompt's constant part. With --against, pairs the turns of
an earlier report and prints what has become better and worse. Exits with 1 where the model is
significantly worse than before, with 2 for a wrong argument or setting.`,
  arguments: {
    model: MODEL_ARGUMENT,
    sets: ["--sets NAMES", `the sets to play; there is ${INTENTS}`, readSets, [INTENTS]],
    limit: [
      "--limit NUMBER",
      "conversations of a set (default: 40)",
      readWholeNumber(1, 9_999),
      null,
    ],
    seed: [
      "--seed NUMBER",
      "draws other conversations (default: 7)",
      readWholeNumber(0, 999_999_999),
      null,
    ],
    against: ["--against FILE", "compares with the report of an earlier run", String, null],
    out: ["--out FILE", "writes the report: every turn with the model's answers", String, null],
    replay: ["--replay FILE", "asks no model: judges the answers of a report again", String, null],
    yes: ["--yes", "does not ask, whatever it costs"],
  },
});

/** Conversations and seed where none are given. */
const DEFAULTS = { limit: 40, seed: 7 };

/** Dollars, in millionths, above which a run is asked about. */
const ASKED_ABOVE = 1_000_000;

await runWithArguments(EVALUATE, async ({ against, out, replay, ...given }) => {
  // A file that cannot be read is said before anything is paid for.
  const earlier = against === null ? null : await readReport(against);
  const report = replay === null ? await playModel(given) : await playAgain(replay, given);
  if (report === null) return 0;
  if (out !== null) await writeFile(out, `${JSON.stringify(report)}\n`);
  process.stdout.write(`${renderEvaluation(report)}\n`);
  if (earlier === null) return 0;
  const comparison = compareItems(earlier.items, report.items);
  process.stdout.write(`${renderComparison(comparison)}\n`);
  return comparison.isWorse ? 1 : 0;
});

interface GivenOptions {
  readonly model: string | null;
  readonly limit: number | null;
  readonly seed: number | null;
  readonly yes: boolean;
}

async function playAgain(file: string, { model, limit, seed }: GivenOptions): Promise<Report> {
  if (model !== null || limit !== null || seed !== null) {
    throw new UsageError(
      "Cannot use --replay with --model, --limit or --seed: the report has its own; leave them out",
    );
  }
  const report = await readReport(file);
  process.stdout.write(`Model: ${report.model} (recorded answers)\n`);
  return replayReport(report, countTokens);
}

async function playModel({ model, limit, seed, yes }: GivenOptions): Promise<Report | null> {
  const { config, settings } = loadPlayedModel(model ?? CONFIGURED, "evaluate");
  printIgnored(settings);
  const { models } = await openModels(config);
  const name = config.kind === "simulated" ? SIMULATED : describeModels(config);
  process.stdout.write(`Model: ${name}\n`);
  return evaluateModel({
    model: name,
    models,
    limit: limit ?? DEFAULTS.limit,
    seed: seed ?? DEFAULTS.seed,
    countTokens,
    findPrice: await loadPrices(config),
    mayBegin: (estimate) => mayBegin(estimate, yes),
    onPlayed(done, all) {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${all} conversations\u001B[K`);
      if (process.stderr.isTTY && done === all) process.stderr.write("\n");
    },
  });
}

async function loadPrices(config: ModelConfig): Promise<(role: ModelRole) => Price | null> {
  if (config.kind === "simulated") {
    return () => ({ model: SIMULATED, input: 0, cached: 0, output: 0 });
  }
  const own = config.prices === null ? [] : await readPrices(config.prices);
  const local = isLoopback(config.baseUrl);
  return (role) => findPrice({ model: config.models[role], local }, own);
}

/** Asks above a dollar, and where nobody knows. @throws UsageError where nobody can be asked. */
async function mayBegin(estimate: Estimate, isAgreed: boolean): Promise<boolean> {
  process.stdout.write(`${renderRunEstimate(estimate)}\n`);
  const { micros } = estimate;
  if (isAgreed || (micros !== null && micros <= ASKED_ABOVE)) return true;
  if (process.stdin.isTTY) return askToGoOn({ input: process.stdin, output: process.stdout });
  const cost = micros === null ? "an unknown amount of money" : `about ${formatMoney(micros)}`;
  throw new UsageError(
    `Cannot begin without a yes: it takes ${cost}; add --yes, or play fewer conversations with --limit`,
  );
}

function readSets(text: string): readonly string[] {
  const sets = text.split(",").map((name) => name.trim());
  if (sets.length > 0 && sets.every((name) => name === INTENTS)) return [INTENTS];
  throw new InvalidValue(`write ${INTENTS}, the one set there is`);
}
