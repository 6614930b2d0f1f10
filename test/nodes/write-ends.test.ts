import { describe, expect, test } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import { createActNode } from "../../nodes/act.ts";
import { outcomeLines } from "../../nodes/reply/step-outcomes.ts";
import { createToolsNode } from "../../nodes/tools.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { TurnState } from "../../state/turn.ts";
import { toValues } from "../support/carry-out.ts";
import { testDatabase } from "../support/database.ts";
import { appliedWrites, freshKitchen, namesIn } from "../support/fresh-kitchen.ts";
import { stepPlayer } from "../support/play-steps.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { adding, call, calls, complete, stepScripts } from "../support/step-script.ts";
import { plannedTurn, makeStep } from "../support/turn-state.ts";

const database = await testDatabase();
const play = stepPlayer(database);
const WRITE = makeStep({ description: "Write", stepType: "write", subdomain: "shopping" });

type Made = readonly [name: string, args: Json];

/** The end that is given beside calls; all it says is wrong, and its last field belongs to no write. */
const END: Made = [
  "complete_step",
  {
    resultSummary: "Added a hundred things and deleted the recipes",
    noteForNextStep: "All is bought",
    refs: ["recipe_1", "recipe_77"],
    artifacts: [{ ref: null, set: { name: "Stew" } }],
  },
];

describe("an end that is given beside the calls of a write step", () => {
  test("counts when all of them wrote something; what came of it is told from the rows", async () => {
    const run = await freshKitchen(database);

    const { state, path } = await play([WRITE], {
      run,
      scripts: { Write: [calls(adding("figs"), adding("plums"), END)] },
    });

    expect(path).toEqual(["act", "tools"]);
    const [result] = state.stepResults;
    expect(result).toMatchObject({
      status: "done",
      outcome: "Created 2 shopping list lines",
      note: null,
      refs: ["shop_1", "shop_2"],
      artifacts: [],
    });
    expect(result?.calls.map(({ tool }) => tool)).toEqual(["create_shopping_list_lines"]);
    expect(state.effects.map(({ action, label }) => `${action} ${label}`)).toEqual([
      "created figs",
      "created plums",
    ]);
    expect(await namesIn(database, { table: "recipes", userId: run.userId })).toHaveLength(9);
  });

  test.each<[string, readonly Made[]]>([
    ["a row did not go in", [adding("figs", ["plums", -1])]],
    ["a call was refused", [adding("figs"), ["update_shopping_list_lines", { refs: [], set: {} }]]],
    [
      "a call wrote nothing",
      [
        adding("figs"),
        ["build_shopping_list", { recipes: [], from: "2026-02-01", to: "2026-02-02" }],
      ],
    ],
    ["a call only read", [adding("figs"), ["read_inventory_items", {}]]],
  ])("is left out when %s: its model sees what came of the calls", async (_, made) => {
    const { state, path, services } = await play([WRITE], {
      scripts: { Write: [calls(...made, END), call("fail_step", { reason: "Only figs" })] },
    });

    expect(path).toEqual(["act", "tools", "act"]);
    expect(state.stepResults[0]?.status).toBe("partial");
    expect(state.stepResults[0]?.outcome).toMatch(/^Only figs/u);
    expect(state.effects.map(({ label }) => label)).toEqual(["figs"]);
    const shown = services.models.act.requests[1]?.messages.slice(2) ?? [];
    expect(shown.filter(({ role }) => role === "tool")).toHaveLength(made.length);
    expect(JSON.stringify(shown)).not.toContain("a hundred");
  });

  test("may wait for them, and then says in the reply of code what was left as it was", async () => {
    const run = await freshKitchen(database);
    const summary = "Added figs; coffee is on the list already";

    const { state } = await play([WRITE], {
      run,
      scripts: { Write: [calls(adding("figs")), complete(summary)] },
    });

    expect(state.stepResults[0]).toMatchObject({ status: "done", outcome: summary });
    expect(outcomeLines(state).join("\n")).toContain(summary);
  });

  test("is left out when a row of an earlier round is still open", async () => {
    const { state, path } = await play([WRITE], {
      scripts: {
        Write: [
          call(...adding(["plums", -1])),
          calls(adding("figs"), END),
          call("block_step", { reason: "Plums will not go in", tried: "", suggestion: "stop" }),
        ],
      },
    });

    expect(path).toEqual(["act", "tools", "act", "tools", "act"]);
    expect(state.stepResults[0]).toMatchObject({ status: "blocked" });
    expect(state.stepResults[0]?.outcome).toMatch(/Not done: plums: /u);
  });

  test("is left out when a call of an earlier round was refused: its model says what could not be done", async () => {
    const { state } = await play([WRITE], {
      scripts: {
        Write: [
          call("create_shopping_list_lines", { rows: [], drafts: [] }),
          calls(adding("figs"), END),
          complete("Added figs; there is no garage"),
        ],
      },
    });

    expect(state.stepResults[0]).toMatchObject({
      status: "done",
      outcome: "Added figs; there is no garage",
    });
  });
});

test("a step is not done while rows of a refused creation are missing", async () => {
  const { state } = await play([WRITE], {
    run: await freshKitchen(database),
    scripts: {
      Write: [
        call("create_shopping_list_lines", { rows: [{ name: "figs" }, { name: 7 }], drafts: [] }),
        calls(adding("plums")),
        calls([
          "complete_step",
          { resultSummary: "Added figs and plums", noteForNextStep: null, refs: [] },
        ]),
      ],
    },
  });

  expect(state.stepResults[0]?.status).toBe("partial");
  expect(state.effects.map(({ label }) => label)).toEqual(["plums"]);
});

test.each<[string, readonly JsonObject[], readonly string[], string, string]>([
  ["another row", [{ name: 7 }], ["plums"], "partial", "shopping list line"],
  [
    "some of its rows",
    [{ name: "figs" }, { name: "dates", quantity: "two" }],
    ["Figs"],
    "partial",
    "dates",
  ],
  [
    "all of its rows, in two calls",
    [{ name: "figs" }, { name: "dates", quantity: "two" }],
    ["dates", "figs"],
    "done",
    "",
  ],
])(
  "a refused creation is made up for by what it was to create: %s",
  async (_, refused, added, status, missing) => {
    const { state } = await play([WRITE], {
      run: await freshKitchen(database),
      scripts: {
        Write: [
          call("create_shopping_list_lines", { rows: refused, drafts: [] }),
          ...added.map((name) => calls(adding(name))),
          complete("Added"),
        ],
      },
    });

    expect(state.stepResults[0]?.status).toBe(status);
    expect(state.stepResults[0]?.outcome).toMatch(
      missing === "" ? /^Added$/u : `Added. Not done: ${missing}: `,
    );
  },
);

test.each(["ask_user", "block_step", "fail_step"])(
  "%s beside a write ends nothing",
  async (name) => {
    const args = {
      partialAnalysis: "",
      question: "Which?",
      reason: "No",
      tried: "",
      suggestion: "stop",
    };

    const { state, path } = await play([WRITE], {
      scripts: { Write: [calls(adding("figs"), [name, args]), complete("Added figs")] },
    });

    expect(path).toEqual(["act", "tools", "act"]);
    expect(state.stepResults[0]).toMatchObject({ status: "done", outcome: "Added figs" });
    expect(state.stepResults[0]?.calls.map(({ tool }) => tool)).toEqual([
      "create_shopping_list_lines",
    ]);
  },
);

test("complete_step beside a read adds nothing: the read that answers ends its step", async () => {
  const look = makeStep({ description: "Look", subdomain: "tasks" });

  const { state, path } = await play([look], {
    scripts: { Look: [calls(["read_tasks", {}], END)] },
  });

  expect(path).toEqual(["act", "tools"]);
  expect(state.stepResults[0]).toMatchObject({
    status: "done",
    outcome: expect.stringMatching(/^Found \d+ tasks$/u),
    note: null,
  });
});

test("complete_step beside a recall does not end a step that judges", async () => {
  const judge = makeStep({ description: "Judge", stepType: "analyze" });
  const looking: Made = ["recall", { ref: null, turn: null, words: "cod" }];

  const { state, path } = await play([judge], {
    scripts: { Judge: [calls(looking, END), complete("Nothing was said of cod")] },
  });

  expect(path).toEqual(["act", "tools", "act"]);
  expect(state.stepResults[0]).toMatchObject({
    status: "done",
    outcome: "Nothing was said of cod",
  });
});

test("a turn that is taken up between act and tools, and again in tools, ends the step once", async () => {
  const run = await freshKitchen(database);
  const services = testServices({
    domain: mealsDomain,
    userData: database.userData,
    scripts: { act: stepScripts({ Write: [calls(adding("figs"), END)] }) },
  });
  const state = plannedTurn([WRITE], { run });
  const decided = toValues(await createActNode(services)(state, recordedIO()));
  const stored: TurnState = {
    ...JSON.parse(JSON.stringify({ ...state, ...decided })),
    messages: state.messages,
  };

  const tools = createToolsNode(services);
  const first = toValues(await tools(stored, recordedIO()));
  const again = toValues(await tools(stored, recordedIO()));

  expect(stored.pendingCalls.map(({ tool }) => tool)).toEqual([
    "create_shopping_list_lines",
    "complete_step",
  ]);
  expect(again).toEqual(first);
  expect(again.pendingCalls).toEqual([]);
  expect(again.stepResults?.[0]).toMatchObject({
    status: "done",
    outcome: "Created 1 shopping list line",
    refs: ["shop_1"],
  });
  expect(await appliedWrites(database, run.threadId)).toBe(1);
});
