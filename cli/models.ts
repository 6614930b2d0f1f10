import { MODELS } from "./models/arguments.ts";
import { runWithArguments } from "./run-command.ts";

// `npm run models`: the configured models and what they can do; `-- test` finds it out.
await runWithArguments(MODELS, async (options) => {
  const { runModels } = await import("./models/run-models.ts");
  return runModels(options);
});
