import { expect, test } from "vitest";
import { HEADINGS } from "../../prompts/headings.ts";
import type { ModelRequest } from "../../state/model.ts";
import { testDatabase } from "../support/database.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { adding, call, complete } from "../support/step-script.ts";
import {
  openThread,
  repliesIn,
  testThread,
  type Behaviour,
  type TestThread,
} from "../support/test-thread.ts";
import { makeCuration, makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

function readPrompt({ messages }: ModelRequest): string {
  return messages.map(({ text }) => text).join("\n");
}

function readMessage(request: ModelRequest): string {
  return /## Message\s*<message>\s*([^]*?)\s*<\/message>/u.exec(readPrompt(request))?.[1] ?? "";
}

/** A section of a prompt, its data alone. */
function readSection(request: ModelRequest | undefined, heading: string): string {
  if (request === undefined) return "";
  const [, after = ""] = readPrompt(request).split(`## ${heading}\n\n<data>\n`);
  return after.split("\n</data>")[0] ?? "";
}

/** The refs of the known things whose line has a word. */
function findRefs(request: ModelRequest, word: string): string[] {
  const lines = readSection(request, HEADINGS.recentContext).split("\n");
  return lines
    .filter((line) => line.toLowerCase().includes(word))
    .flatMap((line) => /^([a-z]+_\d+) /u.exec(line)?.[1] ?? []);
}

const LOOK = makeStep({ description: "Look at the recipes" });
const JUDGE = makeStep({ description: "Judge them", stepType: "analyze", group: 2 });
const QUICKEST = makeStep({ description: "Find the quickest", stepType: "analyze" });

/** Reads, judges, leaves out and adds as the messages ask, from what the prompts show; answers everything else. */
const BEHAVIOUR: Behaviour = {
  understand: (request) => {
    const [, word] = /^no (\w+) please$/u.exec(readMessage(request)) ?? [];
    const [, back] = /^bring the (\w+) back$/u.exec(readMessage(request)) ?? [];
    const decide = (found: string | undefined, reason: string) =>
      found === undefined ? [] : findRefs(request, found).map((ref) => ({ ref, reason }));
    const restored = /(recipe_\d+) [^,;]*Tacos/u.exec(readSection(request, HEADINGS.choices))?.[1];
    return {
      json: understandAnswer({
        curation: makeCuration({
          demote: decide(word, `contains ${word}`),
          restore:
            back === undefined || restored === undefined
              ? []
              : [{ ref: restored, reason: "welcome again" }],
        }),
      }),
    };
  },
  think: (request) => {
    const message = readMessage(request);
    if (message.startsWith("what could I cook")) {
      return { json: thinkAnswer({ goal: "dinners this week", steps: [LOOK, JUDGE] }) };
    }
    if (message.includes("quickest")) return { json: thinkAnswer({ steps: [QUICKEST] }) };
    if (message === "add napkins") {
      const step = makeStep({ stepType: "write", subdomain: "shopping", description: "Add" });
      return { json: thinkAnswer({ steps: [step] }) };
    }
    return { json: thinkAnswer({ decision: "answer", steps: [] }) };
  },
  act: (request) => {
    const prompt = readPrompt(request);
    if (prompt.includes("Find the quickest")) return complete("Seen", { refs: ["recipe_3"] });
    if (prompt.includes("Judge them")) {
      return complete("All fit", { refs: findRefsInRows(request) });
    }
    if (prompt.includes("(write, shopping)")) {
      return request.messages.length > 2 ? complete("Added") : call(...adding("napkins"));
    }
    return call("read_recipes", {});
  },
  reply: () => "All right.",
};

function findRefsInRows(request: ModelRequest): string[] {
  const rows = readSection(request, HEADINGS.rows);
  return [...new Set(rows.match(/^recipe_\d+/gmu))];
}

async function sendAll(thread: TestThread, messages: readonly string[]): Promise<void> {
  for (const message of messages) await thread.send(message);
}

function findLastRequest(thread: TestThread, role: string): ModelRequest | undefined {
  return thread.requests.findLast((request) => request.role === role);
}

test("a choice can be judged after things that have nothing to do with it: its rows are there", async () => {
  const thread = await testThread(database, { behaviour: BEHAVIOUR });
  await sendAll(thread, ["what could I cook this week?", "no cod please", "add napkins", "thanks"]);

  await thread.send("which of those is the quickest?");

  const act = findLastRequest(thread, "act");
  const choices = readSection(act, HEADINGS.choices);
  expect(choices).toMatch(/^dinners this week \(choice_1, recipe\): 6 left of 9\n1\. recipe_/u);
  expect(choices).toMatch(
    /\nLeft out: contains cod \(turn 2\): recipe_\d+ Lemon Butter Cod, recipe_\d+ Cod Tacos, recipe_\d+ Fisherman's Stew$/u,
  );
  const rows = readSection(act, HEADINGS.rows);
  const left = [...choices.matchAll(/^\d+\. (recipe_\d+) /gmu)].map(([, ref = ""]) => ref);
  expect(left).toHaveLength(6);
  expect(left.filter((ref) => !rows.includes(ref))).toEqual([]);
});

test("a choice, and why things were left out of it, is known after any number of turns on something else", async () => {
  const thread = await testThread(database, { behaviour: BEHAVIOUR });
  await sendAll(thread, ["what could I cook this week?", "no cod please"]);
  const shown: string[] = [];
  for (const turns of [3, 17, 40]) {
    await sendAll(
      thread,
      Array.from({ length: turns }, (_, index) => `side remark ${index}`),
    );
    await thread.send("so which ones were left?");
    shown.push(readSection(findLastRequest(thread, "reply"), HEADINGS.choices));
  }
  await sendAll(
    thread,
    Array.from({ length: 51 }, (_, index) => `another remark ${index}`),
  );
  await thread.send("why did we leave out the tacos?");
  shown.push(readSection(findLastRequest(thread, "reply"), HEADINGS.choices));
  await thread.send("bring the tacos back");
  const back = readSection(findLastRequest(thread, "reply"), HEADINGS.choices);

  const names = [
    "Chickpea Curry",
    "Mushroom Risotto",
    "French Toast",
    "Sticky Chicken Wings",
    "Egg Fried Rice",
    "Black Bean Chili",
  ];
  const left = [
    "dinners this week: 6 left of 9",
    ...names.map((name, index) => `${index + 1}. ${name}`),
    "Left out: contains cod (turn 2): Lemon Butter Cod, Cod Tacos, Fisherman's Stew",
  ];
  expect(shown).toEqual(shown.map(() => left.join("\n")));
  expect(back.split("\n").slice(0, 2)).toEqual([
    "dinners this week: 7 left of 9",
    "1. Cod Tacos (brought back in turn 118)",
  ]);
  expect(back.split("\n").at(-1)).toBe(
    "Left out: contains cod (turn 2): Lemon Butter Cod, Fisherman's Stew",
  );
}, 120_000);

test("dishes of the choice that something else has changed are named above the next reply, once", async () => {
  const thread = await testThread(database, { behaviour: BEHAVIOUR });
  await sendAll(thread, ["what could I cook this week?", "no cod please"]);
  const { userId } = thread.run;
  await database.owner.query(
    "update recipes set name = 'Chana Masala' where user_id = $1 and name = 'Chickpea Curry'",
    [userId],
  );
  await database.owner.query("delete from recipes where user_id = $1 and name = 'Egg Fried Rice'", [
    userId,
  ]);

  const [next, later] = [await thread.send("so which ones were left?"), await thread.send("and?")];

  const [first = ""] = repliesIn(next).at(-1)?.split("\n\n") ?? [];
  expect(first).toMatch(/^Changed meanwhile: /u);
  expect(first).toContain('Chickpea Curry is now "Chana Masala"');
  expect(first).toContain("Egg Fried Rice was deleted");
  expect(repliesIn(later)).toEqual(["All right."]);
});

test("a dish that another conversation has deleted is offered again once its undo there has brought it back", async () => {
  const thread = await testThread(database, { behaviour: BEHAVIOUR });
  await sendAll(thread, ["what could I cook this week?", "no cod please"]);
  const other = openThread(database, {
    run: { ...newRun(), userId: thread.run.userId },
    behaviour: {
      understand: (request) => ({
        json: understandAnswer(
          readMessage(request) === "undo" ? { undo: { effects: [] } } : { needs: "change" },
        ),
      }),
      think: () => ({ json: thinkAnswer({ steps: [makeStep({ stepType: "write" })] }) }),
      act: ({ messages }) => {
        const [ref = ""] =
          /recipe_\d+(?=[^\n]*French Toast)/u.exec(messages.at(-1)?.text ?? "") ?? [];
        return messages.length > 2
          ? call("delete_rows", { refs: [ref], all: null })
          : call("read_recipes", {});
      },
    },
  });
  await sendAll(other, ["delete the french toast", "yes"]);
  const gone = repliesIn(await thread.send("so which ones were left?")).at(-1);
  await other.send("undo");
  const back = repliesIn(await thread.send("and now?")).at(-1);
  const choice = readSection(findLastRequest(thread, "reply"), HEADINGS.choices);

  expect(gone).toMatch(/^Changed meanwhile: French Toast was deleted in another conversation$/mu);
  expect(back).toMatch(
    /^Changed meanwhile: French Toast was brought back in another conversation$/mu,
  );
  expect(choice).toMatch(/^dinners this week: 6 left of 9\n/u);
  expect(choice).toMatch(/^\d\. French Toast$/mu);
});

test("a row that is read again after everything was forgotten has its ref, and is left out no more", async () => {
  const forget = understandAnswer({ curation: makeCuration({ clearAll: true }) });
  const behaviour: Behaviour = {
    ...BEHAVIOUR,
    understand: (request) =>
      readMessage(request) === "forget everything"
        ? { json: forget }
        : (BEHAVIOUR.understand?.(request) ?? null),
  };
  const thread = await testThread(database, { behaviour });
  const listRefs = async () => {
    const { entries } = (await thread.state()).registry;
    return entries.map(({ ref, label }) => `${ref} ${label}`).toSorted();
  };
  await sendAll(thread, ["what could I cook this week?", "no cod please"]);
  const before = await listRefs();
  await thread.send("forget everything");
  expect(await listRefs()).toEqual([]);

  await thread.send("what could I cook this week?");

  expect(await listRefs()).toEqual(before);
  const { registry } = await thread.state();
  expect(registry.entries.filter(({ demotion }) => demotion !== null)).toEqual([]);
});
