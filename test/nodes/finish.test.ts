import { expect, test } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import { createFinishNode } from "../../nodes/finish.ts";
import { EMPTY_REGISTRY, findEntry } from "../../registry/entries.ts";
import type { RegistryEvent } from "../../state/registry.ts";
import { carryOut, registryAfter, toValues } from "../support/carry-out.ts";
import { testDatabase } from "../support/database.ts";
import { freshKitchen } from "../support/fresh-kitchen.ts";
import { memoryArchive } from "../support/memory-archive.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { call, stepScripts } from "../support/step-script.ts";
import { TABLE_BEFORE, thirdTurn } from "../support/narrowing.ts";
import { plannedTurn, makeRecord, makeStep, TEST_RUN, turnState } from "../support/turn-state.ts";
import { storedReply } from "../support/replies.ts";

const database = await testDatabase();
const LOOK = makeStep({ description: "Look" });
const DRAFT_LINE = {
  ref: "gen_recipe_1",
  text: "gen_recipe_1 Shakshuka (draft, not saved)",
  turn: 4,
};
const TABLE_WITHOUT_COD = TABLE_BEFORE.filter(
  ({ ref }) => !["recipe_1", "recipe_2", "recipe_7"].includes(ref),
);
const NO_USAGE = { input: 0, cached: 0, output: 0 };

test("finish() folds the registry, lets go of what is past, and archives the turn", async () => {
  const run = await freshKitchen(database);
  const looked = await look(run);
  const services = testServices({ limits: { registryRefs: 4 } });
  const record = makeRecord(9);
  const state = turnState({
    ...looked,
    turn: 9,
    replies: [storedReply("Nine dishes.")],
    turnExecutionSummaries: [makeRecord(8), record],
    calls: [{ node: "think", usage: NO_USAGE }],
  });

  const lease = { owner: "run-1", fence: 3 };

  const update = toValues(await createFinishNode(services)(state, { ...recordedIO(), lease }));

  const folded = registryAfter(looked);
  const left = ["recipe_9", "recipe_8", "recipe_7", "recipe_6", "recipe_5"];
  expect(update.registryEvents).toEqual([]);
  expect(update.registry?.counters).toEqual(folded.counters);
  expect(update.registry?.entries.map(({ ref }) => ref)).toEqual(
    folded.entries.map(({ ref }) => ref).filter((ref) => !left.includes(ref)),
  );
  // Read eight turns ago, so no row is held any longer.
  expect(update.registry?.entries.filter(({ row }) => row !== null)).toEqual([]);
  expect([...services.archive.refs.keys()]).toEqual(left);
  expect(services.archive.saved).toEqual([
    {
      threadId: TEST_RUN.threadId,
      lease,
      userId: TEST_RUN.userId,
      turn: 9,
      runId: TEST_RUN.runId,
      parentRunId: null,
      messageId: state.input?.messageId,
      userMessage: "what could I cook this week?",
      replies: [storedReply("Nine dishes.")],
      summary: record,
      usage: [{ node: "think", usage: NO_USAGE }],
      day: TEST_RUN.today,
      decisionUntil: null,
      wishChanges: [],
    },
  ]);
});

test("a ref that has left the registry is back when a call names it, with its old number", async () => {
  const run = await freshKitchen(database);
  const looked = await look(run);
  const archive = memoryArchive();
  const services = testServices({
    domain: mealsDomain,
    userData: database.userData,
    archive,
    limits: { registryRefs: 4 },
    scripts: {
      act: stepScripts({ Look: [call("read_recipes", { refs: ["recipe_7"] })] }),
    },
  });
  const finished = toValues(
    await createFinishNode(services)(turnState({ ...looked, run, turn: 9 }), recordedIO()),
  );
  expect(findEntry(finished.registry ?? EMPTY_REGISTRY, "recipe_7")).toBeUndefined();

  const { state } = await carryOut(
    services,
    plannedTurn([LOOK], { run, turn: 10, registry: finished.registry ?? EMPTY_REGISTRY }),
  );

  expect(state.stepResults[0]).toMatchObject({ status: "done", refs: ["recipe_7"] });
  expect(findEntry(registryAfter(state), "recipe_7")).toMatchObject({
    id: archive.refs.get("recipe_7")?.id,
    readTurn: 10,
  });
});

test("a row that is found again has its old ref, though a row of another type has its key", async () => {
  const run = await freshKitchen(database);
  const looked = await look(run);
  const archive = memoryArchive();
  const services = testServices({
    domain: mealsDomain,
    userData: database.userData,
    archive,
    limits: { registryRefs: 4 },
    scripts: { act: stepScripts({ Look: [call("read_recipes", {})] }) },
  });
  const finished = toValues(
    await createFinishNode(services)(turnState({ ...looked, run, turn: 9 }), recordedIO()),
  );
  const id = archive.refs.get("recipe_7")?.id ?? "";

  const { state } = await carryOut(services, {
    ...plannedTurn([LOOK], { run, turn: 10, registry: finished.registry ?? EMPTY_REGISTRY }),
    registryEvents: [
      { kind: "read", turn: 10, type: "task", ids: [id], rows: [], detail: "summary" },
    ],
  });

  expect(findEntry(registryAfter(state), "recipe_7")).toMatchObject({ id, readTurn: 10 });
});

test("finish() run twice leaves one row of the turn in the archive", async () => {
  const run = await freshKitchen(database);
  const archive = createTurnArchive(database.pool);
  const services = { ...testServices(), archive };
  const state = turnState({ run, turn: 2, replies: [storedReply("Hello")] });

  await createFinishNode(services)({ ...state, replies: [] }, recordedIO());
  await createFinishNode(services)(state, recordedIO());

  const found = await archive.findTurns({ ...run, ref: null, turn: 2, words: null, limit: 5 });
  expect(found).toEqual({
    turns: [
      {
        turn: 2,
        runId: run.runId,
        messageId: state.input?.messageId,
        userMessage: "what could I cook this week?",
        replies: [storedReply("Hello")],
        summary: null,
      },
    ],
    total: 1,
  });
});

test.each([
  ["what is new comes last and the rest stays as it was", 0, [...TABLE_WITHOUT_COD, DRAFT_LINE]],
  [
    "after a fold the table is cut and up to date",
    10,
    [
      ...TABLE_WITHOUT_COD.map(({ ref, text }) => ({
        ref,
        text: ref === "inv_1" ? "inv_1 rice: 1, pantry" : text,
        turn: 4,
      })),
      DRAFT_LINE,
    ],
  ],
])("finish() keeps the table for the next prompts: %s", async (_, throughTurn, lines) => {
  const content = { name: "Shakshuka" };
  const state = thirdTurn({
    registryTable: [...TABLE_BEFORE],
    registryEvents: [{ kind: "drafted", turn: 3, type: "recipe", ref: null, content }],
    history: { lines: [], messages: [], throughTurn },
  });

  const services = testServices({ limits: { registryTableTokens: 1_000 } });

  const update = toValues(await createFinishNode(services)(state, recordedIO()));

  expect(update.registryTable).toEqual(lines);
});

/** The state after a turn that read the nine dishes, eight turns ago. */
async function look(run: typeof TEST_RUN) {
  const services = testServices({
    domain: mealsDomain,
    userData: database.userData,
    scripts: { act: stepScripts({ Look: [call("read_recipes", {})] }) },
  });
  const { state } = await carryOut(services, plannedTurn([LOOK], { run }));
  const registryEvents: RegistryEvent[] = [...state.registryEvents];
  return { registry: state.registry, registryEvents };
}
