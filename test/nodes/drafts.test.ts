import { describe, expect, test } from "vitest";
import { findEntry } from "../../registry/entries.ts";
import type { Constraint } from "../../state/constraint.ts";
import type { Json } from "../../state/json.ts";
import type { PlanStep } from "../../state/plan.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import type { UserData } from "../../state/store.ts";
import type { TurnContext, TurnState } from "../../state/turn.ts";
import { registryAfter } from "../support/carry-out.ts";
import { testDatabase } from "../support/database.ts";
import { appliedWrites, freshKitchen, namesIn } from "../support/fresh-kitchen.ts";
import { noDatabase, stillDomain } from "../support/node-services.ts";
import { stepPlayer, type PlayedSteps } from "../support/play-steps.ts";
import { adding, call, calls, complete, type StepScript } from "../support/step-script.ts";
import { makeStep, makeUnderstanding } from "../support/turn-state.ts";
import { renderSentence } from "../../text/sentences.ts";

const database = await testDatabase();
const playSteps = stepPlayer(database);
const DRAFT = makeStep({ description: "Draft", stepType: "generate" });
const SAVE = makeStep({ description: "Save", stepType: "write" });
const LOOK = makeStep({ description: "Look" });

/** A dish as Act hands it over. */
const SHAKSHUKA = {
  ref: null,
  set: {
    name: "Shakshuka",
    servings: 2,
    ingredients: [{ name: "eggs", quantity: 4 }, { name: "tomatoes" }],
  },
};

describe("a draft", () => {
  test("is made, not saved, and can be told from what is", async () => {
    const run = await freshKitchen(database);

    const { state } = await play(DRAFT, {
      run,
      script: [complete("A shakshuka", { artifacts: [SHAKSHUKA] })],
    });

    expect(state.stepResults[0]).toMatchObject({
      status: "done",
      outcome: "A shakshuka",
      artifacts: ["gen_recipe_1"],
      refs: ["gen_recipe_1"],
    });
    expect(draftIn(state)).toMatchObject({
      ref: "gen_recipe_1",
      id: null,
      label: "Shakshuka",
      action: "generated",
      row: {
        name: "Shakshuka",
        servings: 2,
        ingredients: [{ name: "eggs", quantity: 4 }, { name: "tomatoes" }],
      },
    });
    expect(state.effects).toEqual([]);
    expect(await appliedWrites(database, run.threadId)).toBe(0);
  });

  test("is changed in place: what is not named stays", async () => {
    const run = await freshKitchen(database);
    const first = await drafted(run);
    const topped = { ref: "gen_recipe_1", set: { servings: 3 } };

    const { state } = await play(DRAFT, {
      run,
      script: [complete("For three", { artifacts: [topped] })],
      changes: { ...first, turn: 2 },
    });

    expect(state.stepResults[0]?.artifacts).toEqual(["gen_recipe_1"]);
    expect(draftIn(state)).toMatchObject({
      ref: "gen_recipe_1",
      createdTurn: 1,
      referencedTurn: 2,
      row: {
        name: "Shakshuka",
        servings: 3,
        ingredients: [{ name: "eggs", quantity: 4 }, { name: "tomatoes" }],
      },
    });
  });

  test("is read from the registry, without a query", async () => {
    const run = await freshKitchen(database);
    const first = await drafted(run);

    const { state } = await play(LOOK, {
      run,
      script: [call("read_recipes", { refs: ["gen_recipe_1"] })],
      changes: { ...first, turn: 2 },
      domain: stillDomain,
      userData: noDatabase,
    });

    const [result] = state.stepResults;
    expect(result).toMatchObject({ outcome: "Had 1 draft at hand", refs: ["gen_recipe_1"] });
    expect(result?.calls[0]).toMatchObject({ ok: true, suppressed: true, count: 1 });
    expect(result?.calls[0]?.text).toContain("eggs");
  });

  test("is saved once, under its own ref", async () => {
    const run = await freshKitchen(database);
    const first = await drafted(run);
    const save = call("create_recipes", { rows: [], drafts: ["gen_recipe_1"] });

    const { state } = await play(SAVE, {
      run,
      script: [save, complete("Saved")],
      changes: { ...first, turn: 2 },
    });

    expect(state.effects).toEqual([
      {
        effectId: expect.any(Number),
        action: "created",
        ref: "gen_recipe_1",
        type: "recipe",
        table: "recipes",
        label: "Shakshuka",
        facts: "eggs, tomatoes",
        change: "servings 2",
        step: 0,
      },
    ]);
    const entry = draftIn(state);
    expect(entry).toMatchObject({ ref: "gen_recipe_1", action: "created", detail: "full" });
    expect(entry?.id).toMatch(/^[0-9a-f-]{36}$/u);
    expect(await namesIn(database, { table: "recipes", userId: run.userId })).toContain(
      "Shakshuka",
    );

    const again = await play(SAVE, {
      run,
      script: [
        save,
        call("block_step", { reason: "It is saved.", tried: "to save it", suggestion: "stop" }),
      ],
      changes: { registry: state.registry, registryEvents: state.registryEvents, turn: 3 },
    });
    expect(again.state.stepResults[0]).toMatchObject({
      status: "blocked",
      outcome: "It is saved. Not done: Shakshuka: it is saved already",
    });
    expect(again.state.effects).toEqual([]);
  });

  test.each<[string, Json, string]>([
    [
      "a wrong column",
      { ...SHAKSHUKA, set: { taste: "good" } },
      'set has the unknown key "taste"; leave it out',
    ],
    [
      "a wrong value",
      { ...SHAKSHUKA, set: { servings: "two" } },
      'set.servings is "two"; give a number',
    ],
    [
      "a required column left out",
      { ...SHAKSHUKA, set: { servings: 2 } },
      'Cannot make a recipe without "name": give a value',
    ],
  ])("with %s goes back before it is taken", async (_, artifact, reason) => {
    const { state, services } = await play(DRAFT, {
      script: [
        complete("A dish", { artifacts: [artifact] }),
        complete("A shakshuka", { artifacts: [SHAKSHUKA] }),
      ],
    });

    expect(services.models.act.requests[1]?.messages.at(-1)?.text).toContain(reason);
    expect(state.stepResults[0]).toMatchObject({ status: "done", artifacts: ["gen_recipe_1"] });
    expect(state.registryEvents).toHaveLength(1);
  });

  test("that stays wrong is not taken, and the step has failed", async () => {
    const wrong = complete("A dish", { artifacts: [{ ...SHAKSHUKA, set: { servings: "two" } }] });

    const { state } = await play(DRAFT, { script: [wrong, wrong] });

    expect(state.stepResults[0]).toMatchObject({ status: "failed", artifacts: [] });
    expect(state.registryEvents).toEqual([]);
  });

  test("is not what is saved already", async () => {
    const run = await freshKitchen(database);
    const first = await play(LOOK, { run, script: [call("read_recipes", {})] });
    const change = { ...SHAKSHUKA, ref: "recipe_1" };

    const { services } = await play(DRAFT, {
      run,
      script: [complete("Changed", { artifacts: [change] }), call("fail_step", { reason: "No" })],
      changes: { registryEvents: first.state.registryEvents },
    });

    expect(services.models.act.requests[1]?.messages.at(-1)?.text).toContain(
      '"recipe_1" is not a draft; change it in a write step',
    );
  });
});

describe("drafts that break what holds", () => {
  const satay = {
    ...SHAKSHUKA,
    set: { name: "Satay", ingredients: [{ name: "peanuts" }] },
  };
  const QUESTION = renderSentence("goAheadAnyway", {
    breaches: '"Satay" has peanut, which Anna must not eat (Anna\'s allergy: peanuts).',
  });

  test("go back once with the reason, and may be put right", async () => {
    const { state, services } = await play(DRAFT, {
      script: [
        complete("A satay", { artifacts: [satay] }),
        complete("A shakshuka", { artifacts: [SHAKSHUKA] }),
      ],
    });

    expect(services.models.act.requests[1]?.messages[1]?.text).toMatch(
      /^Sent back: The drafts break what was asked: "Satay" has .* \(Anna's allergy: peanuts\)$/mu,
    );
    expect(state.stepResults[0]).toMatchObject({ status: "done", artifacts: ["gen_recipe_1"] });
    expect(draftIn(state)?.label).toBe("Shakshuka");
  });

  test("become a question that names it, and are kept as drafts", async () => {
    const insist = complete("A satay", { artifacts: [satay] });

    const { state } = await play(DRAFT, { script: [insist, insist] });

    const [result] = state.stepResults;
    expect(result).toMatchObject({
      status: "asked",
      outcome: "A satay",
      artifacts: ["gen_recipe_1"],
    });
    expect(result?.question?.replace(/has \w+/u, "has peanut")).toBe(QUESTION);
    expect(result?.breaches.map(({ rule }) => rule)).toEqual(["Anna's allergy: peanuts"]);
    expect(state.effects).toEqual([]);
  });

  test("pass once the person has said yes", async () => {
    const { state } = await play(DRAFT, {
      script: [complete("A satay", { artifacts: [satay] })],
      changes: { understanding: makeUnderstanding({ waived: ["Anna's allergy: peanuts"] }) },
    });

    expect(state.stepResults[0]).toMatchObject({ status: "done", artifacts: ["gen_recipe_1"] });
  });

  test.each([
    ["this turn's number", 1, "asked"],
    ["an earlier turn's number", 2, "done"],
  ])("%s is held against them as far as it still holds", async (_, turn, status) => {
    const three: Constraint = {
      text: "3 recipes",
      kind: "hard",
      count: 3,
      until: null,
      scope: "conversation",
      turn: 1,
    };
    const one = complete("One of three", { artifacts: [SHAKSHUKA] });

    const { state } = await play(DRAFT, {
      script: [one, one],
      changes: { constraints: [three], turn },
    });

    expect(state.stepResults[0]?.status).toBe(status);
  });
});

describe("writes that break what holds", () => {
  const step = makeStep({ description: "Save", stepType: "write", subdomain: "shopping" });

  test("go back once, then become a question; nothing is written", async () => {
    const run = await freshKitchen(database);

    const { state } = await play(step, { run, script: [buy("peanuts"), buy("salted peanuts")] });

    const [result] = state.stepResults;
    expect(result?.calls[0]).toMatchObject({ ok: false, effect: "write" });
    expect(result?.calls[0]?.text).toMatch(
      /^Not done, it breaks what holds: .*\(Anna's allergy: peanuts\)\. Put it right, or ask with ask_user; /u,
    );
    expect(result).toMatchObject({ status: "asked" });
    expect(result?.question).toMatch(/\(Anna's allergy: peanuts\)\. [^?]*Do it anyway\?$/u);
    expect(result?.outcome).toBe(result?.question);
    expect(await appliedWrites(database, run.threadId)).toBe(0);
  });

  test("two at once are one try", async () => {
    const { state } = await play(step, {
      script: [calls(adding("peanuts"), adding("satay")), buy("figs"), complete("Bought figs")],
    });

    expect(state.stepResults[0]).toMatchObject({
      status: "partial",
      outcome: expect.stringMatching(/^Bought figs\. Not done: peanuts, satay: /u),
    });
    expect(state.effects.map(({ label }) => label)).toEqual(["figs"]);
  });
});

test("a ref that is not known reaches no statement", async () => {
  const run = await freshKitchen(database);
  const seen: unknown[] = [];
  const watched: UserData = {
    ...database.userData,
    write: (userId, effect, work) =>
      database.userData.write(userId, effect, (tx, id) =>
        work(
          {
            query: (text, values) => {
              seen.push(text, values);
              return tx.query(text, values);
            },
          },
          id,
        ),
      ),
  };

  const { state } = await play(
    makeStep({ description: "Save", stepType: "write", subdomain: "meal_plans" }),
    {
      run,
      script: [
        call("update_planned_meals", { refs: ["recipe_77"], set: { title: "X" } }),
        call("delete_rows", { refs: ["recipe_77"], all: null }),
        call("create_planned_meals", planning("recipe_77")),
        call("fail_step", { reason: "There is no such recipe." }),
      ],
      userData: watched,
    },
  );

  expect(state.stepResults[0]?.calls.map(({ ok, text }) => `${ok} ${text.slice(0, 26)}`)).toEqual(
    Array.from({ length: 3 }, () => 'false Cannot use ref "recipe_77"'),
  );
  expect(seen).toEqual([]);
  expect(await appliedWrites(database, run.threadId)).toBe(0);
});

function buy(name: string) {
  return call(...adding(name));
}

/** A dinner to create, of that recipe. */
function planning(ref: string): Json {
  return { rows: [{ date: "2026-01-20", slot: "dinner", recipe_id: ref }], drafts: [] };
}

/** The state of a thread after a turn that drafted a shakshuka, as far as the next turn needs it. */
async function drafted(run: TurnContext): Promise<Partial<TurnState>> {
  const { state } = await play(DRAFT, {
    run,
    script: [complete("A shakshuka", { artifacts: [SHAKSHUKA] })],
  });
  return { registry: registryAfter(state) };
}

function draftIn(state: TurnState): RegistryEntry | undefined {
  return findEntry(registryAfter(state), "gen_recipe_1");
}

function play(
  step: PlanStep,
  { script, ...turn }: Omit<PlayedSteps, "scripts"> & { readonly script: StepScript },
) {
  return playSteps([step], { ...turn, scripts: { [step.description]: script } });
}
