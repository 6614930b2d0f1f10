import { expertQuestion } from "../../support/expert-questions.ts";
import { expect, test } from "vitest";
import type { Archive, ArchivedBatch, ArchivedJourney } from "../../../state/archive.ts";
import { applyPlanAction } from "../../../state/apply-plan-action.ts";
import type { ExecutionHandover } from "../../../state/handover.ts";
import type { JourneyState } from "../../../state/journey.ts";
import { DEFAULT_LIMITS } from "../../../state/limits.ts";
import { INITIAL_PHASE_STATE, type ConciergePhaseState } from "../../../state/phase.ts";
import { LeaseLostError } from "../../../storage/conversations/leases.ts";
import { createTurnArchive } from "../../../storage/conversations/turn-archive.ts";
import { EMPTY_ANALYSIS } from "../../support/analyses.ts";
import { archivedBatch, expertAnswer } from "../../support/archived-batch.ts";
import { testDatabase } from "../../support/database.ts";
import { planAction, tripPlan } from "../../support/journey-plans.ts";
import { takeLease } from "../../support/test-leases.ts";
import { wholeDatabase } from "../../support/whole-database.ts";
import { storedReply, turnRow } from "../../support/replies.ts";

const database = await testDatabase();
const { pool, owner } = database;
const archive = createTurnArchive(pool);

type SavedBatch = Parameters<Archive["saveBatch"]>[0];
type SavedJourney = Parameters<Archive["saveJourney"]>[0];

function createBatch(threadId: string, changes: Partial<ArchivedBatch> = {}): SavedBatch {
  return { ...archivedBatch(changes), threadId, userId: "ada", lease: null };
}

/** The same batch under another id. */
function numbered(batch: SavedBatch, id: string): SavedBatch {
  return { ...batch, batch: { ...batch.batch, id } };
}

const latest = async (threadId: string, userId = "ada") =>
  (await archive.listBatches({ threadId, userId, limit: 1 }))[0] ?? null;

test("listBatches() gives back a batch as it was saved, with its map or without", async () => {
  for (const changes of [{}, { answers: [expertAnswer("risk")], map: null, analysis: null }]) {
    const threadId = `whole ${Object.keys(changes).length}`;
    await archive.saveBatch(createBatch(threadId, changes));

    expect(await latest(threadId)).toEqual(archivedBatch(changes));
  }
});

test("listBatches() finds nothing where there is nothing", async () => {
  expect(await latest("nowhere")).toBeNull();
});

test("saveBatch() replaces a batch that is saved again", async () => {
  await archive.saveBatch(createBatch("upsert", { map: null, analysis: null }));
  const changes = { turn: 4, answers: [expertAnswer("risk")] };
  await archive.saveBatch(createBatch("upsert", changes));

  expect(await latest("upsert")).toEqual(archivedBatch(changes));
  const { rows } = await owner.query("select turn from batches where thread_id = 'upsert'");
  expect(rows).toEqual([{ turn: 4 }]);
});

test("listBatches() goes by the order in which batches came, not by their names or repetitions", async () => {
  const batch = createBatch("order");
  for (const id of ["t9-b1", "t10-b1", "t9-b2", "t10-b1"]) {
    await archive.saveBatch(numbered(batch, id));
  }

  expect((await latest("order"))?.batch.id).toBe("t9-b2");
  const listed = await archive.listBatches({ threadId: "order", userId: "ada", limit: 2 });
  expect(listed.map(({ batch: { id } }) => id)).toEqual(["t9-b2", "t10-b1"]);
});

test("batches are their thread's and their user's alone", async () => {
  await archive.saveBatch(createBatch("private"));

  expect(await latest("private", "bob")).toBeNull();
  expect(await latest("another")).toBeNull();
});

test("a user cannot write over another's batch or journey", async () => {
  await archive.saveBatch(createBatch("taken"));
  await archive.saveJourney(createJourney("taken"));

  await expect(archive.saveBatch({ ...createBatch("taken"), userId: "bob" })).rejects.toThrow(
    /row-level security/,
  );
  await expect(archive.saveJourney(createJourney("taken", { userId: "bob" }))).rejects.toThrow(
    /row-level security/,
  );
  expect(await latest("taken")).toEqual(archivedBatch());
});

test("nothing is stored under a lease that is another's by now", async () => {
  const threadId = "lost";
  const held = { threadId, userId: "ada", lease: await takeLease(database, threadId) };
  const lost = { ...held, lease: { owner: "b", fence: 0 } };
  const { manifests: _none, ...row } = turnRow(threadId, 1);
  const turn = {
    ...row,
    replies: [storedReply("hi")],
    summary: null,
    day: "2026-01-12",
    decisionUntil: null,
    wishChanges: [],
  };
  await archive.saveBatch({ ...createBatch(threadId), ...held });
  await archive.saveTurn({ ...turn, ...held });
  const before = await wholeDatabase(database);

  const late = await Promise.allSettled([
    archive.saveTurn({ ...turn, ...lost, userMessage: "late" }),
    archive.saveTurn({ ...turn, ...lost, turn: 2 }),
    archive.saveBatch({ ...createBatch(threadId, { turn: 9 }), ...lost }),
    archive.saveJourney({ ...createJourney(threadId), ...lost }),
    archive.storeRefs({ ...lost, entries: [] }),
  ]);

  const refused = { status: "rejected", reason: expect.any(LeaseLostError) };
  expect(late).toEqual(late.map(() => refused));
  expect(await wholeDatabase(database)).toEqual(before);
  await archive.saveTurn({ ...turn, ...held, userMessage: "in time" });
  const found = await archive.findTurns({ ...held, ref: null, turn: 1, words: null, limit: 2 });
  expect(found.turns.map(({ userMessage }) => userMessage)).toEqual(["in time"]);
});

test("saveBatch() stores what experts say with characters that Postgres refuses", async () => {
  const plain = createBatch("characters");
  await archive.saveBatch({
    ...plain,
    batch: { ...plain.batch, question: expertQuestion("a\0b") },
    answers: [{ ...expertAnswer("risk"), text: "c\0d \udc00" }],
    map: { claims: [], edges: [], gaps: ["e\0f"] },
  });

  expect(await latest("characters")).toMatchObject({
    batch: { question: { text: "ab" } },
    answers: [{ text: "cd \ufffd" }],
    map: { gaps: ["ef"] },
  });
});

test("saveBatch() stores columns and models under the names of a Python program", async () => {
  await archive.saveBatch(createBatch("python"));

  const { rows } = await owner.query(
    `select user_id, turn, purpose, prompt, batch -> 'deadline_at' as deadline,
            answers -> 4 ->> 'reason' as reason, map -> 'gaps' as gaps,
            analysis -> 'shape' ? 'runner_up' as has_second
       from batches where thread_id = 'python'`,
  );
  expect(rows).toEqual([
    {
      user_id: "ada",
      turn: 3,
      purpose: "opening",
      prompt: "How do I feed eight guests?",
      deadline: 1_768_204_800_000,
      reason: "No answer: late",
      gaps: ["What it may cost"],
      has_second: true,
    },
  ]);
});

const HANDOVER: ExecutionHandover = {
  goal: "Sell the car",
  problemSummary: "It is old\0.",
  situation: "In town",
  constraints: ["before May"],
  priorities: [],
  decisionsMade: [],
  openQuestions: [],
  explorationHighlights: [],
};
const PHASE: ConciergePhaseState = {
  ...INITIAL_PHASE_STATE,
  currentPhase: "executor",
  turnInPhase: 2,
  conciergeContextId: "t7-executor",
  executionHandover: HANDOVER,
  activeWorkflow: {
    goal: "Sell the car",
    steps: [
      { id: "step_1", title: "Wash it", description: "", doneWhen: "It shines", status: "active" },
    ],
    currentStepIndex: 0,
  },
};

function createJourney(threadId: string, changes: Partial<SavedJourney> = {}): SavedJourney {
  const opening = {
    question: "Shall I sell the car?",
    answer: "Perhaps.",
    analysis: EMPTY_ANALYSIS,
  };
  return {
    threadId,
    userId: "ada",
    lease: null,
    runId: "run-9",
    journeyId: "journey_4",
    openedTurn: 4,
    changedTurn: 9,
    title: "Sell the car",
    status: "active",
    reason: null,
    state: {
      opening,
      concierge: PHASE,
      plan: tripPlan(),
      helpStep: { id: "step_1", title: "Tickets" },
      conciergeTranscript: null,
    },
    ...changes,
  };
}

function archivedJourney(changes: Partial<SavedJourney> = {}): ArchivedJourney {
  const {
    threadId: _thread,
    userId: _user,
    lease: _lease,
    ...journey
  } = createJourney("", changes);
  return journey;
}

test("findJourney() gives back a journey as its newest turn left it, with its transcript", async () => {
  const at = { threadId: "journey", userId: "ada", journeyId: "journey_4" };
  const state: JourneyState = {
    ...archivedJourney().state,
    plan: null,
    conciergeTranscript: {
      contextId: "t7-executor",
      model: "large",
      messages: [{ role: "user", text: "How?" }],
      throughTurn: 12,
      planVersion: 1,
    },
  };
  const paused: Partial<SavedJourney> = {
    changedTurn: 12,
    runId: "run-12",
    title: "Keep the car\0",
    status: "paused",
    reason: "another question",
    state,
  };
  await archive.saveJourney(createJourney("journey", paused));
  await archive.saveJourney(createJourney("journey", { title: "Replaced" }));
  await archive.saveJourney(createJourney("journey"));

  const stored = {
    ...state,
    concierge: { ...PHASE, executionHandover: { ...HANDOVER, problemSummary: "It is old." } },
  };
  expect(await archive.findJourney(at)).toEqual(
    archivedJourney({ ...paused, title: "Keep the car", state: stored }),
  );
  expect(await archive.findJourney({ ...at, userId: "bob" })).toBeNull();
  expect(await archive.findJourney({ ...at, journeyId: "journey_5" })).toBeNull();
  const { rows } = await owner.query(
    `select changed_turn, title, user_id, state -> 'plan' -> 'steps' -> 0 ->> 'done_when' as done
       from journeys where thread_id = 'journey' order by changed_turn`,
  );
  const row = { user_id: "ada", title: "Keep the car", changed_turn: 12, done: null };
  expect(rows).toEqual([{ ...row, title: "Sell the car", changed_turn: 9, done: "" }, row]);
});

test("listJourneys() names each journey as it was stored last, the newest first", async () => {
  const threadId = "journeys";
  const other = { journeyId: "journey_7", openedTurn: 7, title: "Ask for a raise" } as const;
  const { state } = archivedJourney();
  await archive.saveJourney(createJourney(threadId));
  await archive.saveJourney(
    createJourney(threadId, { ...other, changedTurn: 8, state: { ...state, plan: null } }),
  );
  await archive.saveJourney(
    createJourney(threadId, { changedTurn: 7, runId: "run-7", status: "paused", reason: "later" }),
  );

  const phase = "executor";
  expect(await archive.listJourneys({ threadId, userId: "ada" })).toEqual([
    {
      id: "journey_4",
      title: "Sell the car",
      status: "active",
      reason: null,
      phase,
      progress: { step: 1, of: 4 },
      planVersion: 1,
      openedTurn: 4,
      lastTurn: 9,
    },
    {
      id: "journey_7",
      title: "Ask for a raise",
      status: "active",
      reason: null,
      phase,
      progress: null,
      planVersion: null,
      openedTurn: 7,
      lastTurn: 8,
    },
  ]);
  expect(await archive.listJourneys({ threadId, userId: "bob" })).toEqual([]);
});

test("rows of another branch count neither for a journey nor for its batches", async () => {
  const threadId = "branches";
  const { manifests: _none, ...row } = turnRow(threadId, 1);
  const turn = {
    ...row,
    userId: "ada",
    lease: null,
    summary: null,
    day: "2026-01-12",
    decisionUntil: null,
    wishChanges: [],
  };
  for (const runId of ["left", "taken"]) {
    const batch = createBatch(threadId, { runId, journeyId: "journey_1" });
    await archive.saveBatch(numbered(batch, `t1-b${runId.length}`));
    const journey = { runId, journeyId: "journey_1", changedTurn: 1, title: runId };
    await archive.saveJourney(createJourney(threadId, journey));
    await archive.saveTurn({ ...turn, runId });
  }

  const at = { threadId, userId: "ada" };
  const journey = "journey_1";
  const found = await archive.findJourney({ ...at, journeyId: journey });
  expect(found?.title).toBe("taken");
  expect((await archive.listJourneys(at)).map(({ title }) => title)).toEqual(["taken"]);
  const batches = await archive.listBatches({ ...at, journey, limit: 9 });
  expect(batches.map(({ runId }) => runId)).toEqual(["taken"]);
  expect(await archive.findBatch({ ...at, batchId: "t1-b4" })).toBeNull();
});

test("listBatches() lists those of one journey, and findBatch() finds one by its id", async () => {
  const threadId = "batches";
  const at = { threadId, userId: "ada" };
  for (const [id, journeyId] of [
    ["t1-b1", "journey_1"],
    ["t2-b1", "journey_2"],
    ["t3-b1", "journey_1"],
  ] as const) {
    await archive.saveBatch(numbered(createBatch(threadId, { journeyId }), id));
  }
  await archive.saveBatch(numbered(createBatch(threadId), "t4-b1"));

  const list = async (journey?: string): Promise<readonly string[]> => {
    const wanted = { ...at, limit: 9, ...(journey !== undefined && { journey }) };
    return (await archive.listBatches(wanted)).map(({ batch }) => batch.id);
  };
  expect(await list("journey_1")).toEqual(["t3-b1", "t1-b1"]);
  expect(await list("journey_3")).toEqual([]);
  expect(await list()).toEqual(["t4-b1", "t3-b1", "t2-b1", "t1-b1"]);
  const found = await archive.findBatch({ ...at, batchId: "t2-b1" });
  expect([found?.batch.id, found?.journeyId]).toEqual(["t2-b1", "journey_2"]);
  expect(await archive.findBatch({ ...at, userId: "bob", batchId: "t2-b1" })).toBeNull();
});

test("listPlanChanges() gives every change of a plan, from all rows of its journey", async () => {
  const threadId = "changes";
  let plan = tripPlan();
  const plans = Array.from({ length: 15 }, (_, index) => {
    const mark = index % 2 === 0 ? "done" : "open";
    const action = planAction({ kind: "mark", target: "step_1", mark, words: "it" });
    const outcome = applyPlanAction(plan, action, {
      who: "person",
      turn: index + 1,
      why: "it",
      limits: DEFAULT_LIMITS,
    });
    if (outcome.kind === "changed") plan = outcome.plan;
    return plan;
  });
  for (const [index, each] of plans.entries()) {
    const { state } = archivedJourney();
    const row = { runId: `run-${index}`, changedTurn: index + 1, state: { ...state, plan: each } };
    await archive.saveJourney(createJourney(threadId, row));
  }

  const at = { threadId, userId: "ada", journeyId: "journey_4" };
  const changes = await archive.listPlanChanges(at);
  expect(plan.changes).toHaveLength(12);
  expect(changes.map(({ version }) => version)).toEqual(plans.map(({ version }) => version));
  expect(changes.slice(-12)).toEqual(plan.changes);
});
