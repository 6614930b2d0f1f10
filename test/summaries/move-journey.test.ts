import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { applyPlanAction } from "../../state/apply-plan-action.ts";
import type { JourneyLine, JourneyState } from "../../state/journey.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";
import { titleKey } from "../../state/plan-words.ts";
import { chooseJourneyMove } from "../../summaries/choose-journey-move.ts";
import { joinJourneys } from "../../summaries/find-journey.ts";
import {
  createJourneyRow,
  moveJourney,
  updateActiveJourney,
  type JourneyMove,
  type JourneyNews,
} from "../../summaries/move-journey.ts";
import { activeLine, journeyLine, journeyState } from "../support/journey-lines.ts";
import { planAction, tripPlan } from "../support/journey-plans.ts";
import { memoryArchive } from "../support/memory-archive.ts";

const HELD = 12;
const SLEEP = journeyState({ plan: tripPlan() });

function mark(plan: JourneyPlan, target: string): JourneyPlan {
  const action = planAction({ kind: "mark", target, mark: "done", words: "done" });
  const outcome = applyPlanAction(plan, action, { who: "person", turn: 3, why: "done" });
  if (outcome.kind === "refused") throw new Error(outcome.reason);
  return outcome.plan;
}

test("moveJourney() pauses the active journey for another question, at its step", () => {
  const plan = mark(tripPlan(), "step_1");
  const move = { kind: "open", question: "How do I ask for a raise?" } as const;
  const lines = [activeLine(1, { title: "Lisbon" })];
  const context = { turn: 5, state: journeyState({ plan }), journeysHeld: HELD };

  const moved = moveJourney(lines, move, context);

  const left = journeyLine(1, {
    title: "Lisbon",
    phase: "starter",
    progress: { step: 2, of: 4 },
    planVersion: 2,
    lastTurn: 5,
  });
  const opened = activeLine(5, { title: "How do I ask for a raise?", phase: "starter" });
  expect(moved).toEqual({
    lines: [left, opened],
    left,
    changed: null,
    news: [{ kind: "left", journey: left }],
  });
});

test("moveJourney() keeps a reopened journey with its plan, and begins its question as another", () => {
  const lines = [activeLine(1, { title: "Lisbon (2)" }), journeyLine(2, { title: "Lisbon" })];
  const context = { turn: 5, state: SLEEP, journeysHeld: HELD };

  const moved = moveJourney(lines, { kind: "reopen" }, context);

  const left = journeyLine(1, {
    title: "Lisbon (2)",
    reason: "reopened",
    phase: "starter",
    progress: { step: 1, of: 4 },
    planVersion: 1,
    lastTurn: 5,
  });
  const begun = activeLine(1, { id: "journey_5", title: "Lisbon (3)", lastTurn: 5 });
  expect(moved).toEqual({
    lines: [left, lines[1], begun],
    left,
    changed: null,
    news: [{ kind: "reopened", journey: left }],
  });
});

test("moveJourney() has nothing to reopen without a plan", () => {
  const lines = [activeLine(1)];
  const context = { turn: 5, state: journeyState(), journeysHeld: HELD };

  const moved = moveJourney(lines, { kind: "reopen" }, context);

  expect(moved).toEqual({ lines, left: null, changed: null, news: [] });
});

test("moveJourney() closes a journey whose plan is over as done", () => {
  const plan = ["step_1", "step_2", "step_3", "step_4"].reduce(mark, tripPlan());
  const state = journeyState({ plan });
  const context = { turn: 5, state, journeysHeld: HELD };

  const { left } = moveJourney([activeLine(1)], { kind: "open", question: "?" }, context);

  expect(left).toMatchObject({ status: "closed", reason: "done", progress: { step: null, of: 4 } });
});

test("moveJourney() closes another journey than the active one for the person's words", () => {
  const other = journeyLine(1);
  const reason = `forget\nthe raise${" now".repeat(99)}`;
  const move = { kind: "close", journey: other, reason } as const;
  const context = { turn: 9, state: SLEEP, journeysHeld: HELD };

  const moved = moveJourney([other, activeLine(2)], move, context);

  const cut = `forget the raise${" now".repeat(55)} no…`;
  const closed = journeyLine(1, { status: "closed", reason: cut, lastTurn: 9 });
  expect(moved).toEqual({
    lines: [closed, activeLine(2)],
    left: null,
    changed: closed,
    news: [{ kind: "left", journey: closed }],
  });
});

test("moveJourney() renames a journey, and its title then outlasts a handover", () => {
  const context = { turn: 3, state: journeyState(), journeysHeld: HELD };
  const active = activeLine(1, { title: "How do I sleep better?" });
  const other = journeyLine(2, { title: "Rest" });
  const move = { kind: "rename", journey: active, title: "rest" } as const;

  const { lines, news } = moveJourney([active, other], move, context);

  expect(news).toMatchObject([
    { kind: "renamed", from: "How do I sleep better?", journey: { title: "rest (2)" } },
  ]);
  const state = journeyState({ concierge: handedOver("Sleep seven hours") });
  const updated = updateActiveJourney(lines, { ...context, state });
  expect(updated.lines.map(({ title }) => title)).toEqual(["rest (2)", "Rest"]);
});

function handedOver(goal: string): JourneyState["concierge"] {
  return {
    ...INITIAL_PHASE_STATE,
    currentPhase: "executor",
    executionHandover: {
      goal,
      problemSummary: "",
      situation: "",
      constraints: [],
      priorities: [],
      decisionsMade: [],
      openQuestions: [],
      explorationHighlights: [],
    },
  };
}

test("updateActiveJourney() asks for a row where status, title or plan changed, and for no other", () => {
  const context = { turn: 6, state: journeyState(), journeysHeld: HELD };
  const active = activeLine(1, { title: "How do I sleep better?" });
  const hasRow = (lines: readonly JourneyLine[], state: JourneyState): boolean =>
    updateActiveJourney(lines, { ...context, state }).changed !== null;

  expect(hasRow([active], journeyState())).toBe(false);
  expect(hasRow([], journeyState())).toBe(false);
  expect(hasRow([active], SLEEP)).toBe(true);
  expect(hasRow([active], journeyState({ concierge: handedOver("Sleep") }))).toBe(true);
  const planned = { ...active, planVersion: 1 };
  expect(hasRow([planned], SLEEP)).toBe(false);
  expect(hasRow([planned], journeyState())).toBe(true);
  const paused = journeyLine(1, { title: active.title });
  const resume: JourneyMove = { kind: "resume", journey: paused };
  expect(hasRow(moveJourney([paused], resume, context).lines, journeyState())).toBe(true);
});

test("createJourneyRow() makes a row from which the archive lists the same line", async () => {
  const archive = memoryArchive();
  const state = { ...SLEEP, concierge: handedOver("Go to Lisbon") };
  const context = { turn: 6, state, journeysHeld: HELD };
  const { changed } = updateActiveJourney([activeLine(2)], context);
  if (changed === null) throw new Error("Cannot make a row: nothing has changed");
  const at = { threadId: "t", userId: "ada" };

  await archive.saveJourney({
    ...at,
    lease: null,
    ...createJourneyRow(changed, { runId: "r", state }),
  });

  expect(await archive.listJourneys(at)).toEqual([changed]);
  const found = await archive.findJourney({ ...at, journeyId: "journey_2" });
  expect([found?.runId, found?.changedTurn, found?.state]).toEqual(["r", 6, state]);
});

test("moveJourney() leaves out the oldest closed journeys first, and never the active one", () => {
  const active = activeLine(1);
  const rename = { kind: "rename", journey: active, title: "Tents" } as const;
  const lines = [
    active,
    journeyLine(2),
    journeyLine(3, { status: "closed", reason: "done" }),
    journeyLine(4),
    journeyLine(5, { status: "closed", reason: "done" }),
  ];
  const ids = (journeysHeld: number): readonly string[] =>
    moveJourney(lines, rename, { turn: 9, state: SLEEP, journeysHeld }).lines.map(({ id }) => id);

  expect(ids(4)).toEqual(["journey_1", "journey_2", "journey_4", "journey_5"]);
  expect(ids(2)).toEqual(["journey_1", "journey_4"]);
  expect(ids(0)).toEqual(["journey_1"]);
});

/** A turn's work; `which` is a journey by the order in which they were opened. */
const anyTurn = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("talk"), noted: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("resume"), which: fc.nat(4) }) },
  fc.record({ kind: fc.constant("new"), question: fc.constantFrom("Sleep?", "A raise", "睡眠") }),
  fc.record({ kind: fc.constantFrom("pause", "close"), which: fc.option(fc.nat(4)) }),
  fc.record({ kind: fc.constant("rename"), title: fc.constantFrom("Sleep", "a raise!", "Move") }),
  fc.record({ kind: fc.constant("reopen") }),
);
type Turn = typeof anyTurn extends fc.Arbitrary<infer T> ? T : never;

/** The state that a journey has reached: by its own turns alone, or as it is kept. */
type Reached = Pick<JourneyState, "plan" | "concierge">;

const FRESH: Reached = { plan: tripPlan(), concierge: INITIAL_PHASE_STATE };

const REOPENED: Reached = { plan: null, concierge: INITIAL_PHASE_STATE };

function talk({ plan, concierge }: Reached, turn: number, noted: boolean): Reached {
  const note = planAction({ kind: "annotate", target: "step_1", text: `${turn}`, words: "it" });
  const outcome = applyPlanAction(plan ?? tripPlan(), note, { who: "person", turn, why: "it" });
  return {
    plan: noted && outcome.kind === "changed" ? outcome.plan : plan,
    concierge: { ...concierge, turnInPhase: concierge.turnInPhase + 1 },
  };
}

/** A conversation as its nodes keep it: lines and channels in the state, rows in the archive. */
interface Kept {
  readonly lines: readonly JourneyLine[];
  readonly channels: JourneyState;
  readonly rows: ReadonlyMap<string, { readonly line: JourneyLine; readonly state: JourneyState }>;
  /** Journeys in the order in which they were opened, each by its own turns alone. */
  readonly alone: ReadonlyMap<string, Reached>;
  /** The news of the last turn's move. */
  readonly news: readonly JourneyNews[];
}

const LINES_HELD = 3;
const MOST = 5;

function play(last: Kept, done: Turn, turn: number): Kept {
  const kept = { ...last, news: [] };
  const { rows } = kept;
  const archived = [...rows.values()].map(({ line }) => line);
  const all = joinJourneys(kept.lines, archived);
  const find = (which: number): JourneyLine | undefined =>
    all.find(({ id }) => id === [...kept.alone.keys()][which % Math.max(1, kept.alone.size)]);
  const context = { turn, state: kept.channels, journeysHeld: LINES_HELD, known: all };
  let { lines, channels, alone } = kept;
  let news: readonly JourneyNews[] = [];
  const stored = new Map(rows);
  if (done.kind !== "talk") {
    if ((done.kind === "new" || done.kind === "reopen") && alone.size >= MOST) return kept;
    const named =
      "title" in done
        ? done.title
        : "which" in done && done.which !== null
          ? (find(done.which)?.title ?? null)
          : null;
    const message = "question" in done ? done.question : "their words";
    const choice = chooseJourneyMove({ action: done.kind, name: named, message }, { lines, all });
    if (choice.kind !== "move") return kept;
    const { move } = choice;
    const moved = moveJourney(lines, move, context);
    if (moved.left !== null) stored.set(moved.left.id, { line: moved.left, state: channels });
    if (moved.changed !== null) {
      const row = stored.get(moved.changed.id);
      if (row === undefined) throw new Error(`Cannot change ${moved.changed.id}: no row is kept`);
      stored.set(moved.changed.id, { ...row, line: moved.changed });
    }
    if (move.kind === "open") {
      channels = journeyState({ ...FRESH, opening: { ...OPENING, question: move.question } });
      alone = new Map([...alone, [`journey_${turn}`, FRESH]]);
    }
    if (move.kind === "reopen" && moved.left !== null) {
      channels = { ...channels, ...REOPENED };
      alone = new Map([...alone, [`journey_${turn}`, REOPENED]]);
    }
    if (move.kind === "resume") {
      const row = stored.get(move.journey.id);
      if (row === undefined) throw new Error(`Cannot resume ${move.journey.id}: no row is kept`);
      channels = row.state;
    }
    ({ lines, news } = moved);
  } else {
    const active = lines.find(({ status }) => status === "active");
    if (active === undefined) return kept;
    channels = { ...channels, ...talk(channels, turn, done.noted) };
    const before = alone.get(active.id) ?? FRESH;
    alone = new Map([...alone, [active.id, talk(before, turn, done.noted)]]);
  }
  const ended = updateActiveJourney(lines, { ...context, state: channels });
  if (ended.changed !== null) {
    stored.set(ended.changed.id, { line: ended.changed, state: channels });
  }
  return { lines: ended.lines, channels, rows: stored, alone, news };
}

const NOTHING_KEPT: Kept = {
  lines: [],
  channels: journeyState(),
  rows: new Map(),
  alone: new Map(),
  news: [],
};
const OPENING = { question: "", answer: "Yes.", analysis: null };

const numRuns = Number(process.env["JOURNEY_CASES"] ?? 200);

test.prop([fc.array(anyTurn, { minLength: 5, maxLength: 50 })], { numRuns })(
  "moveJourney() keeps one journey in the foreground at most, and each as its own turns left it",
  (turns) => {
    let kept = NOTHING_KEPT;
    for (const [index, done] of turns.entries()) {
      const before = kept.lines.find(({ status }) => status === "active");
      kept = play(kept, done, index + 1);
      const { lines, channels, rows, alone, news } = kept;
      const all = joinJourneys(
        lines,
        [...rows.values()].map(({ line }) => line),
      );
      expect(all.map(({ id }) => id).toSorted()).toEqual([...alone.keys()].toSorted());
      expect(lines.length).toBeLessThanOrEqual(LINES_HELD);
      const active = all.filter(({ status }) => status === "active");
      expect(active.length).toBeLessThanOrEqual(1);
      if (before !== undefined && before.id !== active[0]?.id) {
        expect(news[0]).toMatchObject({
          kind: turns[index]?.kind === "reopen" ? "reopened" : "left",
          journey: { id: before.id },
        });
      }
      expect(
        all.filter(({ status, reason }) => (reason === null) !== (status === "active")),
      ).toEqual([]);
      expect(new Set(all.map(({ title }) => titleKey(title))).size).toBe(all.length);
      for (const journey of all) {
        const { id, title, status } = journey;
        const choice = chooseJourneyMove(
          { action: "resume", name: title.toUpperCase(), message: "back" },
          { lines, all },
        );
        expect(choice).toEqual(
          status === "active"
            ? { kind: "continue" }
            : { kind: "move", move: { kind: "resume", journey } },
        );
        const { plan, concierge } = status === "active" ? channels : (rows.get(id)?.state ?? FRESH);
        expect({ plan, concierge }).toEqual(alone.get(id));
      }
    }
  },
  30_000 + numRuns * 20,
);
