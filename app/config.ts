import envPaths from "env-paths";
import type { ModelConfig } from "../models/config.ts";
import type { Limits } from "../state/limits.ts";
import { toModelConfig } from "./model-config.ts";
import { toServiceConfig, type ServiceConfig } from "./service-config.ts";
import { loadEnvironment } from "./settings/env-file.ts";
import { TRACING_NAMES, type LogLevel } from "./settings/program-settings.ts";
import { mergeSources, readSettings, type ReadSettingsOptions } from "./settings/read-settings.ts";
import type { ProgramCommand, Environment, Source } from "./settings/setting.ts";

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
  readonly options?: Omit<Extract<Source, { readonly kind: "option" }>, "kind">;
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
 * configuration of a command: from its options, else the environment, else the file. Libraries, which
 * read the environment themselves, see the additions too.
 *
 * @throws UsageError when the file exists and cannot be read, and as `readConfig`.
 */
export function loadConfig(
  command: ProgramCommand,
  { options, ...rest }: LoadOptions = {},
): Config {
  const given: readonly Source[] = options === undefined ? [] : [{ kind: "option", ...options }];
  return composeConfig([...given, ...loadEnvironment()], { ...rest, command });
}

function composeConfig(
  sources: readonly Source[],
  { command = "library", logLevel = "warn", ...options }: ConfigOptions,
): Config {
  const { values, warnings } = readSettings(command, sources, options);
  return {
    databaseUrl: values.DATABASE_URL.value,
    dataDir: values.CONCIERGE_DATA_DIR.value ?? envPaths("concierge-graph", { suffix: "" }).data,
    model: toModelConfig(values, mergeSources(sources)),
    limits: values.CONCIERGE_LIMITS.value,
    logLevel: values.CONCIERGE_LOG.value ?? logLevel,
    logMessages: values.CONCIERGE_LOG_MESSAGES.value,
    tracing: TRACING_NAMES.find((name) => values[name].value === "true") ?? null,
    service: toServiceConfig(values),
    ignored: warnings,
  };
}
