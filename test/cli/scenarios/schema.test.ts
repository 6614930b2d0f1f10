/* oxlint-disable unicorn/no-thenable -- the scenarios' own word, and no function */
import { expect, test } from "vitest";
import { parseScenarios, parseWordings } from "../../../cli/scenarios/schema.ts";

test("parseScenarios() reads every key, and whole sentences under then", () => {
  const text = `
- id: one
  about: "a short one"
  turns:
    - say: "hello"
      expect:
        lane: task
        quick: true
        asks: false
        reads: { recipes: 1 }
        suppressed: 2
        effects: { tasks: { deleted: all, created: some, updated: 3 } }
        demoted: [recipe_1]
        viable: []
        says: ["one"]
        never: ["two"]
        prompt: { think: "## Last Turn Summary" }
        phase: explorer
    - say: "cut"
      expect: { quick: false, then: saved once, with its children, under one ref }
    - say: "whole"
      expect: { then: "one, two", asks: false }
    - say: "bye"
`;

  expect(parseScenarios(text, "test.yaml")).toEqual([
    {
      id: "one",
      about: "a short one",
      turns: [
        {
          say: "hello",
          expect: {
            lane: "task",
            quick: true,
            asks: false,
            reads: { recipes: 1 },
            suppressed: 2,
            effects: { tasks: { deleted: "all", created: "some", updated: 3 } },
            demoted: ["recipe_1"],
            viable: [],
            says: ["one"],
            never: ["two"],
            prompt: { think: "## Last Turn Summary" },
            phase: "explorer",
          },
        },
        {
          say: "cut",
          expect: { quick: false, then: "saved once, with its children, under one ref" },
        },
        { say: "whole", expect: { then: "one, two", asks: false } },
        { say: "bye" },
      ],
    },
  ]);
});

test.each([
  ["an unknown key", `- { id: a, turns: [{ say: b, expect: { read: {} } }] }`, '"read"'],
  [
    "a wrong count",
    `- { id: a, turns: [{ say: b, expect: { effects: { t: { created: few } } } }] }`,
    "created",
  ],
  ["an unknown lane", `- { id: a, turns: [{ say: b, expect: { lane: fast } }] }`, "lane"],
  ["no turns", `- { id: a, turns: [] }`, "turns"],
])("parseScenarios() names file and place of %s", (_, text, place) => {
  expect(() => parseScenarios(text, "test.yaml")).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(new RegExp(`"test.yaml".*${place}`, "u")),
    }),
  );
});

test("parseWordings() reads a list of wordings for each turn", () => {
  expect(parseWordings(`one: [["a", "b"], ["c"]]`, "test.yaml")).toEqual({
    one: [["a", "b"], ["c"]],
  });
});
