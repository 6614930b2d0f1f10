import { INSPECT } from "./inspect/arguments.ts";
import { runWithArguments } from "./run-command.ts";

// `npm run inspect`: prints what is stored of a thread.
await runWithArguments(INSPECT, async (options) => {
  const { runInspect } = await import("./inspect/run-inspect.ts");
  return runInspect(options);
});
