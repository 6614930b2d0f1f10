import { describe, expect, test } from "vitest";
import { z } from "zod";
import { askForAnswer, askForText, askForToolCalls } from "../../nodes/ask/ask-model.ts";
import type { Question } from "../../nodes/ask/question.ts";
import { answerSchema } from "../../nodes/ask/read-checked.ts";
import { explainFailure } from "../../nodes/ask/report-failure.ts";
import { growingPart, stablePart, volatilePart } from "../../prompts/part.ts";
import { sumCalls } from "../../state/budget.ts";
import { ModelError, type LanguageModel, type ModelErrorCode } from "../../state/model.ts";
import type { TurnContext } from "../../state/turn.ts";
import { renderSentence } from "../../text/sentences.ts";
import { hangingModel } from "../support/concierge-thread.ts";
import { recordedIO, testServices, type Scripts } from "../support/node-services.ts";
import { TEST_RUN } from "../support/turn-state.ts";

const SCHEMA = answerSchema("choice", "A choice.", z.object({ choice: z.string() }));

const QUESTION: Question = {
  node: "think",
  role: "think",
  run: TEST_RUN,
  turn: 3,
  parts: [
    volatilePart("message", "input:turn-3", "Which one?"),
    growingPart("registry", "registry", "recipe_1 Soup"),
    stablePart("rules", "prompt:think", "Choose."),
    volatilePart("snapshot", "snapshot", ""),
  ],
  required: ["rules", "message"],
  thread: [],
  maxOutputTokens: 100,
};

const USAGE = { input: 30, cached: 20, output: 5 };

function asking(script: Scripts["think"]) {
  const services = testServices({ scripts: script === undefined ? {} : { think: script } });
  const io = recordedIO();
  return { services, io, model: services.models.think };
}

function choose(
  { services, io }: ReturnType<typeof asking>,
  options: { readonly question?: Partial<Question>; readonly refuse?: readonly string[] } = {},
) {
  return askForAnswer(
    { ...QUESTION, ...options.question },
    {
      schema: SCHEMA,
      check: ({ choice }) =>
        options.refuse?.includes(choice) === true ? [`"${choice}" was not shown`] : [],
      services,
      io,
    },
  );
}

/** Hosts, ports, names of models and settings, statuses, paths of fields. */
const MACHINERY = /gpt|example|:\d{4}|OPENAI|CONCIERGE_|\b[45]\d\d\b|\bchoice\b/u;

const CODES = Object.keys({
  model_key_rejected: 0,
  model_unknown: 0,
  model_unreachable: 0,
  model_context_too_long: 0,
  model_no_credit: 0,
  model_rate_limited: 0,
  model_busy: 0,
  model_timeout: 0,
  model_answer_cut: 0,
  model_aborted: 0,
  model_refused: 0,
  model_request_refused: 0,
  model_failed: 0,
} satisfies Record<ModelErrorCode, 0>) as readonly ModelErrorCode[];

describe("a question of a user's turn", () => {
  const run: TurnContext = { ...TEST_RUN, audience: "user" };
  const words =
    'Cannot get an answer from model "gpt-5" at llm.example:8443: rejected (401); check OPENAI_API_KEY';

  test.each(CODES.filter((code) => code !== "model_aborted"))(
    "tells the user nothing of the machine, and the log everything: %s",
    async (code) => {
      const turn = asking(new ModelError(code, words, { seconds: 12.3 }));

      const asked = await choose(turn, { question: { run } });

      const sentence = explainFailure({ code, seconds: 12.3, refusal: null });
      expect(sentence).not.toMatch(MACHINERY);
      expect(asked).toEqual({
        kind: "failed",
        code,
        reason: sentence,
        seconds: 12.3,
        refusal: null,
        calls: [],
        notices: [{ node: "think", code, text: sentence }],
      });
      expect(turn.services.logged).toEqual([`In "think" of run run-1: ${words}`]);
    },
  );

  test("names no field of an answer that cannot be used", async () => {
    const turn = asking([{ json: { chosen: 1 } }, { json: { chosen: 1 } }]);

    const { notices } = await choose(turn, { question: { run } });

    expect(notices).toEqual([
      { node: "think", code: "repair", text: renderSentence("answerAskedAgain") },
      { node: "think", code: "invalid", text: renderSentence("modelUnreliable") },
    ]);
    expect(turn.services.logged).toHaveLength(2);
    expect(turn.services.logged.every((line) => line.includes("choice: "))).toBe(true);
  });

  test("passes a refusal on for the person, in no notice, and does not ask again", async () => {
    const turn = asking({ text: "I cannot help with that.", refused: true });

    const asked = await choose(turn, { question: { run } });

    expect(asked).toMatchObject({
      kind: "failed",
      code: "model_refused",
      notices: [{ node: "think", code: "model_refused", text: renderSentence("modelRefused") }],
    });
    expect(asked.kind === "failed" && explainFailure(asked)).toBe("I cannot help with that.");
    expect(turn.services.logged).toEqual([
      'In "think" of run run-1: the model refused to answer "think"',
    ]);
  });

  test("says after how many seconds to try again", () => {
    expect([
      explainFailure({ code: "model_busy", seconds: 7.2, refusal: null }),
      explainFailure({ code: "model_rate_limited", seconds: null, refusal: null }),
    ]).toEqual([
      "Too much is being asked of me at the moment. Please try again in about 8 seconds.",
      "Too much is being asked of me at the moment. Please try again in about 60 seconds.",
    ]);
  });
});

describe("askForAnswer()", () => {
  test("shows the parts in order, with what they cost, and takes the answer", async () => {
    const turn = asking({ json: { choice: "recipe_1" }, usage: USAGE });

    const asked = await choose(turn);

    expect(asked).toEqual({
      kind: "answered",
      value: { choice: "recipe_1" },
      truncated: false,
      calls: [{ node: "think", usage: USAGE }],
      notices: [],
    });
    const messages = [
      { role: "system", text: "Choose." },
      { role: "user", text: "recipe_1 Soup\n\nWhich one?" },
    ];
    expect(turn.model.requests).toEqual([
      {
        role: "think",
        messages,
        schema: SCHEMA.named,
        tools: [],
        toolChoice: "required",
        maxOutputTokens: 100,
        accept: expect.any(Function),
        onText: null,
        onWait: expect.any(Function),
        signal: expect.any(AbortSignal),
      },
    ]);
    const sections = [
      { kind: "rules", source: "prompt:think", role: "system", tokens: 2 },
      { kind: "registry", source: "registry", role: "user", tokens: 4 },
      { kind: "message", source: "input:turn-3", role: "user", tokens: 3 },
    ];
    const schemaTokens = Math.ceil(JSON.stringify(SCHEMA.named).length / 4);
    const tokens = 9 + schemaTokens;
    expect(turn.services.archive.manifests).toEqual([
      { node: "think", sections, schemaTokens, threadTokens: 0, tokens },
    ]);
    expect(turn.io.events).toEqual([
      { type: "prompt", node: "think", messages, sections, tokens },
      { type: "usage", node: "think", ...USAGE },
    ]);
  });

  test("asks no model when a part it needs is missing", async () => {
    const turn = asking([]);

    const asked = await choose(turn, {
      question: {
        parts: [
          stablePart("rules", "prompt:think", "Choose."),
          volatilePart("message", "input", ""),
        ],
      },
    });

    const reason = '"think" was not asked: message missing from its prompt';
    expect(asked).toEqual({
      kind: "failed",
      code: "gate",
      reason,
      seconds: null,
      refusal: null,
      calls: [],
      notices: [{ node: "think", code: "gate", text: reason }],
    });
    expect(turn.model.requests).toEqual([]);
    expect(turn.io.events).toEqual([]);
  });

  test("gives a wrong answer back once with the reasons", async () => {
    const turn = asking([
      { json: { choice: "recipe_9" }, usage: USAGE },
      { json: { choice: "recipe_1" }, usage: USAGE },
    ]);

    const asked = await choose(turn, { refuse: ["recipe_9"] });

    const text = 'the answer of "think" could not be used: "recipe_9" was not shown';
    expect(asked).toEqual({
      kind: "answered",
      value: { choice: "recipe_1" },
      truncated: false,
      calls: [
        { node: "think", usage: USAGE },
        { node: "think", usage: USAGE },
      ],
      notices: [{ node: "think", code: "repair", text }],
    });
    expect(turn.model.requests[1]?.messages.slice(2)).toEqual([
      { role: "assistant", text: '{"choice":"recipe_9"}', toolCalls: [] },
      {
        role: "user",
        text: 'This could not be used: "recipe_9" was not shown. Answer again with that put right.',
      },
    ]);
    const [first, second] = turn.services.archive.manifests;
    expect(first?.threadTokens).toBe(0);
    expect(second?.threadTokens).toBeGreaterThan(0);
    expect(second?.tokens).toBe((first?.tokens ?? 0) + (second?.threadTokens ?? 0));
  });

  test.each([
    ["Certainly!", "it was not JSON"],
    ["", "it was not JSON"],
    ['{"choice":"recipe_1"', "it held no whole answer of its own"],
    [{ json: { choice: 3 } }, "choice: Invalid input: expected string, received number"],
    [{ json: [] }, "answer: Invalid input: expected object, received array"],
  ])("fails when the answer stays wrong: %j", async (wrong, problem) => {
    const turn = asking([wrong, wrong]);

    const asked = await choose(turn);

    const text = `the answer of "think" could not be used: ${problem}`;
    expect(asked).toMatchObject({
      kind: "failed",
      code: "invalid",
      reason: text,
      notices: [
        { node: "think", code: "repair", text },
        { node: "think", code: "invalid", text },
      ],
    });
    expect(asked.calls).toHaveLength(2);
    expect(turn.model.remaining()).toBe(0);
  });

  test("fails with a notice when the model gives no answer", async () => {
    const error = new ModelError("model_timeout", "Cannot ask the model: no answer in 60 seconds");
    const turn = asking(error);

    expect(await choose(turn)).toEqual({
      kind: "failed",
      code: "model_timeout",
      reason: error.message,
      seconds: null,
      refusal: null,
      calls: [],
      notices: [{ node: "think", code: "model_timeout", text: error.message }],
    });
  });

  test.each([
    ["and heeds its signal", true],
    ["and ignores its signal", false],
  ])("gives a model up that takes longer than modelSeconds, %s", async (_, heeds) => {
    const services = testServices({ limits: { modelSeconds: 1 } });
    const question = { ...QUESTION, model: hangingModel({ heeds }) };

    const asked = await choose(
      { services, io: recordedIO(), model: services.models.think },
      { question },
    );

    const reason = "Cannot ask the model: no answer in 1 s";
    expect(asked).toMatchObject({ kind: "failed", code: "model_timeout", reason });
  });

  test("keeps what a first answer cost when there is no second one", async () => {
    const turn = asking([
      { text: "Certainly!", usage: USAGE },
      new ModelError("model_unreachable", "Cannot reach the endpoint"),
    ]);

    const asked = await choose(turn);

    expect(asked.kind).toBe("failed");
    expect(sumCalls(asked.calls).tokens).toBe(35);
  });

  test.each([
    ["an abort", new ModelError("model_aborted", "The call was aborted")],
    ["a fault of the program", new TypeError("Cannot read properties of undefined")],
  ])("passes %s on to the driver", async (_, error) => {
    await expect(choose(asking(error))).rejects.toBe(error);
  });
});

describe("askForToolCalls()", () => {
  test("answers a refused call under its own id", async () => {
    const turn = asking([
      { toolCalls: [{ id: "call_7", name: "fly", args: {} }] },
      { toolCalls: [{ name: "look", args: { far: true } }] },
    ]);

    const asked = await askForToolCalls(QUESTION, {
      tools: [],
      select: (calls) => calls,
      check: (calls) => (calls[0]?.name === "fly" ? ['tool "fly" does not exist'] : []),
      services: turn.services,
      io: turn.io,
    });

    expect(asked).toMatchObject({
      kind: "answered",
      value: [{ id: "call_1", name: "look", args: { far: true }, argsError: null }],
    });
    expect(turn.model.requests[1]?.messages.slice(2)).toEqual([
      {
        role: "assistant",
        text: "",
        toolCalls: [{ id: "call_7", name: "fly", args: {}, argsError: null }],
      },
      {
        role: "tool",
        callId: "call_7",
        name: "fly",
        text: 'This could not be used: tool "fly" does not exist. Answer again with that put right.',
      },
    ]);
  });
});

describe("askForText()", () => {
  test("streams what arrives and asks once more when nothing does", async () => {
    const turn = asking(["  ", "Four remain."]);
    const deltas: string[] = [];

    const asked = await askForText(QUESTION, {
      onText: (delta) => deltas.push(delta),
      services: turn.services,
      io: turn.io,
    });

    expect(asked).toMatchObject({ kind: "answered", value: "Four remain." });
    expect(deltas.join("").trim()).toBe("Four remain.");
    expect(turn.model.requests[1]?.messages.at(-1)?.text).toBe(
      "This could not be used: the answer was empty. Answer again with that put right.",
    );
  });

  test.each([
    ["from its beginning on", "", []],
    ["behind words of its own", "Gladly. ", ["Gladly. You plan"]],
  ])("asks once more where an answer repeats its instructions, %s", async (_, before, shown) => {
    const rules = `You plan the meals of a household and carry nothing out. ${"Be short. ".repeat(9)}`;
    const echo = `${before}${rules.replaceAll(" ", "\n")}\n# User\nWhat is left?`;
    const turn = asking([echo, "You plan well: four remain."]);
    const parts = [
      stablePart("rules", "prompt:test", rules),
      ...QUESTION.parts.filter(({ kind }) => kind !== "rules"),
    ];
    const deltas: string[] = [];

    const asked = await askForText(
      { ...QUESTION, parts },
      {
        onText: (delta) => deltas.push(delta),
        onRestart: () => deltas.push("|"),
        services: turn.services,
        io: turn.io,
      },
    );

    expect(asked).toMatchObject({ kind: "answered", value: "You plan well: four remain." });
    const [first = "", second] = deltas.join("").split("|");
    expect(first === "" ? [] : [first.replaceAll("\n", " ").slice(0, 16)]).toEqual(shown);
    expect(second).toBe("You plan well: four remain.");
    expect(turn.model.requests[1]?.messages.at(-1)?.text).toContain("it repeated its instructions");
  });

  test("does not ask again where a text had begun when its time was over", async () => {
    const services = testServices({ limits: { modelSeconds: 1 } });
    const model: LanguageModel = {
      name: "dripping",
      complete: ({ onText }) => {
        onText?.("Four");
        return new Promise(() => undefined);
      },
    };

    const asked = await askForText(
      { ...QUESTION, model },
      { onText: () => undefined, services, io: recordedIO() },
    );

    const reason = "Cannot ask the model: no answer in 1 s";
    expect(asked).toMatchObject({ kind: "failed", code: "model_timeout", reason });
  });
});
