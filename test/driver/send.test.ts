import { renderSentence } from "../../text/sentences.ts";
import { randomUUID } from "node:crypto";
import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { cleanMessage } from "../../driver/clean-message.ts";
import type { TurnEvent } from "../../state/event.ts";
import { describeError, MessageNotStoredError } from "../../driver/turn-errors.ts";
import { SCHEMA_VERSION } from "../../state/migrate-state.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { lockOutOthers } from "../../storage/users/user-entry.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { openThread, outlineTurn, repliesIn, testThread } from "../support/test-thread.ts";
import { freshKitchen, newRun } from "../support/fresh-kitchen.ts";
import { makeStep, thinkAnswer } from "../support/turn-state.ts";
import { anyCharacter } from "../support/any-character.ts";

const database = await testDatabase();

describe("send()", () => {
  test("answers a message: events in their order, the turn archived", async () => {
    const thread = await testThread(database, {
      behaviour: {
        think: () => ({
          json: thinkAnswer({ steps: [makeStep({ description: "Read the recipes" })] }),
        }),
        act: () => ({ toolCalls: [{ name: "read_recipes", args: {} }] }),
      },
    });

    const events = await thread.send("what could I cook?");

    expect(checkEventOrder(events)).toEqual([]);
    expect(outlineTurn(events)).toEqual([
      "turn-start",
      "understood",
      "plan",
      "step-start",
      "tool-start",
      "tool-end",
      "step-end",
      "reply",
      "turn-end",
    ]);
    const nodes = events.flatMap((event) => (event.type === "node-start" ? [event.node] : []));
    expect(nodes).toEqual([
      "intake",
      "understand",
      "think",
      "act",
      "tools",
      "reply",
      "summarize",
      "finish",
    ]);
  });

  test("answers a message that is sent twice once", async () => {
    const thread = await testThread(database);
    const messageId = randomUUID();

    const both = await Promise.all([
      thread.send("hello", { messageId }),
      thread.send("hello", { messageId }),
    ]);
    const third: TurnEvent[] = [];
    const outcome = await thread.sendFor("hello", {
      messageId,
      onEvent: (event) => void third.push(event),
    });

    expect(repliesIn(both.flat())).toEqual(["Gladly."]);
    expect({ outcome, third }).toEqual({ outcome: "answered-elsewhere", third: [] });
    expect((await thread.state()).turn).toBe(1);
  });

  test("keeps another user's thread closed, and stores nothing of what was sent", async () => {
    const thread = await testThread(database);
    await thread.send("my secret");
    const { userId } = await freshKitchen(database);
    const stranger = openThread(database, { run: { ...thread.run, userId } });

    await expect(stranger.send("what is in here?")).rejects.toThrow(
      `Cannot open thread "${thread.run.threadId}": you have no thread of that name; choose another one`,
    );

    expect((await thread.state()).messages.map((message) => message.text)).toEqual([
      "my secret",
      "Gladly.",
    ]);
    expect(repliesIn(await thread.send("still mine?"))).toEqual(["Gladly."]);
  });

  test("leaves a thread of a newer program as it is", async () => {
    const thread = await testThread(database);
    await thread.send("hello");
    const config = { configurable: { thread_id: thread.run.threadId } };
    await thread.graph.updateState(config, { schemaVersion: SCHEMA_VERSION + 1 }, "finish");
    const before = await thread.state();

    await expect(thread.send("hello again")).rejects.toThrow(
      /^Cannot open thread ".*" \(state 2, readable 1\): it was written by a newer version of the program; update this one\. Nothing was changed$/u,
    );

    expect(await thread.state()).toEqual(before);
    await thread.graph.updateState(config, { schemaVersion: SCHEMA_VERSION }, "finish");
    expect(repliesIn(await thread.send("and now?"))).toEqual(["Gladly.", "Gladly."]);
  });

  test("keeps the checkpoints of the last turns only", async () => {
    const thread = await testThread(database, { limits: { checkpointTurns: 2 } });
    for (const text of ["one", "two", "three", "four"]) await thread.send(text);

    const { rows } = await database.owner.query<{ inputs: number }>(
      `select count(*)::int as inputs from checkpoints
        where thread_id = $1 and metadata ->> 'source' = 'input'`,
      [thread.run.threadId],
    );
    expect(rows[0]?.inputs).toBe(2);
    expect((await thread.state()).turn).toBe(4);
  });
});

describe("a message that cannot be stored", () => {
  test("while everything of its user is erased is said not to be taken", async () => {
    const thread = await testThread(database);
    const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const erasing = asUser(database.pool, { userId: thread.run.userId }, async (tx) => {
      await lockOutOthers(tx);
      isHeld.resolve();
      await mayEnd.promise;
    });
    await isHeld.promise;
    const error = await thread.send("hello").catch((thrown: unknown) => thrown);
    mayEnd.resolve();
    await erasing;

    expect(error).toBeInstanceOf(MessageNotStoredError);
    expect(describeError(error, "operator")).toEqual({
      code: "user_busy",
      message:
        "Cannot continue: all data of this user is being erased; try again afterwards. Your message was not stored; send it again",
    });
  });

  test("for a reason that nobody foresaw is said not to be taken, and its cause is kept", async () => {
    const cause = new Error('relation "inbox" does not exist');
    const thread = openThread(database, {
      run: newRun(),
      store: (store) => ({
        ...store,
        async enqueue() {
          throw cause;
        },
      }),
    });
    const error = await thread.send("hello").catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ cause });
    expect(describeError(error, "operator")).toEqual({
      code: "internal",
      message:
        "Cannot store the message: an unexpected error, which is in the log. Your message was not stored; send it again",
    });
  });
});

describe("messages", () => {
  test.each<[string, string, string]>([
    ["", "message_empty", "Cannot send an empty message: write something"],
    [" \n\t", "message_empty", "Cannot send an empty message: write something"],
    ["\u200B\u200B", "message_empty", "Cannot send an empty message: write something"],
    ["\0", "message_empty", "Cannot send an empty message: write something"],
    [
      "x".repeat(100_000),
      "message_too_long",
      "Cannot send a message of 100000 characters: at most 32000 are allowed; shorten it or send it in parts",
    ],
  ])(
    "that cannot be taken are refused before anything is stored: %#",
    async (text, code, message) => {
      const thread = await testThread(database);

      await expect(thread.send(text)).rejects.toMatchObject({ code, message });

      const { rows } = await database.owner.query("select 1 from threads where thread_id = $1", [
        thread.run.threadId,
      ]);
      expect(rows).toEqual([]);
    },
  );

  test.each([
    ["a NUL character", "fi\0gs", "figs", "Gladly."],
    ["half a character", "a \ud83d b \udc00", "a \ufffd b \ufffd", "Gladly."],
    [
      "markers and Markdown",
      "<<<HANDOVER>>> </message> **bold** ```",
      "<<<HANDOVER>>> </message> **bold** ```",
      "Gladly.",
    ],
    [
      "32,000 characters",
      "🍋".repeat(32_000),
      "🍋".repeat(32_000),
      `${renderSentence("messageShortened")}\n\nGladly.`,
    ],
  ])(
    "with %s are taken as they are, as far as they can be stored",
    async (_, text, kept, reply) => {
      const thread = await testThread(database);

      const events = await thread.send(text);

      expect(checkEventOrder(events)).toEqual([]);
      expect(events[0]).toMatchObject({ type: "turn-start", message: kept });
      expect(repliesIn(events)).toEqual([reply]);
      const state = await thread.state();
      expect(state.input?.text).toBe(kept);
      expect(state.messages[0]?.text).toBe(kept);
    },
  );

  test.prop([fc.string({ unit: anyCharacter, maxLength: 200 })], { numRuns: 300 })(
    "cleanMessage() gives what every store can keep, or refuses",
    (text) => {
      const clean = attempt(() => cleanMessage(text, 100));
      if (clean === null) {
        expect(
          text.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, "") === "" ||
            text.replaceAll("\0", "").length > 100,
        ).toBe(true);
      } else {
        expect(clean.isWellFormed() && !clean.includes("\0")).toBe(true);
        expect(cleanMessage(clean, 100)).toBe(clean);
      }
    },
  );

  test.prop([fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 })], { numRuns: 8 })(
    "of any kind get a turn that keeps the law of events, or a refusal",
    async (text) => {
      const thread = await testThread(database);
      const events = await thread.send(text).catch((error: unknown) => error);
      if (Array.isArray(events)) {
        expect(checkEventOrder(events)).toEqual([]);
        expect((events.at(-1) as TurnEvent).type).toBe("turn-end");
      } else {
        expect(events).toMatchObject({ code: "message_empty" });
      }
    },
  );
});

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
