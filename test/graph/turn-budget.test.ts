import { expect, test } from "vitest";
import type { Budget } from "../../state/budget.ts";
import type { ModelRequest } from "../../state/model.ts";
import { conciergeThread, MESSAGES, quickExperts } from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { repliesIn, testThread, type Behaviour, type ThreadParts } from "../support/test-thread.ts";
import { makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

const READ = makeStep({ description: "Look at the recipes", stepType: "read", group: 1 });
const JUDGE = makeStep({ description: "Judge them", stepType: "analyze", group: 2 });
const ACCEPT = understandAnswer({ answersPending: "accept" });

/** The first step's call uses `spent`; the rest of a turn costs nothing. */
function spending(cost: Cost): Behaviour {
  return {
    understand: (request) =>
      lastMessage(request).includes("proposal: ") ? { json: ACCEPT } : { json: understandAnswer() },
    think: () => ({
      json: thinkAnswer({ decision: "plan", goal: "Dinner", steps: [READ, JUDGE] }),
    }),
    act: (request) =>
      lastMessage(request).includes(JUDGE.description)
        ? { toolCalls: [{ name: "complete_step", args: COMPLETE }] }
        : { toolCalls: [{ name: "read_recipes", args: {} }], ...cost },
  };
}

const COMPLETE = { resultSummary: "Judged", noteForNextStep: null, refs: [] };

interface Cost {
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number };
  readonly call?: ReturnType<typeof priced>;
}

function priced(costMicros: number) {
  const call = { model: "m", endpoint: null, ms: 1, reasoning: 0, mended: [], learned: [] };
  return { ...call, costMicros };
}

function lastMessage({ messages }: ModelRequest): string {
  return messages.map(({ text }) => text).join("\n");
}

async function openWith(behaviour: Behaviour, parts: Partial<ThreadParts> = {}) {
  return testThread(database, {
    behaviour,
    lanes: { task: true, concierge: false },
    ...parts,
  });
}

const REST =
  "This message has used up what one may use. Left to do: Judge them. Shall I go on with that?";

test.each([
  ["tokens", { usage: { input: 59_000, cached: 0, output: 1_500 } }, null],
  [
    "money",
    { usage: { input: 10, cached: 0, output: 10 }, call: priced(2_000_000) },
    { micros: 2_000_000 },
  ],
] as const)(
  "a turn that has used its budget of %s says what was done and offers the rest, which a yes runs",
  async (_unit, cost, turn: Budget["turn"]) => {
    const thread = await openWith(spending(cost), { budget: { turn, thread: null } });

    const [reply = ""] = repliesIn(await thread.send("what could I cook?"));

    expect(reply).toMatch(/^- Found \d+ recipes[^]*\n\n/u);
    expect(reply.endsWith(REST)).toBe(true);
    expect(thread.requests.map(({ role }) => role)).toEqual(["understand", "think", "act"]);
    const { pending, stepResults } = await thread.state();
    expect(pending).toMatchObject({
      kind: "proposal",
      text: REST,
      plan: { steps: [{ description: "Judge them" }] },
    });
    expect(stepResults.map(({ status }) => status)).toEqual(["done", "failed"]);

    await thread.send("yes");
    const later = thread.requests.slice(3).map(({ role }) => role);
    expect(later.slice(0, 2)).toEqual(["understand", "act"]);
    expect(
      (await thread.state()).stepResults.map(({ step, overBudget }) => [step, overBudget]),
    ).toEqual([[0, undefined]]);
  },
);

test("a turn asks no experts once most of its budget is used", async () => {
  const behaviour: Behaviour = {
    understand: () => ({
      json: understandAnswer({ lane: "concierge", journey: "new", needs: null }),
      usage: { input: 48_000, cached: 0, output: 0 },
    }),
  };
  const thread = await conciergeThread(database, { experts: quickExperts(3), behaviour });

  await thread.send(MESSAGES.question);

  const roles = new Set(thread.requests.map(({ role }) => role));
  expect([roles.has("concierge"), roles.has("expert"), roles.has("mapper")]).toEqual([
    true,
    false,
    false,
  ]);
  expect((await thread.state()).notices.map(({ text }) => text)).toContain(
    "3 of the experts were not asked: most of the turn's budget is used",
  );
});
