import { z } from "zod";
import { limits } from "./named-numbers.ts";
import { onOff, choice, path, textOrNull } from "./schemas.ts";
import { COMMAND_NAMES, defineSetting, type ProgramCommand } from "./setting.ts";

/** The levels of the log, from nothing to everything. */
export const LogLevelSchema = z.enum(["silent", "error", "warn", "info", "debug"]);
export type LogLevel = z.infer<typeof LogLevelSchema>;

/** The commands that open the program's own database. */
const opening: readonly ProgramCommand[] = [
  "chat",
  "start",
  "inspect",
  "keys",
  "user-data",
  "models",
  "studio",
  "library",
];
/** The commands that carry out turns. */
const talking: readonly ProgramCommand[] = ["chat", "start", "studio", "library"];

const databaseUrl = textOrNull.refine((value) => value === null || isPostgresUrl(value), {
  message:
    "is not the address of a PostgreSQL database; write postgresql://user:password@host:5432/database",
});

/** The database of the program. */
export const DATABASE_SETTINGS = [
  defineSetting({
    name: "DATABASE_URL",
    schema: databaseUrl,
    commands: COMMAND_NAMES,
    secret: true,
    help: "An outside PostgreSQL, 15 or newer. Default: the program runs an embedded one",
    example: "postgresql://user:password@localhost:5432/concierge",
  }),
  defineSetting({
    name: "CONCIERGE_DATA_DIR",
    schema: path,
    commands: opening,
    help: "Folder for the embedded PostgreSQL's data. Default: the user's data directory",
  }),
] as const;

/** The bounds of conversations. */
export const LIMIT_SETTINGS = [
  defineSetting({
    name: "CONCIERGE_LIMITS",
    schema: limits,
    commands: opening,
    help: "Limits to replace, by name; docs/limits.md lists them and their defaults",
    example: "recordTurns=3, stepsPerPlan=6",
  }),
] as const;

/** The log on standard error. */
export const LOG_SETTINGS = [
  defineSetting({
    name: "CONCIERGE_LOG",
    schema: choice(LogLevelSchema.options),
    commands: opening,
    help: "Level of the log on standard error: silent, error, warn, info or debug. Default: warn; info for npm start",
    details:
      "At info there is a line for every request and run, at debug what an endpoint says where it refuses an answer, which may quote a message. npm run chat in a terminal shows warnings as sentences and logs nothing by default.",
  }),
  defineSetting({
    name: "CONCIERGE_LOG_MESSAGES",
    schema: onOff,
    commands: talking,
    help: "true allows texts of messages in the log. Default: false",
  }),
] as const;

const older = (name: string): string => `Older name of ${name}. Default: false`;

/** LangChain's own switch. It checks the names itself, in the order of `TRACING_NAMES`. */
export const TRACING_SETTINGS = [
  defineSetting({
    name: "LANGSMITH_TRACING",
    schema: textOrNull,
    commands: talking,
    help: "true sends prompts and answers to LangSmith, an outside service. Default: false",
    details: "This is LangChain's own switch. The program says at its start that it is on.",
  }),
  defineSetting({
    name: "LANGSMITH_TRACING_V2",
    schema: textOrNull,
    commands: talking,
    help: older("LANGSMITH_TRACING"),
  }),
  defineSetting({
    name: "LANGCHAIN_TRACING",
    schema: textOrNull,
    commands: talking,
    help: older("LANGSMITH_TRACING"),
  }),
  defineSetting({
    name: "LANGCHAIN_TRACING_V2",
    schema: textOrNull,
    commands: talking,
    help: older("LANGSMITH_TRACING"),
  }),
] as const;

/** The variables that LangChain checks, in its order. */
export const TRACING_NAMES = [
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING",
  "LANGCHAIN_TRACING",
] as const;

function isPostgresUrl(value: string): boolean {
  // The driver knows addresses without a host (`user@/database?host=/socket`), the URL class does not.
  return /^postgres(ql)?:\/\//.test(value) && URL.canParse(value.replace("@/", "@localhost/"));
}
