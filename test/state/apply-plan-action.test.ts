import { describe, expect, test } from "vitest";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import type { PlanReason } from "../../state/plan-refusal.ts";
import type { PlanAction, PlanRefusal } from "../../state/plan-action.ts";
import { startPlan } from "../../state/start-plan.ts";
import { toActiveWorkflow, viewPlan } from "../../state/view-plan.ts";
import {
  act,
  changePlan,
  planAction,
  plannedPlan,
  plannedStep,
  planPart,
  tripPlan,
} from "../support/journey-plans.ts";

const TRIP = tripPlan();
const done = (target: string): PlanAction => planAction({ kind: "mark", target, mark: "done" });
const FIRST_DONE = changePlan(TRIP, done("step_1"));
const FULL = startPlan(
  "rest",
  plannedPlan(Array.from({ length: 12 }, (_, index) => `Rest ${index}`)),
);

const titled = (...titles: readonly string[]): PlanAction["parts"] =>
  titles.map((title) => planPart({ title }));

function titles({ steps }: JourneyPlan): string[] {
  return steps.map(({ title }) => title);
}

function find(plan: JourneyPlan, id: string) {
  return plan.steps.find((step) => step.id === id);
}

describe("startPlan()", () => {
  test("makes decisions that were made the first ones, and drops numbers that do not fit", () => {
    const planned = plannedPlan(
      [
        { title: "One", restsOnSteps: [1, 2, 0], restsOnMade: [2, 9] },
        { title: "Two", restsOnSteps: [1, 1], restsOnDecisions: [1, 5] },
      ],
      [{ question: "Which?", recommendation: "this", atStep: 2 }],
    );

    expect(startPlan("travel", planned, { decisionsMade: ["by train", "in May"] })).toEqual({
      goal: "travel",
      version: 1,
      nextNumber: 4,
      focus: null,
      steps: [
        {
          ...plannedStep({ title: "One" }),
          id: "step_1",
          restsOn: ["decision_2"],
          mark: "open",
          since: 1,
          notes: [],
        },
        {
          ...plannedStep({ title: "Two" }),
          id: "step_2",
          restsOn: ["step_1", "decision_3"],
          mark: "open",
          since: 1,
          notes: [],
        },
      ],
      decisions: [
        { id: "decision_1", at: null, question: "", recommendation: "", chosen: "by train" },
        { id: "decision_2", at: null, question: "", recommendation: "", chosen: "in May" },
        {
          id: "decision_3",
          at: "step_2",
          question: "Which?",
          recommendation: "this",
          chosen: null,
        },
      ],
      changes: [],
    });
  });

  test("counts numbers over steps without a title, which it leaves out", () => {
    const planned = plannedPlan(["", "One", { title: "Two", restsOnSteps: [1, 2] }]);

    const plan = startPlan("travel", planned);
    expect(plan.steps.map(({ id, title, restsOn }) => [id, title, restsOn])).toEqual([
      ["step_1", "One", []],
      ["step_2", "Two", ["step_1"]],
    ]);
  });
});

describe("applyPlanAction()", () => {
  test("adds behind a step, under its heading, and numbers on", () => {
    const plan = changePlan(
      startPlan("rest", plannedPlan([{ title: "Dark", phase: "Room" }, "Review"])),
      planAction({
        kind: "add",
        after: "step_1",
        parts: [
          planPart({ title: "Mask", restsOn: ["step_1", "step_9"] }),
          planPart({ title: "Tape", phase: "Shop" }),
        ],
      }),
    );

    expect(titles(plan)).toEqual(["Dark", "Mask", "Tape", "Review"]);
    expect(plan.steps.slice(1, 3)).toEqual([
      {
        ...plannedStep({ title: "Mask", phase: "Room" }),
        id: "step_3",
        restsOn: ["step_1"],
        mark: "open",
        since: 2,
        notes: [],
      },
      {
        ...plannedStep({ title: "Tape", phase: "Shop" }),
        id: "step_4",
        restsOn: [],
        mark: "open",
        since: 2,
        notes: [],
      },
    ]);
    expect(plan.nextNumber).toBe(5);
  });

  test("lets what rested on a removed step rest on what that rested on", () => {
    const outcome = act(TRIP, planAction({ kind: "remove", target: "step_2", words: "no hotel" }));

    expect(outcome).toMatchObject({
      kind: "changed",
      affected: [{ step: "step_3", via: "step_2", why: "gone" }],
      change: {
        version: 2,
        turn: 7,
        undoes: null,
        who: "person",
        why: "no hotel",
        kind: "remove",
        targets: ["step_2"],
        before: {
          steps: [{ id: "step_2" }, { id: "step_3" }],
          decisions: [],
          order: ["step_1", "step_2", "step_3", "step_4"],
          focus: null,
        },
      },
    });
    expect(outcome.kind === "changed" && find(outcome.plan, "step_3")?.restsOn).toEqual([
      "step_1",
      "decision_2",
    ]);
  });

  test("gives a step new words and leaves the fields that are empty", () => {
    const outcome = act(
      TRIP,
      planAction({
        kind: "replace",
        target: "step_1",
        parts: [planPart({ title: "Two tickets" })],
      }),
    );

    expect(outcome).toMatchObject({
      plan: { steps: [{ title: "Two tickets", description: "buy them", since: 2 }, {}, {}, {}] },
      affected: [
        { step: "step_2", via: "step_1", why: "changed" },
        { step: "step_3", via: "step_1", why: "changed" },
      ],
    });
  });

  test("splits a step into a chain that what rested on it rests on", () => {
    const noted = changePlan(
      TRIP,
      planAction({ kind: "annotate", target: "step_2", text: "full in May" }),
      planAction({ kind: "focus", target: "step_2" }),
    );
    const plan = changePlan(
      noted,
      planAction({ kind: "split", target: "step_2", parts: titled("Compare", "Book") }),
    );

    expect(plan.steps.map(({ id, restsOn, notes }) => [id, restsOn, notes.length])).toEqual([
      ["step_1", ["decision_2"], 0],
      ["step_5", ["step_1", "decision_2"], 1],
      ["step_6", ["step_5"], 0],
      ["step_3", ["step_6"], 0],
      ["step_4", ["decision_1"], 0],
    ]);
    expect(plan.focus).toBe("step_5");
  });

  test("says which steps a move puts before what they rest on", () => {
    expect(act(TRIP, planAction({ kind: "move", target: "step_1", after: null }))).toMatchObject({
      plan: { steps: [{ id: "step_2" }, { id: "step_3" }, { id: "step_4" }, { id: "step_1" }] },
      affected: [{ step: "step_2", via: "step_1", why: "comes-before" }],
    });
  });

  test("takes up a step that is opened again", () => {
    const plan = changePlan(TRIP, done("step_1"), done("step_2"));
    const opened = act(plan, planAction({ kind: "mark", target: "step_1", mark: "open" }));

    expect(opened).toMatchObject({
      affected: [
        { step: "step_2", via: "step_1", why: "reopened" },
        { step: "step_3", via: "step_1", why: "reopened" },
      ],
    });
    expect(opened.kind === "changed" && viewPlan(opened.plan).currentStepIndex).toBe(0);
  });

  test("keeps the newest five notes", () => {
    const notes = Array.from({ length: 6 }, (_, index) =>
      planAction({ kind: "annotate", target: "step_1", text: `note ${index}` }),
    );

    expect(find(changePlan(TRIP, ...notes), "step_1")?.notes).toEqual(
      [1, 2, 3, 4, 5].map((index) => ({ turn: 7, text: `note ${index}` })),
    );
  });

  test("decides, decides anew, and notes a choice that nobody foresaw", () => {
    const first = planAction({ kind: "decide", target: "decision_2", text: "the first" });
    const second = planAction({ kind: "decide", target: "decision_2", text: "the second" });
    const unforeseen = planAction({ kind: "decide", text: "with the dog" });

    expect(act(changePlan(TRIP, first), second)).toMatchObject({
      change: { before: { decisions: [{ id: "decision_2", chosen: "the first" }] } },
      affected: [
        { step: "step_1", via: "decision_2", why: "decided" },
        { step: "step_2", via: "decision_2", why: "decided" },
        { step: "step_3", via: "decision_2", why: "decided" },
      ],
    });
    expect(changePlan(TRIP, unforeseen).decisions.at(-1)).toEqual({
      id: "decision_5",
      at: "step_1",
      question: "",
      recommendation: "",
      chosen: "with the dog",
    });
  });

  test("takes back one change after the other, and none twice", () => {
    const undo = planAction({ kind: "undo" });
    const changed = changePlan(
      TRIP,
      done("step_1"),
      planAction({ kind: "remove", target: "step_3" }),
    );

    const once = changePlan(changed, undo);
    const twice = changePlan(once, undo);

    expect(once.steps).toEqual(FIRST_DONE.steps);
    expect(twice.steps).toEqual(TRIP.steps);
    expect(twice.changes.map(({ version, undoes }) => [version, undoes])).toEqual([
      [2, null],
      [3, null],
      [4, 3],
      [5, 2],
    ]);
    expect(act(twice, undo)).toMatchObject({ code: "nothing-to-undo" });
  });

  test.each<[PlanRefusal, JourneyPlan, PlanAction, PlanReason]>([
    ["no-words", TRIP, planAction({ kind: "add" }), "planNoTitle"],
    ["no-words", TRIP, planAction({ kind: "add", parts: titled("Bag", " ") }), "planNoTitle"],
    ["duplicate", TRIP, planAction({ kind: "add", parts: titled("“passport”") }), "planStepThere"],
    ["duplicate", TRIP, planAction({ kind: "add", parts: titled("Bag", "bag") }), "planTitleTwice"],
    ["too-many", FULL, planAction({ kind: "add", parts: titled("Bag") }), "planTooManySteps"],
    [
      "unknown-step",
      TRIP,
      planAction({ kind: "add", after: "step_9", parts: titled("Bag") }),
      "planStepUnknown",
    ],
    [
      "cycle",
      TRIP,
      planAction({ kind: "add", parts: [planPart({ title: "Bag", restsOn: ["step_5"] })] }),
      "planCycle",
    ],
    ["unknown-step", TRIP, planAction({ kind: "remove" }), "planStepUnclear"],
    [
      "last-step",
      startPlan("rest", plannedPlan(["Rest"])),
      planAction({ kind: "remove", target: "step_1" }),
      "planWouldBeEmpty",
    ],
    [
      "done-step",
      FIRST_DONE,
      planAction({ kind: "replace", target: "step_1", parts: titled("Bag") }),
      "planStepDone",
    ],
    [
      "no-change",
      TRIP,
      planAction({ kind: "replace", target: "step_1", parts: titled("Tickets") }),
      "planLikeThat",
    ],
    ["no-words", TRIP, planAction({ kind: "replace", target: "step_1" }), "planNoNewWords"],
    [
      "too-many",
      TRIP,
      planAction({ kind: "replace", target: "step_1", parts: titled("A", "B") }),
      "planOneInstead",
    ],
    [
      "cycle",
      TRIP,
      planAction({ kind: "replace", target: "step_1", parts: [planPart({ restsOn: ["step_3"] })] }),
      "planCycle",
    ],
    [
      "unknown-step",
      TRIP,
      planAction({ kind: "move", target: "step_1", after: "step_9" }),
      "planStepUnknown",
    ],
    [
      "no-change",
      TRIP,
      planAction({ kind: "move", target: "step_1", after: "start" }),
      "planLikeThat",
    ],
    [
      "no-change",
      TRIP,
      planAction({ kind: "move", target: "step_1", after: "step_1" }),
      "planLikeThat",
    ],
    [
      "done-step",
      FIRST_DONE,
      planAction({ kind: "split", target: "step_1", parts: titled("A", "B") }),
      "planStepDone",
    ],
    [
      "too-few",
      TRIP,
      planAction({ kind: "split", target: "step_1", parts: titled("A") }),
      "planSplitTooFew",
    ],
    [
      "too-many",
      FULL,
      planAction({ kind: "split", target: "step_1", parts: titled("A", "B") }),
      "planTooManySteps",
    ],
    ["no-change", FIRST_DONE, done("step_1"), "planLikeThat"],
    [
      "no-change",
      TRIP,
      planAction({ kind: "annotate", target: "step_1", text: " " }),
      "planLikeThat",
    ],
    ["no-words", TRIP, planAction({ kind: "decide", target: "decision_2" }), "planNoChoice"],
    ["no-change", TRIP, planAction({ kind: "decide", text: "by train" }), "planLikeThat"],
    [
      "no-change",
      TRIP,
      planAction({ kind: "decide", target: "decision_1", text: "by train" }),
      "planLikeThat",
    ],
    [
      "unknown-decision",
      TRIP,
      planAction({ kind: "decide", target: "decision_9", text: "May" }),
      "planDecisionUnknown",
    ],
    [
      "too-many",
      startPlan("rest", plannedPlan(["Rest"]), {
        decisionsMade: Array.from({ length: 13 }, (_, index) => `choice ${index}`),
      }),
      planAction({ kind: "decide", text: "May" }),
      "planTooManyDecisions",
    ],
    ["not-open", FIRST_DONE, planAction({ kind: "focus", target: "step_1" }), "planStepDone"],
    ["nothing-to-undo", TRIP, planAction({ kind: "undo" }), "planNothingToUndo"],
  ])("refuses with %s", (code, plan, action, reason) => {
    expect(act(plan, action)).toMatchObject({ kind: "refused", code, reason });
  });
});

describe("viewPlan()", () => {
  test.each<[string, readonly PlanAction[], number]>([
    ["the first step", [], 0],
    ["the one after the furthest done", [done("step_2")], 2],
    ["the first open one where the last is done", [done("step_4")], 0],
    ["the one in focus", [planAction({ kind: "focus", target: "step_4" }), done("step_1")], 3],
    ["none", ["step_1", "step_2", "step_3", "step_4"].map(done), 4],
  ])("makes active %s", (_, actions, index) => {
    expect(viewPlan(changePlan(TRIP, ...actions)).currentStepIndex).toBe(index);
  });

  test("shows a skipped step, which is pending in the seeds' shape", () => {
    const plan = changePlan(TRIP, planAction({ kind: "mark", target: "step_1", mark: "skipped" }));

    expect(viewPlan(plan).steps.map(({ status }) => status)).toEqual([
      "skipped",
      "active",
      "pending",
      "pending",
    ]);
    expect(toActiveWorkflow(plan)).toEqual({
      goal: "go to Lisbon",
      steps: [
        {
          id: "step_1",
          title: "Tickets",
          description: "buy them",
          doneWhen: "",
          status: "pending",
        },
        { id: "step_2", title: "Room", description: "", doneWhen: "", status: "active" },
        { id: "step_3", title: "Invite", description: "", doneWhen: "", status: "pending" },
        { id: "step_4", title: "Passport", description: "", doneWhen: "", status: "pending" },
      ],
      currentStepIndex: 1,
    });
  });
});
