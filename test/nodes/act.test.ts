import { describe, expect, test } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import { createActNode } from "../../nodes/act.ts";
import { StepTools } from "../../nodes/steps/step-tools.ts";
import { createToolsNode } from "../../nodes/tools.ts";
import { toValues } from "../support/carry-out.ts";
import { testDatabase } from "../support/database.ts";
import { appliedWrites, freshKitchen } from "../support/fresh-kitchen.ts";
import { stepPlayer } from "../support/play-steps.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { adding, call, calls, complete, stepScripts } from "../support/step-script.ts";
import {
  listChoices,
  makeCuration,
  plannedTurn,
  makePlan,
  makeResult,
  makeStep,
  thinkAnswer,
} from "../support/turn-state.ts";
import { tableTool } from "../support/table-tool-names.ts";

const database = await testDatabase();
const play = stepPlayer(database);
const READ = makeStep({ description: "Look" });
const WRITE = makeStep({ description: "Write", stepType: "write", subdomain: "shopping" });

describe("calls that cannot be carried out", () => {
  test.each<[string, Parameters<typeof call>[1], RegExp]>([
    [
      "a wrong column",
      { where: [{ column: "taste", op: "=", value: "good" }] },
      /^Cannot call tool "read_recipes": where\.0\.column is "taste"; give one of name, /u,
    ],
    ["no object", ["recipes"], /^Cannot call "read_recipes": its arguments must be one object$/u],
  ])("say what is right, and can be put right: %s", async (_, args, reason) => {
    const good = call("read_recipes", {});

    const { state } = await play([READ], { scripts: { Look: [call("read_recipes", args), good] } });

    const [refused, answered] = state.stepResults[0]?.calls ?? [];
    expect(refused).toMatchObject({ ok: false, call: 1, count: 0, refs: [] });
    expect(refused?.text).toMatch(reason);
    expect(answered).toMatchObject({ ok: true, call: 2 });
    expect(state.stepResults[0]).toMatchObject({ status: "done" });
  });

  test("arguments that are no JSON", async () => {
    const broken = {
      toolCalls: [{ name: "read_recipes", args: null, argsError: "Unexpected end of JSON input" }],
    };

    const { state, services } = await play([READ], {
      scripts: { Look: [broken, call("read_recipes", {})] },
    });

    const text =
      'Cannot call "read_recipes": its arguments are not JSON: Unexpected end of JSON input';
    expect(state.stepResults[0]?.calls[0]).toMatchObject({ ok: false, text });
    expect(services.models.act.requests[1]?.messages.slice(2)).toEqual([
      {
        role: "assistant",
        text: "",
        toolCalls: [{ id: "call_1", name: "read_recipes", args: null, argsError: null }],
      },
      { role: "tool", callId: "call_1", name: "read_recipes", text },
    ]);
  });

  test.each([
    [
      "a tool that is not there",
      READ,
      call("fly", {}),
      'tool "fly" does not exist; there are: read_recipes, ',
    ],
    [
      "a write in a step that reads",
      READ,
      call(...adding(["figs", 1])),
      'tool "create_shopping_list_lines" is not for read steps of recipes; there are: read_recipes, ',
    ],
    ["no call", READ, { text: "I would look." }, "no tool was called"],
    [
      "a result without its form",
      READ,
      call("complete_step", { refs: "all" }),
      "complete_step: resultSummary: ",
    ],
    [
      "a result over what is not there",
      READ,
      complete("Found", { refs: ["recipe_77"] }),
      'refs.0: ref "recipe_77" cannot be used here',
    ],
    [
      "the end of a write that wrote nothing",
      { ...WRITE, description: "Look" },
      complete("Written"),
      "nothing was written in this step",
    ],
  ])("go back to the model before anything is done: %s", async (_, step, wrong, reason) => {
    const { state, services } = await play([step], {
      scripts: { Look: [wrong, call("fail_step", { reason: "It cannot be done" })] },
    });

    expect(services.models.act.requests[1]?.messages.at(-1)?.text).toContain(reason);
    expect(state.notices.map(({ code }) => code)).toEqual(["repair"]);
    expect(state.stepResults[0]).toMatchObject({ status: "failed", calls: [] });
  });

  test.each([
    ["delete_rows", "read step", "only write steps change data"],
    [
      "read_recipes",
      "analyze step of recipes",
      "it works from what it was shown; block the step if that is not enough",
    ],
  ] as const)("tools() itself refuses %s in a %s", async (tool, place, reason) => {
    const stepType = place.startsWith("read") ? "read" : "analyze";
    const run = await freshKitchen(database);
    const state = plannedTurn([makeStep({ description: "Judge", stepType })], {
      run,
      pendingCalls: [
        {
          step: 0,
          call: 1,
          callId: "call_1",
          tool,
          args: {},
          argsError: null,
          effectKey: "never",
        },
      ],
    });

    const services = testServices({ domain: mealsDomain, userData: database.userData });
    const update = toValues(await createToolsNode(services)(state, recordedIO()));

    expect(update.stepResults?.[0]?.calls[0]).toMatchObject({
      ok: false,
      text: `Cannot call "${tool}" in a ${place}: ${reason}`,
    });
    expect(await appliedWrites(database, run.threadId)).toBe(0);
  });
});

describe("the tools of a step", () => {
  test.each<[Parameters<StepTools["list"]>[0]["stepType"], string[]]>([
    ["read", ["read_recipes", "find_recipes"]],
    ["analyze", []],
    ["generate", ["find_recipes", "import_recipe"]],
    ["write", ["read_recipes", "create_recipes", "update_recipes", "delete_rows", "find_recipes"]],
  ])("a %s step is offered the tools of its part of the domain", async (stepType, own) => {
    const step = makeStep({ description: "Look", stepType });
    const { services } = await play([step], {
      scripts: { Look: [call("fail_step", { reason: "No" })] },
    });
    const tools = services.models.act.requests[0]?.tools;

    expect(tools?.map(({ name }) => name)).toEqual([
      ...own,
      "recall",
      "complete_step",
      "ask_user",
      "block_step",
      "fail_step",
    ]);
    const again = new StepTools(services.toolbox).list(step);
    expect(JSON.stringify(tools)).toBe(JSON.stringify(again));
  });
});

describe("loops end", () => {
  test("a step that always finds another call ends at its limit, with what it has", async () => {
    const tables = ["inventory", "meal_plans", "shopping_list"];
    const looking = tables.map((table) => call(tableTool("read", table), {}));
    const step = { ...WRITE, description: "Look", subdomain: "inventory" };

    const { state } = await play([step], {
      scripts: { Look: looking },
      limits: { roundsPerStep: 3 },
    });

    expect(state.stepResults[0]).toMatchObject({
      status: "failed",
      outcome: "Not done: it took more than 3 attempts",
    });
    expect(state.stepResults[0]?.calls).toHaveLength(3);
    expect(state.notices).toEqual([
      {
        node: "act",
        code: "limit",
        text: "Step 1 was cut: it took more than 3 attempts",
      },
    ]);
  });

  test("a step keeps what it has written when it ends at its limit", async () => {
    const adds = ["figs", "plums", "pears"].map((name) => call(...adding([name, 1])));

    const { state } = await play([WRITE], {
      scripts: { Write: adds },
      limits: { roundsPerStep: 2 },
    });

    expect(state.stepResults[0]).toMatchObject({
      status: "partial",
      outcome: "Ended early (it took more than 2 attempts) with what was done",
    });
    expect(state.effects.map(({ label }) => label)).toEqual(["figs", "plums"]);
  });

  test("of many calls at once only as many are made as a round may have, and the rest is asked for again", async () => {
    const many = calls(
      ...["inventory", "meal_plans", "shopping_list"].map(
        (table) => [tableTool("read", table), {}] as const,
      ),
    );

    const { state } = await play([{ ...READ, subdomain: "inventory" }], {
      scripts: { Look: [many, call("read_shopping_list_lines", {})] },
      limits: { callsPerRound: 2 },
    });

    expect(state.stepResults[0]?.repairs).toEqual([
      "Not started, for the limit of calls: read shopping list lines",
    ]);
    expect(state.stepResults[0]?.calls.map(({ table }) => table)).toEqual([
      "inventory",
      "meal_plans",
      "shopping_list",
    ]);
    expect(state.stepResults[0]?.status).toBe("done");
  });

  test("a call that has answered is not made again", async () => {
    const add = call(...adding(["figs", 1]));

    const { state, services } = await play([WRITE], {
      scripts: { Write: [add, add, complete("Added")] },
    });

    expect(services.models.act.requests[2]?.messages.at(-1)?.text).toContain(
      "create_shopping_list_lines with these arguments has answered already; use what it gave or end the step",
    );
    expect(state.effects).toHaveLength(1);
    expect(state.stepResults[0]).toMatchObject({ status: "done", outcome: "Added" });
  });

  test("a call that is given twice at once is made once", async () => {
    const run = await freshKitchen(database);

    const { state } = await play([WRITE], {
      run,
      scripts: { Write: [calls(adding(["figs", 1]), adding(["figs", 1])), complete("Added")] },
    });

    expect(state.effects.map(({ label }) => label)).toEqual(["figs"]);
    expect(await appliedWrites(database, run.threadId)).toBe(1);
  });

  test("the turn's tokens end it with what is there", async () => {
    const usage = { input: 900, cached: 0, output: 200 };
    const judge = makeStep({ description: "Judge", stepType: "analyze", group: 2 });

    const { state, services } = await play([READ, judge], {
      scripts: { Look: [{ ...call("read_recipes", {}), usage }] },
      limits: { tokensPerTurn: 1_000 },
    });

    expect(services.models.act.requests).toHaveLength(1);
    expect(state.stepResults.map(({ status, outcome }) => `${status}: ${outcome}`)).toEqual([
      expect.stringMatching(/^done: Found /u),
      "failed: Not done: this message has used up what one may use",
    ]);
  });
});

describe("rows that were not written", () => {
  const mixed = adding(["figs", 1], ["plums", -1]);
  const REASON = /plums/u;

  test("keep the step open once, and count as done when they are put right", async () => {
    const { state, services } = await play([WRITE], {
      scripts: {
        Write: [
          call(...mixed),
          complete("Added both"),
          call(...adding(["plums", 1])),
          complete("Added both"),
        ],
      },
    });

    expect(services.models.act.requests[2]?.messages.at(-1)?.text).toMatch(
      /rows are still open: plums: .*\. Try those once more, or block the step/u,
    );
    expect(state.stepResults[0]).toMatchObject({ status: "done", outcome: "Added both" });
    expect(state.effects.map(({ label }) => label)).toEqual(["figs", "plums"]);
  });

  test("end the step as partial, named, when they are not", async () => {
    const { state } = await play([WRITE], {
      scripts: { Write: [call(...mixed), complete("Added both"), complete("Added one")] },
    });

    const [result] = state.stepResults;
    expect(result?.status).toBe("partial");
    expect(result?.outcome).toMatch(/^Added one\. Not done: plums: /u);
    expect(result?.outcome.match(new RegExp(REASON, "gu"))).toHaveLength(1);
    expect(state.effects.map(({ label }) => label)).toEqual(["figs"]);
  });

  test("may be tried again as they were", async () => {
    const plums = call(...adding(["plums", -1]));

    const { state } = await play([WRITE], {
      scripts: {
        Write: [
          plums,
          plums,
          call("block_step", { reason: "It will not go in.", tried: "twice", suggestion: "stop" }),
        ],
      },
    });

    const [result] = state.stepResults;
    expect(result?.calls.map(({ call: number, failures }) => [number, failures.length])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(result).toMatchObject({ status: "blocked" });
    expect(result?.outcome).toMatch(/^It will not go in\. Not done: plums: [^;]*$/u);
    expect(state.effects).toEqual([]);
  });
});

describe("the end of a step", () => {
  test("with a question and what was worked out", async () => {
    const { state } = await play([READ], {
      scripts: {
        Look: [call("ask_user", { partialAnalysis: "Two would do.", question: "Which?" })],
      },
    });

    expect(state.stepResults).toEqual([
      makeResult(0, { status: "asked", outcome: "Two would do.", question: "Which?" }),
    ]);
  });

  test("blocked: Think is asked once for another way, then it stays blocked", async () => {
    const block = call("block_step", {
      reason: "The box is locked",
      tried: "the key",
      suggestion: "replan",
    });
    const another = makeStep({ description: "Break it open" });

    const { state, path, services } = await play(
      [READ, { ...READ, description: "After", group: 2 }],
      {
        scripts: { Look: [block], "Break it open": [block] },
        think: [{ json: thinkAnswer({ steps: [another] }) }],
      },
    );

    expect(path).toEqual(["act", "think", "act"]);
    expect(services.models.think.remaining()).toBe(0);
    expect(state.plan?.replans).toBe(1);
    expect(state.stepResults).toEqual([
      makeResult(0, {
        status: "blocked",
        outcome: "The box is locked",
        blocked: { reason: "The box is locked", tried: "the key", suggestion: "replan" },
      }),
    ]);
  });

  test("blocked beside a step that reads: what was read is kept for the next plan", async () => {
    const block = { reason: "The box is locked", tried: "the key", suggestion: "replan" };

    const { state, path } = await play([{ ...READ, description: "Open" }, READ], {
      scripts: {
        Open: [call("block_step", block)],
        Look: [call("read_recipes", {})],
        Judge: [complete("Seen")],
      },
      think: [
        { json: thinkAnswer({ steps: [makeStep({ description: "Judge", stepType: "analyze" })] }) },
      ],
    });

    expect(path).toEqual(["act", "tools", "think", "act"]);
    expect(state.stepResults.map(({ status, outcome }) => `${status}: ${outcome}`)).toEqual([
      expect.stringMatching(/^done: Found \d+ recipes/u),
      "done: Seen",
    ]);
  });

  test.each([
    ["ask", "asked", "The box is locked"],
    ["stop", "blocked", null],
  ] as const)("blocked, to %s", async (suggestion, status, question) => {
    const reason = "The box is locked";
    const { state } = await play([READ], {
      scripts: { Look: [call("block_step", { reason, tried: "the key", suggestion })] },
    });

    expect(state.stepResults[0]).toMatchObject({ status, outcome: reason, question });
  });

  test("excluded things are no result of a judgement", async () => {
    const run = await freshKitchen(database);
    const judge = makeStep({ description: "Judge", stepType: "analyze", group: 2 });
    const first = await play([READ], {
      run,
      scripts: { Look: [call("read_recipes", {})] },
    });
    const demote = [{ ref: "recipe_2", reason: "no cod" }];
    const curation = makeCuration({ demote });

    const { state, services } = await play([judge], {
      run,
      scripts: {
        Judge: [
          complete("Both", { refs: ["recipe_1", "recipe_2"] }),
          complete("One", { refs: ["recipe_1"] }),
        ],
      },
      changes: {
        registryEvents: [...first.state.registryEvents, { kind: "curated", turn: 1, curation }],
      },
    });

    expect(services.models.act.requests[1]?.messages.at(-1)?.text).toContain(
      'refs.1: ref "recipe_2" cannot be used here',
    );
    expect(listChoices(state)).toEqual([["recipe", ["recipe_1"], "One"]]);
  });

  test("a judgement that leaves nothing is kept as such", async () => {
    const judge = makeStep({ description: "Judge", stepType: "analyze" });

    const { state } = await play([judge], { scripts: { Judge: [complete("Nothing fits")] } });

    expect(listChoices(state)).toEqual([["recipe", [], "Nothing fits"]]);
  });
});

test("act() carries nothing out: what it decides waits under a key of its own", async () => {
  const run = await freshKitchen(database);
  const services = testServices({
    domain: mealsDomain,
    userData: database.userData,
    scripts: {
      act: stepScripts({ Write: [calls(adding(["figs", 1]), ["read_inventory_items", {}])] }),
    },
  });
  const plan = makePlan({ steps: [WRITE], replans: 1 });
  const state = plannedTurn([WRITE], { run, turn: 4, plan });

  const update = toValues(await createActNode(services)(state, recordedIO()));

  expect(update.pendingCalls?.map(({ call: number, effectKey }) => [number, effectKey])).toEqual([
    [1, `${run.threadId}/4/${run.runId}/1.0/1`],
    [2, `${run.threadId}/4/${run.runId}/1.0/2`],
  ]);
  expect(update.effects).toBeUndefined();
  expect(await appliedWrites(database, run.threadId)).toBe(0);
});
