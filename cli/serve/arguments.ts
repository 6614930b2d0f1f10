import { isHost } from "../../app/settings/server-settings.ts";
import {
  defineCommand,
  InvalidValue,
  readChoice,
  readWholeNumber,
  type Values,
  MODEL_ARGUMENT,
} from "../command-line.ts";

/** The table of `npm start`. */
export const SERVE = defineCommand({
  start: "npm start --",
  about: `
Serves LangGraph's Agent Protocol and POST /chat over HTTP, with the API's page at /docs. By default
one process is both server and worker and runs its own PostgreSQL; with DATABASE_URL any number of
servers and workers share a database. Without authentication the server is reachable from this
machine only (docs/operating.md says how to switch authentication on). With authentication it wants a
model, or --model simulated.

SIGTERM, SIGINT and SIGHUP give active runs some time to end and exit with code 0; a second signal
exits at once. Exit codes: 1 when it cannot start or continue, 2 for a wrong argument or setting, 3
when the model and 4 when the database cannot be used.`,
  settings: "start",
  // For npm start --role worker, without the dashes between, npm passes only the last word on.
  strayWord:
    "put options after a separate --, as in npm start -- --role worker; npm start -- --help lists them",
  arguments: {
    role: [
      "--role NAME",
      "all, server (answers requests) or worker (runs the turns)",
      readChoice(["all", "server", "worker"]),
      "all",
    ],
    host: [
      "--host NAME",
      "the address to listen on (default: CONCIERGE_HOST, else 127.0.0.1)",
      readHost,
      null,
    ],
    port: [
      "--port N",
      "its port, 0 for any that is free (default: CONCIERGE_PORT, else 8123)",
      readWholeNumber(0, 65_535),
      null,
    ],
    model: MODEL_ARGUMENT,
  },
});

/** The options of `npm start`; null for those not given. */
export type ServeOptions = Values<typeof SERVE.arguments>;

function readHost(text: string): string {
  if (isHost(text)) return text;
  throw new InvalidValue("write a name or an address to listen on, as in 127.0.0.1 or ::1");
}
