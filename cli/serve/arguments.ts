import { didYouMean } from "../../text/nearest.ts";
import { MODEL_CHOICES, type ModelChoice } from "../../app/open-models.ts";
import { readArguments } from "../read-arguments.ts";
import { isHost } from "../../app/service-config.ts";
import { UsageError } from "../../app/usage-error.ts";

/** What one process does of the service. */
export const ROLES = ["all", "server", "worker"] as const;
export type Role = (typeof ROLES)[number];

/** What the command line of `npm start` asks for; null where it says nothing. */
export interface ServeOptions {
  readonly role: Role;
  readonly host: string | null;
  readonly port: number | null;
  readonly model: ModelChoice | null;
}

/** What `npm start -- --help` prints. */
export const SERVE_HELP = `Usage: npm start -- [options]

Answers over HTTP: LangGraph's Agent Protocol, POST /chat, /docs for the API's page. One process is
server and worker on a PostgreSQL of its own; with DATABASE_URL any number of either share one.
Without authentication it is reachable from this machine only (docs/operating.md says how to switch
it on).

SIGTERM, SIGINT and SIGHUP let what runs end, for a while, and leave with exit code 0; a second
signal leaves at once. Exit codes: 1 when it cannot start or go on, 2 for a wrong argument or setting.

  --role NAME   all, server (answers requests) or worker (runs the turns) (default: all)
  --host NAME   the address to listen on (default: CONCIERGE_HOST, else 127.0.0.1)
  --port N      its port, 0 for any that is free (default: CONCIERGE_PORT, else 8123)
  --model NAME  simulated or openai (default: openai where it is configured)
  --help        print this

Settings are read from the environment and from the file .env; .env.example lists them.
`;

/**
 * Reads the command line of `npm start`; "help" when help is asked for.
 *
 * @throws UsageError, one sentence about the first thing that is wrong.
 */
export function readServeArguments(argv: readonly string[]): ServeOptions | "help" {
  const { values, flags, positionals } = readArguments(argv, {
    values: ["role", "host", "port", "model"],
    flags: [],
  });
  if (flags.has("help")) return "help";
  const [word] = positionals;
  if (word !== undefined) {
    // Of npm start --role worker, without the dashes between, npm passes on the last word alone.
    throw new UsageError(
      `Cannot use "${word}": options follow a -- of its own, as in npm start -- --role worker; npm start -- --help lists them`,
    );
  }
  return {
    role: readChoice("--role", { value: values.get("role"), choices: ROLES }) ?? "all",
    host: readHost(values.get("host")),
    port: readPort(values.get("port")),
    model: readChoice("--model", { value: values.get("model"), choices: MODEL_CHOICES }),
  };
}

function readChoice<T extends string>(
  option: string,
  { value, choices }: { readonly value: string | undefined; readonly choices: readonly T[] },
): T | null {
  const choice = choices.find((known) => known === value);
  if (value === undefined || choice !== undefined) return choice ?? null;
  const meant = didYouMean(value, choices);
  throw new UsageError(`Cannot use ${option} "${value}": write ${choices.join(" or ")}${meant}`);
}

function readHost(value: string | undefined): string | null {
  if (value === undefined || isHost(value)) return value ?? null;
  throw new UsageError(
    `Cannot use --host "${value}": write a name or an address to listen on, as in 127.0.0.1 or ::1`,
  );
}

function readPort(value: string | undefined): number | null {
  if (value === undefined) return null;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`Cannot use --port "${value}": write a whole number from 0 to 65535`);
}
