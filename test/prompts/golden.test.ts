import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fitServices } from "../../nodes/fit-services.ts";
import { createActNode } from "../../nodes/act.ts";
import type { NodeServices } from "../../nodes/node.ts";
import { createReplyNode } from "../../nodes/reply.ts";
import { createSummarizeNode } from "../../nodes/summarize.ts";
import { createThinkNode } from "../../nodes/think.ts";
import { createUnderstandNode } from "../../nodes/understand.ts";
import { startTurnPlan } from "../../nodes/steps/plan-progress.ts";
import type { Limits } from "../../state/limits.ts";
import { ModelError, ModelTierSchema, type ModelRole, type ModelTier } from "../../state/model.ts";
import { StepTypeSchema, type StepType } from "../../state/plan.ts";
import type { TurnState, TurnUpdate } from "../../state/turn.ts";
import { foldRegistry } from "../../registry/apply-event.ts";
import { MEALS_ENTITY_TYPES } from "../../meals/entity-types.ts";
import {
  NARROWED_REGISTRY,
  TABLE_BEFORE,
  thirdTurn,
  thirdTurnUnderstood,
} from "../support/narrowing.ts";
import { recordedIO, stillDomain, testServices } from "../support/node-services.ts";
import { asSmall } from "../support/small-model.ts";
import { messageText } from "../support/render-prompt.ts";
import {
  makePlan,
  makeResult,
  makeStep,
  turnState,
  makeUnderstanding,
} from "../support/turn-state.ts";
import { storedReply } from "../support/replies.ts";
import { makeLedgerLine } from "../support/turn-state.ts";

/** The prompts that differ have a golden file for each tier (models.md §3). */
const TIERS = ModelTierSchema.options;

function nameGolden(name: string, tier: ModelTier): string {
  return tier === "full" ? name : `${name}-${tier}`;
}

type Node = (state: TurnState, io: ReturnType<typeof recordedIO>) => Promise<TurnUpdate>;

/** Returns the prompt of a node in a state, every message as it is sent; `nth` counts the node's calls from 0. */
async function readPrompt(
  make: (services: NodeServices) => Node,
  asked: {
    readonly state: TurnState;
    readonly role: ModelRole;
    readonly nth?: number;
    /** No profile and no snapshot. */
    readonly bare?: boolean;
    readonly limits?: Partial<Limits>;
    /** Tier of the model. Default: full. */
    readonly tier?: ModelTier;
  },
): Promise<string> {
  const silent = new ModelError("model_failed", "no answer");
  const plain = testServices({
    scripts: { [asked.role]: [silent, silent] },
    domain: asked.bare === true ? BARE_DOMAIN : stillDomain,
    ...(asked.limits === undefined ? {} : { limits: asked.limits }),
  });
  const model = plain.models[asked.role];
  const models = { ...plain.models, [asked.role]: asked.tier === "small" ? asSmall(model) : model };
  const services = { ...plain, models };
  await make(fitServices(services, [asked.role]))(asked.state, recordedIO());
  const request = services.models[asked.role].requests[asked.nth ?? 0];
  if (request === undefined) throw new Error("Cannot pin a prompt: the model was not asked");
  return request.messages.map(messageText).join("\n");
}

const BARE_DOMAIN = {
  ...stillDomain,
  loadProfile: async () => ({ text: "", facts: {} }),
  loadSnapshot: async () => "",
};

const CONSTRAINTS: TurnState["constraints"] = [
  { text: "no peanuts", kind: "hard", count: null, until: null, scope: "person", turn: 1 },
  {
    text: "no cod this week",
    kind: "soft",
    count: null,
    until: "2026-01-18",
    scope: "conversation",
    turn: 2,
  },
];
const OLDER: Partial<TurnState> = {
  registryTable: [...TABLE_BEFORE],
  history: {
    lines: [
      makeLedgerLine(1, { goal: "Show what could be cooked" }),
      makeLedgerLine(1, { goal: "Plan the soup", stored: [{ action: "created", refs: "meal_1" }] }),
    ],
    messages: [],
    throughTurn: 1,
  },
  ledger: [makeLedgerLine(1, { goal: "Look into the fridge" })],
  constraints: CONSTRAINTS,
};

const DRAFT = {
  name: "Shakshuka",
  servings: 2,
  ingredients: [{ name: "eggs", quantity: 4 }],
  instructions: "Simmer the sauce.\nBreak the eggs into it.",
};
const WITH_DRAFT = foldRegistry(
  NARROWED_REGISTRY,
  [{ kind: "drafted", turn: 2, type: "recipe", ref: null, content: DRAFT }],
  MEALS_ENTITY_TYPES,
);

test("understand: everything there is", async () => {
  const state = thirdTurn({
    ...OLDER,
    pending: {
      kind: "question",
      text: "Shall I plan the six for the week?",
      options: [
        { ref: "recipe_3", label: "Lentil Soup" },
        { ref: "recipe_4", label: "Chickpea Curry" },
      ],
      waives: [],
      turn: 2,
    },
  });
  const text = await readPrompt(createUnderstandNode, { state, role: "understand" });
  await expect(text).toMatchFileSnapshot("../golden/understand.full.md");
});

test("understand: a first message", async () => {
  const text = await readPrompt(createUnderstandNode, { state: turnState(), role: "understand" });
  await expect(text).toMatchFileSnapshot("../golden/understand.empty.md");
});

test.each(TIERS)("think: everything there is, in the %s tier", async (tier) => {
  const state = thirdTurnUnderstood({
    ...OLDER,
    understanding: makeUnderstanding({
      references: [{ text: "the soup", ref: "recipe_3" }],
      curation: thirdTurnUnderstood().understanding?.curation ?? makeUnderstanding().curation,
      expressed: "Wants to exclude French Toast and Wings",
      answersPending: "adjust",
    }),
    plan: makePlan({ steps: [makeStep()] }),
    stepResults: [
      makeResult(0, {
        status: "replan",
        outcome: "The box is empty",
        blocked: { reason: "The box is empty", tried: "read it", suggestion: "replan" },
      }),
    ],
  });
  const text = await readPrompt(createThinkNode, { state, role: "think", tier });
  await expect(text).toMatchFileSnapshot(`../golden/${nameGolden("think", tier)}.full.md`);
});

test("think: the last turns stand as the specification has them", async () => {
  const text = await readPrompt(createThinkNode, { state: thirdTurnUnderstood(), role: "think" });
  expect(text).toContain(`\n${await golden("seed-last-turn-summary")}\n`);
});

test("act: an analysis is told the prior context as the specification has it", async () => {
  const step = makeStep({ stepType: "analyze", description: "Judge which dishes remain" });
  const state = thirdTurnUnderstood(startTurnPlan(makePlan({ steps: [step] })));
  const text = await readPrompt(createActNode, { state, role: "act" });
  expect(text).toContain(`\n${await golden("seed-prior-context")}\n`);
});

test("reply: the flow stands as the specification has it, what was excluded named", async () => {
  const plan = makePlan({ steps: [makeStep({ stepType: "analyze" })] });
  const state = thirdTurnUnderstood({ plan, stepResults: [makeResult(0, { status: "skipped" })] });
  const text = await readPrompt(createReplyNode, { state, role: "reply" });
  const flow = (await golden("seed-conversation-flow")).replace(
    "Filtered those out (recipe_5, recipe_6)",
    "Filtered out French Toast (recipe_5), Wings (recipe_6)",
  );
  expect(text).toContain(`\n${flow}\n`);
});

function golden(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, `../golden/${name}.md`), "utf8");
}

test.each(TIERS)("think: a first message, in the %s tier", async (tier) => {
  const state = turnState({ understanding: makeUnderstanding({ expressed: "" }) });
  const text = await readPrompt(createThinkNode, { state, role: "think", bare: true, tier });
  await expect(text).toMatchFileSnapshot(`../golden/${nameGolden("think", tier)}.empty.md`);
});

const ACT_STEPS: Readonly<Record<StepType, Partial<ReturnType<typeof makeStep>>>> = {
  read: { description: "Read what is on the shopping list", subdomain: "shopping" },
  analyze: { description: "Judge which dishes remain", refs: ["recipe_3", "recipe_4"] },
  generate: { description: "Put feta on the shakshuka", refs: ["gen_recipe_1"] },
  write: { description: "Save the shakshuka", refs: ["gen_recipe_1"] },
};

const STEPS_IN_TIERS = TIERS.flatMap((tier) =>
  StepTypeSchema.options.map((stepType) => [stepType, tier] as const),
);

test.each(STEPS_IN_TIERS)(
  "act: a %s step with everything there is, in the %s tier",
  async (stepType, tier) => {
    const plan = makePlan({
      goal: "Show what remains",
      steps: [
        makeStep({ description: "Look at the plan", subdomain: "meal_plans" }),
        makeStep({ stepType, group: 2, ...ACT_STEPS[stepType] }),
      ],
    });
    const done = makeResult(0, {
      status: "done",
      outcome: "Nothing is planned there.",
      note: "All days are free",
    });
    const state = thirdTurnUnderstood({
      ...OLDER,
      registry: WITH_DRAFT,
      plan,
      cursor: { group: 2 },
      stepResults: [
        done,
        makeResult(1, {
          repairs: [
            "The drafts break what was asked: there are 2 recipes instead of 3 (3 recipes)",
          ],
          calls: [
            {
              call: 1,
              callId: "call_1",
              tool: "recall",
              table: "turns",
              args: { ref: null, turn: 1, words: null },
              effect: "read",
              ok: true,
              text: 'Turn 1: User said "hello"',
              summary: "Recalled 1 earlier turns",
              refs: [],
              count: 1,
              suppressed: false,
              undescribed: null,
              failures: [],
              outside: null,
              breaches: [],
            },
          ],
        }),
      ],
    });
    const text = await readPrompt(createActNode, { state, role: "act", tier });
    const name = nameGolden(`act-${stepType}`, tier);
    await expect(text).toMatchFileSnapshot(`../golden/${name}.full.md`);
  },
);

test.each(STEPS_IN_TIERS)(
  "act: a %s step in a first turn, in the %s tier",
  async (stepType, tier) => {
    const plan = makePlan({
      steps: [makeStep({ stepType, description: "Do what is asked", subdomain: "tasks" })],
    });
    const state = turnState({ understanding: makeUnderstanding(), ...startTurnPlan(plan) });
    const text = await readPrompt(createActNode, { state, role: "act", bare: true, tier });
    const name = nameGolden(`act-${stepType}`, tier);
    await expect(text).toMatchFileSnapshot(`../golden/${name}.empty.md`);
  },
);

const ANSWERED = makePlan({
  goal: "Save the draft and show what remains",
  steps: [
    makeStep({ stepType: "analyze", description: "Judge which dishes remain" }),
    makeStep({ stepType: "generate", description: "Draft a shakshuka" }),
    makeStep({
      stepType: "write",
      description: "Plan the soup",
      subdomain: "meal_plans",
      group: 2,
    }),
  ],
});
const TOLD: Partial<TurnState> = {
  ...OLDER,
  registry: WITH_DRAFT,
  plan: ANSWERED,
  stepResults: [
    makeResult(0, {
      status: "done",
      outcome: "4 recipes remain",
      refs: ["recipe_3", "recipe_4", "recipe_8", "recipe_9"],
    }),
    makeResult(1, {
      status: "done",
      outcome: "A shakshuka",
      artifacts: ["gen_recipe_1"],
      warnings: ['"Shakshuka" has olive (disliked by Anna)'],
    }),
    makeResult(2, { status: "failed", outcome: "The second dinner could not be planned." }),
  ],
  effects: [
    {
      effectId: 17,
      action: "created",
      ref: "meal_1",
      type: "meal",
      table: "meal_plans",
      label: "Lentil Soup",
      facts: "2026-01-13, dinner",
      change: null,
      step: 2,
    },
  ],
};

const DONE = { ...TOLD, replies: [storedReply("Four dishes remain.")] };

test.each<[string, Parameters<typeof readPrompt>[0], Parameters<typeof readPrompt>[1]]>([
  ["reply.full", createReplyNode, { state: thirdTurnUnderstood(TOLD), role: "reply" }],
  [
    "reply.empty",
    createReplyNode,
    {
      state: turnState({
        input: { messageId: "m-1", text: "thanks" },
        understanding: makeUnderstanding({ expressed: "", reasoning: "" }),
        plan: makePlan({ decision: "answer", steps: [], reasoning: "", goal: "Answer the thanks" }),
      }),
      role: "reply",
      bare: true,
    },
  ],
  ["summarize.full", createSummarizeNode, { state: thirdTurnUnderstood(DONE), role: "summarize" }],
  [
    "summarize.empty",
    createSummarizeNode,
    { state: turnState({ replies: [storedReply("Hello!")] }), role: "summarize" },
  ],
])("the prompt %s is as its golden file has it", async (name, make, asked) => {
  await expect(await readPrompt(make, asked)).toMatchFileSnapshot(`../golden/${name}.md`);
});
