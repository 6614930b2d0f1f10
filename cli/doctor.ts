import { DOCTOR } from "./models/arguments.ts";
import { runWithArguments } from "./run-command.ts";

// `npm run doctor`: `npm run models -- test` with a look at settings, database and Node.
await runWithArguments(DOCTOR, async (options) => {
  const { runDoctor } = await import("./models/run-models.ts");
  return runDoctor(options);
});
