import { runCommand } from "../../cli/run-command.ts";

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
  const [{ MEASUREMENTS }, { benchHelp, readBenchArguments }, { runBench }] = await Promise.all([
    import("./measurements/index.ts"),
    import("./arguments.ts"),
    import("./run-bench.ts"),
  ]);
  const wanted = readBenchArguments(process.argv.slice(2), MEASUREMENTS);
  if (wanted === "help") {
    process.stdout.write(benchHelp(MEASUREMENTS));
    return 0;
  }
  const exitCode = await runBench(wanted);
  // A measurement that was interrupted may still wait for something.
  return exitCode > 128 ? process.exit(exitCode) : exitCode;
});
