import { expect, test } from "vitest";
import type { Archive, ArchivedBatch } from "../../../state/archive.ts";
import type { StructuralAnalysis } from "../../../state/analysis.ts";
import type { ExpertAnswer } from "../../../state/batch.ts";
import type { ClaimMap } from "../../../state/claims.ts";
import { INITIAL_PHASE_STATE, type ConciergePhaseState } from "../../../state/phase.ts";
import { acquireLease, LeaseLostError } from "../../../storage/conversations/leases.ts";
import { createTurnArchive } from "../../../storage/conversations/turn-archive.ts";
import { testDatabase } from "../../support/database.ts";
import { wholeDatabase } from "../../support/whole-database.ts";
import { storedReply, turnRow } from "../../support/replies.ts";

const database = await testDatabase();
const { pool, owner } = database;
const archive = createTurnArchive(pool);

type SavedBatch = Parameters<Archive["saveBatch"]>[0];
type SavedJourney = Parameters<Archive["saveJourney"]>[0];

const MAP: ClaimMap = {
  claims: [
    { id: "c1", label: "Sell", text: "Sell the car.", supporters: [1, 2], type: "prescriptive" },
    { id: "c2", label: "Wait", text: "Wait a year.", supporters: [1], type: "speculative" },
  ],
  edges: [{ from: "c1", to: "c2", type: "conflicts", reason: "One cannot do both." }],
  gaps: ["What it is worth"],
};

const ANALYSIS: StructuralAnalysis = {
  claims: MAP.claims.map((claim) => ({
    ...claim,
    support: claim.supporters.length / 2,
    strong: claim.id === "c1",
    contested: true,
    isolated: false,
    dependents: 0,
    leverage: 0.5,
    inverted: false,
  })),
  edges: MAP.edges,
  gaps: MAP.gaps,
  metrics: {
    experts: 2,
    components: 1,
    chain: [],
    hub: null,
    alignment: 1,
    tension: 1,
    fragmentation: 0,
    depth: 0,
  },
  shape: {
    name: "settled",
    confidence: 0.75,
    runnerUp: "contested",
    data: { core: ["c1"], pairs: [{ a: "c1", b: "c2", reason: "both" }], branches: [] },
  },
  patterns: [{ name: "challenged", claims: ["c1"] }],
};

function createAnswer(expert: string, changes: Partial<ExpertAnswer> = {}): ExpertAnswer {
  return {
    batch: "t3-b1",
    expert,
    outcome: "answered",
    text: `As ${expert} sees it.`,
    reason: null,
    ms: 12.5,
    usage: { input: 10, cached: 4, output: 3 },
    ...changes,
  };
}

function createBatch(threadId: string, changes: Partial<SavedBatch> = {}): SavedBatch {
  return {
    threadId,
    userId: "ada",
    lease: null,
    turn: 3,
    runId: "run-3",
    batch: {
      id: "t3-b1",
      purpose: "opening",
      prompt: "Shall I sell the car?",
      step: null,
      deadlineAt: 1_768_219_200_000,
      experts: ["risk", "cost", "user"],
    },
    answers: [
      createAnswer("risk"),
      createAnswer("cost", { outcome: "partial" }),
      createAnswer("user", { outcome: "late", text: "", reason: "No answer within 45 s" }),
    ],
    map: MAP,
    analysis: ANALYSIS,
    ...changes,
  };
}

/** The same batch under another id. */
function numbered(batch: SavedBatch, id: string): SavedBatch {
  return { ...batch, batch: { ...batch.batch, id } };
}

function kept({
  threadId: _thread,
  userId: _user,
  lease: _lease,
  ...batch
}: SavedBatch): ArchivedBatch {
  return batch;
}

const latest = (threadId: string, userId = "ada") => archive.latestBatch({ threadId, userId });

test("latestBatch() gives back a batch as it was saved", async () => {
  const batch = createBatch("whole");
  await archive.saveBatch(batch);

  expect(await latest("whole")).toEqual(kept(batch));
});

test("latestBatch() knows batches of which no map was made", async () => {
  const batch = createBatch("few", { answers: [createAnswer("risk")], map: null, analysis: null });
  await archive.saveBatch(batch);

  expect(await latest("few")).toEqual(kept(batch));
});

test("latestBatch() finds nothing where there is nothing", async () => {
  expect(await latest("nowhere")).toBeNull();
});

test("saveBatch() replaces a batch that is saved again", async () => {
  await archive.saveBatch(createBatch("upsert", { map: null, analysis: null }));
  const batch = createBatch("upsert", {
    turn: 4,
    answers: [createAnswer("risk", { text: "Anew." })],
  });
  await archive.saveBatch(batch);

  expect(await latest("upsert")).toEqual(kept(batch));
  const { rows } = await owner.query("select turn from batches where thread_id = 'upsert'");
  expect(rows).toEqual([{ turn: 4 }]);
});

test("latestBatch() goes by the order in which batches came, not by their names or repetitions", async () => {
  const batch = createBatch("order");
  for (const id of ["t9-b1", "t10-b1", "t9-b2", "t10-b1"]) {
    await archive.saveBatch(numbered(batch, id));
  }

  expect((await latest("order"))?.batch.id).toBe("t9-b2");
});

test("batches are their thread's and their user's alone", async () => {
  await archive.saveBatch(createBatch("private"));

  expect(await latest("private", "bob")).toBeNull();
  expect(await latest("another")).toBeNull();
});

test("a user cannot write over another's batch or journey", async () => {
  await archive.saveBatch(createBatch("taken"));
  await archive.saveJourney(createJourney("taken"));

  await expect(archive.saveBatch(createBatch("taken", { userId: "bob" }))).rejects.toThrow(
    /row-level security/,
  );
  await expect(archive.saveJourney(createJourney("taken", { userId: "bob" }))).rejects.toThrow(
    /row-level security/,
  );
  expect(await latest("taken")).toEqual(kept(createBatch("taken")));
});

test("nothing is stored under a lease that is another's by now", async () => {
  const threadId = "lost";
  const taken = await acquireLease(pool, { threadId, owner: "a", ttlMs: 60_000 });
  const held = { threadId, userId: "ada", lease: { owner: "a", fence: taken?.fence ?? 0 } };
  const lost = { ...held, lease: { owner: "b", fence: 0 } };
  const { manifests: _none, ...row } = turnRow(threadId, 1);
  const turn = { ...row, replies: [storedReply("hi")], summary: null };
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
    batch: { ...plain.batch, prompt: "a\0b" },
    answers: [createAnswer("risk", { text: "c\0d \udc00" })],
    map: { ...MAP, gaps: ["e\0f"] },
  });

  expect(await latest("characters")).toMatchObject({
    batch: { prompt: "ab" },
    answers: [{ text: "cd \ufffd" }],
    map: { gaps: ["ef"] },
  });
});

test("saveBatch() stores columns and models under the names of a Python program", async () => {
  await archive.saveBatch(createBatch("python"));

  const { rows } = await owner.query(
    `select user_id, turn, purpose, prompt, batch -> 'deadline_at' as deadline,
            answers -> 2 ->> 'reason' as reason, map -> 'gaps' as gaps,
            analysis -> 'shape' ->> 'runner_up' as second
       from batches where thread_id = 'python'`,
  );
  expect(rows).toEqual([
    {
      user_id: "ada",
      turn: 3,
      purpose: "opening",
      prompt: "Shall I sell the car?",
      deadline: 1_768_219_200_000,
      reason: "No answer within 45 s",
      gaps: ["What it is worth"],
      second: "contested",
    },
  ]);
});

const PHASE: ConciergePhaseState = {
  ...INITIAL_PHASE_STATE,
  currentPhase: "executor",
  turnInPhase: 2,
  conciergeContextId: "t7-executor",
  executionHandover: {
    goal: "Sell the car",
    problemSummary: "It is old\0.",
    situation: "In town",
    constraints: ["before May"],
    priorities: [],
    decisionsMade: [],
    openQuestions: [],
    explorationHighlights: [],
  },
  activeWorkflow: {
    goal: "Sell the car",
    steps: [
      { id: "step_1", title: "Wash it", description: "", doneWhen: "It shines", status: "active" },
    ],
    currentStepIndex: 0,
  },
};

function createJourney(threadId: string, changes: Partial<SavedJourney> = {}): SavedJourney {
  const opening = { question: "Shall I sell the car?", answer: "Perhaps.", analysis: ANALYSIS };
  return {
    threadId,
    userId: "ada",
    lease: null,
    runId: "run-9",
    turn: 9,
    opening,
    concierge: PHASE,
    ...changes,
  };
}

test("saveJourney() keeps a journey with its plan, and replaces it when it is saved again", async () => {
  await archive.saveJourney(createJourney("journey", { opening: null }));
  await archive.saveJourney(createJourney("journey"));
  await archive.saveJourney(createJourney("journey", { runId: "run-12", turn: 12, opening: null }));

  const { rows } = await owner.query(
    `select user_id, turn, opening ->> 'question' as question,
            opening -> 'analysis' -> 'shape' ->> 'runner_up' as second,
            concierge ->> 'current_phase' as phase,
            concierge -> 'execution_handover' ->> 'problem_summary' as problem,
            concierge -> 'active_workflow' -> 'steps' -> 0 ->> 'done_when' as done
       from journeys where thread_id = 'journey' order by turn`,
  );
  const plan = { user_id: "ada", phase: "executor", problem: "It is old.", done: "It shines" };
  expect(rows).toEqual([
    { ...plan, turn: 9, question: "Shall I sell the car?", second: "contested" },
    { ...plan, turn: 12, question: null, second: null },
  ]);
});
