import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import { createActNode } from "../../nodes/act.ts";
import { createToolsNode } from "../../nodes/tools.ts";
import { ModelError } from "../../state/model.ts";
import type { PlanStep } from "../../state/plan.ts";
import type { UserData } from "../../state/store.ts";
import type { TurnState } from "../../state/turn.ts";
import { renderSentence } from "../../text/sentences.ts";
import { carryOut, registryAfter, toValues } from "../support/carry-out.ts";
import { testDatabase } from "../support/database.ts";
import { failingReads } from "../support/failing-reads.ts";
import { freshKitchen } from "../support/fresh-kitchen.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { call, calls, complete, stepScripts } from "../support/step-script.ts";
import { listChoices, plannedTurn, makeStep } from "../support/turn-state.ts";

const database = await testDatabase();
const run = await freshKitchen(database);

const RECIPES = makeStep({ description: "Read the recipes" });
const INVENTORY = makeStep({ description: "Read the inventory", subdomain: "inventory" });
const TASKS = makeStep({ description: "Read the tasks", subdomain: "tasks" });
const JUDGE = makeStep({ description: "Judge", stepType: "analyze", group: 2 });

function planned(...steps: PlanStep[]): TurnState {
  return plannedTurn(steps, { run });
}

function services(
  scripts: Parameters<typeof stepScripts>[0],
  userData: UserData = database.userData,
) {
  return testServices({ domain: mealsDomain, userData, scripts: { act: stepScripts(scripts) } });
}

const decided = await decidedTurn();

describe("steps of one group", () => {
  test("run side by side, and the next group after them", async () => {
    const scripted = services({
      "Read the recipes": [call("read_recipes", {})],
      "Read the inventory": [call("read_inventory_items", {})],
      Judge: [complete("All are possible", { refs: ["recipe_1"] })],
    });

    const { state, io, path } = await carryOut(scripted, planned(JUDGE, RECIPES, INVENTORY));

    expect(path).toEqual(["act", "tools", "act"]);
    expect(state.stepResults.map(({ status, outcome }) => `${status}: ${outcome}`)).toEqual([
      "done: All are possible",
      "done: Found 9 recipes",
      "done: Found 59 inventory items",
    ]);
    expect(listChoices(state)).toEqual([["recipe", ["recipe_1"], "All are possible"]]);
    const steps = io.events.flatMap((event) =>
      event.type === "step-start" || event.type === "step-end"
        ? [`${event.type} ${event.index}`]
        : [],
    );
    expect(steps).toEqual([
      "step-start 1",
      "step-start 2",
      "step-end 1",
      "step-end 2",
      "step-start 0",
      "step-end 0",
    ]);
  });

  test("get the outcomes and notes of the groups before, and no others", async () => {
    const scripted = services({
      "Read the recipes": [complete("Nothing to read", { noteForNextStep: "All nine are known" })],
      "Read the tasks": [call("fail_step", { reason: "No tasks today" })],
      Judge: [complete("Fine")],
    });

    await carryOut(scripted, planned(RECIPES, TASKS, JUDGE));

    const prompts = scripted.models.act.requests.map(({ messages }) => messages[1]?.text ?? "");
    expect(prompts.map(stepsBefore)).toEqual([
      [],
      [],
      ["Step 1: Nothing to read Note: All nine are known", "Step 2 (failed): No tasks today"],
    ]);
  });

  test("do not harm each other: a model that gives no answer, a tool that fails, a third that ends well", async () => {
    const broken = failingReads(
      database.userData,
      'from "tasks"',
      () => new TypeError("Cannot read properties of undefined"),
    );
    const scripted = services(
      {
        "Read the recipes": [call("read_recipes", {})],
        "Read the inventory": [
          new ModelError("model_timeout", "Cannot ask the model: no answer in 60 seconds"),
        ],
        "Read the tasks": [
          call("read_tasks", {}),
          call("fail_step", { reason: "The tasks cannot be read." }),
        ],
        Judge: [complete("Judged what is there")],
      },
      broken,
    );

    const { state } = await carryOut(scripted, planned(RECIPES, INVENTORY, TASKS, JUDGE));

    expect(state.stepResults.map(({ status, outcome }) => `${status}: ${outcome}`)).toEqual([
      "done: Found 9 recipes",
      `failed: ${renderSentence("modelTooSlow")}`,
      "failed: The tasks cannot be read.",
      "done: Judged what is there",
    ]);
    expect(state.stepResults[2]?.calls[0]?.text).toBe(
      'Cannot carry out "read_tasks": it failed in itself; do it another way, or fail the step',
    );
    expect(state.notices).toEqual([
      { node: "act", code: "model_timeout", text: "Cannot ask the model: no answer in 60 seconds" },
      {
        node: "tools",
        code: "tool-failed",
        text: "read_tasks: TypeError: Cannot read properties of undefined",
      },
    ]);
    expect(scripted.logged).toEqual([
      expect.stringMatching(/^The tool "read_tasks" failed: TypeError at .+parallel-steps/u),
    ]);
  });

  test("end with a question when one asks: the others of the group end first, later groups are skipped", async () => {
    const scripted = services({
      "Read the recipes": [call("read_recipes", {})],
      "Read the tasks": [
        call("ask_user", { partialAnalysis: "Two are due.", question: "Which one?" }),
      ],
    });

    const { state, path } = await carryOut(scripted, planned(RECIPES, TASKS, JUDGE));

    expect(path).toEqual(["act", "tools"]);
    expect(state.stepResults.map(({ status }) => status)).toEqual(["done", "asked", "skipped"]);
    expect(state.stepResults[1]).toMatchObject({ outcome: "Two are due.", question: "Which one?" });
  });
});

describe("refs", () => {
  test.prop([fc.shuffledSubarray([0, 1, 2], { minLength: 3 })], { numRuns: 6 })(
    "are the same whatever the timing of the tools",
    async (order) => {
      const gated = gatedReads(database.userData, order);
      const update = await createToolsNode(services({}, gated))(decided, recordedIO());
      const expected = await createToolsNode(services({}))(decided, recordedIO());
      expect(toValues(update)).toEqual(toValues(expected));
    },
  );

  test("are given in the order of the steps, a step's calls in their order", async () => {
    const update = toValues(await createToolsNode(services({}))(decided, recordedIO()));
    const { entries } = registryAfter({ ...decided, ...update });

    const prefixes = entries.map(({ ref }) => ref.replace(/_\d+$/u, ""));
    expect([...new Set(prefixes)]).toEqual(["task", "recipe", "inv"]);
    expect(
      update.stepResults?.map(({ calls: made }) =>
        made.map(({ call: number, table }) => `${number} ${table}`),
      ),
    ).toEqual([["1 tasks", "2 tasks"], ["1 recipes"], ["1 inventory"]]);
  });
});

/** A turn in which three steps have decided, and nothing is carried out yet. */
async function decidedTurn(): Promise<TurnState> {
  const scripted = services({
    "Read the tasks": [calls(["read_tasks", {}], ["read_tasks", { whole: true }])],
    "Read the recipes": [call("read_recipes", {})],
    "Read the inventory": [call("read_inventory_items", {})],
  });
  const state = planned(TASKS, RECIPES, INVENTORY);
  return { ...state, ...toValues(await createActNode(scripted)(state, recordedIO())) };
}

/** Returns the part of a step's prompt about the steps before it. */
function stepsBefore(prompt: string): string[] {
  return prompt.split("\n").filter((line) => /^Step \d+( \(|:)/u.test(line));
}

/** User data whose first reads come back in the given order: each waits for those before it. */
function gatedReads(userData: UserData, order: readonly number[]): UserData {
  const gates = order.map(() => Promise.withResolvers<void>());
  let started = 0;
  return {
    ...userData,
    async read(userId, work) {
      const index = started;
      started += 1;
      const result = await userData.read(userId, work);
      const place = order.indexOf(index);
      if (place === -1) return result;
      await gates[place - 1]?.promise;
      gates[place]?.resolve();
      return result;
    },
  };
}
