import { describe, expect, test } from "vitest";
import type { Limits } from "../../state/limits.ts";
import { testDatabase } from "../support/database.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { call, complete } from "../support/step-script.ts";
import { openThread, repliesIn, testThread, type Behaviour } from "../support/test-thread.ts";
import { makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

/** Looks at the recipes in every turn whose message asks to, and answers all others. */
const BEHAVIOUR: Behaviour = {
  understand: ({ messages }) => {
    const [, ref] = /what about (\w+)\?/u.exec(messages.at(-1)?.text ?? "") ?? [];
    const references = ref === undefined ? [] : [{ text: ref, ref }];
    return { json: understandAnswer({ references }) };
  },
  think: (request) => ({
    json: /<message>\s*show my recipes/u.test(request.messages.at(-1)?.text ?? "")
      ? thinkAnswer({ steps: [makeStep()] })
      : thinkAnswer({ decision: "answer", steps: [] }),
  }),
  act: ({ messages }) => (messages.length > 2 ? complete("Seen") : call("read_recipes", {})),
  reply: () => "Lemon Butter Cod, Cod Tacos, Lentil Soup.",
};

async function watch(limits: Partial<Limits> = {}) {
  const thread = await testThread(database, { behaviour: BEHAVIOUR, limits });
  await thread.send("show my recipes");
  const change = (statement: string) => database.owner.query(statement, [thread.run.userId]);
  return { thread, change };
}

const SECTION = "## Changed outside this conversation";

describe("a row that is changed outside the conversation", () => {
  test("is known by its new name in the next turn, and nobody is told who did it", async () => {
    const { thread, change } = await watch();
    await change(
      "update recipes set name = 'Fish Tacos' where user_id = $1 and name = 'Cod Tacos'",
    );
    const before = thread.requests.length;

    const events = await thread.send("so which ones were there?");
    await thread.send("and again?");

    expect(events.find(({ type }) => type === "outside")).toMatchObject({
      changes: [{ action: "updated", who: "unknown", text: 'Cod Tacos is now "Fish Tacos"' }],
    });
    const prompts = thread.requests.slice(before).map(({ role, messages }) => ({
      role,
      text: messages.map(({ text }) => text).join("\n"),
    }));
    const first = prompts.slice(0, 3);
    expect(first.map(({ role, text }) => [role, text.includes(SECTION)])).toEqual([
      ["understand", true],
      ["think", true],
      ["reply", true],
    ]);
    expect(prompts.slice(4).some(({ text }) => text.includes(SECTION))).toBe(false);
    const { registry } = await thread.state();
    expect(registry.entries.map(({ label }) => label)).toContain("Fish Tacos");
    expect(registry.entries.map(({ label }) => label)).not.toContain("Cod Tacos");
  });

  test("is not offered any more once it is deleted", async () => {
    const { thread, change } = await watch();
    await change("delete from recipes where user_id = $1 and name = 'Cod Tacos'");
    const before = thread.requests.length;

    const events = await thread.send("so which ones were there?");

    expect(events.find(({ type }) => type === "outside")).toMatchObject({
      changes: expect.arrayContaining([
        { action: "deleted", who: "unknown", text: "Cod Tacos was deleted" },
      ]),
    });
    const { registry } = await thread.state();
    expect(registry.entries.find(({ label }) => label === "Cod Tacos")?.action).toBe("deleted");
    const listed = thread.requests
      .slice(before)
      .map(({ messages }) => /## Listed Last\n\n[^#]*/u.exec(messages.at(-1)?.text ?? "")?.[0]);
    expect(listed.join("\n")).toContain("Lemon Butter Cod");
    expect(listed.join("\n")).not.toContain("Cod Tacos");
  });

  test("is deleted, too, where another program truncates its table", async () => {
    const { thread } = await watch();
    await database.owner.query("truncate recipes cascade");

    await thread.send("so which ones were there?");

    const { entries } = (await thread.state()).registry;
    expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(["deleted"]));
  });

  test("is named with the other conversation that has changed it", async () => {
    const { thread } = await watch();
    const other = openThread(database, {
      run: { ...newRun(), userId: thread.run.userId },
      behaviour: {
        ...BEHAVIOUR,
        understand: () => ({ json: understandAnswer({ needs: "change" }) }),
        think: () => ({ json: thinkAnswer({ steps: [makeStep({ stepType: "write" })] }) }),
        act: ({ messages }) =>
          messages.length > 2
            ? call("delete_rows", { refs: ["recipe_2"], all: null })
            : call("read_recipes", {}),
      },
    });
    await other.send("delete the cod tacos");

    const events = await thread.send("so which ones were there?");

    expect(events.find(({ type }) => type === "outside")).toMatchObject({
      changes: expect.arrayContaining([
        {
          action: "deleted",
          who: "conversation",
          text: "Cod Tacos was deleted in another conversation",
        },
      ]),
    });
  });

  test("is not lost where it was passed over: the prompt says so, and it is checked when it is spoken of", async () => {
    const { thread, change } = await watch({ checkedRows: 1 });
    const { registry } = await thread.state();
    const listed = new Set(registry.listed);
    const passed = registry.entries.filter(({ ref }) => !listed.has(ref));
    const target = passed.at(-1)?.label ?? "";
    await change(
      `update recipes set name = 'Chana Masala' where user_id = $1 and name = '${target}'`,
    );
    await change(
      "update recipes set name = 'Fish Tacos' where user_id = $1 and name = 'Cod Tacos'",
    );

    // What was listed last is checked whatever the limit.
    const events = await thread.send("thanks");
    expect(events.find(({ type }) => type === "outside")).toMatchObject({
      changes: [{ text: 'Cod Tacos is now "Fish Tacos"' }],
    });
    const shown = thread.requests.findLast(({ role }) => role === "understand");
    const section = shown?.messages.at(-1)?.text.split(SECTION)[1] ?? "";
    expect(section).toMatch(new RegExp(`- \\d+ not checked: .*${passed.at(-1)?.ref}`, "u"));
    await thread.send("and thanks again");

    const spoken = await thread.send(`what about ${passed.at(-1)?.ref}?`);
    expect(spoken.find(({ type }) => type === "outside")).toMatchObject({
      changes: [{ text: `${target} is now "Chana Masala"` }],
    });
    const after = await thread.state();
    expect(after.registry.entries.map(({ label }) => label)).toContain("Chana Masala");
    expect(after.registry.unchecked?.map(({ ref }) => ref)).not.toContain(passed.at(-1)?.ref);
  });

  test("is nothing new where the conversation has changed it itself", async () => {
    const { thread } = await watch();
    const events = await thread.send("thanks");
    expect(events.filter(({ type }) => type === "outside")).toEqual([]);
    expect(repliesIn(events)).toHaveLength(1);
  });
});
