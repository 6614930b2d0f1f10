import { describe, expect, test } from "vitest";
import { askForText } from "../../nodes/ask/ask-model.ts";
import type { Question } from "../../nodes/ask/question.ts";
import { isTurnNearlySpent, TurnMeter } from "../../nodes/ask/turn-meter.ts";
import { stablePart, volatilePart } from "../../prompts/part.ts";
import { ModelError, type LanguageModel, type ModelRole } from "../../state/model.ts";
import { recordedIO, testServices, type Scripts } from "../support/node-services.ts";
import { TEST_RUN } from "../support/turn-state.ts";

function question(role: ModelRole): Question {
  return {
    node: role,
    role,
    run: TEST_RUN,
    turn: 1,
    parts: [stablePart("rules", "prompt", "Answer."), volatilePart("message", "input", "Hello")],
    required: ["message"],
    thread: [],
    maxOutputTokens: 100,
  };
}

/** A turn of 1,000 tokens, of which `used` are used. */
function openTurn(used: number, scripts: Scripts) {
  const services = testServices({ limits: { tokensPerTurn: 1_000 }, scripts });
  const meter = new TurnMeter();
  meter.begin([{ node: "understand", usage: { input: used, cached: 0, output: 0 } }]);
  const io = { ...recordedIO(), meter };
  const ask = async (role: ModelRole, model?: LanguageModel) =>
    askForText(
      { ...question(role), ...(model === undefined ? {} : { model }) },
      { onText: null, services, io },
    );
  return { services, meter, ask };
}

function answer(tokens: number) {
  return { text: "Fine.", usage: { input: tokens, cached: 0, output: 0 } };
}

describe("askForText() within a turn's budget", () => {
  test.each(["expert", "mapper", "summarize"] as const)(
    "refuses what is optional from 80 %% on: %s",
    async (role) => {
      const before = openTurn(799, { [role]: "Fine." });
      const after = openTurn(800, { [role]: "Fine." });

      expect((await before.ask(role)).kind).toBe("answered");
      expect(await after.ask(role)).toMatchObject({
        kind: "failed",
        code: "turn-budget",
        calls: [],
      });
      expect(after.services.models[role].requests).toEqual([]);
    },
  );

  test("asks what a turn needs until the budget is used up", async () => {
    const { ask, services } = openTurn(900, { reply: [answer(99), "Fine."] });

    expect((await ask("reply")).kind).toBe("answered");
    expect(await ask("reply")).toMatchObject({
      kind: "failed",
      code: "turn-budget",
      reason: '"reply" was not answered: the turn\'s budget is used up',
    });
    expect(services.models.reply.requests).toHaveLength(1);
  });

  test("does not send a prompt for which no room is left", async () => {
    const { ask, services } = openTurn(999, { reply: "Fine." });

    expect((await ask("reply")).kind).toBe("failed");
    expect(services.models.reply.requests).toEqual([]);
  });

  test("ends calls that run beside the one that uses the budget up, with what they had cost", async () => {
    const { ask } = openTurn(0, { act: answer(1_200) });
    const begun = Promise.withResolvers<void>();
    const slow: LanguageModel = {
      name: "slow",
      complete: ({ signal }) =>
        new Promise((_, reject) => {
          const aborted = new ModelError("model_aborted", "The call was aborted");
          signal?.addEventListener("abort", () => reject(aborted));
          begun.resolve();
        }),
    };

    const running = ask("think", slow);
    await begun.promise;
    await ask("act");

    expect(await running).toMatchObject({ kind: "failed", code: "turn-budget", calls: [] });
  });

  test("makes no repair once the budget is used up", async () => {
    const { ask, services } = openTurn(0, { reply: [{ ...answer(1_200), text: " " }, "Fine."] });

    expect(await ask("reply")).toMatchObject({ kind: "failed", code: "invalid" });
    expect(services.models.reply.requests).toHaveLength(1);
  });
});

test("TurnMeter counts the calls of a state once, however often a node begins", () => {
  const { services, meter } = openTurn(100, {});
  const call = { node: "act", usage: { input: 50, cached: 0, output: 10 } } as const;

  meter.add(call, services);
  meter.begin([{ node: "understand", usage: { input: 100, cached: 0, output: 0 } }, call]);

  expect(meter.spent).toEqual({ tokens: 160, micros: 0 });
});

test("isTurnNearlySpent() counts tokens and money, whichever is used sooner", () => {
  const services = testServices({
    limits: { tokensPerTurn: 1_000 },
    budget: { turn: { micros: 1_000 }, thread: null },
  });
  const use = (tokens: number, costMicros: number): boolean =>
    isTurnNearlySpent(
      [{ node: "act", usage: { input: tokens, cached: 0, output: 0 }, costMicros }],
      services,
      {},
    );

  expect([use(799, 799), use(800, 0), use(0, 800)]).toEqual([false, true, true]);
});
