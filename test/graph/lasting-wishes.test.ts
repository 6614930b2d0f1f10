import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { HEADINGS } from "../../prompts/headings.ts";
import type { ModelRequest } from "../../state/model.ts";
import { rollBackTurn } from "../../storage/runs/roll-back-turn.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import { testDatabase } from "../support/database.ts";
import { openThread, repliesIn, testThread, type Behaviour } from "../support/test-thread.ts";
import { understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

function readMessage({ messages }: ModelRequest): string {
  const texts = messages.map(({ text }) => text).join("\n");
  return /## Message\s*<message>\s*([^]*?)\s*<\/message>/u.exec(texts)?.[1] ?? "";
}

/** Notes "never …" for good, lets "… is fine" replace it, and nothing else. */
const BEHAVIOUR: Behaviour = {
  understand: (request) => {
    const message = readMessage(request);
    const [, never] = /^never (\w+)$/u.exec(message) ?? [];
    const [, fine] = /^(\w+) is fine$/u.exec(message) ?? [];
    const wish = { kind: "hard", count: null, until: null, scope: "person" } as const;
    const constraints: UnderstandAnswer["constraints"] =
      never !== undefined
        ? [{ ...wish, text: `no ${never}`, replaces: null }]
        : fine !== undefined
          ? [{ ...wish, text: message, replaces: `no ${fine}` }]
          : [];
    if (message === "nice") constraints.push({ ...wish, text: "", replaces: "no coriander" });
    const [, forgotten] = /^forget (.+)$/u.exec(message) ?? [];
    if (forgotten !== undefined) constraints.push({ ...wish, text: "", replaces: forgotten });
    const [, ending] = /^until (.+)$/u.exec(message) ?? [];
    if (ending !== undefined) {
      const text = "no lamb";
      return {
        json: understandAnswer({ constraints: [{ ...wish, text, until: ending, replaces: null }] }),
      };
    }
    const undo = message === "undo that" ? { effects: [] } : null;
    const needs = undo === null ? "work" : "change";
    return { json: understandAnswer({ constraints, undo, needs }) };
  },
};

/** The wishes in the last prompt of Think. */
function wishesIn(requests: readonly ModelRequest[]): string {
  const texts = requests.findLast(({ role }) => role === "think")?.messages ?? [];
  const [, after = ""] = texts
    .map(({ text }) => text)
    .join("\n")
    .split(`## ${HEADINGS.wishes}\n`);
  return (after.split("\n## ")[0] ?? "").trim();
}

async function twoThreads() {
  const first = await testThread(database, { behaviour: BEHAVIOUR });
  const run = { ...first.run, threadId: randomUUID() };
  return [first, openThread(database, { behaviour: BEHAVIOUR, run })] as const;
}

test("a lasting wish is noted for the person, holds in another conversation, and ends in any", async () => {
  const [first, second] = await twoThreads();

  const noted = await first.send("never coriander");
  expect(repliesIn(noted).at(-1)).toMatch(/^Noted for every conversation: no coriander\n\n/u);
  await second.send("what could I cook?");
  expect(wishesIn(second.requests)).toBe("- no coriander (must hold, in every conversation)");

  const ended = await second.send("coriander is fine");
  expect(repliesIn(ended).at(-1)).toContain("No longer noted: no coriander");
  await first.send("and now?");
  expect(wishesIn(first.requests)).toBe("- coriander is fine (must hold, in every conversation)");
});

test("a wish is forgotten in its words, and in others where they can only mean it", async () => {
  const [first, second] = await twoThreads();
  await first.send("never coriander");
  await first.send("never lamb");

  const replies = await second.send("forget my coriander rule");
  expect(repliesIn(replies).at(-1)).toMatch(/^No longer noted: no coriander\n/u);
  // The model was asked again, and gave the same words.
  expect(second.requests.filter(({ role }) => role === "understand")).toHaveLength(2);
  await first.send("forget no lamb");
  await first.send("what could I cook?");
  expect(wishesIn(first.requests)).toBe("");
});

test("words that mean no wish forget none, and the person is told", async () => {
  const [first] = await twoThreads();
  await first.send("never coriander");

  const replies = await first.send("forget pork");
  expect(repliesIn(replies).at(-1)).toMatch(
    /^I do not know which of your wishes “pork” is about, so all that I noted before still hold\.\n/u,
  );
  await first.send("what could I cook?");
  expect(wishesIn(first.requests)).toBe("- no coriander (must hold, in every conversation)");
});

test("a rule does not end by a message that does not speak of it, and the person is told", async () => {
  const [first] = await twoThreads();
  await first.send("never coriander");

  const replies = await first.send("nice");
  expect(repliesIn(replies).at(-1)).toMatch(
    /^“no coriander” still holds, since your message does not speak of it\. To end it, please say so in its words\.\n/u,
  );
  expect((await first.state()).constraints.map(({ text }) => text)).toEqual(["no coriander"]);
});

test("an end is a day in any spelling; one that is none is told, and the wish holds", async () => {
  const [first, second] = await twoThreads();
  await first.send("until 27.11.2030");
  expect((await first.state()).constraints.map(({ until }) => until)).toEqual(["2030-11-27"]);

  const replies = await second.send("until Sankt Nimmerlein");
  expect(repliesIn(replies).at(-1)).toContain(
    "I could not read “Sankt Nimmerlein” as a day to come, so “no lamb” holds until you say otherwise.",
  );
  expect((await second.state()).constraints.map(({ until }) => until)).toEqual([null]);
});

test("undo takes a noted wish back, in every conversation, and no older row", async () => {
  const [first, second] = await twoThreads();
  await first.send("never coriander");

  const undone = await first.send("undo that");
  expect(repliesIn(undone)).toEqual(["Undone: no coriander (no longer noted)"]);
  await second.send("what could I cook?");
  expect(wishesIn(second.requests)).toBe("");
  const again = await first.send("undo that");
  expect(repliesIn(again).at(-1)).toMatch(/^Nothing was undone/u);
});

test("another person knows nothing of it", async () => {
  const [first] = await twoThreads();
  await first.send("never coriander");

  const other = await testThread(database, { behaviour: BEHAVIOUR });
  await other.send("what could I cook?");

  expect(wishesIn(other.requests)).toBe("");
});

test("a turn that is rolled back takes its wish along", async () => {
  const [first, second] = await twoThreads();
  await first.send("never coriander");
  await first.send("coriander is fine");
  const { turn, lastRunId } = await first.state();
  const { threadId, userId } = first.run;

  await asUser(database.pool, { userId }, (tx) =>
    rollBackTurn(tx, {
      threadId,
      begun: { turn, runId: lastRunId ?? "" },
      baseCheckpointId: null,
    }),
  );
  await second.send("what could I cook?");

  expect(wishesIn(second.requests)).toBe("- no coriander (must hold, in every conversation)");
});
