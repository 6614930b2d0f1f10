import { randomUUID } from "node:crypto";
import type { RunnableConfig } from "@langchain/core/runnables";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../app/config.ts";
import { createLog } from "../../app/log.ts";
import type { TurnState } from "../../state/turn.ts";
import { openStudio } from "../../studio/open-studio.ts";
import { testDatabase } from "../support/database.ts";
import { appliedWrites, namesIn } from "../support/fresh-kitchen.ts";

// Studio goes back to a step of a thread and on from there in another way: what it has written
// meanwhile stays written.

const database = await testDatabase();
const config = readConfig({ DATABASE_URL: database.url, CONCIERGE_LOG: "silent" });
const studio = await openStudio(config, {
  log: createLog(config),
  door: { origins: [], anyUser: true },
});
afterAll(() => studio.close());
const { graph } = studio;

type Input = Parameters<typeof graph.invoke>[0];

/** A thread of a user with an empty kitchen, as the dev server runs it. */
function openThread() {
  const threadId = randomUUID();
  const userId = `user-${randomUUID()}`;
  const newest = { configurable: { thread_id: threadId } };
  const run = async (input: unknown, from: RunnableConfig): Promise<string> => {
    const configurable = { ...from.configurable, run_id: randomUUID() };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What comes over the wire has no type.
    await graph.invoke(input as Input, { configurable, context: { user: userId } });
    return (await graph.getState(newest)).values.messages.at(-1)?.text ?? "";
  };
  return {
    /** Sends a message, to the newest state or to an older one. Resolves to the reply. */
    say: (content: string, from: RunnableConfig = newest) =>
      run({ messages: [{ role: "human", content }] }, from),
    /** Goes on from a state without a message. */
    goOn: (from: RunnableConfig) => run(null, from),
    newest: async () => (await graph.getState(newest)).config,
    /** Finds the newest state in which a node is next. */
    async before(node: string): Promise<{ config: RunnableConfig; values: TurnState }> {
      for await (const { next, config, values } of graph.getStateHistory(newest)) {
        if (next.includes(node)) return { config, values };
      }
      throw new Error(`Cannot find a state before "${node}": the thread has none`);
    },
    writes: () => appliedWrites(database, threadId),
    list: () => namesIn(database, { table: "shopping_list", userId }),
  };
}

test("a fork writes what its own message asks for, not what the branch before it did", async () => {
  const thread = openThread();
  await thread.say("hello");
  const base = await thread.newest();

  const first = await thread.say("put eggs on my shopping list");
  const forked = await thread.say("put milk on my shopping list", base);

  expect([first, forked]).toEqual([
    expect.stringContaining("Added: eggs"),
    expect.stringContaining("Added: milk"),
  ]);
  expect(await thread.list()).toEqual(["eggs", "milk"]);
});

test("a fork with the same message is a turn of its own, and writes again", async () => {
  const thread = openThread();
  await thread.say("hello");
  const base = await thread.newest();
  await thread.say("put eggs on my shopping list");
  await database.owner.query("delete from shopping_list where name = 'eggs'");

  const forked = await thread.say("put eggs on my shopping list", base);

  expect(forked).toContain("Added: eggs");
  expect(await thread.list()).toEqual(["eggs"]);
  expect(await thread.writes()).toBe(2);
});

test.each(["tools", "act"])(
  "going back to %s and on again repeats no write that was done",
  async (node) => {
    const thread = openThread();
    await thread.say("put eggs on my shopping list");

    const { config: from } = await thread.before(node);
    const reply = await thread.goOn(from);

    expect(reply).toContain("Added: eggs");
    expect(await thread.list()).toEqual(["eggs"]);
    expect(await thread.writes()).toBe(1);
  },
);

test("going back and on with a call that was changed carries out that call", async () => {
  const thread = openThread();
  await thread.say("put eggs on my shopping list");
  const { config: from, values } = await thread.before("tools");
  const pendingCalls: TurnState["pendingCalls"] = JSON.parse(
    JSON.stringify(values.pendingCalls).replace('"eggs"', '"duck eggs"'),
  );

  const changed = await graph.updateState(from, { pendingCalls }, "act");
  const reply = await thread.goOn(changed);

  expect(reply).toContain("Added: duck eggs");
  expect(await thread.list()).toEqual(["duck eggs", "eggs"]);
});
