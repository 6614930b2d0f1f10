import { fc, test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { z } from "zod";
import { readPlan } from "../../summaries/read-plan.ts";
import { readYaml } from "../support/read-yaml.ts";
import { anyCharacter } from "../support/any-character.ts";

const CASES = readYaml(
  new URL("plans.yaml", import.meta.url),
  z.array(z.object({ name: z.string(), plan: z.string(), expected: z.unknown() })),
);

test.each(CASES)("readPlan() reads $name", ({ plan, expected }) => {
  expect(
    readPlan(plan).steps.map(({ title, description, doneWhen }) => [title, description, doneWhen]),
  ).toEqual(expected);
});

test("readPlan() reads headings, times and what to avoid", () => {
  const plan = [
    "# A Quiet Night",
    "### Phase 1: Prepare",
    "1. **Dark room** (about 2 hours) — hang a curtain",
    "   Done when: no light comes in",
    "   **Avoid:** glue",
    "2. Fixed hour: the same every day (30 minutes a day)",
    "   - Time: two weeks",
    "### Phase 2: Look back",
    "3. **Review (1 day)**",
  ].join("\n");

  expect(readPlan(plan)).toEqual({
    goal: "",
    decisions: [],
    steps: [
      {
        title: "Dark room",
        description: "hang a curtain",
        doneWhen: "no light comes in",
        phase: "Phase 1: Prepare",
        time: "about 2 hours",
        pitfall: "glue",
        restsOnSteps: [],
        restsOnDecisions: [],
        restsOnMade: [],
      },
      {
        title: "Fixed hour",
        description: "the same every day (30 minutes a day)",
        doneWhen: "",
        phase: "Phase 1: Prepare",
        time: "two weeks",
        pitfall: "",
        restsOnSteps: [],
        restsOnDecisions: [],
        restsOnMade: [],
      },
      {
        title: "Review",
        description: "",
        doneWhen: "",
        phase: "Phase 2: Look back",
        time: "1 day",
        pitfall: "",
        restsOnSteps: [],
        restsOnDecisions: [],
        restsOnMade: [],
      },
    ],
  });
});

law.prop([fc.string({ unit: anyCharacter })])("readPlan() takes any text", (text) => {
  expect(readPlan(text).steps.every(({ title }) => !title.includes("\n"))).toBe(true);
});
