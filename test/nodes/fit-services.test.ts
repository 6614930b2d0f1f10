import { expertQuestion } from "../support/expert-questions.ts";
import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { z } from "zod";
import { createActNode } from "../../nodes/act.ts";
import { askForAnswer } from "../../nodes/ask/ask-model.ts";
import type { Question } from "../../nodes/ask/question.ts";
import { answerSchema } from "../../nodes/ask/read-checked.ts";
import { createExpertNode } from "../../nodes/expert.ts";
import { describeFit, fitServices } from "../../nodes/fit-services.ts";
import { startTurnPlan } from "../../nodes/steps/plan-progress.ts";
import { createThinkNode } from "../../nodes/think.ts";
import { stablePart, volatilePart } from "../../prompts/part.ts";
import { idSchema } from "../../state/ids.ts";
import { DEFAULT_LIMITS, fitLimits, LIMITS, NARROW_PROMPT_TOKENS } from "../../state/limits.ts";
import type { ModelTraits } from "../../state/model.ts";
import { toValues } from "../support/carry-out.ts";
import { thirdTurnUnderstood } from "../support/narrowing.ts";
import { recordedIO, testServices, type Scripts } from "../support/node-services.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { asSmall, SMALL_TRAITS } from "../support/small-model.ts";
import { makePlan, makeStep, TEST_RUN, thinkAnswer } from "../support/turn-state.ts";

/** Services of which one role's model is small. */
function smallServices(role: "think" | "act", scripts: Scripts, traits: Partial<ModelTraits> = {}) {
  const services = testServices({ scripts });
  const model = asSmall(services.models[role], traits);
  return { ...services, models: { ...services.models, [role]: model } };
}

describe("fitLimits()", () => {
  test("lowers steps and experts' answers for a small model, whatever its window", () => {
    expect(fitLimits(DEFAULT_LIMITS, { tier: "small", window: 32_000 })).toEqual({
      ...DEFAULT_LIMITS,
      stepsPerPlan: 3,
      expertAnswerTokens: 350,
    });
  });

  test("shortens prompts and answers in a narrow window, whatever the tier", () => {
    const fitted = fitLimits(DEFAULT_LIMITS, { tier: "full", window: 8_192 });

    expect(fitted).toMatchObject({
      stepsPerPlan: DEFAULT_LIMITS.stepsPerPlan,
      rowsTokens: 700,
      recordTurns: 1,
      historyTokens: 200,
    });
    const answers = Object.entries(fitted).filter(([name]) => name.endsWith("OutputTokens"));
    expect(answers.filter(([, tokens]) => tokens > 1_500)).toEqual([]);
  });

  test.each([16_000, 128_000, null])("leaves a large model with a window of %s alone", (window) => {
    expect(fitLimits(DEFAULT_LIMITS, { tier: "full", window })).toBe(DEFAULT_LIMITS);
  });

  test.prop([
    fc.dictionary(fc.constantFrom(...Object.keys(LIMITS)), fc.integer({ min: 1, max: 10_000 })),
    fc.constantFrom("full" as const, "small" as const),
    fc.option(fc.integer({ min: 8_192, max: 200_000 })),
  ])("never raises a limit, and changes nothing a second time", (changed, tier, window) => {
    const limits = { ...DEFAULT_LIMITS, ...changed };

    const fitted = fitLimits(limits, { tier, window });

    expect(
      Object.entries(fitted).filter(([name, value]) => value > (limitNamed(limits, name) ?? 0)),
    ).toEqual([]);
    expect(fitLimits(fitted, { tier, window })).toEqual(fitted);
  });
});

function limitNamed(limits: Readonly<Record<string, number>>, name: string): number | undefined {
  return limits[name];
}

describe("fitServices()", () => {
  test("returns services of large models as they are", () => {
    const services = testServices();

    expect(fitServices(services, ["think", "act"])).toBe(services);
  });

  test("takes the weakest of several models", () => {
    const plain = testServices();
    const models = {
      ...plain.models,
      think: asSmall(plain.models.think),
      reply: asSmall(plain.models.reply, { tier: "full", window: 8_192 }),
    };
    const services = { ...plain, models };

    const { tier, limits } = fitServices(services, ["think", "act", "reply"]);

    expect(tier).toBe("small");
    expect(limits).toMatchObject({ stepsPerPlan: 3, rowsTokens: 700 });
    expect(fitServices(services, ["act"])).toBe(services);
  });

  test("is described by a key that changes with what a model learns of itself", () => {
    const plain = testServices();
    let window = 32_000;
    const think = { ...plain.models.think, traits: () => ({ ...SMALL_TRAITS, window }) };
    const services = { ...plain, models: { ...plain.models, think } };

    const before = describeFit(services, ["think"]);
    window = 8_192;

    expect(describeFit(services, ["think"])).not.toBe(before);
  });
});

/** Makes a step as a small model plans it. */
function makeUngrouped(description: string) {
  const { group: _group, ...rest } = makeStep({ description });
  return rest;
}

/** Answers with a plan of so many steps. */
function planSteps(count: number) {
  const steps = ["One", "Two", "Three", "Four"].slice(0, count).map(makeUngrouped);
  return { json: { ...thinkAnswer({}), steps } };
}

describe("think() of a small model", () => {
  test("numbers the groups of the steps, for which it does not ask", async () => {
    const services = smallServices("think", { think: planSteps(3) });

    const node = createThinkNode(fitServices(services, ["think"]));
    const { plan } = toValues(await node(thirdTurnUnderstood(), recordedIO()));

    expect(plan?.steps.map(({ description, group }) => [description, group])).toEqual([
      ["One", 1],
      ["Two", 2],
      ["Three", 3],
    ]);
    expect(JSON.stringify(services.models.think.requests[0]?.schema)).not.toContain('"group"');
  });

  test("sends a plan of four steps back, then cuts it", async () => {
    const services = smallServices("think", { think: [planSteps(4), planSteps(4)] });

    const node = createThinkNode(fitServices(services, ["think"]));
    const { plan } = toValues(await node(thirdTurnUnderstood(), recordedIO()));

    expect(plan?.steps).toHaveLength(3);
    expect(services.models.think.requests[1]?.messages.at(-1)?.text).toContain(
      "4 steps; at most 3 are allowed",
    );
  });
});

test("act() of a small model names no tool that it does not offer", async () => {
  const services = smallServices("act", {
    act: [
      { text: "I would look." },
      { toolCalls: [{ name: "recall", args: { ref: null, turn: 1, words: null } }] },
    ],
  });
  const plan = makePlan({ steps: [makeStep({ description: "Look" })] });

  const node = createActNode(fitServices(services, ["act"]));
  await node(thirdTurnUnderstood(startTurnPlan(plan)), recordedIO());

  const [first, second] = services.models.act.requests;
  expect(first?.tools.map(({ name }) => name)).toEqual([
    "read_recipes",
    "find_recipes",
    "complete_step",
    "ask_user",
    "fail_step",
  ]);
  expect(second?.messages.at(-1)?.text).toBe(
    "This could not be used: no tool was called; call a tool, or end the step with complete_step or fail_step. Answer again with that put right.",
  );
});

describe("askForAnswer() of a small model", () => {
  const schema = answerSchema("pick", "A choice.", z.object({ ref: idSchema("ref") }));
  const refs = Array.from({ length: 100 }, (_, index) => `recipe_${index}`);
  const question = (filling: string): Question => ({
    node: "think",
    role: "think",
    run: TEST_RUN,
    turn: 1,
    parts: [stablePart("rules", "test", "Choose."), volatilePart("ledger", "test", filling)],
    required: ["rules"],
    ids: { ref: refs },
    thread: [],
    maxOutputTokens: 1_500,
  });
  const ask = async (filling: string) => {
    const services = smallServices(
      "think",
      { think: { json: { ref: "recipe_1" } } },
      { window: 8_192, promptTokens: () => 6_000 },
    );
    const asking = { schema, check: () => [], services, io: recordedIO() };
    await askForAnswer(question(filling), asking);
    const [request] = services.models.think.requests;
    const sent = [
      JSON.stringify(request?.schema),
      ...(request?.messages ?? []).map(({ text }) => text),
    ];
    return {
      enumerates: JSON.stringify(request?.schema).includes("recipe_42"),
      tokens: services.countTokens(sent.join("\n")),
    };
  };

  test("lists the ids that may be named where there is room", async () => {
    expect(await ask("")).toMatchObject({ enumerates: true });
  });

  test("gives the room to the prompt where both have none, and sends no more than a narrow window takes", async () => {
    const line = "Turn 1: the person wanted soup and nothing was stored at all.";
    const { enumerates, tokens } = await ask(`${line}\n`.repeat(600));

    expect(enumerates).toBe(false);
    expect(tokens).toBeLessThanOrEqual(NARROW_PROMPT_TOKENS);
  });
});

test("expert() gives a small model 350 tokens, and others beside it 900", async () => {
  const small = asSmall(scriptedModel("Rest a day."));
  const large = scriptedModel("Go on.");
  const services = testServices({
    experts: [
      { id: "small", lens: null, model: small },
      { id: "large", lens: null, model: large },
    ],
  });
  const batch = {
    id: "b",
    purpose: "opening",
    question: expertQuestion("Move?"),
    step: null,
    deadlineAt: 600_000,
    experts: ["small", "large"],
  };

  const node = createExpertNode(services);
  for (const expert of batch.experts) {
    await node({ expert, batch, run: TEST_RUN, turn: 1, thread: [] }, recordedIO());
  }

  const bounds = [small, large].map(({ requests }) => requests.map((one) => one.maxOutputTokens));
  expect(bounds).toEqual([[350], [900]]);
});
