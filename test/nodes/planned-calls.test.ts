import { describe, expect, test } from "vitest";
import { createThinkNode } from "../../nodes/think.ts";
import { collectReceipts } from "../../nodes/reply/collect-receipts.ts";
import { receiptsSuffice } from "../../nodes/reply/receipts-suffice.ts";
import { renumberCalls } from "../../nodes/steps/planned-calls.ts";
import { openRows } from "../../nodes/steps/open-rows.ts";
import { replacePlan, startTurnPlan } from "../../nodes/steps/plan-progress.ts";
import { foldRegistry } from "../../registry/apply-event.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { PlanStep } from "../../state/plan.ts";
import type { RowCall } from "../../state/row-call.ts";
import { testDatabase } from "../support/database.ts";
import { thirdTurnUnderstood } from "../support/narrowing.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { stepPlayer } from "../support/play-steps.ts";
import { call } from "../support/step-script.ts";
import {
  makePlan,
  makeResult,
  makeRowCall,
  makeStep,
  plannedTurn,
  setRow,
  thinkAnswer,
} from "../support/turn-state.ts";
import { viewConversation } from "../../prompts/view.ts";

const database = await testDatabase();
const play = stepPlayer(database);
const WRITE = makeStep({
  description: "Write",
  stepType: "write",
  subdomain: "shopping",
  writes: [],
});
const READ = makeStep({ description: "Look", subdomain: "inventory" });

/** A creation of shopping list lines. */
function addLines(...names: readonly (string | number)[]): RowCall {
  const set = { columns: ["name"], rows: names.map((name) => [name]) };
  return makeRowCall({ do: "create", type: "shopping", set });
}

async function plan(calls: RowCall[], steps = [WRITE]) {
  const answer = { json: thinkAnswer({ steps, calls }) };
  const services = testServices({ scripts: { think: [answer, answer] } });
  const update = await createThinkNode(services)(thirdTurnUnderstood(), recordedIO());
  return { plan: update.plan, notices: update.notices?.map(({ code }) => code) };
}

describe("think() with calls", () => {
  test("derives what their steps write from them", async () => {
    const calls = [
      addLines("figs"),
      makeRowCall({ do: "delete", type: "recipe", refs: ["recipe_3"], step: 1 }),
    ];
    const second = { ...WRITE, subdomain: "recipes" };
    const { plan: made, notices } = await plan(calls, [WRITE, second]);

    expect(made?.calls).toEqual(calls);
    expect(made?.steps.map(({ writes }) => writes)).toEqual([
      [{ action: "create", type: "shopping", refs: [] }],
      [{ action: "delete", type: "recipe", refs: ["recipe_3"] }],
    ]);
    expect(notices).toEqual([]);
  });

  test.each<[string, RowCall]>([
    ["does not fit", makeRowCall({ do: "create", type: "shopping", set: setRow({}) })],
    ["is of an unknown type", makeRowCall({ type: "book" })],
  ])("leaves all calls of a step to its model where one %s", async (_, unfit) => {
    const look = makeRowCall({ type: "inventory", step: 1 });
    const { plan: made, notices } = await plan([addLines("figs"), unfit, look], [WRITE, READ]);

    expect(made?.calls).toEqual([look]);
    expect(made?.steps[0]?.writes).toContainEqual({ action: "create", type: "shopping", refs: [] });
    expect(notices).toEqual(["call-unfit"]);
  });

  test("keeps for the person what did not fit, and the receipt says it", async () => {
    const set = setRow({ name: "eggs", quantity: "two" });
    const { plan: made } = await plan([makeRowCall({ do: "create", type: "shopping", set })]);
    const reason = "“two” does not fit “quantity”";
    const receipts = collectReceipts(
      plannedTurn([WRITE], {
        plan: makePlan({ steps: made?.steps ?? [], misfits: made?.misfits ?? [] }),
        stepResults: [makeResult(0, { status: "failed", outcome: "No answer" })],
      }),
      { registry: thirdTurnUnderstood().registry, workingSet: null, domain: mealsDomain },
    );

    expect(made?.misfits).toEqual([{ step: 0, reason }]);
    expect(receipts.map(({ kind, label, reason: why }) => [kind, label, why])).toEqual([
      ["notDone", "Add shopping list lines", reason],
      ["nothing", "", "Nothing was changed."],
    ]);
  });

  test("runs no read that lost the rows it was for", async () => {
    const calls = [makeRowCall({ refs: ["recipe_999"] })];
    const { plan: made, notices } = await plan(calls, [makeStep()]);

    expect(made?.calls).toEqual([]);
    expect(made?.steps).toHaveLength(1);
    expect(notices).toEqual(["repair", "partly-used"]);
  });
});

describe("act() with calls of the plan", () => {
  test("stores them without asking a model, and the receipts say it all", async () => {
    const { state, path, services } = await play([WRITE], {
      calls: [addLines("figs"), addLines("plums")],
      scripts: {},
    });

    expect(path).toEqual(["act", "tools"]);
    expect(services.models.act.requests).toEqual([]);
    expect(state.stepResults[0]).toMatchObject({
      status: "done",
      outcome: "Created 2 shopping list lines",
    });
    expect(receiptsSuffice(state)).toBe(true);
    const registry = foldRegistry(state.registry, state.registryEvents, mealsDomain.entityTypes);
    const receipts = collectReceipts(state, {
      registry,
      workingSet: viewConversation(state, services).workingSet,
      domain: mealsDomain,
    });
    expect(receipts.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      "created figs",
      "created plums",
    ]);
  });

  test("reads without asking a model", async () => {
    const where = [{ column: "location", op: "=" as const, value: "fridge" }];
    const { state, path } = await play([READ], {
      calls: [makeRowCall({ type: "inventory", find: { all: false, where } })],
      scripts: {},
    });

    expect(path).toEqual(["act", "tools"]);
    expect(state.stepResults[0]).toMatchObject({ status: "done" });
    expect(state.stepResults[0]?.refs).not.toEqual([]);
  });

  test.each<[string, PlanStep, RowCall, string]>([
    [
      "a new row",
      { ...WRITE, subdomain: "tasks" },
      makeRowCall({
        do: "create",
        type: "task",
        set: setRow({ title: "clean oven", due_on: "tomorrow" }),
      }),
      "clean oven: “tomorrow” does not fit “due on”",
    ],
    [
      "a condition",
      { ...READ, subdomain: "tasks", description: "Write" },
      makeRowCall({
        type: "task",
        find: { all: false, where: [{ column: "due_on", op: "<", value: "soon" }] },
      }),
      "“soon” does not fit “due on”",
    ],
  ])("says which value of %s does not fit", async (_, step, planned, words) => {
    const { state } = await play([step], {
      calls: [planned],
      scripts: { Write: [call("fail_step", { reason: "No" })] },
    });
    const [result] = state.stepResults[0]?.calls ?? [];

    expect(result?.isExplained).toBe(true);
    expect(openRows({ calls: result ? [result] : [], notStarted: [] })[0] ?? result?.summary).toBe(
      words,
    );
  });

  test("asks the step's model once a call was refused, and shows it call and refusal", async () => {
    const update = makeRowCall({
      do: "update",
      type: "shopping",
      refs: ["shop_77"],
      set: setRow({ purchased: true }),
    });
    const { state, path, services } = await play([WRITE], {
      calls: [update],
      scripts: { Write: [call("fail_step", { reason: "There is no such line" })] },
    });

    expect(path).toEqual(["act", "tools", "act"]);
    expect(state.stepResults[0]).toMatchObject({ status: "failed" });
    const thread = services.models.act.requests[0]?.messages.slice(2) ?? [];
    expect(thread.map(({ role }) => role)).toEqual(["assistant", "tool"]);
    expect(thread[1]?.text).toContain('Cannot use ref "shop_77"');
  });
});

test("renumberCalls() keeps the calls of the steps that remain", () => {
  const calls = [0, 1, 2].map((step) => makeRowCall({ step }));

  expect(renumberCalls(calls, [0, 2]).map(({ step }) => step)).toEqual([0, 1]);
});

test("replacePlan() moves calls with their steps", () => {
  const before = {
    plan: startTurnPlan(makePlan()).plan,
    results: [makeResult(0, { status: "done" })],
  };

  const { plan: after } = replacePlan(makePlan({ calls: [makeRowCall()] }), before);

  expect(after.calls.map(({ step }) => step)).toEqual([1]);
});
