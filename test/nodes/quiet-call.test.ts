import { describe, expect, test } from "vitest";
import { askForText } from "../../nodes/ask/ask-model.ts";
import type { Question } from "../../nodes/ask/question.ts";
import { stablePart } from "../../prompts/part.ts";
import {
  ModelError,
  type LanguageModel,
  type ModelAnswer,
  type ModelRequest,
  type ModelTraits,
} from "../../state/model.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { SMALL_TRAITS } from "../support/small-model.ts";
import { TEST_RUN } from "../support/turn-state.ts";

const QUESTION: Question = {
  node: "reply",
  role: "reply",
  run: TEST_RUN,
  turn: 3,
  parts: [stablePart("rules", "prompt:reply", "Say hello.")],
  required: ["rules"],
  thread: [],
  maxOutputTokens: 100,
};

/** A call that the test answers. */
interface HeldCall extends PromiseWithResolvers<ModelAnswer> {
  readonly request: ModelRequest;
}

/** A model whose calls wait for the test; `reached(n)` resolves with the call number n, from 0. */
class HeldModel implements LanguageModel {
  readonly name = "held";
  readonly calls: HeldCall[] = [];
  readonly traits?: () => ModelTraits;
  readonly #arrivals: readonly PromiseWithResolvers<HeldCall>[];

  constructor(traits: Partial<ModelTraits> | null = null) {
    this.#arrivals = [0, 1].map(() => Promise.withResolvers<HeldCall>());
    if (traits !== null) this.traits = () => ({ ...SMALL_TRAITS, slots: 8, ...traits });
  }

  reached(index: number): Promise<HeldCall> | undefined {
    return this.#arrivals[index]?.promise;
  }

  complete(request: ModelRequest): Promise<ModelAnswer> {
    const call = { ...Promise.withResolvers<ModelAnswer>(), request };
    request.onWait?.(null);
    this.#arrivals[this.calls.length]?.resolve(call);
    this.calls.push(call);
    return call.promise;
  }
}

function answer(text: string): ModelAnswer {
  return {
    text,
    json: undefined,
    toolCalls: [],
    truncated: false,
    usage: { input: 3, cached: 0, output: 1 },
  };
}

/** Asks for a text in a second: half of it makes a call without an answer quiet. */
function ask(model: LanguageModel, question: Partial<Question> = {}) {
  const texts: string[] = [];
  const asked = askForText(
    { ...QUESTION, model, ...question },
    {
      onText: (text) => texts.push(text),
      services: testServices({ limits: { modelSeconds: 1 } }),
      io: recordedIO(),
    },
  );
  return { asked, texts };
}

describe("a call of which nothing comes", () => {
  test("is made once more, and the second one's answer counts", async () => {
    const model = new HeldModel();
    const { asked } = ask(model);

    (await model.reached(1))?.resolve(answer("Hello."));

    expect(await asked).toMatchObject({ kind: "answered", value: "Hello.", notices: [] });
    expect(model.calls[0]?.request.signal?.aborted).toBe(true);
  });

  test("counts where it answers after all", async () => {
    const model = new HeldModel();
    const { asked } = ask(model);

    await model.reached(1);
    model.calls[0]?.resolve(answer("Hello."));

    expect(await asked).toMatchObject({ kind: "answered", value: "Hello.", notices: [] });
  });

  test("is not heard any more once the other one speaks", async () => {
    const model = new HeldModel();
    const { asked, texts } = ask(model);

    const second = await model.reached(1);
    second?.request.onText?.("Hel");
    model.calls[0]?.request.onText?.("Good ");
    model.calls[0]?.reject(new Error("aborted"));
    second?.request.onText?.("lo.");
    second?.resolve(answer("Hello."));

    expect(await asked).toMatchObject({ kind: "answered", value: "Hello." });
    expect(texts.join("")).toBe("Hello.");
  });

  test("leaves the failure of the one that spoke", async () => {
    const model = new HeldModel();
    const { asked } = ask(model);

    const second = await model.reached(1);
    second?.request.onText?.("Hel");
    model.calls[0]?.reject(new Error("aborted"));
    second?.reject(new ModelError("model_unreachable", "the connection was reset"));

    expect(await asked).toMatchObject({ kind: "failed", code: "model_unreachable" });
  });

  test("outlasts a failure of the second", async () => {
    const model = new HeldModel();
    const { asked } = ask(model);

    (await model.reached(1))?.reject(new ModelError("model_rate_limited", "too many"));
    model.calls[0]?.resolve(answer("Hello."));

    expect(await asked).toMatchObject({ kind: "answered", value: "Hello." });
  });

  test("fails in its time where the second hangs too", async () => {
    const model = new HeldModel();

    const asked = await ask(model).asked;

    const reason = "Cannot ask the model: no answer in 1 s";
    expect(asked).toMatchObject({ kind: "failed", code: "model_timeout", reason });
    expect(model.calls).toHaveLength(2);
  });

  test.each<[string, Partial<ModelTraits>, Partial<Question>]>([
    ["without which the turn ends well", {}, { role: "summarize" }],
    ["of an endpoint that takes one at a time", { slots: 1 }, {}],
    ["of a model whose calls take that long", { callMs: 400 }, {}],
  ])("is made once %s", async (_, traits, question) => {
    const model = new HeldModel(traits);

    const asked = await ask(model, question).asked;

    expect(asked).toMatchObject({ kind: "failed", code: "model_timeout" });
    expect(model.calls).toHaveLength(1);
  });
});
