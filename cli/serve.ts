import { runCommand } from "./run-command.ts";
import { readServeArguments, SERVE_HELP } from "./serve/arguments.ts";

// `npm start`: the server, the worker, or both in one process.
await runCommand(async () => {
  const options = readServeArguments(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(SERVE_HELP);
    return 0;
  }
  const { runServe } = await import("./serve/run-serve.ts");
  return runServe(options);
});
