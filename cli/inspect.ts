import { readInspectArguments, INSPECT_HELP } from "./inspect/arguments.ts";
import { runCommand } from "./run-command.ts";

// `npm run inspect`: prints what is stored of a thread.
await runCommand(async () => {
  const options = readInspectArguments(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(INSPECT_HELP);
    return 0;
  }
  const { runInspect } = await import("./inspect/run-inspect.ts");
  return runInspect(options);
});
