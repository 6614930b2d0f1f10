import { loadConfig, type Config } from "../../app/config.ts";
import { createLog } from "../../app/log.ts";
import { openStorage, type Storage } from "../../app/open-storage.ts";
import { chooseLimits } from "../../app/open-models.ts";
import { printIgnored } from "../../app/print-ignored.ts";
import { UsageError } from "../../app/usage-error.ts";
import { fetchServed, suggestModels } from "../../models/servers/find-served.ts";
import { listConfiguredModels, type ConfiguredModel } from "../../models/client/openai.ts";
import { runProbe } from "../../models/probe/run-probe.ts";
import type { Limits } from "../../state/limits.ts";
import { didYouMean } from "../../text/nearest.ts";
import type { DoctorOptions, ModelsOptions } from "./arguments.ts";
import { planProbe } from "./plan-probe.ts";
import { renderEstimate, renderModel, renderReport } from "./render-models.ts";

/** The exit code where something cannot be used. */
const NOT_USABLE = 3;

const SIMULATED = `simulated: follows plain commands by fixed rules, needs no key and no network

To set a model, write in .env or the environment:
  OPENAI_API_KEY=…                                                for OpenAI
  OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=qwen3    for Ollama, vLLM, llama.cpp, OpenRouter, …
Then npm run models -- test says what it can do.
`;

/**
 * Lists or probes the configured models and returns the exit code. Works without a database: then
 * profiles are assumed, and what is found out is forgotten.
 *
 * @throws UsageError for bad settings, and for a name that nothing configured has.
 */
export async function runModels(options: ModelsOptions): Promise<number> {
  const config = loadConfig("models", { allowsSimulated: true });
  printIgnored(config);
  if (config.model.kind === "simulated") {
    process.stdout.write(SIMULATED);
    return options.action === "test" ? NOT_USABLE : 0;
  }
  const opened = await tryStorage(config);
  if (opened.storage === null) {
    process.stderr.write(
      `Profiles are assumed, since the database cannot be opened: ${opened.problem}\n`,
    );
  }
  try {
    const models = chooseModels(listModels(config, opened.storage), options.name);
    if (options.action === "test") return await testModels(models, { config, ...options });
    await Promise.all(models.map(({ profile }) => profile.ready()));
    process.stdout.write(models.map(renderModel).join("\n"));
    return 0;
  } finally {
    await opened.storage?.database.close();
  }
}

/** Checks Node, settings and database, probes the models, and returns the exit code. */
export async function runDoctor(options: DoctorOptions): Promise<number> {
  printCheck("Node", process.version);
  const config = readSettings();
  if (config === null) return NOT_USABLE;
  printCheck("settings", "can be used");
  printIgnored(config);
  const { storage, problem } = await tryStorage(config);
  printCheck("database", problem ?? describeDatabase(config));
  try {
    const code = await testConfigured(config, { storage, options });
    return storage === null ? NOT_USABLE : code;
  } finally {
    await storage?.database.close();
  }
}

interface TestedProgram {
  readonly storage: Storage | null;
  readonly options: DoctorOptions;
}

async function testConfigured(
  config: Config,
  { storage, options }: TestedProgram,
): Promise<number> {
  if (config.model.kind === "simulated") {
    process.stdout.write(SIMULATED);
    return 0;
  }
  const models = chooseModels(listModels(config, storage), options.name);
  return testModels(models, { config, ...options });
}

/** Reads the settings; null where they cannot be used, which is printed. */
function readSettings(): Config | null {
  try {
    return loadConfig("models", { allowsSimulated: true });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    printCheck("settings", "cannot be used. To do first:");
    process.stdout.write(`${error.message}\n`);
    return null;
  }
}

function printCheck(label: string, text: string): void {
  process.stdout.write(`${label.padEnd(10)}${text}\n`);
}

function describeDatabase({ databaseUrl }: Config): string {
  return databaseUrl === null ? "the embedded one can be opened" : "can be opened";
}

type OpenedStorage =
  | { readonly storage: Storage; readonly problem: null }
  | { readonly storage: null; readonly problem: string };

async function tryStorage(config: Config): Promise<OpenedStorage> {
  try {
    const storage = await openStorage(config, { migrations: [], log: createLog(config) });
    return { storage, problem: null };
  } catch (error) {
    return { storage: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

function listModels(config: Config, storage: Storage | null): readonly ConfiguredModel[] {
  if (config.model.kind === "simulated") return [];
  return listConfiguredModels(config.model, {
    limits: config.limits,
    store: storage?.modelProfiles ?? null,
    onError: (error) =>
      process.stderr.write(
        `The profile could not be stored: ${error instanceof Error ? error.message : String(error)}\n`,
      ),
  });
}

/** Returns the models that a name means: a model's, a role or the id of an expert. @throws UsageError */
function chooseModels(
  models: readonly ConfiguredModel[],
  name: string | null,
): readonly ConfiguredModel[] {
  if (name === null) return models;
  const named = models.filter((model) => listNames(model).includes(name));
  if (named.length > 0) return named;
  const known = [...new Set(models.flatMap(listNames))];
  throw new UsageError(
    `Cannot use "${name}": no model, role or expert has this name${didYouMean(name, known)}; npm run models lists them`,
  );
}

function listNames({ name, roles, experts }: ConfiguredModel): readonly string[] {
  return [name, ...roles, ...experts];
}

interface Testing {
  readonly config: Config;
  readonly window: boolean;
}

/** Probes one model after the other, so that none slows another down; each has an equal share of what time is left. */
async function testModels(
  models: readonly ConfiguredModel[],
  { config, window }: Testing,
): Promise<number> {
  const limits = chooseLimits(config);
  const ends = performance.now() + limits.probeSeconds * 1_000;
  let code = 0;
  for (const [index, model] of models.entries()) {
    const left = Math.max(0, (ends - performance.now()) / 1_000);
    const seconds = left / (models.length - index);
    const isUsable = await testModel(model, { limits, seconds, window });
    if (!isUsable) code = NOT_USABLE;
  }
  return code;
}

interface TestOptions {
  readonly limits: Limits;
  readonly seconds: number;
  readonly window: boolean;
}

async function testModel(
  model: ConfiguredModel,
  { limits, seconds, window }: TestOptions,
): Promise<boolean> {
  const started = performance.now();
  await model.profile.ready();
  const plan = await planProbe(model, { limits, window });
  process.stdout.write(renderEstimate(model, { plan, seconds }));
  const served = await fetchServed(model);
  const left = seconds - (performance.now() - started) / 1_000;
  const report = await runProbe(model, { plan, seconds: left });
  const [first] = report.done;
  const isUnknown =
    first?.outcome.kind === "failed" && first.outcome.error.code === "model_unknown";
  const suggested = isUnknown ? suggestModels(model.name, served.models ?? []) : [];
  process.stdout.write(renderReport(report, { model, served, suggested, seconds }));
  return report.verdict.kind === "usable";
}
