import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { countTokens } from "../../models/tokens.ts";
import { renderPlan } from "../../prompts/render-plan.ts";
import { startPlan } from "../../state/start-plan.ts";
import { viewPlan, type PlanView, type PlanViewStep } from "../../state/view-plan.ts";
import {
  changePlan,
  planAction,
  plannedPlan,
  plannedStep,
  tripPlan,
} from "../support/journey-plans.ts";

/** `RENDER_PLAN_CASES=2000 npm test -- test/prompts/render-plan.test.ts` is the proof with many plans. */
const numRuns = Number(process.env["RENDER_PLAN_CASES"] ?? 25);
const LAW = { numRuns };
const TIMEOUT = 30_000 + numRuns * 200;

const TRIP = viewPlan(
  changePlan(
    startPlan(
      "go to Lisbon",
      plannedPlan(
        [
          { title: "Tickets", phase: "Book", description: "buy them", restsOnDecisions: [1] },
          {
            title: "Room",
            phase: "Book",
            description: "two nights",
            doneWhen: "it is paid",
            time: "1 hour",
            pitfall: "the harbour",
            restsOnSteps: [1],
            restsOnMade: [1],
          },
          { title: "Passport", restsOnSteps: [1] },
          { title: "Bag", phase: "Pack" },
        ],
        [{ question: "Which week?", recommendation: "the first", atStep: 2 }],
      ),
      { decisionsMade: ["by train"] },
    ),
    planAction({ kind: "mark", target: "step_1", mark: "done" }),
    planAction({ kind: "mark", target: "step_3", mark: "skipped" }),
    planAction({ kind: "annotate", target: "step_2", text: "full on Friday" }),
    planAction({ kind: "decide", target: "decision_2", text: "the second" }),
  ),
);

function viewStep(words: Partial<PlanViewStep>): PlanViewStep {
  return {
    ...plannedStep({ title: "Step" }),
    id: "step_1",
    restsOn: [],
    since: 1,
    notes: [],
    status: "pending",
    ...words,
  };
}

describe("renderPlan()", () => {
  test("shows every field in full", () => {
    expect(renderPlan(TRIP, { detail: "full", countTokens })).toBe(`Goal: go to Lisbon
[x] done, [>] current, [ ] open, [-] skipped
### Book
1. [x] **Tickets** — buy them
   Rests on: D2
2. [>] **Room** (1 hour) — two nights
   Done when: it is paid
   Avoid: the harbour
   Rests on: 1, D1
   Noted: full on Friday
### Other steps
3. [-] **Passport**
   Rests on: 1
### Pack
4. [ ] **Bag**
Decisions:
- D1: chosen: by train
- D2: Which week?; chosen: the second; recommended: the first; at 2`);
  });

  test("names steps and decisions by their ids where a model answers with them", () => {
    const shown = renderPlan(TRIP, { detail: "full", ids: true, countTokens });

    expect(shown.split("\n").filter((line) => /step_2|decision/.test(line))).toEqual([
      "   Rests on: decision_2",
      "2. [>] **Room** (step_2; 1 hour) — two nights",
      "   Rests on: step_1, decision_1",
      "- decision_1: chosen: by train",
      "- decision_2: Which week?; chosen: the second; recommended: the first; at step_2",
    ]);
  });

  test("shows one line a step, with decisions below, open ones first", () => {
    const open = viewPlan(tripPlan());
    expect(renderPlan(open, { detail: "line", ids: true, countTokens }))
      .toBe(`1. Tickets (step_1 current)
2. Room (step_2)
3. Invite (step_3)
4. Passport (step_4)
decision_2 Which week? open
decision_1 by train`);
    expect(renderPlan(TRIP, { detail: "line", countTokens })).toBe(`1. Tickets (done)
2. Room (current)
3. Passport (skipped)
4. Bag
Decision: Which week? the second
Decision: by train`);
  });

  test.each(["line", "full"] as const)(
    "numbers steps as people count them, whatever their ids: %s",
    (detail) => {
      const removed = changePlan(tripPlan(), planAction({ kind: "remove", target: "step_2" }));
      const moved = planAction({ kind: "move", target: "step_4", after: "start" });
      const shown = renderPlan(viewPlan(changePlan(removed, moved)), {
        detail,
        ids: true,
        countTokens,
      });

      const rows = [...shown.matchAll(/^(\d)\. .*?(\w+?)\*{0,2} \((step_\d)/gmu)];
      expect(rows.map(([, number, title, id]) => [number, title, id])).toEqual([
        ["1", "Passport", "step_4"],
        ["2", "Tickets", "step_1"],
        ["3", "Invite", "step_3"],
      ]);
    },
  );

  test("shows the current step and the one after it", () => {
    expect(renderPlan(TRIP, { detail: "step", countTokens })).toBe(`Goal: go to Lisbon
Current step, 2 of 4: Room — two nights
Done when: it is paid
Time: 1 hour
Avoid: the harbour
Noted: full on Friday
Then: Bag`);
    const over = { ...TRIP, currentStepIndex: 4 };
    expect(renderPlan(over, { detail: "step", countTokens })).toBe(
      "Goal: go to Lisbon\nNo step is open.",
    );
  });

  test.each(["line", "step", "full"] as const)(
    "shows nothing of a plan without steps: %s",
    (detail) => {
      expect(renderPlan({ ...TRIP, steps: [] }, { detail, countTokens })).toBe("");
    },
  );

  test.each([
    ["all", 400, ["done words", "learnt", "note", "open words"]],
    ["the words of open steps and notes", 130, ["note", "open words"]],
    ["the words of open steps", 80, ["open words"]],
    ["none of them", 55, []],
  ])("keeps %s in %i tokens", (_, tokens, kept) => {
    const note = { turn: 1, text: "note ".repeat(20).trim() };
    const plan: PlanView = {
      goal: "rest",
      version: 1,
      currentStepIndex: 1,
      decisions: [],
      steps: [
        viewStep({
          status: "complete",
          description: "done words ".repeat(20).trim(),
          notes: [{ turn: 1, text: "learnt ".repeat(20).trim() }],
        }),
        viewStep({
          status: "active",
          description: "open words ".repeat(15).trim(),
          notes: [note],
          doneWhen: "it is quiet",
        }),
      ],
    };

    const shown = renderPlan(plan, { detail: "full", tokens, countTokens });

    const counted = ["done words", "learnt", "note", "open words"].filter((text) => {
      const whole = { note: 20, learnt: 20, "done words": 20, "open words": 15 }[text];
      return shown.split(text).length - 1 === whole;
    });
    expect(counted).toEqual(kept);
    expect(shown).toContain("Done when: it is quiet");
    expect(countTokens(shown)).toBeLessThanOrEqual(tokens);
  });
});

const ENGLISH =
  "book the quiet room behind the harbour before Friday noon and ask for a receipt".split(" ");
const CHINESE = Array.from("周五中午之前预订港口后面的安静房间并索要收据");

/** Texts of a number of words, or of as many characters in Chinese. */
function texts(least: number, most: number): fc.Arbitrary<string> {
  return fc.oneof(
    fc
      .array(fc.constantFrom(...ENGLISH), { minLength: least, maxLength: most })
      .map((words) => words.join(" ")),
    fc
      .array(fc.constantFrom(...CHINESE), { minLength: least, maxLength: most })
      .map((words) => words.join("")),
  );
}

interface Lengths {
  /** Words of a title, of a sign of being done, and of the parts of a decision, at most. */
  readonly kept: number;
  /** Words of what may be shortened, at most. */
  readonly other: number;
}

function ids(prefix: string): fc.Arbitrary<string[]> {
  return fc.array(
    fc.integer({ min: 1, max: 12 }).map((number) => `${prefix}_${number}`),
    { maxLength: 3 },
  );
}

/** Plans that are shown, of up to twelve steps and decisions. */
function views({ kept, other }: Lengths): fc.Arbitrary<PlanView> {
  const steps = fc.array(
    fc.record({
      title: texts(1, kept),
      description: texts(0, other),
      doneWhen: texts(0, kept),
      phase: fc.constantFrom("", "Prepare", "准备"),
      time: fc.constantFrom("", "about 2 hours"),
      pitfall: texts(0, other),
      id: fc.constant(""),
      restsOn: fc.tuple(ids("step"), ids("decision")).map((each) => each.flat()),
      since: fc.constant(1),
      notes: fc.array(fc.record({ turn: fc.nat(), text: texts(1, other) }), { maxLength: 5 }),
      status: fc.constantFrom("complete", "skipped", "pending"),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const decisions = fc.array(
    fc.record({
      id: fc.constant(""),
      at: fc.option(fc.constantFrom("step_1")),
      question: texts(0, kept),
      recommendation: texts(0, kept),
      chosen: fc.option(texts(1, kept)),
    }),
    { maxLength: 12 },
  );
  return fc.tuple(steps, decisions, texts(1, kept)).map(([all, made, goal]) => ({
    goal,
    version: 3,
    currentStepIndex: all.length,
    steps: all.map((step, index): PlanViewStep => ({ ...step, id: `step_${index + 1}` })),
    decisions: made.map((decision, index) => ({ ...decision, id: `decision_${index + 1}` })),
  }));
}

/** The texts that a plan keeps when it is shown, however little room there is. */
function listKept({ steps, decisions }: PlanView): string[] {
  return [
    ...steps.flatMap(({ title, doneWhen, status }) => [
      `**${title}**`,
      ...(status === "pending" && doneWhen !== "" ? [`Done when: ${doneWhen}`] : []),
    ]),
    ...decisions.flatMap(({ question, recommendation, chosen }) => [
      question,
      ...(recommendation === "" ? [] : [`recommended: ${recommendation}`]),
      ...(chosen === null ? [] : [`chosen: ${chosen}`]),
    ]),
  ];
}

describe("renderPlan() in full", () => {
  law.prop([views({ kept: 6, other: 60 }), fc.boolean()], LAW)(
    "keeps titles, signs of being done, and decisions within its tokens",
    (view, ids) => {
      const shown = renderPlan(view, { detail: "full", ids, countTokens });

      expect(countTokens(shown)).toBeLessThanOrEqual(1_200);
      for (const text of listKept(view)) expect(shown).toContain(text);
    },
    TIMEOUT,
  );

  law.prop([views({ kept: 150, other: 150 }), fc.integer({ min: 300, max: 1_200 })], LAW)(
    "is within any room, whatever a plan holds",
    (view, tokens) => {
      const shown = renderPlan(view, { detail: "full", tokens, countTokens });

      expect(countTokens(shown)).toBeLessThanOrEqual(tokens);
    },
    TIMEOUT,
  );

  law.prop([views({ kept: 3, other: 4 })], LAW)(
    "shows every field where there is room",
    (view) => {
      const shown = renderPlan(view, { detail: "full", tokens: 10_000, countTokens });

      const fields = view.steps.flatMap(
        ({ description, time, pitfall, phase, doneWhen, notes }) => [
          description,
          time,
          pitfall,
          phase,
          doneWhen,
          ...notes.map(({ text }) => text),
        ],
      );
      for (const text of [...listKept(view), ...fields]) expect(shown).toContain(text);
    },
    TIMEOUT,
  );
});
