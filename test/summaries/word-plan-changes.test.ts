import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { applyPlanAction } from "../../state/apply-plan-action.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import type { PlanAction } from "../../state/plan-action.ts";
import { startPlan } from "../../state/start-plan.ts";
import { listAffectedSteps } from "../../summaries/affected-steps.ts";
import { applyPlanActions, type PlanActionResult } from "../../summaries/apply-plan-actions.ts";
import { wordPlanChanges } from "../../summaries/word-plan-changes.ts";
import { speakIn } from "../../text/spoken-language.ts";
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

/** Applies actions one after the other, whatever a message asks for. */
function applyAll(plan: JourneyPlan, actions: readonly PlanAction[]) {
  return actions.reduce<{ plan: JourneyPlan; results: readonly PlanActionResult[] }>(
    (before, given) => {
      const action = { ...given, words: "please" };
      const context = { who: "person", why: "please", turn: 3 } as const;
      const outcome = applyPlanAction(before.plan, action, context);
      return {
        plan: outcome.kind === "changed" ? outcome.plan : before.plan,
        results: [...before.results, { action, outcome }],
      };
    },
    { plan, results: [] },
  );
}

/** The words after a message's actions. */
function word(plan: JourneyPlan, ...actions: readonly PlanAction[]): string {
  const { plan: after, results } = applyAll(plan, actions);
  return wordPlanChanges({ results }, after);
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

describe("wordPlanChanges()", () => {
  test.each<[name: string, plan: JourneyPlan, action: PlanAction, words: string]>([
    [
      "an added step",
      TRIP,
      planAction({ kind: "add", after: "step_1", parts: titled("Bag") }),
      "Added to the plan: 2 (“Bag”).",
    ],
    [
      "a removed step",
      TRIP,
      planAction({ kind: "remove", target: "step_1" }),
      "Removed from the plan: “Tickets”. Steps 1 (“Room”) and 2 (“Invite”) rested on “Tickets”.",
    ],
    [
      "new words",
      TRIP,
      planAction({ kind: "replace", target: "step_2", parts: titled("Flat") }),
      "Worded anew: 2 (“Flat”). Step 3 (“Invite”) rests on “Flat”, which has changed.",
    ],
    [
      "another place",
      TRIP,
      planAction({ kind: "move", target: "step_2", after: "start" }),
      "Moved: 1 (“Room”). Step 1 (“Room”) now comes before “Tickets”, and rests on it.",
    ],
    [
      "a split",
      TRIP,
      planAction({ kind: "split", target: "step_2", parts: titled("Compare", "Book") }),
      "“Room” is now 2 (“Compare”) and 3 (“Book”). Step 4 (“Invite”) rested on “Room”.",
    ],
    ["a done step", TRIP, mark("step_1", "done"), "Done: 1 (“Tickets”)."],
    [
      "a skipped step",
      TRIP,
      mark("step_2", "skipped"),
      "Skipped: 2 (“Room”). Step 3 (“Invite”) rests on “Room”, which is skipped.",
    ],
    [
      "a step opened again",
      changePlan(TRIP, mark("step_2", "done")),
      mark("step_2", "open"),
      "Open again: 2 (“Room”). Step 3 (“Invite”) rests on “Room”, which is open again.",
    ],
    [
      "a note",
      TRIP,
      planAction({ kind: "annotate", target: "step_2", text: "full\non <<<Friday" }),
      "Noted at 2 (“Room”): “full on ‹‹‹Friday”.",
    ],
    [
      "a decision",
      TRIP,
      decide("the first"),
      "Decided on “Which week?”: the first. Steps 1 (“Tickets”), 2 (“Room”), and 3 (“Invite”) rest on the decision “Which week?”.",
    ],
    [
      "a decision anew",
      changePlan(TRIP, decide("the first")),
      decide("the second"),
      "Decided on “Which week?”: the second. Before, it was: the first. Steps 1 (“Tickets”), 2 (“Room”), and 3 (“Invite”) rest on the decision “Which week?”.",
    ],
    [
      "an unforeseen choice",
      TRIP,
      planAction({ kind: "decide", text: "with the dog" }),
      "Decided: with the dog.",
    ],
    [
      "the focus",
      TRIP,
      planAction({ kind: "focus", target: "step_4" }),
      "In hand now: 4 (“Passport”).",
    ],
    [
      "an undo",
      changePlan(TRIP, planAction({ kind: "remove", target: "step_4" })),
      planAction({ kind: "undo" }),
      "Taken back: 4 (“Passport”) is as it was before.",
    ],
    [
      "an undo of a decision",
      changePlan(TRIP, planAction({ kind: "decide", text: "with the dog" })),
      planAction({ kind: "undo" }),
      "Taken back: “with the dog” is gone again.",
    ],
    [
      "an undo of a split",
      changePlan(
        TRIP,
        planAction({ kind: "split", target: "step_4", parts: titled("Photo", "Form") }),
      ),
      planAction({ kind: "undo" }),
      "Taken back: 4 (“Passport”) is as it was before, “Photo” is gone again, and “Form” is gone again.",
    ],
    [
      "a refusal",
      TRIP,
      planAction({ kind: "remove", target: "step_9" }),
      "Not done, “please”: the plan has no such step.",
    ],
  ])("says %s", (_, plan, action, words) => {
    expect(word(plan, action)).toBe(words);
  });

  test("gives the reason of a refusal in the language that is spoken", () => {
    const templates = new Map([
      ["planNotChanged", "Nicht getan, „{wish}“: {cause}."],
      ["planStepDone", "Schritt {number} („{title}“) ist schon erledigt"],
    ]);
    const action = planAction({ kind: "replace", target: "step_1", parts: titled("Flight") });
    const spoken = speakIn({ language: "de", templates }, () =>
      word(changePlan(TRIP, mark("step_1", "done")), action),
    );
    expect(spoken).toBe("Nicht getan, „please“: Schritt 1 („Tickets“) ist schon erledigt.");
  });

  test("gives the reason once for a wish that is refused alike several times", () => {
    const message = "drop Tickets, Room, Invite and Passport";
    const removals = TRIP.steps.map(({ id }) =>
      planAction({ kind: "remove", target: id, words: message }),
    );
    const { plan, results } = applyPlanActions(TRIP, removals, { message, turn: 3 });

    expect(wordPlanChanges({ results }, plan)).toBe(
      `Not done, “${message}”: no step would be left of the plan.`,
    );
  });

  test("names six steps and counts the others", () => {
    const plan = startPlan(
      "rest",
      plannedPlan([
        "Base",
        ...Array.from({ length: 8 }, (_, index) => ({ title: `Rest ${index}`, restsOnSteps: [1] })),
      ]),
    );

    expect(word(plan, mark("step_1", "skipped"))).toBe(
      "Skipped: 1 (“Base”). Steps 2 (“Rest 0”), 3 (“Rest 1”), 4 (“Rest 2”), 5 (“Rest 3”), 6 (“Rest 4”), and 7 (“Rest 5”) rest on “Base”, which is skipped. 2 more steps rest on that.",
    );
  });

  test("numbers steps as they stand after the message, and joins what was done alike", () => {
    expect(
      word(
        TRIP,
        planAction({ kind: "remove", target: "step_1" }),
        mark("step_4", "done"),
        planAction({ kind: "remove", target: "step_3" }),
      ),
    ).toBe(
      "Removed from the plan: “Tickets” and “Invite”. Done: 2 (“Passport”). Step 1 (“Room”) rested on “Tickets”.",
    );
  });

  test("says nothing of what the message itself takes back", () => {
    const remove = planAction({ kind: "remove", target: "step_1" });
    expect(word(TRIP, remove, planAction({ kind: "undo" }))).toBe("");
  });

  test("says why a wish that was left to the concierge is not carried out", () => {
    const refusals = [{ words: "make it more fun", reason: "it could not be worked out just now" }];
    expect(wordPlanChanges({ results: [], refusals }, TRIP)).toBe(
      "Not done, “make it more fun”: it could not be worked out just now.",
    );
  });

  law.prop([anyStartedPlan, fc.array(anyPlanAction, { maxLength: 6 })])(
    "names every step that rests on a change which stands, and is empty where nothing was asked for",
    (plan, actions) => {
      const applied = applyAll(plan, actions);
      const words = wordPlanChanges({ results: applied.results }, applied.plan);

      const changed = listChanged(applied.results);
      const undone = new Set(changed.flatMap(({ change }) => change.undoes ?? []));
      const standing = changed.filter(
        ({ change }) => change.undoes === null && !undone.has(change.version),
      );
      const groups = standing.flatMap((change) => listAffectedSteps(change, applied.plan));
      for (const { number, title } of groups.flatMap(({ steps }) => steps)) {
        expect(words).toContain(`${number} (“${title}”)`);
      }
      const isRefused = applied.results.some(({ outcome }) => outcome.kind === "refused");
      if (isRefused || standing.length > 0) expect(words).not.toBe("");
      if (applied.results.length === 0) expect(words).toBe("");
      expect(words).not.toMatch(/\n|step_\d|decision_\d/u);
    },
  );
});
