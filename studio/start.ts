import { runWithArguments } from "../cli/run-command.ts";
import { STUDIO } from "./arguments.ts";

// `npm run studio`: what takes long to load is loaded once the arguments are known to be right.
await runWithArguments(STUDIO, async (options) => {
  const { runStudio } = await import("./run-studio.ts");
  return runStudio(options);
});
