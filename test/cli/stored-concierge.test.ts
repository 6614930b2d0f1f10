import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { Writable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import type { ChatContext } from "../../cli/chat/chat.ts";
import type { ShowingCommand } from "../../cli/chat/commands.ts";
import { Interrupts } from "../../cli/chat/interrupts.ts";
import { showCommand } from "../../cli/chat/show-command.ts";
import { Screen } from "../../cli/chat/screen.ts";
import { openStorage } from "../../app/open-storage.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import type { ModelRole } from "../../state/model.ts";
import { INITIAL_PHASE_STATE, type ConciergePhaseState } from "../../state/phase.ts";
import { silentLog } from "../../state/log.ts";
import { claimThread } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { archivedBatch } from "../support/archived-batch.ts";
import { testDatabase } from "../support/database.ts";
import { storedReply } from "../support/replies.ts";

const database = await testDatabase();
const storage = await openStorage(
  { databaseUrl: database.url, dataDir: "" },
  { migrations: [], log: silentLog },
);
afterAll(() => storage.database.close());

const owner = { threadId: "dinner", userId: "demo" };
const CONCIERGE: ConciergePhaseState = {
  ...INITIAL_PHASE_STATE,
  currentPhase: "executor",
  turnInPhase: 2,
  conciergeContextId: "context-1",
  activeWorkflow: {
    goal: "Dinner for eight",
    steps: [
      { id: "step_1", title: "Ask", description: "", doneWhen: "all said yes", status: "complete" },
      { id: "step_2", title: "Order", description: "", doneWhen: "it is paid", status: "active" },
    ],
    currentStepIndex: 1,
  },
};

await asUser(storage.database.pool, owner, (tx) =>
  claimThread(tx, { threadId: owner.threadId, title: "Guests" }),
);
const checkpoint = {
  ...emptyCheckpoint(),
  channel_values: {
    schemaVersion: 1,
    turn: 3,
    concierge: CONCIERGE,
    opening: { question: "How do I feed eight guests?", answer: "Like this.", analysis: null },
    conciergeThread: {
      contextId: "context-1",
      model: "m",
      messages: [{ role: "user", text: "hello there" }],
      throughTurn: 3,
    },
    expertThreads: [{ expert: "risk", messages: [] }],
  },
};
const channels = Object.keys(checkpoint.channel_values);
const versions = Object.fromEntries(channels.map((channel) => [channel, 1]));
await storage.checkpointer.put(
  { configurable: { thread_id: owner.threadId, checkpoint_ns: "" } },
  { ...checkpoint, channel_versions: versions },
  { source: "loop", step: 1, parents: {} },
  versions,
);
const roles: readonly ModelRole[] = ["understand", "expert", "expert", "mapper", "concierge"];
await storage.archive.saveTurn({
  ...owner,
  lease: null,
  turn: 3,
  runId: "run-3",
  parentRunId: null,
  messageId: "message-3",
  userMessage: "hello there",
  replies: [storedReply("Like this.")],
  summary: null,
  usage: roles.map((node) => ({ node, usage: { input: 10, cached: 5, output: 2 } })),
});
await storage.archive.saveBatch({ ...archivedBatch(), ...owner, lease: null });

async function show(command: ShowingCommand): Promise<string> {
  let text = "";
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString("utf8");
      done();
    },
  });
  const chat: ChatContext = {
    assistant: {
      driver: {
        send: () => Promise.reject(new Error("Cannot send: nothing is to be sent")),
        replayTurn: async () => false,
      },
      storage,
      limits: DEFAULT_LIMITS,
    },
    options: {
      userId: owner.userId,
      threadId: owner.threadId,
      json: false,
      trace: false,
      today: null,
      timeZone: "Europe/Berlin",
      locale: "en",
      model: null,
      resetDemo: false,
    },
    interrupts: new Interrupts({ confirm: true }),
    log: { ...silentLog, error() {}, noteMessage() {} },
    today: () => "2026-01-12",
    now: () => new Date(),
    newId: () => "id",
    newThreadId: () => "new",
  };
  const screen = new Screen(Object.assign(output, { columns: 80 }), false);
  await showCommand(command, { chat, threadId: owner.threadId, screen });
  return text;
}

const CHECKLIST = [
  "The plan: Dinner for eight (1 of 2 done)",
  "  [x] Ask",
  "  [>] Order",
  "      done when: it is paid",
  "",
].join("\n");

test("/state shows what is talked about, the phase and the plan", async () => {
  expect(await show({ kind: "command", name: "/state" })).toBe(
    [
      "Turns: 3; things remembered: 0",
      "The question",
      "  How do I feed eight guests?",
      "  now: carrying out the plan (executor, answers so far: 2)",
      CHECKLIST,
    ].join("\n"),
  );
});

test("/cost counts concierge, experts and mapper", async () => {
  expect(await show({ kind: "command", name: "/cost" })).toBe(
    [
      "concierge   1 call, 10 tokens in (5 cached), 2 out",
      "expert      2 calls, 20 tokens in (10 cached), 4 out",
      "mapper      1 call, 10 tokens in (5 cached), 2 out",
      "understand  1 call, 10 tokens in (5 cached), 2 out",
      "total       5 calls, 50 tokens in (25 cached), 10 out",
      "over 1 turn",
      "",
    ].join("\n"),
  );
});
