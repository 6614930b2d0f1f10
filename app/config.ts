import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import envPaths from "env-paths";
import { z } from "zod";
import { ModelEnvironmentSchema, toModelConfig, type ModelConfig } from "../models/config.ts";
import { ServerEnvironmentSchema } from "../server/settings.ts";
import { LIMITS, limitsWith, type LimitName, type Limits } from "../state/limits.ts";
import { redact } from "../models/errors.ts";
import { didYouMean } from "../text/nearest.ts";
import {
  OperationEnvironmentSchema,
  toServiceConfig,
  type ServiceConfig,
} from "./service-config.ts";
import {
  describeIgnored,
  readEnvironmentLines,
  type Environment,
  type EnvironmentLines,
} from "./misspelled-settings.ts";
import { UsageError } from "./usage-error.ts";

/** The levels of the log, from nothing to everything. */
export const LogLevelSchema = z.enum(["silent", "error", "warn", "info", "debug"]);
export type LogLevel = z.infer<typeof LogLevelSchema>;

/** Everything that the environment decides. */
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
export interface ConfigOptions {
  /** The level where none is set. Default: warn. */
  readonly logLevel?: LogLevel;
  /** Names of the variables that the file `.env` has set, for errors. Default: none. */
  readonly fromFile?: ReadonlySet<string>;
  /** Lines of that file. Default: none. */
  readonly lines?: EnvironmentLines;
}

const NO_LINES: EnvironmentLines = { names: new Map(), unreadable: [] };

const text = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

const databaseUrl = text.refine((value) => value === undefined || isPostgresUrl(value), {
  message:
    "is not the address of a PostgreSQL database; write postgresql://user:password@host:5432/database",
});

const logLevel = text.transform((value, context): LogLevel | null => {
  if (value === undefined) return null;
  const level = LogLevelSchema.safeParse(value.toLowerCase());
  if (level.success) return level.data;
  context.addIssue(`must be one of ${LogLevelSchema.options.join(", ")}`);
  return z.NEVER;
});

const SWITCH: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  "1": true,
  false: false,
  no: false,
  off: false,
  "0": false,
};

const onOff = text.transform((value, context): boolean => {
  const on = SWITCH[value?.toLowerCase() ?? "false"];
  if (on !== undefined) return on;
  context.addIssue('must be "true" or "false"');
  return z.NEVER;
});

const limits = text.transform((value, context): Partial<Limits> => {
  try {
    return readLimits(value ?? "");
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue(error.message);
    return z.NEVER;
  }
});

/** Every variable the program reads. Empty values count as absent. */
export const EnvironmentSchema = z.object({
  DATABASE_URL: databaseUrl,
  CONCIERGE_DATA_DIR: text,
  ...ModelEnvironmentSchema.shape,
  ...ServerEnvironmentSchema.shape,
  ...OperationEnvironmentSchema.shape,
  CONCIERGE_LIMITS: limits,
  CONCIERGE_LOG: logLevel,
  CONCIERGE_LOG_MESSAGES: onOff,
  LANGSMITH_TRACING: text,
  LANGSMITH_TRACING_V2: text,
  LANGCHAIN_TRACING: text,
  LANGCHAIN_TRACING_V2: text,
});

/** The variables that LangChain checks, in its order. */
const TRACING = [
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING",
  "LANGCHAIN_TRACING",
] as const;

/** Variables whose values are never repeated. */
const SECRETS = new Set(["DATABASE_URL", "OPENAI_API_KEY"]);

/**
 * Reads the configuration out of environment variables.
 *
 * @throws UsageError, one sentence that names every variable that is wrong.
 */
export function readConfig(env: Environment, options: ConfigOptions = {}): Config {
  const fromFile = options.fromFile ?? new Set();
  const parsed = EnvironmentSchema.safeParse(env);
  if (!parsed.success) throw environmentError(parsed.error.issues, env, fromFile);
  const values = parsed.data;
  return {
    databaseUrl: values.DATABASE_URL ?? null,
    dataDir: resolveDataDir(values.CONCIERGE_DATA_DIR),
    model: asUsageError(() => toModelConfig(values, env), fromFile),
    limits: values.CONCIERGE_LIMITS,
    logLevel: values.CONCIERGE_LOG ?? options.logLevel ?? "warn",
    logMessages: values.CONCIERGE_LOG_MESSAGES,
    tracing: TRACING.find((name) => values[name] === "true") ?? null,
    service: asUsageError(
      () => toServiceConfig(values, limitsWith(values.CONCIERGE_LIMITS).repetitionDays),
      fromFile,
    ),
    ignored: describeIgnored(env, Object.keys(EnvironmentSchema.shape), options.lines ?? NO_LINES),
  };
}

/**
 * Adds the file `.env` in the working directory to the process's environment and reads the
 * configuration from it. Variables that are already set win. Libraries, which read the environment
 * themselves, see the additions too.
 *
 * @throws UsageError when the file exists and cannot be read, and as `readConfig`.
 */
export function loadConfig(options: Pick<ConfigOptions, "logLevel"> = {}): Config {
  return readConfig(process.env, { ...options, ...loadEnvironmentFile() });
}

/** Returns the names of the variables that the file has added, and its lines. */
function loadEnvironmentFile(): Required<Pick<ConfigOptions, "fromFile" | "lines">> {
  const before = new Set(Object.keys(process.env));
  let lines = NO_LINES;
  try {
    process.loadEnvFile();
    lines = readEnvironmentLines(readFileSync(".env", "utf8"));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "ENOENT") {
      throw new UsageError(
        `Cannot read the file ".env": ${error instanceof Error ? error.message : String(error)}; make it a readable text file or remove it`,
      );
    }
  }
  const fromFile = new Set(Object.keys(process.env).filter((name) => !before.has(name)));
  return { fromFile, lines };
}

const IN_FILE = 'in the file ".env"';

/** Says where each wrong variable was set: once for all where they come from the same place. */
function environmentError(
  issues: readonly z.core.$ZodIssue[],
  env: Environment,
  fromFile: ReadonlySet<string>,
): UsageError {
  const names = issues.map(({ path }) => String(path[0] ?? ""));
  const allInFile = names.every((name) => fromFile.has(name));
  const problems = issues.map((issue, index) => {
    const name = names[index] ?? "";
    const place = fromFile.has(name) && !allInFile ? ` ${IN_FILE}` : "";
    const value = SECRETS.has(name) ? "" : ` "${redact(env[name] ?? "", []).slice(0, 100)}"`;
    return `${name}${value}${place} ${issue.message}`;
  });
  return new UsageError(
    `Cannot use the ${allInFile ? `settings ${IN_FILE}` : "environment"}: ${problems.join("; ")}`,
  );
}

/** Turns the error about settings that contradict each other into one about a wrong setting. */
function asUsageError<T>(read: () => T, fromFile: ReadonlySet<string>): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const named = error.message.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
    const place = named.some((name) => fromFile.has(name)) ? ` (set ${IN_FILE})` : "";
    throw new UsageError(`${error.message}${place}`);
  }
}

function resolveDataDir(value: string | undefined): string {
  if (value === undefined) return envPaths("concierge-graph", { suffix: "" }).data;
  // `.env` knows no shell that would do this.
  return resolve(value.replace(/^~(?=\/|$)/, homedir()));
}

/** Reads `name=number` pairs, separated by commas. @throws RangeError, as the end of a sentence. */
function readLimits(value: string): Partial<Limits> {
  const pairs = value
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
  const limits = Object.fromEntries(pairs.map(readLimit));
  try {
    limitsWith(limits);
  } catch {
    throw new RangeError("must keep recordTurns from 1 to 5");
  }
  return limits;
}

function readLimit(pair: string): [LimitName, number] {
  const [typed = "", number = ""] = pair.split("=", 2).map((part) => part.trim());
  if (!isLimitName(typed)) {
    const meant = didYouMean(typed, Object.keys(LIMITS));
    throw new RangeError(`names no limit with "${typed}"${meant}`);
  }
  if (!/^[1-9]\d{0,8}$/.test(number)) {
    throw new RangeError(
      `must give "${typed}" a whole number from 1 on, as in ${typed}=${LIMITS[typed].default}`,
    );
  }
  return [typed, Number(number)];
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMITS, name);
}

function isPostgresUrl(value: string): boolean {
  // The driver knows addresses without a host (`user@/database?host=/socket`), the URL class does not.
  return /^postgres(ql)?:\/\//.test(value) && URL.canParse(value.replace("@/", "@localhost/"));
}
