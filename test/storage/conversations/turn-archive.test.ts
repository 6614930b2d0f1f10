import { expect, test } from "vitest";
import type { Archive, ArchivedBatch } from "../../../state/archive.ts";
import { INITIAL_PHASE_STATE, type ConciergePhaseState } from "../../../state/phase.ts";
import { LeaseLostError } from "../../../storage/conversations/leases.ts";
import { createTurnArchive } from "../../../storage/conversations/turn-archive.ts";
import { EMPTY_ANALYSIS } from "../../support/analyses.ts";
import { archivedBatch, expertAnswer } from "../../support/archived-batch.ts";
import { testDatabase } from "../../support/database.ts";
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

const latest = (threadId: string, userId = "ada") => archive.latestBatch({ threadId, userId });

test("latestBatch() gives back a batch as it was saved, with its map or without", async () => {
  for (const changes of [{}, { answers: [expertAnswer("risk")], map: null, analysis: null }]) {
    const threadId = `whole ${Object.keys(changes).length}`;
    await archive.saveBatch(createBatch(threadId, changes));

    expect(await latest(threadId)).toEqual(archivedBatch(changes));
  }
});

test("latestBatch() finds nothing where there is nothing", async () => {
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

test("latestBatch() goes by the order in which batches came, not by their names or repetitions", async () => {
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
    batch: { ...plain.batch, prompt: "a\0b" },
    answers: [{ ...expertAnswer("risk"), text: "c\0d \udc00" }],
    map: { claims: [], edges: [], gaps: ["e\0f"] },
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
            opening -> 'analysis' -> 'shape' ? 'runner_up' as has_second,
            concierge ->> 'current_phase' as phase,
            concierge -> 'execution_handover' ->> 'problem_summary' as problem,
            concierge -> 'active_workflow' -> 'steps' -> 0 ->> 'done_when' as done
       from journeys where thread_id = 'journey' order by turn`,
  );
  const plan = { user_id: "ada", phase: "executor", problem: "It is old.", done: "It shines" };
  expect(rows).toEqual([
    { ...plan, turn: 9, question: "Shall I sell the car?", has_second: true },
    { ...plan, turn: 12, question: null, has_second: null },
  ]);
});
