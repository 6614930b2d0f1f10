import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import type { Expert } from "../../state/expert.ts";
import { ModelError } from "../../state/model.ts";
import { PostgresCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import {
  conciergeBehaviour,
  conciergeThread,
  createExpert,
  hangingModel,
  lastText,
  readQuestion,
  modelThat,
  noticesIn,
  quickExperts,
  listRequests,
  MESSAGES,
  sendAll,
} from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { openThread, repliesIn } from "../support/test-thread.ts";

const database = await testDatabase();

/** Experts that begin one after the other and answer only once all have begun. */
function mutuallyWaiting(count: number): readonly Expert[] {
  const all = Promise.withResolvers<void>();
  let begun = 0;
  const model = modelThat(async () => {
    begun += 1;
    if (begun === count) all.resolve();
    await all.promise;
    return { text: "My view", usage: { input: 7, cached: 1, output: 3 } };
  });
  return Array.from({ length: count }, (_, index) => ({ id: `e${index + 1}`, lens: null, model }));
}

/** Returns each expert's outcome, from the events. */
function endsIn(events: readonly TurnEvent[]): Record<string, string> {
  const ends = events.filter((event) => event.type === "expert-end");
  return Object.fromEntries(
    ends.map(({ expert, outcome, reason }) => [
      expert,
      reason === null ? outcome : `${outcome}: ${reason}`,
    ]),
  );
}

describe("a batch", () => {
  test("asks 32 experts side by side: all have begun before one is answered", async () => {
    const experts = mutuallyWaiting(32);
    const thread = await conciergeThread(database, {
      experts,
      limits: { batchTokens: 1_000_000 },
    });

    const events = await thread.send(MESSAGES.question);

    expect(Object.values(endsIn(events))).toEqual(Array.from({ length: 32 }, () => "answered"));
    const { answers, calls } = await thread.state();
    expect(answers.map(({ expert, usage }) => [expert, usage])).toEqual(
      experts.map(({ id }) => [id, { input: 7, cached: 1, output: 3 }]),
    );
    expect(calls.filter(({ node }) => node === "expert")).toHaveLength(32);
    expect(checkEventOrder(events)).toEqual([]);
  });

  test("that an expert hangs in costs the deadline, though it heeds no signal", async () => {
    const thread = await conciergeThread(database, {
      experts: [...quickExperts(2), { id: "e3", lens: null, model: hangingModel() }],
      limits: { batchSeconds: 1 },
    });

    const events = await thread.send(MESSAGES.question);

    expect(endsIn(events)).toEqual({
      e1: "answered",
      e2: "answered",
      e3: "late: no answer in time",
    });
    expect(noticesIn(events)).toEqual(["expert expert-late", "mapper map-checked"]);
    expect(repliesIn(events)).toHaveLength(1);
  });

  test("names every failure and goes on with the answers that came", async () => {
    const thrown = new ModelError("model_rate_limited", "Cannot ask the model: it said 429");
    const thread = await conciergeThread(database, {
      experts: [
        ...quickExperts(2),
        createExpert("cut-off", () => ({ text: "Half", truncated: true })),
        createExpert("refused", () => thrown),
        createExpert("broken", () => new TypeError("no such thing")),
        createExpert("empty", () => "  "),
      ],
    });

    const events = await thread.send(MESSAGES.question);

    expect(endsIn(events)).toEqual({
      e1: "answered",
      e2: "answered",
      "cut-off": "partial",
      refused: expect.stringMatching(/^failed: model_rate_limited: Too much is being asked of me/u),
      broken: "failed: TypeError",
      empty: expect.stringContaining("failed: invalid: "),
    });
    const mapped = thread.requests.filter(({ role }) => role === "mapper").map(lastText);
    expect(mapped.map((text) => text.match(/^Answer \d/gmu))).toEqual([
      ["Answer 1", "Answer 2", "Answer 3"],
    ]);
    expect(noticesIn(events)).toEqual([
      "expert expert-failed",
      "expert expert-failed",
      "expert expert-failed",
      "mapper map-checked",
    ]);
  });

  test("with fewer than two answers is answered from the concierge's own knowledge, who is told so", async () => {
    const silent = new ModelError("model_timeout", "Cannot ask the model: no answer");
    const thread = await conciergeThread(database, {
      experts: [
        createExpert("e1", () => ({ text: "Alone", usage: { input: 7, cached: 0, output: 3 } })),
        createExpert("e2", () => silent),
      ],
    });

    const events = await thread.send(MESSAGES.question);

    const [prompt] = listRequests(thread, "starter").map(lastText);
    expect(prompt).toContain("No expert view came in this time.");
    expect(prompt).not.toContain("Alone");
    expect(thread.requests.filter(({ role }) => role === "mapper")).toEqual([]);
    expect(noticesIn(events)).toEqual(["expert expert-failed", "mapper no-quorum"]);
    const { calls, opening } = await thread.state();
    expect(opening).toMatchObject({ analysis: null });
    expect(calls.filter(({ node }) => node === "expert")).toEqual([
      { node: "expert", usage: { input: 7, cached: 0, output: 3 } },
    ]);
  });

  test("keeps model, time and money of its experts' calls", async () => {
    const call = {
      model: "wise",
      endpoint: "https://models.example/v1",
      ms: 1_200,
      reasoning: 5,
      costMicros: 420,
    };
    const usage = { input: 7, cached: 0, output: 3 };
    const answer = { text: "My view", usage, call: { ...call, mended: ["views"], learned: [] } };
    const thread = await conciergeThread(database, {
      experts: [createExpert("e1", () => answer), createExpert("e2", () => answer)],
    });

    await thread.send(MESSAGES.question);

    const { calls } = await thread.state();
    const record = { node: "expert", usage, ...call, mended: 1 };
    expect(calls.filter(({ node }) => node === "expert")).toEqual([record, record]);
  });

  test("asks the first experts alone when all of them would cost more than its budget", async () => {
    const thread = await conciergeThread(database, {
      experts: quickExperts(4),
      limits: { batchTokens: 9_000, expertThreadTokens: 2_000, expertAnswerTokens: 900 },
    });

    const events = await thread.send(MESSAGES.question);

    expect(Object.keys(endsIn(events))).toEqual(["e1", "e2", "e3"]);
    expect(noticesIn(events)).toEqual(["convene batch-budget", "mapper map-checked"]);
  });

  test("goes on after a fault without asking again who has answered", async () => {
    const kept = Promise.withResolvers<void>();
    class DyingWithThird extends PostgresCheckpointer {
      #stored = 0;
      #dead = false;

      override async put(...args: Parameters<PostgresCheckpointer["put"]>) {
        if (this.#dead) throw new Error("The process has died");
        return super.put(...args);
      }

      override async putWrites(...args: Parameters<PostgresCheckpointer["putWrites"]>) {
        const [, writes] = args;
        const text = JSON.stringify(writes);
        this.#dead ||= text.includes('"View of e3"');
        if (this.#dead) throw new Error("The process has died");
        await super.putWrites(...args);
        if (text.includes('"View of e')) this.#stored += 1;
        if (this.#stored === 2) kept.resolve();
      }
    }
    const experts = [1, 2, 3].map((index) =>
      createExpert(`e${index}`, async () => {
        if (index === 3) await kept.promise;
        return `View of e${index}`;
      }),
    );
    const parts = { run: newRun(), experts, behaviour: conciergeBehaviour() };

    const dying = { ...parts, checkpointer: new DyingWithThird(database.pool) };
    const first = await openThread(database, dying).send(MESSAGES.question, { messageId: "m-1" });
    expect(first.at(-1)?.type).toBe("error");
    const rest = await openThread(database, parts).send("task: hello", { messageId: "m-2" });

    expect(experts.map(({ model }) => model.requests.length)).toEqual([1, 1, 2]);
    expect(rest.filter(({ type }) => type === "turn-end").map(({ turn }) => turn)).toEqual([1, 2]);
    expect(repliesIn(rest)).toHaveLength(2);
  });
});

describe("an expert", () => {
  test("keeps a thread of its own across batches, which its prompt goes on with", async () => {
    const experts = [1, 2].map((index) => createExpert(`e${index}`, () => `View of e${index}`));
    const thread = await conciergeThread(database, { experts });

    await sendAll(thread, [MESSAGES.question, MESSAGES.reply, MESSAGES.plan]);

    for (const [index, { model }] of experts.entries()) {
      const questions = model.requests.map(readQuestion);
      expect(questions).toHaveLength(3);
      for (const [at, { messages }] of model.requests.entries()) {
        const before = questions.slice(0, at).flatMap((text) => [
          { role: "user", text },
          { role: "assistant", text: `View of e${index + 1}`, toolCalls: [] },
        ]);
        expect(messages.slice(1, -1)).toEqual(before);
        // The same bytes in every batch.
        expect(messages[0]).toEqual(model.requests[0]?.messages[0]);
      }
      const other = `View of e${2 - index}`;
      expect(JSON.stringify(model.requests)).not.toContain(other);
    }
  });

  test("that answers with 200,000 characters is cut to its share and counts as partial", async () => {
    const long = "Zwiebeln halten im Keller bis März. ".repeat(5_600);
    const thread = await conciergeThread(database, {
      experts: [...quickExperts(1), createExpert("e2", () => long)],
      limits: { expertAnswerTokens: 900 },
    });

    const events = await thread.send(MESSAGES.question);

    expect(endsIn(events)).toEqual({ e1: "answered", e2: "partial" });
    const [mapped] = thread.requests.filter(({ role }) => role === "mapper").map(lastText);
    expect(mapped?.length).toBeLessThan(5_000);
    const { expertThreads } = await thread.state();
    expect(expertThreads.map(({ expert }) => expert)).toEqual(["e1", "e2"]);
  });
});

describe("the mapper", () => {
  const QUESTIONS = Array.from({ length: 20 }, (_, index) => `new: what about matter ${index}?`);
  /** Experts whose answer depends on what the batch asks alone. */
  const experts = quickExperts(3).map(({ id }) =>
    createExpert(id, (request) => `${id} on ${lastText(request)}`),
  );

  /** The mapper's prompts of a conversation, by what the batch asked. */
  async function prompts(questions: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const thread = await conciergeThread(database, { experts });
    await sendAll(thread, questions);
    const asked = thread.requests.filter(({ role }) => role === "mapper");
    return new Map(
      asked.map(({ messages, ...rest }) => [
        /<request>\n(.*)\n/u.exec(messages.at(-1)?.text ?? "")?.[1] ?? "",
        JSON.stringify({ ...rest, messages, signal: null }),
      ]),
    );
  }

  test("is shown the batch's prompt and answers alone: another conversation, the same bytes", async () => {
    const [forth, back] = await Promise.all([
      prompts(QUESTIONS),
      prompts([MESSAGES.question, MESSAGES.reply, ...QUESTIONS.toReversed()]),
    ]);

    expect([...forth.keys()]).toEqual(QUESTIONS);
    for (const question of QUESTIONS) expect(back.get(question)).toBe(forth.get(question));
  });
});
