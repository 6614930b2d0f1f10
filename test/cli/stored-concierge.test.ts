import { afterAll, expect, test } from "vitest";
import type { ShowingCommand } from "../../cli/chat/commands.ts";
import { showCommand } from "../../cli/chat/show-command.ts";
import { Screen } from "../../cli/chat/screen.ts";
import { openStorage } from "../../app/open-storage.ts";
import { silentLog } from "../../state/log.ts";
import { chatContext } from "../support/chat-context.ts";
import { conciergeThread, FORKED_MAP, MESSAGES, sendAll } from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { textTerminal } from "../support/text-terminal.ts";

const database = await testDatabase();
const storage = await openStorage(
  { databaseUrl: database.url, dataDir: "" },
  { migrations: [], log: silentLog },
);
afterAll(() => storage.database.close());

const usage = { input: 10, cached: 5, output: 2 };
const thread = await conciergeThread(database, {
  behaviour: { mapper: () => ({ json: FORKED_MAP, usage }) },
});
await sendAll(thread, [MESSAGES.question, MESSAGES.reply, MESSAGES.plan]);
const owner = thread.run;

async function show(command: ShowingCommand): Promise<string> {
  const output = textTerminal(80);
  const { userId, threadId } = owner;
  const chat = chatContext(storage, { options: { userId, threadId } });
  const screen = new Screen(output, false);
  await showCommand(command, { chat, threadId, screen });
  return output.shown();
}

test("/state shows the question, the phase and the plan", async () => {
  expect(await show({ kind: "command", name: "/state" })).toBe(
    [
      "Turns: 3; things remembered: 0",
      "The question",
      "  we keep ordering takeout on weeknights, what should we do?",
      "  now: carrying out the plan (executor, answers so far: 1)",
      "The plan: Five home-cooked weeknights by the end of January (0 of 2 done)",
      "  Ahead",
      "  1. [>] Choose three bases",
      "         done when: three bases stand on the list",
      "  2. [ ] Prepare on Sunday",
      "         done when: the freezer is full",
      "  decision: Prepare on Sunday",
      "",
    ].join("\n"),
  );
});

test("/cost counts concierge, experts and mapper of the last turn, the conversation and today", async () => {
  const rest = "0 % cached  0 out  0.0 s  price not known";
  expect(await show({ kind: "command", name: "/cost" })).toBe(
    [
      "Last turn",
      `  concierge    2 calls   0 tokens in   ${rest}`,
      `  expert       8 calls   0 tokens in   ${rest}`,
      "  mapper       2 calls  20 tokens in  50 % cached  4 out  0.0 s  price not known",
      `  summarize    3 calls   0 tokens in   ${rest}`,
      `  understand    1 call   0 tokens in   ${rest}`,
      "  total       16 calls  20 tokens in  50 % cached  4 out  0.0 s  price not known",
      "",
      "This conversation",
      `  concierge    4 calls   0 tokens in   ${rest}`,
      `  expert      12 calls   0 tokens in   ${rest}`,
      "  mapper       3 calls  30 tokens in  50 % cached  6 out  0.0 s  price not known",
      `  summarize    5 calls   0 tokens in   ${rest}`,
      `  understand   3 calls   0 tokens in   ${rest}`,
      "  total       27 calls  30 tokens in  50 % cached  6 out  0.0 s  price not known",
      "",
      // The turns were played on the day of the test, and the chat's day is another.
      "Today: no model was asked",
      "",
    ].join("\n"),
  );
});
