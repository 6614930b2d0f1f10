#!/usr/bin/env node
import { didYouMean } from "../text/nearest.ts";

// The package's program, `concierge-graph COMMAND …`: what `npm run COMMAND` is in the project (serve: `npm start`).

const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  chat: () => import("./chat.ts"),
  inspect: () => import("./inspect.ts"),
  serve: () => import("./serve.ts"),
  models: () => import("./models.ts"),
  doctor: () => import("./doctor.ts"),
  keys: () => import("./keys.ts"),
  domain: () => import("./domain.ts"),
  "user-data": () => import("./user-data.ts"),
};

const HELP = `Usage: concierge-graph COMMAND [options]

  chat       a conversation in the terminal
  inspect    a thread's stored state as JSON
  serve      the server, the worker, or both
  models     the models that are configured, and what they can do
  doctor     checks settings, database and models
  keys       creates, lists and revokes the keys of the server's users
  domain     describes existing tables as entity types
  user-data  exports or erases everything that is stored about a user

concierge-graph COMMAND --help lists a command's options.
`;

// Each command reads the arguments after its name.
const [command = "--help"] = process.argv.splice(2, 1);
const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
if (run !== undefined) {
  await run();
} else if (command === "--help" || command === "help") {
  process.stdout.write(HELP);
} else {
  process.stderr.write(
    `Cannot run "${command}": there is no such command${didYouMean(command, Object.keys(COMMANDS))}; concierge-graph --help lists them\n`,
  );
  process.exitCode = 2;
}
