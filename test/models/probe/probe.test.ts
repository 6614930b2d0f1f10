import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { planProbe } from "../../../cli/models/plan-probe.ts";
import { listConfiguredModels } from "../../../models/client/openai.ts";
import { chooseNextStep, listNotReached } from "../../../models/probe/choose-next-step.ts";
import type { ProbedStep } from "../../../models/probe/probe-progress.ts";
import { countUsed } from "../../../models/probe/probe-progress.ts";
import { judgeProbe } from "../../../models/probe/judge-probe.ts";
import { readProbedTraits, readSpeed } from "../../../models/probe/read-traits.ts";
import {
  estimateProbe,
  type ProbePlan,
  type ProbeStep,
} from "../../../models/probe/probe-steps.ts";
import { startProfile } from "../../../models/profile/profile.ts";
import { limitsWith } from "../../../state/limits.ts";
import { ModelError, type ModelAnswer } from "../../../state/model.ts";
import { modelRequest, openAIConfig } from "../../support/model-requests.ts";

const START = startProfile(
  { endpoint: "https://models.example/v1", model: "some", dialect: "chat" },
  "2026-01-12T00:00:00.000Z",
);

const isGood = ({ json }: { readonly json: unknown }) => (json === "good" ? [] : ["it is bad"]);
const question = modelRequest({ accept: isGood });
const again = modelRequest({ accept: isGood });
const QUESTIONS: ProbePlan["questions"] = [
  { node: "Understand", request: question },
  { node: "Think", request: again },
  { node: "Understand", request: question },
  { node: "Think", request: modelRequest({ accept: isGood }) },
];
const plan = (changes: Partial<ProbePlan> = {}): ProbePlan => ({
  questions: QUESTIONS,
  tokens: null,
  window: false,
  ...changes,
});

function answered(step: ProbeStep, changes: Partial<ModelAnswer> = {}): ProbedStep {
  const usage = { input: 1_000, cached: 0, output: 100 };
  const answer = { text: "", json: undefined, toolCalls: [], truncated: false, usage, ...changes };
  const outcome = { kind: "answered", answer } as const;
  return { step, observations: [], ms: 10, firstMs: null, pieces: 0, outcome };
}

function failed(step: ProbeStep, code: ModelError["code"]): ProbedStep {
  const outcome = { kind: "failed", error: new ModelError(code, "Cannot answer") } as const;
  return { ...answered(step), outcome };
}

/** Plays a probe to its end. */
function play(probe: ProbePlan, react: (step: ProbeStep) => ProbedStep): readonly ProbedStep[] {
  const done: ProbedStep[] = [];
  for (;;) {
    const step = chooseNextStep({ plan: probe, done, start: START });
    if (step === null) return done;
    done.push(react(step));
    if (done.length > 60) throw new Error("Cannot end the probe");
  }
}

const outcome = fc.oneof(
  fc.constant((step: ProbeStep) => answered(step)),
  fc.constant((step: ProbeStep) => answered(step, { text: "75", json: "good" })),
  fc.constant((step: ProbeStep) =>
    answered(step, {
      toolCalls: [{ id: "1", name: "read_stock", args: { item: "milk" }, argsError: null }],
    }),
  ),
  fc.constant((step: ProbeStep): ProbedStep => ({
    ...answered(step),
    observations: [{ kind: "thought", style: "tags", tokens: 9 }],
  })),
  fc
    .constantFrom("model_request_refused", "model_failed", "model_rate_limited" as const)
    .map((code) => (step: ProbeStep) => failed(step, code)),
);

test.prop([fc.infiniteStream(outcome), fc.boolean(), fc.constantFrom(null, 1, 3_000)])(
  "chooseNextStep() ends whatever is answered, and asks nothing twice",
  (outcomes, window, tokens) => {
    const done = play(plan({ window, tokens }), (step) => {
      const next = outcomes.next();
      if (next.done === true) throw new Error("Cannot answer: the stream has ended");
      return next.value(step);
    });

    const steps = done.map(({ step }) => JSON.stringify(step));
    expect(new Set(steps).size).toBe(steps.length);
  },
);

test("chooseNextStep() asks each node once where the tokens are used up", () => {
  const done = play(plan({ tokens: 1 }), (step) => answered(step, { json: "good", text: "75" }));

  const asked = done.flatMap(({ step }) => (step.kind === "question" ? [step.index] : []));
  expect(asked).toEqual([0, 1]);
  expect(listNotReached({ plan: plan({ tokens: 1 }), done, start: START })).toEqual([
    "Understand 1 more",
    "Think 1 more",
    "cached tokens",
  ]);
});

test("chooseNextStep() asks on where an answer was wrong, so that more than one decides", () => {
  const done = play(plan({ tokens: 1 }), (step) => answered(step, { text: "75" }));

  const asked = done.flatMap(({ step }) => (step.kind === "question" ? [step.index] : []));
  expect(asked).toEqual([0, 1, 2, 3]);
});

test("readProbedTraits() takes no failure for proof that the next call would meet as well", () => {
  const done = [
    answered({ kind: "text" }, { text: "75" }),
    failed({ kind: "structured", mode: "json_schema" }, "model_rate_limited"),
  ];
  const progress = { plan: plan(), done, start: START };

  expect(readProbedTraits(progress)).toEqual([]);
  expect(judgeProbe(progress)).toEqual({ kind: "failed", sentence: "Cannot answer" });
});

test("countUsed() counts no cached tokens and not the search for the window", () => {
  const usage = { input: 1_000, cached: 900, output: 50 };

  expect(
    countUsed([
      answered({ kind: "text" }, { usage }),
      answered({ kind: "window", tokens: 3_500 }, { usage }),
      failed({ kind: "stream" }, "model_failed"),
    ]),
  ).toBe(150);
});

test("readSpeed() tells reading from writing, and what a turn takes", () => {
  const usage = { input: 1_200, cached: 200, output: 100 };
  const done = [
    { ...answered({ kind: "stream" }, { usage }), firstMs: 1_000, ms: 3_000 },
    { ...answered({ kind: "question", index: 0 }, { usage }), ms: 4_000 },
    { ...answered({ kind: "question", index: 1 }, { usage }), ms: 7_000 },
  ];

  // 100 tokens in two seconds; of four and seven seconds two are writing.
  expect(readSpeed(done, plan())).toEqual({
    read: (1_000 / 2 + 1_000 / 5) / 2,
    written: 50,
    turnSeconds: 14,
  });
  expect(readSpeed([], plan())).toEqual({ read: null, written: null, turnSeconds: null });
});

test("estimateProbe() of a model elsewhere comes to about 6,000 tokens", async () => {
  const [model] = listConfiguredModels(openAIConfig("https://models.example/v1"));
  if (model === undefined) throw new Error("Cannot plan: no model is configured");

  const probe = await planProbe(model, { limits: limitsWith({}), window: false });

  const { input, output } = estimateProbe(probe);
  expect(input + output).toBeGreaterThan(5_000);
  expect(input + output).toBeLessThan(7_000);
});
