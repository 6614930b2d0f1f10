import envPaths from "env-paths";
import type { ModelConfig } from "../models/config.ts";
import type { Limits } from "../state/limits.ts";
import { modelFilePath, readModelFile } from "./model-file.ts";
import { toModelConfig } from "./model-config.ts";
import { toServiceConfig, type ServiceConfig } from "./service-config.ts";
import { loadEnvironment } from "./settings/env-file.ts";
import { TRACING_NAMES, type LogLevel } from "./settings/program-settings.ts";
import { path } from "./settings/schemas.ts";
import { mergeSources, readSettings, type ReadSettingsOptions } from "./settings/read-settings.ts";
import type { ProgramCommand, Environment, OptionValues, Source } from "./settings/setting.ts";

/** Everything that the settings decide. */
export interface Config {
  /** An outside PostgreSQL; null for the embedded one. Contains a password: never show it. */
  readonly databaseUrl: string | null;
  /** The absolute path of the embedded PostgreSQL's data. */
  readonly dataDir: string;
  readonly model: ModelConfig;
  /** Replacements for the defaults of `state/limits.ts`. */
  readonly limits: Partial<Limits>;
  readonly logLevel: LogLevel;
  /** True if the log may contain messages. */
  readonly logMessages: boolean;
  /** The variable that makes LangChain send prompts to an outside service; null while none does. */
  readonly tracing: string | null;
  /** The settings of `npm start`. */
  readonly service: ServiceConfig;
  /** One sentence for each thing that is set and not used. */
  readonly ignored: readonly string[];
}

const DEFAULT_DATA_DIR = envPaths("concierge-graph", { suffix: "" }).data;

/** Options of `readConfig`. */
export interface ConfigOptions extends ReadSettingsOptions {
  /** The command whose settings must be right. Default: library, which uses all of them. */
  readonly command?: ProgramCommand;
  /** The level where none is set. Default: warn. */
  readonly logLevel?: LogLevel;
}

/** Options of `loadConfig`. */
export interface LoadOptions extends Omit<ConfigOptions, "command"> {
  /** Values of options that stand for settings. Default: none. */
  readonly options?: OptionValues;
}

/**
 * Reads the configuration out of environment variables.
 *
 * @throws UsageError with one line for each setting that is wrong.
 */
export function readConfig(env: Environment, options: ConfigOptions = {}): Config {
  return composeConfig([{ kind: "environment", values: env }], options);
}

/**
 * Adds the file `.env` in the working directory to the process's environment and reads the
 * configuration of a command: from its options, else the environment, else the file, and the model,
 * where none of them names an endpoint, from `model.json` in the data folder. Libraries, which read
 * the environment themselves, see the additions of `.env` too.
 *
 * @throws UsageError when the file exists and cannot be read, and as `readConfig`.
 */
export function loadConfig(
  command: ProgramCommand,
  { options, ...rest }: LoadOptions = {},
): Config {
  const given: readonly Source[] = options === undefined ? [] : [{ kind: "option", ...options }];
  const sources = [...given, ...loadEnvironment()];
  return composeConfig([...readChosenModel(sources), ...sources], { ...rest, command });
}

/**
 * Returns the stored choice of a model as a source of what the others leave open; nothing where they
 * set an endpoint. It goes first: to them, an empty line of `.env` is a value.
 */
function readChosenModel(sources: readonly Source[]): readonly Source[] {
  const environment = mergeSources(sources);
  const isOpen = (name: string): boolean => (environment[name] ?? "").trim() === "";
  // A key of one endpoint must not go to another.
  if (!isOpen("OPENAI_API_KEY") || !isOpen("OPENAI_BASE_URL")) return [];
  const dataDir = path.safeParse(environment["CONCIERGE_DATA_DIR"]).data ?? DEFAULT_DATA_DIR;
  const choice = readModelFile(dataDir);
  if (choice === null || choice.dialect === "simulated") return [];
  const { endpoint, model, dialect } = choice;
  const values = {
    OPENAI_BASE_URL: endpoint,
    ...(isOpen("OPENAI_MODEL") ? { OPENAI_MODEL: model } : {}),
  };
  return [{ kind: "choice", path: modelFilePath(dataDir), dialect, values }];
}

function composeConfig(
  sources: readonly Source[],
  { command = "library", logLevel = "warn", ...options }: ConfigOptions,
): Config {
  const { values, warnings } = readSettings(command, sources, options);
  return {
    databaseUrl: values.DATABASE_URL.value,
    dataDir: values.CONCIERGE_DATA_DIR.value ?? DEFAULT_DATA_DIR,
    model: toModelConfig(values, mergeSources(sources)),
    limits: values.CONCIERGE_LIMITS.value,
    logLevel: values.CONCIERGE_LOG.value ?? logLevel,
    logMessages: values.CONCIERGE_LOG_MESSAGES.value,
    tracing: TRACING_NAMES.find((name) => values[name].value === "true") ?? null,
    service: toServiceConfig(values),
    ignored: warnings,
  };
}
