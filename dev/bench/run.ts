import { readCommandLine } from "../../cli/command-line.ts";
import { renderProgramHelp, runCommand } from "../../cli/run-command.ts";

const TRACING = [
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING",
  "LANGCHAIN_TRACING",
];

// `npm run bench`: measures what the program promises, beside what would be used instead.
await runCommand(async () => {
  // Prompts that are sent to an outside service would be measured as well.
  for (const name of TRACING) process.env[name] = "false";
  const [{ MEASUREMENTS }, { benchCommand }, { runBench }] = await Promise.all([
    import("./measurements/index.ts"),
    import("./arguments.ts"),
    import("./run-bench.ts"),
  ]);
  const command = benchCommand(MEASUREMENTS);
  const values = readCommandLine(command, process.argv.slice(2));
  if (values === null) {
    process.stdout.write(await renderProgramHelp([command]));
    return 0;
  }
  const { measurements: named } = values;
  const measurements = MEASUREMENTS.filter((one) => named.length === 0 || named.includes(one));
  const exitCode = await runBench({ ...values, measurements });
  // A measurement that was interrupted may still wait for something.
  return exitCode > 128 ? process.exit(exitCode) : exitCode;
});
