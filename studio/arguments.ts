import { resolve } from "node:path";
import { readArguments } from "../cli/read-arguments.ts";
import { UsageError } from "../app/usage-error.ts";

/** What the command line of `studio` asks for. */
export interface StudioArguments {
  readonly port: number;
  /** The file that says which graph is served; absolute. */
  readonly configPath: string;
  /** Whether the server starts anew when a file of the program changes. */
  readonly reload: boolean;
}

/** What `studio --help` prints. */
export const STUDIO_HELP = `Usage: npm run studio -- [options]

Starts LangGraph's dev server with the assistant's graph, on this computer only, and says how to open
LangGraph Studio on it. Conversations are kept in the same database as those of the terminal. The
server is fetched by npm the first time; after that it starts without a network. Ctrl-C ends it.

  --port N       the port (default: 2024)
  --config FILE  another langgraph.json
  --no-reload    go on as it is when a file of the program changes
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
    values: ["port", "config"],
    flags: ["no-reload"],
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
  };
}

function readPort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (port >= 1 && port <= HIGHEST_PORT) return port;
  throw new UsageError(
    `Cannot use --port "${value}": write a whole number from 1 to ${HIGHEST_PORT}`,
  );
}
