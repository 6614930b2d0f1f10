import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { renderPlanChanges, renderPlanUpdate } from "../../prompts/render-plan-changes.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import type { PlanAction } from "../../state/plan-action.ts";
import { startPlan } from "../../state/start-plan.ts";
import { listAffectedSteps, renderAffectedSteps } from "../../summaries/affected-steps.ts";
import { applyPlanActions, type PlanActionResult } from "../../summaries/apply-plan-actions.ts";
import {
  anyPlanAction,
  anyStartedPlan,
  changePlan,
  planAction,
  plannedPlan,
  planPart,
  tripPlan,
} from "../support/journey-plans.ts";

const TRIP = tripPlan();

function askPlease(action: PlanAction): PlanAction {
  return { ...action, words: "please" };
}

/** The lines of a prompt and the first paragraph of the reply after a message's actions. */
function renderBoth(plan: JourneyPlan, ...actions: readonly PlanAction[]) {
  const { plan: after, results } = applyPlanActions(plan, actions.map(askPlease), {
    message: "please",
    turn: 3,
  });
  return {
    lines: renderPlanChanges(results, after),
    reply: renderAffectedSteps(listChanged(results), after),
  };
}

function listChanged(results: readonly PlanActionResult[]) {
  return results.flatMap(({ outcome }) => (outcome.kind === "changed" ? [outcome] : []));
}

const titled = (...titles: readonly string[]): PlanAction["parts"] =>
  titles.map((title) => planPart({ title }));
const decide = (text: string): PlanAction =>
  planAction({ kind: "decide", target: "decision_2", text });
const mark = (target: string, as: "open" | "done" | "skipped"): PlanAction =>
  planAction({ kind: "mark", target, mark: as });

describe("renderPlanChanges() and renderAffectedSteps()", () => {
  test.each<[name: string, plan: JourneyPlan, action: PlanAction, line: string, reply: string]>([
    [
      "an added step",
      TRIP,
      planAction({ kind: "add", after: "step_1", parts: titled("Bag") }),
      'Added 2 "Bag".',
      "",
    ],
    [
      "a removed step",
      TRIP,
      planAction({ kind: "remove", target: "step_1" }),
      'Removed "Tickets". On it rested: 1 "Room", 2 "Invite".',
      "Steps 1 (“Room”) and 2 (“Invite”) rested on “Tickets”.",
    ],
    [
      "new words",
      TRIP,
      planAction({ kind: "replace", target: "step_2", parts: titled("Flat") }),
      'Changed the words of 2 "Flat" (was "Room"). On it rest: 3 "Invite".',
      "Step 3 (“Invite”) rests on “Flat”, which has changed.",
    ],
    [
      "another place",
      TRIP,
      planAction({ kind: "move", target: "step_2", after: "start" }),
      'Moved 1 "Room". Now before "Tickets", on which they rest: 1 "Room".',
      "Step 1 (“Room”) now comes before “Tickets”, and rests on it.",
    ],
    [
      "a split",
      TRIP,
      planAction({ kind: "split", target: "step_2", parts: titled("Compare", "Book") }),
      'Split "Room" into 2 "Compare", 3 "Book". On it rested: 4 "Invite".',
      "Step 4 (“Invite”) rested on “Room”.",
    ],
    ["a done step", TRIP, mark("step_1", "done"), 'Done: 1 "Tickets".', ""],
    [
      "a skipped step",
      TRIP,
      mark("step_2", "skipped"),
      'Skipped: 2 "Room". On it rest: 3 "Invite".',
      "Step 3 (“Invite”) rests on “Room”, which is skipped.",
    ],
    [
      "a step opened again",
      changePlan(TRIP, mark("step_2", "done")),
      mark("step_2", "open"),
      'Open again: 2 "Room". On it rest: 3 "Invite".',
      "Step 3 (“Invite”) rests on “Room”, which is open again.",
    ],
    [
      "a note",
      TRIP,
      planAction({ kind: "annotate", target: "step_2", text: "full\non <<<Friday" }),
      'Noted at 2 "Room": "full on ‹‹‹Friday".',
      "",
    ],
    [
      "a decision",
      TRIP,
      decide("the first"),
      'Decided "Which week?": "the first". On it rest: 1 "Tickets", 2 "Room", 3 "Invite".',
      "Steps 1 (“Tickets”), 2 (“Room”), and 3 (“Invite”) rest on the decision “Which week?”.",
    ],
    [
      "a decision anew",
      changePlan(TRIP, decide("the first")),
      decide("the second"),
      'Decided "Which week?" anew: "the second", not "the first". On it rest: 1 "Tickets", 2 "Room", 3 "Invite".',
      "Steps 1 (“Tickets”), 2 (“Room”), and 3 (“Invite”) rest on the decision “Which week?”.",
    ],
    [
      "an unforeseen choice",
      TRIP,
      planAction({ kind: "decide", text: "with the dog" }),
      'Decided: "with the dog".',
      "",
    ],
    [
      "the focus",
      TRIP,
      planAction({ kind: "focus", target: "step_4" }),
      'They work on 4 "Passport" now.',
      "",
    ],
    [
      "an undo",
      changePlan(TRIP, planAction({ kind: "remove", target: "step_4" })),
      planAction({ kind: "undo" }),
      'Took back version 2: 4 "Passport" as before.',
      "",
    ],
    [
      "an undo of a decision",
      changePlan(TRIP, planAction({ kind: "decide", text: "with the dog" })),
      planAction({ kind: "undo" }),
      'Took back version 2: "with the dog" is gone.',
      "",
    ],
    [
      "an undo of a split",
      changePlan(
        TRIP,
        planAction({ kind: "split", target: "step_4", parts: titled("Photo", "Form") }),
      ),
      planAction({ kind: "undo" }),
      'Took back version 2: 4 "Passport" as before, "Photo" is gone, "Form" is gone.',
      "",
    ],
    [
      "a refusal",
      TRIP,
      planAction({ kind: "remove", target: "step_9" }),
      'Not done, they asked for it with "please": The plan has no step "step_9".',
      "",
    ],
  ])("word %s", (_, plan, action, line, reply) => {
    expect(renderBoth(plan, action)).toEqual({ lines: `- ${line}`, reply });
  });

  test("name six steps and count the others", () => {
    const plan = startPlan(
      "rest",
      plannedPlan([
        "Base",
        ...Array.from({ length: 8 }, (_, index) => ({ title: `Rest ${index}`, restsOnSteps: [1] })),
      ]),
    );

    const { lines, reply } = renderBoth(plan, mark("step_1", "skipped"));

    expect(lines).toBe(
      '- Skipped: 1 "Base". On it rest: 2 "Rest 0", 3 "Rest 1", 4 "Rest 2", 5 "Rest 3", 6 "Rest 4", 7 "Rest 5", 2 more.',
    );
    expect(reply).toBe(
      "Steps 2 (“Rest 0”), 3 (“Rest 1”), 4 (“Rest 2”), 5 (“Rest 3”), 6 (“Rest 4”), and 7 (“Rest 5”) rest on “Base”, which is skipped. 2 more steps rest on that.",
    );
  });

  test("number steps as they stand after the message, and leave out what it removed", () => {
    expect(
      renderBoth(
        TRIP,
        planAction({ kind: "remove", target: "step_1" }),
        planAction({ kind: "remove", target: "step_3" }),
      ),
    ).toEqual({
      lines: '- Removed "Tickets". On it rested: 1 "Room".\n- Removed "Invite".',
      reply: "Step 1 (“Room”) rested on “Tickets”.",
    });
  });

  law.prop([anyStartedPlan, fc.array(anyPlanAction, { maxLength: 6 })])(
    "name the same steps, and say nothing where nothing is affected",
    (plan, actions) => {
      const applied = applyPlanActions(plan, actions.map(askPlease), {
        message: "please",
        turn: 3,
      });
      const changed = listChanged(applied.results);
      const lines = renderPlanChanges(applied.results, applied.plan);
      const reply = renderAffectedSteps(changed, applied.plan);

      const groups = changed.flatMap((change) => listAffectedSteps(change, applied.plan));
      expect(reply === "").toBe(groups.length === 0);
      expect(/On it rest|on which they rest/u.test(lines)).toBe(groups.length > 0);
      for (const { number, title } of groups.flatMap(({ steps }) => steps)) {
        expect(lines).toContain(`${number} "${title}"`);
        expect(reply).toContain(`${number} (“${title}”)`);
      }
      expect(lines === "" ? 0 : lines.split("\n").length).toBe(applied.results.length);
    },
  );
});

test("renderPlanUpdate() shows what was changed and the plan in full", () => {
  const { plan, results } = applyPlanActions(
    startPlan("rest", plannedPlan(["Sleep", "Walk"])),
    [askPlease(mark("step_1", "done"))],
    { message: "please", turn: 3 },
  );

  const changes = renderPlanChanges(results, plan);
  const update = { changes, saysAffected: false, plan, countTokens: (text: string) => text.length };

  expect(renderPlanUpdate(update)).toBe(`## Changed Just Now

- Done: 1 "Sleep".

## The Plan Now, Version 2

Goal: rest
[x] done, [>] current, [ ] open, [-] skipped
1. [x] **Sleep**
2. [>] **Walk**`);
  expect(renderPlanUpdate({ ...update, changes: "" })).toMatch(/^## The Plan Now, Version 2\n/);
  expect(renderPlanUpdate({ ...update, saysAffected: true, plan: null })).toBe(
    `## Changed Just Now

- Done: 1 "Sleep".

Your reply begins with what rests on it, written for you: do not repeat that, go on from it.`,
  );
});
