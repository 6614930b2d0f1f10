import { describe, expect, test } from "vitest";
import { checkPlan, collectRefsForThink, cutPlan } from "../../nodes/steps/think-checks.ts";
import { createThinkNode } from "../../nodes/think.ts";
import { mealsDomain } from "../../meals/index.ts";
import { viewConversation } from "../../prompts/view.ts";
import { limitsWith } from "../../state/limits.ts";
import { ModelError } from "../../state/model.ts";
import type { ThinkAnswer } from "../../state/plan.ts";
import type { TurnState } from "../../state/turn.ts";
import { thirdTurnUnderstood } from "../support/narrowing.ts";
import { recordedIO, testServices, type Scripts } from "../support/node-services.ts";
import { flatPlan, makePlan, makeResult, makeStep, thinkAnswer } from "../support/turn-state.ts";
import { renderSentence } from "../../text/sentences.ts";
import { makeLedgerLine } from "../support/turn-state.ts";

const BOUNDS = {
  domain: {
    ...mealsDomain,
    subdomains: [
      { name: "recipes", type: "recipe", about: "" },
      { name: "tasks", type: "task", about: "" },
      { name: "units", type: "unit", about: "" },
    ],
    tools: [],
  },
  limits: { stepsPerPlan: 2 },
};
const STEPS = [makeStep({ refs: ["recipe_3"] })];
const LONG = [makeStep(), makeStep({ subdomain: "tasks" }), makeStep({ refs: ["recipe_3"] })];

describe("checkPlan()", () => {
  test.each<[string, Partial<ThinkAnswer>, string[]]>([
    ["a plan over what was shown", { steps: STEPS }, []],
    ["an answer", { decision: "answer", steps: [] }, []],
    ["a proposal", { decision: "propose", proposal: "Shall I?", steps: STEPS }, []],
    ["a question", { decision: "clarify", questions: ["Which one?"], steps: [] }, []],
    [
      "a part of the data that is not there",
      { steps: [makeStep({ subdomain: "garage" })] },
      ['subdomain "garage" does not exist; there are: recipes, tasks, units'],
    ],
    [
      "a write that lists no change",
      { steps: [makeStep({ stepType: "write", description: "Tidy up", writes: [] })] },
      ['write step "Tidy up" lists no writes; list every change that it makes'],
    ],
    [
      "a change that the part of the data does not allow",
      {
        steps: [
          makeStep({ stepType: "write", writes: [{ action: "delete", type: "task", refs: [] }] }),
          makeStep({
            stepType: "write",
            description: "Rename it",
            subdomain: "units",
            writes: [{ action: "update", type: "unit", refs: [] }],
          }),
        ],
      },
      [
        'step "Read the recipes" cannot delete "task"; recipes can change: recipe',
        'step "Rename it" cannot update "unit"; units can change: nothing',
      ],
    ],
    ["too many steps", { steps: LONG }, ["3 steps; at most 2 are allowed"]],
    ["a plan without a step", { steps: [] }, ['decision "plan" needs at least one step']],
    [
      "a proposal of nothing",
      { decision: "propose", proposal: " ", steps: [] },
      ['decision "propose" needs at least one step', 'decision "propose" needs a sentence in asks'],
    ],
    [
      "a question that asks nothing",
      { decision: "clarify", questions: [" "], steps: [] },
      ['decision "clarify" needs a question in asks'],
    ],
  ])("%s", (_, answer, problems) => {
    expect(checkPlan(flatPlan(answer), BOUNDS)).toEqual(problems);
  });
});

describe("cutPlan()", () => {
  const given = flatPlan({ steps: [makeStep({ refs: ["recipe_3", "recipe_9"] })] });

  test.each<[string, Partial<ThinkAnswer>, Partial<ThinkAnswer> | null]>([
    ["cuts what is over the limit", { steps: LONG }, { steps: LONG.slice(0, 2) }],
    ["reads on without a ref that was not shown", { steps: STEPS }, { steps: STEPS }],
    [
      "writes nothing without all that it is about",
      { steps: [makeStep({ refs: ["recipe_3"], stepType: "write" })] },
      null,
    ],
    ["makes no plan of nothing", { steps: [] }, null],
    ["makes no part of the data up", { steps: [makeStep({ subdomain: "garage" })] }, null],
  ])("%s", (_, answer, cut) => {
    expect(cutPlan(flatPlan(answer), given, BOUNDS)).toEqual(cut === null ? null : flatPlan(cut));
  });
});

describe("collectRefsForThink()", () => {
  test("knows the refs of table, choice, records and history, and no others", () => {
    const state = thirdTurnUnderstood({
      history: {
        lines: [
          makeLedgerLine(1, { stored: [{ action: "deleted", refs: "meal_1 through meal_3" }] }),
        ],
        messages: [],
        throughTurn: 1,
      },
      ledger: [makeLedgerLine(1, { stored: [{ action: "created", refs: "task_12" }] })],
    });
    const shown = collectRefsForThink(state, viewConversation(state, testServices()));

    const known = ["recipe_3", "recipe_5", "inv_59", "meal_2", "task_12", "task_1", "meal_4"];
    expect(known.filter((ref) => shown.includes(ref))).toEqual([
      "recipe_3",
      "recipe_5",
      "inv_59",
      "meal_2",
      "task_12",
    ]);
  });
});

describe("think()", () => {
  test("makes the plan: groups from 1, every step open, one event", async () => {
    const steps = [
      makeStep({ group: 4, description: "Judge them", stepType: "analyze" }),
      makeStep({ group: 2 }),
    ];

    const { update, io } = await think({ json: thinkAnswer({ steps }) });

    const [judge, read] = [
      { ...steps[0], group: 2 },
      { ...steps[1], group: 1 },
    ];
    expect(update).toEqual({
      plan: { ...makePlan(), steps: [judge, read] },
      cursor: { group: 1 },
      stepResults: [makeResult(0), makeResult(1)],
      calls: [{ node: "think", usage: { input: 0, cached: 0, output: 0 } }],
      notices: [],
    });
    expect(io.of("plan")).toEqual([
      { type: "plan", goal: "Show recipe options", decision: "plan", steps },
    ]);
  });

  test.each([
    ["answer", { decision: "answer" }],
    ["clarify", { decision: "clarify", questions: ["Which one?"] }],
  ] as const)("carries nothing out when it decides to %s", async (_, answer) => {
    const { update } = await think({
      json: thinkAnswer({ ...answer, steps: STEPS, questions: ["Which?"] }),
    });

    expect(update.plan?.steps).toEqual([]);
    expect(update.stepResults).toEqual([]);
  });

  test("keeps the steps of a proposal, none of them open", async () => {
    const json = thinkAnswer({ decision: "propose", proposal: "Shall I?", steps: STEPS });

    const { update } = await think({ json });

    expect(update.plan?.steps).toEqual(STEPS);
    expect(update.stepResults).toEqual([]);
  });

  test("gives a plan over the limit back once, then cuts it", async () => {
    const steps = Array.from({ length: 9 }, () => makeStep());
    const { update, services } = await think([
      { json: thinkAnswer({ steps }) },
      { json: thinkAnswer({ steps }) },
    ]);

    expect(services.models.think.requests[1]?.messages.at(-1)?.text).toContain(
      "9 steps; at most 8 are allowed",
    );
    expect(update.plan?.steps).toHaveLength(limitsWith({}).stepsPerPlan);
    expect(update.notices?.map(({ code }) => code)).toEqual(["repair", "partly-used"]);
  });

  test("plans another way after a step was blocked, and keeps what was done", async () => {
    const blocked = { reason: "the box is empty", tried: "a read", suggestion: "replan" } as const;
    const done = makeResult(0, { status: "done", outcome: "Found 9 recipes", refs: ["recipe_3"] });
    const { update, services } = await think(
      { json: thinkAnswer({ steps: [makeStep({ description: "Ask the catalogue", group: 3 })] }) },
      {
        plan: makePlan({
          steps: [
            makeStep(),
            makeStep({ description: "Open the box" }),
            makeStep({ description: "Cook it", group: 2 }),
            makeStep({ description: "Open the door" }),
          ],
        }),
        cursor: { group: 1 },
        stepResults: [
          done,
          makeResult(1, { status: "replan", outcome: "the box is empty", blocked }),
          makeResult(2, { status: "skipped", outcome: "Not reached" }),
          makeResult(3, { status: "replan", outcome: "no key", blocked }),
        ],
      },
    );

    expect(update.plan).toEqual({
      ...makePlan({ replans: 1 }),
      steps: [makeStep(), makeStep({ description: "Ask the catalogue", group: 2 })],
    });
    expect(update.cursor).toEqual({ group: 2 });
    expect(update.stepResults).toEqual([done, makeResult(1)]);
    expect(update.notices).toEqual([
      { node: "think", code: "replanned", text: "Planned another way: the box is empty" },
    ]);
    expect(services.models.think.requests[0]?.messages[1]?.text).toContain(
      "The plan before this one could not be carried out: the box is empty (tried: a read). Not done: Cook it; Open the door. Plan another way.",
    );
  });

  test.each([
    [
      "no answer",
      new ModelError("model_timeout", "Cannot ask the model: no answer in 60 seconds"),
      renderSentence("modelTooSlow"),
    ],
    ["no plan", "Certainly!", renderSentence("modelUnreliable")],
  ])("says why when there is %s, and nothing is done", async (_, entry, failure) => {
    const { update } = await think([entry, entry]);

    expect(update.plan).toMatchObject({ decision: "answer", steps: [], failure });
    expect(update.stepResults).toEqual([]);
    expect(update).not.toHaveProperty("registryEvents");
  });
});

async function think(script: NonNullable<Scripts["think"]>, changes: Partial<TurnState> = {}) {
  const services = testServices({ scripts: { think: script } });
  const io = recordedIO();
  const update = await createThinkNode(services)(thirdTurnUnderstood(changes), io);
  return { update: update as Partial<TurnState>, services, io };
}
