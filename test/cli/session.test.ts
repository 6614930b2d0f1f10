import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Interrupts } from "../../cli/chat/interrupts.ts";
import { Session } from "../../cli/chat/session.ts";
import { openStorage } from "../../app/open-storage.ts";
import type {
  SendOptions,
  SendOutcome,
  SentMessage,
  TurnDriver,
} from "../../driver/turn-driver.ts";
import type { ArchivedBatch } from "../../state/archive.ts";
import type { EventBody, TurnEvent } from "../../state/event.ts";
import { startPlan } from "../../state/start-plan.ts";
import { toActiveWorkflow, viewPlan } from "../../state/view-plan.ts";
import { journeyLine } from "../support/journey-lines.ts";
import { changePlan, planAction, plannedPlan } from "../support/journey-plans.ts";
import { silentLog } from "../../state/log.ts";
import { claimThread } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { archivedBatch } from "../support/archived-batch.ts";
import { chatContext } from "../support/chat-context.ts";
import { testDatabase } from "../support/database.ts";
import { virtualTerminal } from "../support/virtual-terminal.ts";
import { replyEvent } from "../support/replies.ts";

const database = await testDatabase();
const storage = await openStorage(
  { databaseUrl: database.url, dataDir: "" },
  { migrations: [], log: silentLog },
);
const folder = mkdtempSync(join(tmpdir(), "concierge-terminal-"));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await storage.database.close();
});

/** A turn as a test wants it to go; another outcome than "processed" where it says so. */
type Play = (
  emit: (body: EventBody) => void,
  turn: { readonly text: string; readonly stop: AbortSignal },
) => Promise<SendOutcome | undefined | void>;

interface Opening {
  readonly columns?: number;
  readonly last?: ArchivedBatch | null;
  /** Null for a new thread. */
  readonly threadId?: string | null;
  /** The text that an earlier process left unfinished. */
  readonly waiting?: string | null;
}

function open(
  plays: readonly Play[],
  { columns = 80, last = null, threadId = null, waiting = null }: Opening = {},
) {
  const sent: SentMessage[] = [];
  const rest = [...plays];
  const playNext = async (text: string, { onEvent, stop }: SendOptions): Promise<SendOutcome> => {
    const play = rest.shift();
    if (play === undefined || stop === undefined) throw new Error("Cannot play: no play is left");
    let seq = 0;
    const emit = (body: EventBody): void => {
      seq += 1;
      const stamp = { thread: "thread-1", turn: 1, run: "r", seq, time: "" };
      onEvent({ ...stamp, ...body } satisfies TurnEvent);
    };
    return (await play(emit, { text, stop })) ?? "processed";
  };
  const driver: Pick<TurnDriver, "send" | "resume" | "replayTurn"> = {
    async send(message, options) {
      sent.push(message);
      return playNext(message.text, options);
    },
    async resume(_thread, options) {
      if (waiting !== null) await playNext(waiting, options);
    },
    replayTurn: async () => false,
  };
  const interrupts = new Interrupts({ confirm: true });
  const archive = {
    ...storage.archive,
    listBatches: async () => (last === null ? [] : [last]),
    listJourneys: async () => [journeyLine(1, { title: "Sleep better" })],
  };
  const chat = chatContext({ ...storage, archive }, { driver, interrupts, options: { threadId } });
  const terminal = virtualTerminal(columns);
  const session = new Session(chat, "thread-1", terminal);
  return { terminal, session, ended: session.run(), sent, interrupts };
}

const reply =
  (text: string): Play =>
  async (emit, { text: message }) => {
    emit({ type: "turn-start", messageId: "m", message });
    for (const piece of text.split(/(?<= )/)) emit({ type: "text-delta", reply: "a", text: piece });
    emit(replyEvent(text, "a"));
    emit({ type: "error", code: "none", message: "(the end)" });
  };

const stopped: Play = async (emit, { stop }) => {
  emit({ type: "text-delta", reply: "a", text: "thinking … " });
  await new Promise((resolve) => stop.addEventListener("abort", resolve));
  emit({ type: "error", code: "stopped", message: "Stopped" });
};

test("Session sends a message, streams its reply, and prompts again", async () => {
  const { terminal, ended, sent } = open([reply("Six dishes are left")]);

  await terminal.see("> ");
  terminal.type("what can I cook?\r");
  expect(await terminal.see("(the end)\n")).toContain("Six dishes are left\n");
  await terminal.see("> ");
  terminal.type("/quit\r");
  await ended;

  expect(sent).toEqual([
    {
      messageId: "id",
      runId: "id",
      threadId: "thread-1",
      userId: "demo",
      text: "what can I cook?",
      today: "2026-01-12",
      timeZone: "Europe/Berlin",
      locale: "en",
      audience: "operator",
    },
  ]);
  expect(await terminal.see("thread-1\n")).toContain(
    "Continue later with:\nnpm run chat -- --thread thread-1",
  );
});

test("Session announces an older message that is answered first", async () => {
  const { terminal, ended } = open([
    async (emit, turn) => {
      await reply("On the plan.")(emit, { ...turn, text: "put it\non the plan" });
      await reply("Six dishes.")(emit, turn);
    },
  ]);

  await terminal.see("> ");
  terminal.type("what can I cook?\r");
  expect(await terminal.see("> ")).toBe(
    [
      "what can I cook?\n",
      '  first, an unfinished message: "put it on the plan"\n',
      "On the plan.\n(the end)\n",
      "Six dishes.\n(the end)\n> ",
    ].join(""),
  );
  terminal.type("/quit\r");
  await ended;
});

test("Session continues at its start what an earlier process left unfinished", async () => {
  const { terminal, ended, sent } = open([reply("Removed."), stopped], {
    threadId: "thread-1",
    waiting: "drop step 3",
  });

  expect(await terminal.see("> ")).toBe(
    '  first, an unfinished message: "drop step 3"\nRemoved.\n(the end)\n> ',
  );
  terminal.type("what can I cook?\r");
  await terminal.see("thinking");
  terminal.type("\u0003");
  await terminal.see("Stopped\n");
  terminal.type("/quit\r");
  await ended;
  expect(sent.map(({ text }) => text)).toEqual(["what can I cook?"]);
});

test("Session keeps what is typed during a turn for the next prompt", async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { terminal, ended, sent } = open([
    async (emit) => {
      emit({ type: "text-delta", reply: "a", text: "one " });
      await promise;
      emit({ type: "text-delta", reply: "a", text: "two" });
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

const PASTE = { begin: "\u001B[200~", end: "\u001B[201~" };

test("Session sends a paste of several lines as one message, once Enter is pressed", async () => {
  const { terminal, ended, sent } = open([reply("yes"), reply("again"), reply("long")]);

  await terminal.see("> ");
  terminal.type(`note: ${PASTE.begin}two eggs\r\n\tmilk\n${PASTE.end}`);
  expect(await terminal.see("milk")).toBe("note: two eggs↵  milk");
  terminal.type(" please\r");
  await terminal.see("(the end)\n> ");
  terminal.type("\u001B[A\r");
  await terminal.see("(the end)\n> ");
  const pieces = `${PASTE.begin}${"word\n".repeat(300)}${PASTE.end}`.match(/[^]{1,7}/g) ?? [];
  for (const piece of pieces) terminal.type(piece);
  await terminal.see("[paste 1: 300 lines]");
  terminal.type("\r");
  await terminal.see("(the end)\n> ");
  terminal.type("\u0004");
  await ended;

  expect(sent.map(({ text }) => text)).toEqual([
    "note: two eggs\n  milk please",
    "note: two eggs\n  milk please",
    `${"word\n".repeat(299)}word`,
  ]);
});

test("Session stops the turn at Ctrl-C and continues; a second Ctrl-C leaves", async () => {
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

test("Session runs commands and sends none of them but the way back to a journey", async () => {
  const { pool } = storage.database;
  await asUser(pool, { userId: "demo" }, (tx) =>
    claimThread(tx, { threadId: "thread-1", title: "Cod?" }),
  );
  await asUser(pool, { userId: "anna" }, (tx) =>
    claimThread(tx, { threadId: "other", title: "Secret" }),
  );
  const { terminal, ended, sent } = open([reply("done"), reply("back")]);

  await terminal.see("> ");
  terminal.type("/help\r");
  expect(await terminal.see("> ")).toContain("/threads  list your conversations\n");
  terminal.type("/thread\r");
  expect(await terminal.see("> ")).toContain(
    'Unknown command "/thread"; did you mean "/threads"?\n',
  );
  terminal.type("/threads\r");
  const threads = await terminal.see("> ");
  expect(threads).toMatch(/\* thread-1 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}Cod\?\n/);
  expect(threads).not.toContain("Secret");
  terminal.type("/state\r");
  expect(await terminal.see("> ")).toContain("Turns: 0; things remembered: 0\n");
  terminal.type("/cost\r");
  expect(await terminal.see("> ")).toContain("This conversation: no model was asked\n");
  terminal.type("\r   \r/new\r");
  expect(await terminal.see("thread-2\n")).toContain("A new conversation: thread-2");
  await terminal.see("> ");
  terminal.type("/what do you think of this?\r");
  await terminal.see("done");
  await terminal.see("> ");
  terminal.type("/journeys zzz\r");
  expect(await terminal.see("> ")).toContain("I know no journey called “zzz”");
  terminal.type("/journeys sleep\r");
  await terminal.see("back\n");
  await terminal.see("> ");
  terminal.type("/quit\r");
  await ended;

  expect(sent.map(({ threadId, text }) => ({ threadId, text }))).toEqual([
    { threadId: "thread-2", text: "/what do you think of this?" },
    { threadId: "thread-2", text: "back to Sleep better" },
  ]);
});

test("Session shows a notice above the typed line", async () => {
  const { terminal, session, ended } = open([]);

  await terminal.see("> ");
  terminal.type("half a line");
  await terminal.see("half a line");
  session.showNotice("The database has been restarted");

  expect(await terminal.see("half a line")).toContain("The database has been restarted\n> half");
  terminal.type("\u0015/quit\r");
  await ended;
});

test("Session ends at a signal", async () => {
  const { terminal, ended, interrupts } = open([]);

  await terminal.see("> ");
  interrupts.terminate(143);
  await ended;

  expect(interrupts.departure()).toEqual({ exitCode: 143 });
});

const STEP_HELP = { batch: "t1-b2", purpose: "step-help" } as const;

/** Says something, then has the experts look at the step until it is told to go on. */
function helping(text: string, goOn: Promise<unknown>): Play {
  return async (emit, { text: message, stop }) => {
    emit({ type: "turn-start", messageId: "m", message });
    emit({ type: "text-delta", reply: "a", text });
    emit(replyEvent(text, "a"));
    emit({ type: "expert-start", ...STEP_HELP, expert: "risk" });
    emit({ type: "expert-start", ...STEP_HELP, expert: "cost" });
    await Promise.race([goOn, new Promise((resolve) => stop.addEventListener("abort", resolve))]);
    const end = { ...STEP_HELP, type: "expert-end", reason: null, ms: 2_140 } as const;
    emit({ ...end, expert: "risk", outcome: "answered" });
    emit({ ...end, expert: "cost", outcome: stop.aborted ? "cut" : "late" });
    if (!stop.aborted) {
      emit({
        type: "plan-change",
        change: PLAN.changes.at(-1) ?? null,
        affected: [],
        workflow: toActiveWorkflow(PLAN),
        plan: viewPlan(PLAN),
      });
    }
  };
}

test("Session prints above the typed line while experts work on the step", async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { terminal, ended, sent } = open([helping("The plan.", promise), reply("Good.")], {
    columns: 40,
  });

  await terminal.see("> ");
  terminal.type("make a plan\r");
  await terminal.see("time.\n> ");
  terminal.type("a message so long that it takes two rows\u001B[D\u001B[D");
  await terminal.see("two rows");
  resolve(undefined);
  await terminal.see("Wait\n");
  await new Promise(setImmediate);

  expect(terminal.rows()).toEqual([
    "> make a plan",
    "The plan.",
    "  The experts are working on the step;",
    "  you can continue at any time.",
    "  risk on the step: answered (2.1 s)",
    "  cost on the step: late",
    ...CHECKLIST,
    "> a message so long that it takes two ro",
    "ws",
  ]);
  terminal.type("_\r");
  await terminal.see("(the end)\n> ");
  terminal.type("/quit\r");
  await ended;

  expect(sent.map(({ text }) => text)).toEqual([
    "make a plan",
    "a message so long that it takes two ro_ws",
  ]);
});

test("Session sends a message at once while experts work on the step", async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const second = Promise.withResolvers<undefined>();
  const plays: Play[] = [
    async (emit, turn) => {
      await helping("The plan.", promise)(emit, turn);
      await reply("Then we wait.")(emit, { ...turn, text: "what now?" });
      second.resolve(undefined);
    },
    async () => {
      resolve(undefined);
      await second.promise;
      return "answered-elsewhere";
    },
  ];
  const { terminal, ended, sent } = open(plays, { columns: 40 });

  await terminal.see("> ");
  terminal.type("make a plan\r");
  await terminal.see("time.\n> ");
  terminal.type("what now?\r");
  expect(await terminal.see("(the end)\n> ")).toBe(
    [
      "what now?\n",
      "  risk on the step: answered (2.1 s)\n",
      "  cost on the step: late\n",
      ...CHECKLIST.map((row) => `${row}\n`),
      "Then we wait.\n(the end)\n> ",
    ].join(""),
  );
  terminal.type("/quit\r");
  await ended;

  expect(sent.map(({ text }) => text)).toEqual(["make a plan", "what now?"]);
});

const forever = new Promise<never>(() => {});

test("Session stops the experts at Ctrl-C, and leaves at a second one", async () => {
  const { terminal, ended, interrupts } = open([helping("The plan.", forever)]);

  await terminal.see("> ");
  terminal.type("make a plan\r");
  await terminal.see("time.\n> ");
  terminal.type("half\u0003");
  await terminal.see("Ctrl-C again leaves.\n> ");
  await terminal.see("cut short\n> ");
  expect(interrupts.departure()).toBe(null);
  terminal.type("\u0003\u0003");
  await ended;

  expect(interrupts.departure()).toEqual({ exitCode: 0 });
});

test.each(["/quit\r", "\u0004"])(
  "Session stops a running turn at %j and waits for its end",
  async (keys) => {
    const end = Promise.withResolvers<undefined>();
    let over = false;
    const { terminal, ended, interrupts } = open([
      async (emit, turn) => {
        await helping("The plan.", forever)(emit, turn);
        await end.promise;
        over = true;
      },
    ]);

    await terminal.see("> ");
    terminal.type("make a plan\r");
    await terminal.see("time.\n> ");
    terminal.type(keys);
    await terminal.see("--thread thread-1\n");
    end.resolve(undefined);
    await ended;

    expect({ over, departure: interrupts.departure() }).toEqual({
      over: true,
      departure: { exitCode: 0 },
    });
  },
);

test("Session shows no events of a conversation that was left", async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { terminal, ended, sent } = open([helping("The plan.", promise), reply("Hello.")]);

  await terminal.see("> ");
  terminal.type("make a plan\r");
  await terminal.see("time.\n> ");
  terminal.type("/new\r");
  await terminal.see("> ");
  resolve(undefined);
  terminal.type("hello\r");
  expect(await terminal.see("(the end)\n> ")).toBe("hello\nHello.\n(the end)\n> ");
  terminal.type("/quit\r");
  await ended;

  expect(sent.map(({ threadId }) => threadId)).toEqual(["thread-1", "thread-2"]);
});

/** The plan in 40 columns. */
const CHECKLIST = [
  "The plan: Dinner for eight (1 of 3 done)",
  "  1. [x] Ask the guests",
  "  2. [>] Order the main course at the",
  "         place next door",
  "         done when: the order is",
  "         confirmed",
  "  3. [ ] Wait",
];

const PLAN = changePlan(
  startPlan(
    "Dinner for eight",
    plannedPlan([
      { title: "Ask the guests", doneWhen: "all have answered" },
      {
        title: "Order the main course at the place next door",
        doneWhen: "the order is confirmed",
      },
      "Wait",
    ]),
  ),
  planAction({ kind: "mark", target: "step_1", mark: "done", words: "they have answered" }),
);

test("Session draws the last map into a file, and reports what it cannot draw", async () => {
  const { terminal, ended, sent } = open([], { last: archivedBatch() });
  const file = join(folder, "dinner map.svg");

  await terminal.see("> ");
  terminal.type(`/map ${file}\r`);
  expect(await terminal.see("svg\n> ")).toContain("The map is in ");
  expect(readFileSync(file, "utf8")).toContain("</svg>");
  terminal.type(`/map ${folder}.svg/x.svg\r`);
  expect((await terminal.see("first\n> ")).replaceAll(/\s+/g, " ")).toContain(
    "its folder does not exist; create it first",
  );
  terminal.type("/map list\r");
  expect(await terminal.see("2026)\n> ")).toContain("  1  How do I feed eight guests? (");
  terminal.type("/map 2\r");
  expect(await terminal.see("them.\n> ")).toContain("There is no map 2: ");
  terminal.type("/map two\r");
  expect(await terminal.see("plan.svg\n> ")).toContain('Cannot show the map "two"');
  terminal.type("/plan\r");
  expect(await terminal.see("yet.\n> ")).toContain("There is no plan in this conversation yet.");
  terminal.type("/quit\r");
  await ended;

  expect(sent).toEqual([]);
});
