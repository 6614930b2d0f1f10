import { didYouMean } from "../../text/nearest.ts";
import { MODEL_CHOICES, type ModelChoice } from "../../app/open-models.ts";
import { readArguments } from "../read-arguments.ts";
import { isHost } from "../../app/service-config.ts";
import { UsageError } from "../../app/usage-error.ts";

/** The parts of the service that one process runs. */
export const ROLES = ["all", "server", "worker"] as const;
export type Role = (typeof ROLES)[number];

/** The options of `npm start`; null for those not given. */
export interface ServeOptions {
  readonly role: Role;
  readonly host: string | null;
  readonly port: number | null;
  readonly model: ModelChoice | null;
}

/** The text of `npm start -- --help`. */
export const SERVE_HELP = `Usage: npm start -- [options]

Serves LangGraph's Agent Protocol and POST /chat over HTTP, with the API's page at /docs. By default
one process is both server and worker and runs its own PostgreSQL; with DATABASE_URL any number of
servers and workers share a database. Without authentication the server is reachable from this
machine only (docs/operating.md says how to switch authentication on).

SIGTERM, SIGINT and SIGHUP give active runs some time to end and exit with code 0; a second signal
exits at once. Exit codes: 1 when it cannot start or continue, 2 for a wrong argument or setting.

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
    // For npm start --role worker, without the dashes between, npm passes only the last word on.
    throw new UsageError(
      `Cannot use "${word}": put options after a separate --, as in npm start -- --role worker; npm start -- --help lists them`,
    );
  }
  return {
    role: readChoice("--role", values.get("role"), ROLES) ?? "all",
    host: readHost(values.get("host")),
    port: readPort(values.get("port")),
    model: readChoice("--model", values.get("model"), MODEL_CHOICES),
  };
}

function readChoice<T extends string>(
  option: string,
  value: string | undefined,
  choices: readonly T[],
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
