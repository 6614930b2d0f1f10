import { defineCommand, readWholeNumber } from "../../cli/command-line.ts";
import { runWithArguments } from "../../cli/run-command.ts";
import { findShortestFailure, keepFailure, renderFailure } from "./found-failures.ts";

const SIMULATE = defineCommand({
  start: "npm run simulate --",
  about: `
Plays made-up conversations over the nodes and routes of the task lane, with rows in memory and with
models that may use only what their prompts show, and judges the state, the prompts, the rows and the
replies after every turn. Prints the first failure as its shortest conversation, with the seed and
the path that play it again. Exits with 1 where a promise was broken, with 2 for a wrong argument.`,
  arguments: {
    runs: ["--runs NUMBER", "how many conversations", readWholeNumber(1, 9_999_999), 400],
    turns: ["--turns NUMBER", "turns of a conversation, at the most", readWholeNumber(1, 999), 12],
    seed: ["--seed NUMBER", "draws other conversations", readWholeNumber(0, 999_999_999), 7],
    path: ["--path PATH", "plays one failure of that seed again", String, ""],
    lies: ["--lies", "one answer of a model in four is wrong"],
    keep: ["--keep", "saves a failure in dev/simulation/found, for the tests"],
  },
});

await runWithArguments(SIMULATE, async ({ keep, ...options }) => {
  const began = performance.now();
  const { failure, conversations, turns } = await findShortestFailure(options);
  const seconds = (performance.now() - began) / 1_000;
  const rate = (turns / 12 / seconds).toFixed(0);
  const speed = `${turns} turns in ${seconds.toFixed(1)} s: ${rate} conversations of 12 turns a second`;
  if (failure === null) {
    process.stdout.write(`${conversations} conversations, no promise broken; ${speed}\n`);
    return 0;
  }
  process.stdout.write(`${await renderFailure(failure)}\n${speed}\n`);
  if (keep) process.stdout.write(`Saved as ${await keepFailure(failure.conversation)}\n`);
  return 1;
});
