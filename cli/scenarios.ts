import { runCommand } from "./run-command.ts";
import { readScenarioArguments, SCENARIOS_HELP } from "./scenarios/arguments.ts";

// `npm run scenarios`: plays the scenarios and prints which expectations hold.
await runCommand(async () => {
  const wanted = readScenarioArguments(process.argv.slice(2));
  if (wanted === "help") {
    process.stdout.write(SCENARIOS_HELP);
    return 0;
  }
  const { runScenarios } = await import("./scenarios/run-scenarios.ts");
  const exitCode = await runScenarios(wanted);
  // A play that was interrupted may still wait for its model.
  return exitCode > 128 ? process.exit(exitCode) : exitCode;
});
