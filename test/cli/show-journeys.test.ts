import { fc, test } from "@fast-check/vitest";
import stringWidth from "string-width";
import { describe, expect } from "vitest";
import { readTypedLine } from "../../cli/chat/commands.ts";
import { renderPlanLog } from "../../cli/chat/render-plan-log.ts";
import {
  renderPlanCommand,
  runJourneyCommand,
  type JourneyPlace,
} from "../../cli/chat/show-journeys.ts";
import type { Archive } from "../../state/archive.ts";
import type { JourneyPlan, PlanChange } from "../../state/journey-plan.ts";
import { journeyState } from "../support/journey-lines.ts";
import {
  act,
  anyPlanAction,
  anyStartedPlan,
  changePlan,
  planAction,
  plannedPlan,
  planPart,
  tripPlan,
} from "../support/journey-plans.ts";
import { memoryArchive } from "../support/memory-archive.ts";
import { startPlan } from "../../state/start-plan.ts";

const THREAD = { threadId: "t", userId: "ada" };

type SavedJourney = Parameters<Archive["saveJourney"]>[0];

function savedJourney(changes: Partial<SavedJourney>): SavedJourney {
  return {
    ...THREAD,
    lease: null,
    journeyId: "journey_1",
    openedTurn: 1,
    changedTurn: 1,
    runId: "r",
    title: "Go to Lisbon",
    status: "active",
    reason: null,
    state: journeyState({ plan: tripPlan() }),
    ...changes,
  };
}

/** A trip in the foreground, sleep paused with a plan, and a raise that has none. */
async function archiveThree(): Promise<JourneyPlace & { readonly archive: Archive }> {
  const archive = memoryArchive();
  const sleep = startPlan("sleep better", plannedPlan(["Dark room", "Fixed hour"]));
  const paused = { status: "paused", reason: "another question" } as const;
  for (const journey of [
    { ...paused, journeyId: "journey_1", title: "Sleep better", plan: sleep },
    { ...paused, journeyId: "journey_4", title: "Ask for a raise", changedTurn: 4, plan: null },
    { journeyId: "journey_6", title: "Go to Lisbon", changedTurn: 6, plan: tripPlan() },
  ]) {
    const { plan, ...rest } = journey;
    await archive.saveJourney(savedJourney({ ...rest, state: journeyState({ plan }) }));
  }
  return { ...THREAD, archive, plan: tripPlan(), columns: 80 };
}

describe("readTypedLine()", () => {
  test.each([
    ["/plan", { kind: "command", name: "/plan", plan: { kind: "active" } }],
    ["/plan log", { kind: "command", name: "/plan", plan: { kind: "log" } }],
    [
      "/plan  Sleep better ",
      { kind: "command", name: "/plan", plan: { kind: "named", name: "Sleep better" } },
    ],
    ["/journeys", { kind: "command", name: "/journeys", journey: "" }],
    ["/journeys Sleep better", { kind: "command", name: "/journeys", journey: "Sleep better" }],
  ])("reads %j", (line, typed) => {
    expect(readTypedLine(line)).toEqual(typed);
  });
});

const LISTED = [
  "* Go to Lisbon (open now, step 1 of 4)",
  "  Ask for a raise (paused)",
  "  Sleep better (paused at step 1 of 2)",
  "/journeys NAME goes back to one, /plan NAME shows its plan",
].join("\n");

test("runJourneyCommand() lists the journeys, and marks the one that is open now", async () => {
  expect(await runJourneyCommand("", await archiveThree())).toBe(LISTED);
  expect(await runJourneyCommand("", { ...THREAD, archive: memoryArchive(), columns: 80 })).toBe(
    "No journeys yet: ask for advice, and one begins.",
  );
});

test("runJourneyCommand() goes back to a journey that it finds, and answers every other name itself", async () => {
  const place = await archiveThree();

  expect(await runJourneyCommand("sleeep", place)).toEqual({ message: "back to Sleep better" });
  expect(await runJourneyCommand("lisbon", place)).toBe(LISTED);
  expect(await runJourneyCommand("zzz", place)).toBe(
    "I know no journey called “zzz” in this conversation. There are “Go to Lisbon”, “Ask for a raise”, and “Sleep better”.",
  );
});

describe("renderPlanCommand()", () => {
  test("shows the plan of the journey that is named", async () => {
    const place = await archiveThree();
    const show = (name: string): Promise<string> =>
      renderPlanCommand({ kind: "named", name }, place);

    expect(await show("sleep")).toBe(
      "The plan: sleep better (0 of 2 done)\n  1. [>] Dark room\n  2. [ ] Fixed hour",
    );
    expect(await show("lisbon")).toBe(await renderPlanCommand({ kind: "active" }, place));
    expect(await show("raise")).toBe("There is no plan for “Ask for a raise” yet.");
    expect(await show("tennis")).toBe(
      "I know no journey called “tennis” in this conversation. There are “Go to Lisbon”, “Ask for a raise”, and “Sleep better”.",
    );
  });

  test("shows every version, also those that the plan no longer holds", async () => {
    const place = await archiveThree();
    let plan = tripPlan();
    for (let turn = 7; turn < 22; turn += 1) {
      const note = { kind: "annotate", target: "step_1", text: `note ${turn}` } as const;
      plan = changePlan(plan, planAction({ ...note, words: `words ${turn}` }));
      const state = journeyState({ plan });
      const at = { journeyId: "journey_6", changedTurn: turn };
      await place.archive.saveJourney(savedJourney({ ...at, state }));
    }

    const log = await renderPlanCommand({ kind: "log" }, { ...place, plan });

    expect(plan.changes).toHaveLength(12);
    expect(log.split("\n").slice(1)).toEqual([
      "  1  as it was made",
      ...Array.from(
        { length: 15 },
        (_, index) =>
          `${String(index + 2).padStart(3)}  noted at “Tickets”: note ${index + 7} (you: “words ${index + 7}”)`,
      ),
    ]);
  });

  test("names a journey that has a plan where the one that is open has none", async () => {
    const place = { ...(await archiveThree()), plan: null };
    for (const kind of ["active", "log"] as const) {
      expect(await renderPlanCommand({ kind }, place)).toBe(
        "The question that is open now has no plan yet. “Sleep better” has one: /plan Sleep better shows it.",
      );
    }
  });

  test("says that there is no plan", async () => {
    const archive = memoryArchive();
    await archive.saveJourney(savedJourney({ state: journeyState() }));
    const place = { ...THREAD, archive, plan: null, columns: 80 };
    for (const kind of ["active", "log"] as const) {
      expect(await renderPlanCommand({ kind }, place)).toBe(
        "There is no plan in this conversation yet.",
      );
    }
  });
});

test("renderPlanLog() names each step and decision as that version left it", () => {
  const words = "as we said";
  const week = tripPlan().decisions.find(({ question }) => question !== "")?.id ?? "";
  const plan = changePlan(
    tripPlan(),
    planAction({ kind: "mark", target: "step_1", mark: "done", words }),
    planAction({ kind: "mark", target: "step_1", mark: "open", words }),
    planAction({
      kind: "replace",
      target: "step_1",
      parts: [planPart({ title: "Train tickets" })],
      words,
    }),
    planAction({ kind: "add", parts: [planPart({ title: "Bag" })], words }),
    planAction({
      kind: "split",
      target: "step_2",
      parts: [planPart({ title: "Choose a room" }), planPart({ title: "Book it" })],
      words,
    }),
    planAction({ kind: "remove", target: "step_3", words }),
    planAction({ kind: "move", target: "step_4", after: "start", words }),
    planAction({ kind: "decide", target: week, text: "the second", words }),
    planAction({ kind: "focus", target: "step_4", words }),
    planAction({ kind: "undo", words }),
  );

  const rows = renderPlanLog({ plan, changes: plan.changes }, 200).split("\n");

  expect(rows).toEqual([
    "The versions of the plan: go to Lisbon",
    "  1  as it was made",
    "  2  done: “Tickets” (you: “as we said”)",
    "  3  opened again: “Tickets” (you: “as we said”)",
    "  4  changed “Tickets” into “Train tickets” (you: “as we said”)",
    "  5  added “Bag” (you: “as we said”)",
    "  6  split “Room” into “Choose a room”, “Book it” (you: “as we said”)",
    "  7  removed “Invite” (you: “as we said”)",
    "  8  moved “Passport” (you: “as we said”)",
    "  9  decided “Which week?”: the second (you: “as we said”)",
    " 10  went on to “Passport” (you: “as we said”)",
    " 11  took back version 10 (you: “as we said”)",
  ]);
});

/** A plan with all changes that were made to it. */
const anyHistory = fc
  .tuple(anyStartedPlan, fc.array(anyPlanAction, { maxLength: 20 }))
  .map(([started, actions]) => {
    let plan: JourneyPlan = started;
    const changes: PlanChange[] = [];
    for (const action of actions) {
      const outcome = act(plan, action);
      if (outcome.kind === "refused") continue;
      plan = outcome.plan;
      changes.push(outcome.change);
    }
    return { plan, changes };
  });

test.prop([anyHistory, fc.integer({ min: 20, max: 200 })])(
  "renderPlanLog() numbers every version, names no id, and keeps every row within the terminal",
  (history, columns) => {
    const rows = renderPlanLog(history, columns).split("\n");
    const numbers = rows.flatMap((row) => /^ {0,2}(\d+) {2}\S/u.exec(row)?.[1] ?? []);
    expect(numbers).toEqual(["1", ...history.changes.map(({ version }) => `${version}`)]);
    expect(rows.join(" ")).not.toMatch(/(?:step|decision)_\d/u);
    expect(rows.filter((row) => stringWidth(row) > columns)).toEqual([]);
  },
);
