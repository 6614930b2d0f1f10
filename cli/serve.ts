import { runWithArguments } from "./run-command.ts";
import { SERVE } from "./serve/arguments.ts";

// `npm start`: the server, the worker, or both in one process.
await runWithArguments(SERVE, async (options) => {
  const { runServe } = await import("./serve/run-serve.ts");
  return runServe(options);
});
