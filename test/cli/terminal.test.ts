import { afterAll, expect, test } from "vitest";
import type { Chat } from "../../cli/chat/chat.ts";
import { createInterrupts } from "../../cli/chat/interrupts.ts";
import { runTerminalChat } from "../../cli/chat/terminal.ts";
import { openStorage } from "../../cli/open-storage.ts";
import type { TurnEvent } from "../../graph/events.ts";
import type { SentMessage, TurnDriver } from "../../graph/run-turn.ts";
import type { EventBody } from "../../state/event.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { silentLog } from "../../storage/log.ts";
import { claimThread } from "../../storage/threads.ts";
import { asUser } from "../../storage/user-data.ts";
import { testDatabase } from "../support/database.ts";
import { virtualTerminal } from "../support/virtual-terminal.ts";

const database = await testDatabase();
const storage = await openStorage(
  { databaseUrl: database.url, dataDir: "" },
  { migrations: [], log: silentLog },
);
afterAll(() => storage.database.close());

/** A turn as a test wants it to go. */
type Play = (
  tell: (body: EventBody) => void,
  turn: { readonly text: string; readonly stop: AbortSignal },
) => Promise<void>;

function open(plays: readonly Play[]) {
  const sent: SentMessage[] = [];
  const rest = [...plays];
  const driver: TurnDriver = {
    async send(message, { onEvent, stop }) {
      sent.push(message);
      const play = rest.shift();
      if (play === undefined || stop === undefined) throw new Error("Cannot play: no play is left");
      let seq = 0;
      const tell = (body: EventBody): void => {
        seq += 1;
        const stamp = { thread: message.threadId, turn: 1, run: "r", seq, time: "" };
        onEvent({ ...stamp, ...body } satisfies TurnEvent);
      };
      await play(tell, { text: message.text, stop });
      return "worked-off";
    },
  };
  let threads = 1;
  const interrupts = createInterrupts({ confirm: true });
  const chat: Chat = {
    assistant: { driver, storage, limits: DEFAULT_LIMITS },
    options: {
      userId: "demo",
      threadId: null,
      json: false,
      trace: false,
      today: null,
      timeZone: "Europe/Berlin",
      locale: "en",
      model: null,
      resetDemo: false,
    },
    interrupts,
    log: { ...silentLog, error() {}, said() {} },
    today: () => "2026-01-12",
    now: () => new Date(),
    newId: () => "id",
    newThreadId: () => `thread-${(threads += 1)}`,
  };
  const terminal = virtualTerminal();
  const ended = runTerminalChat(chat, { threadId: "thread-1", terminal });
  return { terminal, ended, sent, interrupts };
}

const reply =
  (text: string): Play =>
  async (tell, { text: message }) => {
    tell({ type: "turn-start", message });
    for (const piece of text.split(/(?<= )/)) tell({ type: "text-delta", reply: "a", text: piece });
    tell({ type: "reply", reply: "a", text });
    tell({ type: "error", code: "none", message: "(the end)" });
  };

const stopped: Play = async (tell, { stop }) => {
  tell({ type: "text-delta", reply: "a", text: "thinking … " });
  await new Promise((resolve) => stop.addEventListener("abort", resolve));
  tell({ type: "error", code: "stopped", message: "Stopped" });
};

test("a message is sent, its progress shown, its reply streamed, and the prompt comes back", async () => {
  const { terminal, ended, sent } = open([reply("Six dishes are left")]);

  await terminal.see("> ");
  terminal.type("what can I cook?\r");
  expect(await terminal.see("(the end)\n")).toContain("Six dishes are left\n");
  await terminal.see("> ");
  terminal.type("/quit\r");
  await ended;

  expect(sent).toEqual([
    {
      threadId: "thread-1",
      userId: "demo",
      text: "what can I cook?",
      today: "2026-01-12",
      timeZone: "Europe/Berlin",
      locale: "en",
    },
  ]);
  expect(await terminal.see("thread-1\n")).toContain(
    "Go on later with:\nnpm run chat -- --thread thread-1",
  );
});

test("what is typed while a turn runs is not shown in it, and not lost", async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { terminal, ended, sent } = open([
    async (tell) => {
      tell({ type: "text-delta", reply: "a", text: "one " });
      await promise;
      tell({ type: "text-delta", reply: "a", text: "two" });
    },
    reply("second"),
  ]);

  await terminal.see("> ");
  terminal.type("first\r");
  await terminal.see("one");
  terminal.type("next\rhalf a li");
  setImmediate(() => resolve(undefined));
  expect(await terminal.see("(the end)")).toBe(" two\n> next\nsecond\n(the end)");
  expect(await terminal.see("half a li")).toBe("\n> half a li");
  terminal.type("ne\u0004");
  terminal.type("\u0015/quit\r");
  await ended;

  expect(sent.map(({ text }) => text)).toEqual(["first", "next"]);
});

test("Ctrl-C stops the turn, and the next message goes on; twice leaves", async () => {
  const { terminal, ended, sent, interrupts } = open([stopped, reply("yes"), stopped]);

  await terminal.see("> ");
  terminal.type("one\r");
  await terminal.see("thinking");
  terminal.type("\u0003");
  await terminal.see("Stopped\n> ");
  terminal.type("not\u0003");
  await terminal.see("leaves.\n> ");
  terminal.type("two\r");
  await terminal.see("yes");
  await terminal.see("> ");
  terminal.type("three\r");
  await terminal.see("thinking");
  terminal.type("\u0003");
  await terminal.see("Stopped\n> ");
  terminal.type("\u0003");
  await ended;

  expect(sent.map(({ text }) => text)).toEqual(["one", "two", "three"]);
  expect(interrupts.departure()).toEqual({ exitCode: 0 });
});

test("Ctrl-C at the prompt takes back what was typed, and warns before it leaves", async () => {
  const { terminal, ended, sent } = open([]);

  await terminal.see("> ");
  terminal.type("half a\u0003");
  await terminal.see("Ctrl-C again, Ctrl-D or /quit leaves.\n");
  expect(await terminal.see("> ")).toBe("> ");
  terminal.type("\u0003");
  await ended;

  expect(sent).toEqual([]);
});

test("Ctrl-D leaves", async () => {
  const { terminal, ended, interrupts } = open([]);

  await terminal.see("> ");
  terminal.type("\u0004");
  await ended;

  expect(interrupts.departure()).toBe(null);
});

test("commands are obeyed, and nothing of them is sent", async () => {
  const { pool } = storage.database;
  await asUser(pool, { userId: "demo" }, (tx) =>
    claimThread(tx, { threadId: "thread-1", title: "Cod?" }),
  );
  await asUser(pool, { userId: "anna" }, (tx) =>
    claimThread(tx, { threadId: "other", title: "Secret" }),
  );
  const { terminal, ended, sent } = open([reply("done")]);

  await terminal.see("> ");
  terminal.type("/help\r");
  expect(await terminal.see("> ")).toContain("/threads  list your conversations\n");
  terminal.type("/thread\r");
  expect(await terminal.see("> ")).toContain('no command "/thread"; did you mean "/threads"?\n');
  terminal.type("/threads\r");
  const threads = await terminal.see("> ");
  expect(threads).toMatch(/\* thread-1 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}Cod\?\n/);
  expect(threads).not.toContain("Secret");
  terminal.type("/state\r");
  expect(await terminal.see("> ")).toContain("Turns: 0; things remembered: 0\n");
  terminal.type("/cost\r");
  expect(await terminal.see("> ")).toContain("No tokens used in 0 turns.\n");
  terminal.type("\r   \r/new\r");
  expect(await terminal.see("thread-2\n")).toContain("A new conversation: thread-2");
  await terminal.see("> ");
  terminal.type("/what do you think of this?\r");
  await terminal.see("done");
  await terminal.see("> ");
  terminal.type("/quit\r");
  await ended;

  expect(sent.map(({ threadId, text }) => ({ threadId, text }))).toEqual([
    { threadId: "thread-2", text: "/what do you think of this?" },
  ]);
});

test("a signal ends the conversation at the prompt", async () => {
  const { terminal, ended, interrupts } = open([]);

  await terminal.see("> ");
  interrupts.terminate(143);
  await ended;

  expect(interrupts.departure()).toEqual({ exitCode: 143 });
});
