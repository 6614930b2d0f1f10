import { resolve } from "node:path";
import { readArguments } from "../cli/read-arguments.ts";
import { UsageError } from "../app/usage-error.ts";

/** The command line of `studio`, read. */
export interface StudioArguments {
  readonly port: number;
  /** The `langgraph.json` that names the graph to serve; absolute. */
  readonly configPath: string;
  /** Restarts the server when a file of the program changes. */
  readonly reload: boolean;
  /** Origins of pages that may call, besides Studio's own. */
  readonly origins: readonly string[];
  /** Lets a run's context name a user other than the default. */
  readonly anyUser: boolean;
}

/** The text of `studio --help`. */
export const STUDIO_HELP = `Usage: npm run studio -- [options]

Starts LangGraph's dev server with the assistant's graph, on this computer only, and says how to open
LangGraph Studio on it. Conversations are kept in the same database as those of the terminal. The
server is fetched by npm the first time; after that it starts without a network. Ctrl-C ends it.

  --port N       the port (default: 2024)
  --config FILE  another langgraph.json
  --no-reload    do not restart when a file of the program changes
  --origin URL   let a page of this origin call too (several: separate them with commas)
  --any-user     let a run's context name any user, not only demo
  --help         print this

Settings are read from the environment and from the file .env; .env.example lists them.
`;

const DEFAULT_PORT = "2024";
const HIGHEST_PORT = 65_535;

/**
 * Reads the command line of `studio`; "help" when help is asked for.
 *
 * @throws UsageError, one sentence about the first thing that is wrong.
 */
export function readStudioArguments(argv: readonly string[]): StudioArguments | "help" {
  const { values, flags, positionals } = readArguments(argv, {
    values: ["port", "config", "origin"],
    flags: ["no-reload", "any-user"],
  });
  if (flags.has("help")) return "help";
  const [word] = positionals;
  if (word !== undefined) {
    throw new UsageError(`Cannot use "${word}": --help lists the options`);
  }
  return {
    port: readPort(values.get("port") ?? DEFAULT_PORT),
    configPath: resolve(values.get("config") ?? `${import.meta.dirname}/../langgraph.json`),
    reload: !flags.has("no-reload"),
    origins: readOrigins(values.get("origin")),
    anyUser: flags.has("any-user"),
  };
}

function readOrigins(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value.split(",").map((part) => {
    const origin = part.trim();
    if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) {
      return origin;
    }
    throw new UsageError(
      `Cannot use --origin "${part}": write scheme, host and port only, as in http://localhost:3000`,
    );
  });
}

function readPort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (port >= 1 && port <= HIGHEST_PORT) return port;
  throw new UsageError(
    `Cannot use --port "${value}": write a whole number from 1 to ${HIGHEST_PORT}`,
  );
}
