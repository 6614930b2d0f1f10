import { runCommand } from "../cli/run-command.ts";
import { readStudioArguments, STUDIO_HELP } from "./arguments.ts";

// `npm run studio`: what takes long to load is loaded once the arguments are known to be right.
await runCommand(async () => {
  const options = readStudioArguments(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(STUDIO_HELP);
    return 0;
  }
  const { runStudio } = await import("./run-studio.ts");
  return runStudio(options);
});
