import { expect, test } from "vitest";
import type { ConfirmationDecision } from "../../state/pending.ts";
import { testDatabase } from "../support/database.ts";
import { namesIn } from "../support/fresh-kitchen.ts";
import { call } from "../support/step-script.ts";
import { repliesIn, testThread, type TestThread } from "../support/test-thread.ts";
import { makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

/** A thread in which the deletion of all recipes waits for a yes as `confirm_1_1`. */
async function askToDelete(): Promise<TestThread> {
  const steps = [makeStep({ stepType: "write", subdomain: "recipes" })];
  let asked = 0;
  const thread = await testThread(database, {
    behaviour: {
      // Only the first message asks for work.
      understand: () => ({ json: understandAnswer({ needs: asked++ === 0 ? "work" : "talk" }) }),
      think: () => ({ json: thinkAnswer({ steps }) }),
      act: () => call("delete_rows", { refs: [], all: "recipe" }),
    },
  });
  await thread.send("thanks");
  return thread;
}

function decide(
  thread: TestThread,
  type: ConfirmationDecision["type"],
  confirmation: string | null,
) {
  const text = type === "approve" ? "Yes." : "No.";
  return thread.send(text, { decision: { confirmation, type } });
}

async function change(thread: TestThread, sql: string): Promise<void> {
  await database.owner.query(sql, [thread.run.userId]);
}

const QUESTION = /^This deletes 9 recipes: .* Do it\?$/u;
const NOTHING_WAITS =
  "No question of mine waits for a yes, so I have done nothing. What shall I do?";

interface Case {
  readonly name: string;
  /** Beforehand, beside the question. */
  readonly before?: (thread: TestThread) => Promise<unknown>;
  readonly type: ConfirmationDecision["type"];
  readonly confirmation: string | null;
  readonly reply: RegExp | string;
  /** The end of the confirmation; left out where it goes on. */
  readonly ended?: { readonly id: string; readonly answer: string };
  /** The confirmation that waits then. */
  readonly waits: string | null;
  readonly recipes: number;
}

const ACCEPTED = { id: "confirm_1_1", answer: "accepted" };
const REJECTED = { id: "confirm_1_1", answer: "rejected" };

test.each<Case>([
  {
    name: "approval carries out what was listed",
    type: "approve",
    confirmation: "confirm_1_1",
    reply: /^Deleted: .*Cod Tacos/u,
    ended: ACCEPTED,
    waits: null,
    recipes: 0,
  },
  {
    name: "approval counts with another message between",
    before: (thread) => thread.send("hm"),
    type: "approve",
    confirmation: "confirm_1_1",
    reply: /^Deleted: .*Cod Tacos/u,
    ended: ACCEPTED,
    waits: null,
    recipes: 0,
  },
  {
    name: "approval of changes that are no longer those listed asks anew",
    before: (thread) =>
      change(thread, "update recipes set servings = 7 where user_id = $1 and name = 'Cod Tacos'"),
    type: "approve",
    confirmation: "confirm_1_1",
    reply: /^Since I asked, this has changed: Cod Tacos\. This deletes 9 recipes: /u,
    ended: ACCEPTED,
    waits: "confirm_2_1",
    recipes: 9,
  },
  {
    name: "rejection changes nothing",
    type: "reject",
    confirmation: "confirm_1_1",
    reply: "Nothing was changed.",
    ended: REJECTED,
    waits: null,
    recipes: 9,
  },
  {
    name: "approval of another confirmation puts the one that waits again",
    type: "approve",
    confirmation: "confirm_9_1",
    reply: QUESTION,
    waits: "confirm_1_1",
    recipes: 9,
  },
  {
    name: "rejection without a confirmation puts the one that waits again",
    type: "reject",
    confirmation: null,
    reply: QUESTION,
    waits: "confirm_1_1",
    recipes: 9,
  },
  {
    name: "approval after a rejection finds nothing that waits",
    before: (thread) => decide(thread, "reject", "confirm_1_1"),
    type: "approve",
    confirmation: "confirm_1_1",
    reply: NOTHING_WAITS,
    waits: null,
    recipes: 9,
  },
  {
    name: "rejection after an approval takes nothing back",
    before: (thread) => decide(thread, "approve", "confirm_1_1"),
    type: "reject",
    confirmation: "confirm_1_1",
    reply: NOTHING_WAITS,
    waits: null,
    recipes: 0,
  },
])("a decision takes no model: $name", async (given) => {
  const thread = await askToDelete();
  await given.before?.(thread);
  const { length } = thread.requests;

  const events = await decide(thread, given.type, given.confirmation);

  const { pending, messages } = await thread.state();
  expect({
    requests: thread.requests.length - length,
    said: messages.at(-2)?.content,
    replies: repliesIn(events),
    ended: events.flatMap((event) =>
      event.type === "confirmation-end" ? [{ id: event.id, answer: event.answer }] : [],
    ),
    waits: pending?.kind === "confirmation" ? pending.id : pending,
    recipes: (await namesIn(database, { table: "recipes", userId: thread.run.userId })).length,
  }).toEqual({
    requests: 0,
    said: given.type === "approve" ? "Yes." : "No.",
    replies: [expect.stringMatching(given.reply)],
    ended: given.ended === undefined ? [] : [given.ended],
    waits: given.waits,
    recipes: given.recipes,
  });
});

test("of two decisions that are sent together the first one wins", async () => {
  const thread = await askToDelete();

  const sent = await Promise.all([
    decide(thread, "approve", "confirm_1_1"),
    decide(thread, "reject", "confirm_1_1"),
  ]);

  const answers = sent
    .flat()
    .flatMap((event) => (event.type === "confirmation-end" ? [event.answer] : []));
  const { turn, pending } = await thread.state();
  expect([answers.length, turn, pending]).toEqual([1, 3, null]);
});
