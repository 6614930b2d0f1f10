import { expect, test } from "vitest";
import { readScenarioArguments } from "../../../cli/scenarios/arguments.ts";
import { UsageError } from "../../../app/usage-error.ts";

test.each([
  [[], { only: null, wordings: false, model: "simulated" }],
  [
    ["--only", "narrowing", "--wordings"],
    { only: "narrowing", wordings: true, model: "simulated" },
  ],
  [["--model=openai"], { only: null, wordings: false, model: "openai" }],
  [["--help", "--model", "other"], "help"],
])("readScenarioArguments() reads %o", (argv, wanted) => {
  expect(readScenarioArguments(argv)).toEqual(wanted);
});

test.each([
  [
    ["narrowing"],
    'Cannot use "narrowing": no such argument; write --only narrowing for one scenario',
  ],
  [["--model", "gpt"], 'Cannot use --model "gpt": write simulated or openai'],
  [
    ["--wording"],
    'Cannot use the option "--wording": there is none of that name; did you mean "--wordings"?',
  ],
  [["--only"], "Cannot use --only without a value: write --only VALUE"],
])("readScenarioArguments() refuses %o", (argv, message) => {
  expect(() => readScenarioArguments(argv)).toThrow(new UsageError(message));
});
