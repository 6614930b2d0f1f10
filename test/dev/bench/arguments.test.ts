import { expect, test } from "vitest";
import { benchHelp, readBenchArguments } from "../../../dev/bench/arguments.ts";
import type { Measurement } from "../../../dev/bench/measurement.ts";

function measurementNamed(name: string): Measurement {
  return { name, about: `What ${name} tells`, run: async () => [] };
}

const KNOWN = ["prompt-size", "steps", "signals"].map(measurementNamed);
const [promptSize, steps, signals] = KNOWN;

async function profile(): Promise<[]> {
  return [];
}
const PROFILED = [...KNOWN, { ...measurementNamed("throughput"), profile }];

test("readBenchArguments() measures everything unless something is named", () => {
  expect(readBenchArguments([], KNOWN)).toEqual({
    measurements: KNOWN,
    quick: false,
    seed: 7,
    json: null,
  });
});

test("readBenchArguments() keeps the registry's order, whatever order was typed", () => {
  const argv = ["signals", "--quick", "prompt-size", "--json=out.json", "--seed", "12"];
  expect(readBenchArguments(argv, KNOWN)).toEqual({
    measurements: [promptSize, signals],
    quick: true,
    seed: 12,
    json: "out.json",
  });
  expect(readBenchArguments(["steps"], KNOWN)).toMatchObject({ measurements: [steps] });
});

test.each([
  [["step"], 'Cannot measure "step": there is no such measurement; did you mean "steps"?'],
  [
    ["steps", "xyz"],
    'Cannot measure "xyz": there is no such measurement; there are prompt-size, steps, signals',
  ],
  [["--seed", "much"], 'Cannot use --seed "much": write a whole number from 0 to 999999999'],
  [["--json"], "Cannot use --json without a value: write --json VALUE"],
  [["--fast"], 'Cannot use the option "--fast": the option is unknown; --help lists them'],
])("readBenchArguments() refuses %j in one sentence", (argv, sentence) => {
  expect(() => readBenchArguments(argv, KNOWN)).toThrow(sentence);
});

test.each([[["--profile"]], [["--profile", "throughput"]]])(
  "readBenchArguments(%j) puts profiles in place of what is measured",
  (argv) => {
    expect(readBenchArguments(argv, PROFILED)).toMatchObject({
      measurements: [
        {
          name: "throughput",
          about: "Whose functions its processor time goes to",
          run: profile,
        },
      ],
    });
  },
);

test("readBenchArguments() refuses to profile what has no profile", () => {
  expect(() => readBenchArguments(["--profile", "throughput", "steps"], PROFILED)).toThrow(
    'Cannot profile "steps": it has no profile; there is one of throughput',
  );
});

test("--help lists what can be measured", () => {
  expect(readBenchArguments(["--help", "steps"], KNOWN)).toBe("help");
  expect(benchHelp(KNOWN)).toContain(
    "  prompt-size  What prompt-size tells\n  steps        What steps tells\n",
  );
});
