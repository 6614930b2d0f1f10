import { describe, expect, test } from "vitest";
import type { ModelRequest } from "../../state/model.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import { testDatabase } from "../support/database.ts";
import { namesIn } from "../support/fresh-kitchen.ts";
import { call, complete } from "../support/step-script.ts";
import { repliesIn, testThread, type Behaviour, type TestThread } from "../support/test-thread.ts";
import { makeRowCall, makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

/** A model that reads "undo …" as a wish to undo the effects named after it, and writes for every other message. */
const BEHAVIOUR: Behaviour = {
  understand: (request) => {
    const message = readMessage(request);
    const undo = readUndo(message);
    const needs = undo === null && ANSWERS[message] === undefined ? "change" : "work";
    return {
      json: understandAnswer({ undo, needs, answersPending: ANSWERS[message] ?? null }),
    };
  },
  think: (request) => {
    const message = readMessage(request);
    if (message === "no") {
      return { json: thinkAnswer({ decision: "clarify", steps: [], questions: ["What else?"] }) };
    }
    const subdomain = message.startsWith("delete ") ? "recipes" : "tasks";
    return { json: thinkAnswer({ steps: [makeStep({ stepType: "write", subdomain })] }) };
  },
  act: (request) => {
    const results = request.messages.filter(({ role }) => role === "tool");
    const message = readMessage(request);
    if (!message.startsWith("delete ")) {
      return results.length > 0
        ? complete("Done")
        : call("create_tasks", { rows: message.split(", ").map((title) => ({ title })) });
    }
    const where = [{ column: "name", op: "=", value: message.slice(7) }];
    if (results.length === 0) return call("read_recipes", { where });
    const [ref = ""] = /recipe_\d+/u.exec(results[0]?.text ?? "") ?? [];
    return results.length === 1 ? call("delete_rows", { refs: [ref] }) : complete("Done");
  },
};

const ANSWERS: Readonly<Record<string, UnderstandAnswer["answersPending"]>> = {
  yes: "accept",
  no: "reject",
};

function readUndo(message: string): UnderstandAnswer["undo"] {
  const [word, ...refs] = message.split(" ");
  return word === "undo" || word === "thanks" || word === "redo"
    ? { effects: refs.filter((ref) => /^e\d+$/u.test(ref)) }
    : null;
}

function readMessage({ messages }: ModelRequest): string {
  const text = messages.map((message) => message.text).join("\n");
  return [...text.matchAll(/<message>\s*([^]*?)\s*<\/message>/gu)].at(-1)?.[1] ?? "";
}

function tasks({ run }: TestThread): Promise<string[]> {
  return namesIn(database, { table: "tasks", userId: run.userId });
}

function recipes({ run }: TestThread): Promise<string[]> {
  return namesIn(database, { table: "recipes", userId: run.userId });
}

/** The refs of the effects that the summaries of its last turns name, the newest last. */
async function listEffects(thread: TestThread): Promise<string[]> {
  const { turnExecutionSummaries: summaries } = await thread.state();
  const ids = summaries.flatMap(({ effects }) => effects.map(({ effectId }) => effectId));
  return [...new Set(ids)].map((id) => `e${id}`);
}

async function say(thread: TestThread, text: string): Promise<string> {
  return repliesIn(await thread.send(text)).at(-1) ?? "";
}

describe("a message that asks to undo", () => {
  test("takes back the last turn that wrote, and the second time the one before it, without Think and Act", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    const before = await tasks(thread);
    await thread.send("Bake bread");
    await thread.send("Buy flour");
    const asked = thread.requests.length;

    expect(await say(thread, "undo that")).toBe("Undone: Buy flour (removed again)");
    expect(thread.requests.slice(asked).map(({ role }) => role)).toEqual(["understand"]);
    expect(await tasks(thread)).toEqual([...before, "Bake bread"].toSorted());
    expect(await say(thread, "undo that")).toMatch(
      /^Undone: Bake bread \(removed again\)\s+Note: that was a change of an earlier message, 3 messages back\.$/u,
    );
    expect(await tasks(thread)).toEqual(before);
    expect(await say(thread, "undo that")).toBe(
      "Nothing was undone: there is nothing in this conversation that could be undone.",
    );
  });

  test("says how far it reached where the last turn changed nothing", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await thread.send("Bake bread");
    await thread.send("no");

    expect(await say(thread, "undo that")).toMatch(
      /^Undone: Bake bread \(removed again\)\s+Note: .* 2 messages back\.$/u,
    );
  });

  test("takes back the effect it names, and an undo that it names: the change is done again", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await thread.send("Bake bread");
    await thread.send("Buy flour");
    const [baked = ""] = await listEffects(thread);

    expect(await say(thread, `undo ${baked}`)).toBe("Undone: Bake bread (removed again)");
    expect(await tasks(thread)).toContain("Buy flour");
    expect(await say(thread, `undo ${baked}`)).toBe(
      "Nothing was undone: it has been undone already.",
    );
    const undone = (await listEffects(thread)).at(-1) ?? "";
    expect(await say(thread, `undo ${undone}`)).toBe("Undone: Bake bread (back again)");
    expect(await tasks(thread)).toEqual(expect.arrayContaining(["Bake bread", "Buy flour"]));
  });

  test("brings a deleted recipe back under its ref, with its ingredients and planned meals", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    const before = await recipes(thread);
    await thread.send("delete Black Bean Chili");
    await thread.send("yes");
    expect(await recipes(thread)).toHaveLength(before.length - 1);
    const gone = (await thread.state()).registry.entries.find(
      ({ label }) => label === "Black Bean Chili",
    );

    const reply = await say(thread, "undo");

    expect(reply).toMatch(/^Undone: Black Bean Chili \(back again\), .+ \(as it was before\)/u);
    expect(await recipes(thread)).toEqual(before);
    const { registry } = await thread.state();
    expect(registry.entries.find(({ ref }) => ref === gone?.ref)).toMatchObject({
      id: gone?.id,
      label: "Black Bean Chili",
      action: "created",
    });
  });

  test("shows what checks warn of, as any other write does", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await database.owner.query(
      "update members set dislikes = '{chili}' where user_id = $1 and name = 'Anna'",
      [thread.run.userId],
    );
    await thread.send("delete Black Bean Chili");
    await thread.send("yes");

    const events = await thread.send("undo");

    const warnings = ["lunch", "dinner"].map(
      (slot) => `"Black Bean Chili, Sun 18 Jan ${slot}" has chili (Anna dislikes chili)`,
    );
    const reply = repliesIn(events).at(-1) ?? "";
    expect(warnings.filter((warning) => !reply.includes(warning))).toEqual([]);
    const both = { warnings: expect.arrayContaining(warnings) };
    expect(events.find(({ type }) => type === "step-end")).toMatchObject(both);
    const { turnExecutionSummaries: summaries } = await thread.state();
    expect(summaries.at(-1)?.steps).toMatchObject([both]);
  });

  test("changes nothing where a row has been changed since, and names it", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await thread.send("Bake bread");
    await database.owner.query(
      "update tasks set done = true where user_id = $1 and title = 'Bake bread'",
      [thread.run.userId],
    );

    expect(await say(thread, "undo that")).toBe(
      "Nothing was undone: Bake bread has been changed since (true instead of false).",
    );
    expect(await tasks(thread)).toContain("Bake bread");
  });

  test("names effects of its own conversation only", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await thread.send("Bake bread");
    const [ref = ""] = await listEffects(thread);
    const other = await testThread(database, { behaviour: BEHAVIOUR });

    expect(await say(other, `undo ${ref}`)).toBe(
      "Nothing was undone: this conversation has made no such change.",
    );
    expect(await tasks(thread)).toContain("Bake bread");
  });
});

/** A conversation that has added two tasks, of which another program has ticked off the first. */
async function openChangedThread(): Promise<TestThread> {
  const thread = await testThread(database, { behaviour: BEHAVIOUR });
  await thread.send("Bake bread, Buy flour");
  await tickOff(thread, "Bake bread");
  return thread;
}

async function tickOff({ run }: TestThread, title: string): Promise<void> {
  await database.owner.query("update tasks set done = true where user_id = $1 and title = $2", [
    run.userId,
    title,
  ]);
}

const QUESTION =
  "Bake bread has been changed since (true instead of false). I can leave that as it is and undo the rest. This deletes 1 task: Buy flour. You can undo it for 30 days. Do it?";

describe("an undo that a model reads and the message does not ask for", () => {
  test("is a question first, and a yes takes back what it lists", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await thread.send("Bake bread");

    expect(await say(thread, "thanks")).toBe(
      "I am not sure that you want something taken back. This deletes 1 task: Bake bread. You can undo it for 30 days. Do it?",
    );
    expect(await tasks(thread)).toContain("Bake bread");
    expect(await say(thread, "yes")).toBe("Undone: Bake bread (removed again)");
    expect(await tasks(thread)).not.toContain("Bake bread");
  });

  test("is carried out where it names what is taken back", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await thread.send("Bake bread");

    expect(await say(thread, "thanks for nothing, bake bread was wrong")).toBe(
      "Undone: Bake bread (removed again)",
    );
  });
});

describe("an undo of the undo", () => {
  test.each(["undo the undo", "redo"])("does the change again, and so on: %s", async (message) => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await thread.send("Buy flour");
    await thread.send("Bake bread");
    await thread.send("undo that");

    expect(await say(thread, message)).toBe("Undone: Bake bread (back again)");
    expect(await say(thread, message)).toBe("Undone: Bake bread (removed again)");
    expect(await tasks(thread)).toContain("Buy flour");
  });

  test("finds none where something was changed since", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await thread.send("Bake bread");
    await thread.send("undo that");
    await thread.send("Buy flour");

    expect(await say(thread, "undo the undo")).toMatch(/^Nothing was undone: /u);
    expect(await tasks(thread)).toContain("Buy flour");
  });
});

describe("an undo of which a row has been changed since", () => {
  test("asks to undo the rest, and a yes does so without Think and Act; that can be undone", async () => {
    const thread = await openChangedThread();
    const before = await tasks(thread);
    const [added = ""] = await listEffects(thread);

    expect(await say(thread, "undo that")).toBe(QUESTION);
    const { pending } = await thread.state();
    expect(pending).toMatchObject({
      kind: "confirmation",
      calls: [{ tool: "undo", args: { effects: [added], rest: true } }],
    });
    expect(JSON.stringify(pending)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/u);
    expect(await tasks(thread)).toEqual(before);
    const asked = thread.requests.length;

    expect(await say(thread, "yes")).toBe("Undone: Buy flour (removed again)");
    expect(thread.requests.slice(asked).map(({ role }) => role)).toEqual(["understand"]);
    expect(await tasks(thread)).toEqual(before.filter((title) => title !== "Buy flour"));

    const rest = (await listEffects(thread)).at(-1) ?? "";
    expect(await say(thread, `undo ${rest}`)).toBe("Undone: Buy flour (back again)");
    expect(await tasks(thread)).toEqual(before);
  });

  test("changes nothing after a no", async () => {
    const thread = await openChangedThread();
    const before = await tasks(thread);
    await thread.send("undo that");

    await thread.send("no");

    expect(await tasks(thread)).toEqual(before);
    expect((await thread.state()).pending).toMatchObject({ text: "What else?" });
  });

  test("asks anew where a row of the rest has been changed before the yes", async () => {
    const thread = await testThread(database, { behaviour: BEHAVIOUR });
    await thread.send("Bake bread, Buy flour, Call Anna");
    await tickOff(thread, "Bake bread");
    await thread.send("undo that");
    await tickOff(thread, "Buy flour");
    const before = await tasks(thread);

    expect(await say(thread, "yes")).toBe(
      "Since I asked, this has changed: Buy flour. Bake bread has been changed since (true instead of false); Buy flour has been changed since (true instead of false). I can leave that as it is and undo the rest. This deletes 1 task: Call Anna. You can undo it for 30 days. Do it?",
    );
    expect(await tasks(thread)).toEqual(before);
    expect(await say(thread, "yes")).toBe("Undone: Call Anna (removed again)");
    expect(await tasks(thread)).toEqual(before.filter((title) => title !== "Call Anna"));
  });

  test("is refused where nothing of the rest is left before the yes", async () => {
    const thread = await openChangedThread();
    await thread.send("undo that");
    await tickOff(thread, "Buy flour");
    const before = await tasks(thread);

    expect(await say(thread, "yes")).toBe(
      "Nothing was undone: Bake bread has been changed since (true instead of false); Buy flour has been changed since (true instead of false).",
    );
    expect(await tasks(thread)).toEqual(before);
  });
});

describe("a draft whose saving is undone", () => {
  const SOUP = {
    ref: null,
    set: { name: "Beet Soup", servings: 2, ingredients: [{ name: "beets", quantity: 4 }] },
  };
  const behaviour: Behaviour = {
    ...BEHAVIOUR,
    think: (request) => {
      const stepType = readMessage(request) === "save it" ? "write" : "generate";
      const refs = ["gen_recipe_1"];
      const calls =
        stepType === "write" ? [makeRowCall({ do: "create", type: "recipe", refs })] : [];
      return { json: thinkAnswer({ steps: [makeStep({ stepType, writes: [] })], calls }) };
    },
    act: () => complete("A soup", { artifacts: [SOUP] }),
  };

  test("is a draft again and can be saved again; an undo of the undo saves it under its ref", async () => {
    const thread = await testThread(database, { behaviour });
    const before = await recipes(thread);
    await thread.send("make up a soup");
    const [draft] = (await thread.state()).registry.entries;
    await thread.send("save it");

    expect(await say(thread, "undo that")).toBe("Undone: Beet Soup (removed again)");
    expect((await thread.state()).registry.entries).toMatchObject([
      { ref: "gen_recipe_1", id: null, action: "generated", row: draft?.row },
    ]);
    expect(await say(thread, "redo")).toBe("Undone: Beet Soup (back again)");
    await thread.send("undo that");
    expect(await recipes(thread)).toEqual(before);

    expect(await say(thread, "save it")).toBe("Added: Beet Soup (beets; servings 2)");
    expect(await recipes(thread)).toEqual([...before, "Beet Soup"].toSorted());
    const { registry } = await thread.state();
    expect(registry.entries.map(({ ref, action }) => `${action} ${ref}`)).toEqual([
      "created gen_recipe_1",
    ]);
  });
});
