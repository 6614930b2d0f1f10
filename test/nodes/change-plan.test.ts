import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { createChangePlanNode } from "../../nodes/change-plan.ts";
import { ModelError } from "../../state/model.ts";
import { NO_CONCIERGE_THREAD, type PlanQuestion } from "../../state/phase.ts";
import type { PlanAction, ShortPlanAction } from "../../state/plan-action.ts";
import type { TurnState } from "../../state/turn.ts";
import { toActiveWorkflow, viewPlan } from "../../state/view-plan.ts";
import { activeLine } from "../support/journey-lines.ts";
import { anyPlanAction, planAction, planPart, tripPlan } from "../support/journey-plans.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import type { ScriptEntry } from "../support/scripted-model.ts";
import { makeUnderstanding, turnState } from "../support/turn-state.ts";

const PLAN = tripPlan();

/** Nobody may be asked. */
const SILENT = testServices();

/** The part of Understand's answer that concerns the plan. */
interface Asked {
  readonly planActions?: ShortPlanAction[];
  readonly rework?: string | null;
  readonly asked?: PlanQuestion;
}

function ask(kind: ShortPlanAction["kind"], parts: Partial<ShortPlanAction>): ShortPlanAction {
  return { kind, step: null, after: null, text: null, words: "", ...parts };
}

const ASKS_ROOM =
  "A yes would mean: Removed from the plan: “Room”. Step 2 (“Invite”) rested on “Room”. Shall I?";

/** The concierge's answer to a wish. */
const answer = (...actions: PlanAction[]) => ({ json: { actions } });

const DROP_ROOM = planAction({ kind: "remove", target: "step_2", words: "the room is too much" });
/** Code's question that waits for an answer. */
const WAITING = { turn: 6, question: ASKS_ROOM, actions: [DROP_ROOM], rework: null };

async function changePlan(
  text: string,
  { planActions = [], rework = null, asked }: Asked,
  concierge: readonly ScriptEntry[] = [],
) {
  const services = concierge.length === 0 ? SILENT : testServices({ scripts: { concierge } });
  const io = recordedIO();
  const state: TurnState = turnState({
    turn: 7,
    input: { messageId: "m-7", text },
    journeyPlan: PLAN,
    journeys: [activeLine(1)],
    conciergeThread: { ...NO_CONCIERGE_THREAD, ...(asked && { asked }) },
    understanding: makeUnderstanding({ route: "concierge", planActions, rework }),
  });
  const update = await createChangePlanNode(services)(state, io);
  return { update, io, requests: services.models.concierge.requests };
}

describe("changePlan()", () => {
  test("changes what the message asks for, without asking a model, and says what rests on it", async () => {
    const { update, io, requests } = await changePlan(
      "We have the tickets. And take the room out!",
      {
        planActions: [
          ask("done", { step: "step_1", words: "We have the tickets." }),
          ask("remove", { step: "step_2", words: "take the room out" }),
        ],
      },
    );

    expect(requests).toEqual([]);
    expect(update.planNews).toEqual({
      report:
        "Done: 1 (“Tickets”). Removed from the plan: “Room”. Step 2 (“Invite”) rested on “Room”.",
      isChanged: true,
    });
    const plan = update.journeyPlan ?? PLAN;
    expect(plan.version).toBe(3);
    expect(update.concierge?.activeWorkflow).toEqual(toActiveWorkflow(plan));
    expect(io.of("plan-change").map(({ change }) => [change?.version, change?.kind])).toEqual([
      [2, "mark"],
      [3, "remove"],
    ]);
    expect(io.of("plan-change").at(-1)?.plan).toEqual(viewPlan(plan));
  });

  test("leaves out what the message has no words for", async () => {
    const { update, io } = await changePlan("How long does the room take?", {
      planActions: [
        ask("done", { step: "step_1", words: "the tickets are bought" }),
        ask("remove", { step: "step_2", words: "take the room out" }),
        ask("undo", { words: "" }),
      ],
    });

    expect(update.journeyPlan).toBe(PLAN);
    expect(update.planNews).toEqual({
      report: "Not done, “How long does the room take?”: I read that as a question.",
      isChanged: false,
    });
    expect(io.events).toEqual([]);
    expect(update.notices?.map(({ code }) => code)).toEqual(
      Array.from({ length: 3 }, () => "not-asked-for"),
    );
  });

  test("says to the concierge which change is refused, and makes the others", async () => {
    const { update } = await changePlan("begin with the room, and add Tickets", {
      planActions: [
        ask("add", { text: "Tickets", words: "add Tickets" }),
        ask("focus", { step: "step_2", words: "begin with the room" }),
      ],
    });

    expect(update.planNews?.report).toMatch(
      /^In hand now: 2 \(“Room”\)\. Not done, “add Tickets”: .+\.$/u,
    );
    expect(update.journeyPlan).toMatchObject({ version: 2, focus: "step_2" });
  });
});

test("changePlan() keeps words of a model without ids, in what it adds and notes, and those of the message as they are", async () => {
  const { update } = await changePlan("add the visa. note at the room: rent a ramp_2", {
    planActions: [
      ask("add", { text: "Visa for step_1 (see step_2, decision_1)", words: "add the visa" }),
      ask("note", {
        step: "step_2",
        text: "rent a ramp_2",
        words: "note at the room: rent a ramp_2",
      }),
    ],
  });

  expect(update.planNews?.report).toBe(
    "Added to the plan: 5 (“Visa for Tickets”). Noted at 2 (“Room”): “rent a ramp_2”.",
  );
});

test("changePlan() does once what is read twice, and says nothing else of the same words", async () => {
  const words = "drop step 2";
  const { update } = await changePlan(words, {
    planActions: [
      ask("remove", { step: "step_2", words }),
      ask("remove", { step: "step_2", words }),
      ask("done", { step: "step_3", words }),
    ],
  });

  expect(update.planNews).toEqual({
    report: "Removed from the plan: “Room”. Step 2 (“Invite”) rested on “Room”.",
    isChanged: true,
  });
});

test("changePlan() says of a step that one message moves and drops that it is gone", async () => {
  const { update } = await changePlan("swap step 3 and step 4, and drop step 4", {
    planActions: [
      ask("move", { step: "step_4", after: "step_2", words: "swap step 3 and step 4" }),
      ask("remove", { step: "step_4", words: "drop step 4" }),
    ],
  });

  expect(update.planNews?.report).toBe("Removed from the plan: “Passport”.");
});

test("changePlan() says what a move affects only of steps that the same message leaves in the plan", async () => {
  const { update } = await changePlan("move the invitation to the start and then drop the room", {
    planActions: [
      ask("move", {
        step: "step_3",
        after: "start",
        words: "move the invitation to the start",
      }),
      ask("remove", { step: "step_2", words: "drop the room" }),
    ],
  });

  expect(update.planNews?.report).toBe(
    "Moved: 1 (“Invite”). Removed from the plan: “Room”. Step 1 (“Invite”) rested on “Room”.",
  );
});

describe("changePlan() with a wish that leaves the content to the concierge", () => {
  const wish = { rework: "make it shorter" };
  const message = "can you make it shorter?";
  const join = [
    planAction({
      kind: "replace",
      target: "step_2",
      parts: [planPart({ title: "Room and invitation" })],
      words: "shorter",
    }),
    planAction({ kind: "remove", target: "step_3", words: "shorter" }),
  ];

  test("keeps the words of its changes without ids", async () => {
    const split = planAction({
      kind: "split",
      target: "step_2",
      parts: [
        planPart({ title: "Find it (step_2a)" }),
        planPart({ title: "Book it [decision_1]", doneWhen: "step_1 is there" }),
      ],
    });
    const { update } = await changePlan("split the room", { rework: "split the room" }, [
      answer(split),
    ]);

    expect(update.planNews?.report).toContain("“Room” is now 2 (“Find it”) and 3 (“Book it”).");
    expect(update.journeyPlan?.steps[2]?.doneWhen).toBe("Tickets is there");
  });

  test("asks the concierge's model once, and makes all of its changes", async () => {
    const { update, requests } = await changePlan(message, wish, [answer(...join)]);

    expect(requests).toHaveLength(1);
    expect(update.journeyPlan?.steps.map(({ title }) => title)).toEqual([
      "Tickets",
      "Room and invitation",
      "Passport",
    ]);
    expect(update.journeyPlan?.changes.map(({ who, why }) => [who, why])).toEqual([
      ["concierge", "make it shorter"],
      ["concierge", "make it shorter"],
    ]);
    expect(update.planNews?.report).toContain("Worded anew: 2 (“Room and invitation”)");
  });

  test.each([
    [
      "drop the invitation",
      "step_1",
      "A yes would mean: Removed from the plan: “Invite”. Shall I?",
    ],
    ["should I drop the room?", "step_2", ASKS_ROOM],
    ["drop the invitation and the room", "step_1", undefined],
  ])(
    "offers for %j, read as %s, what its words name, or nothing",
    async (words, step, question) => {
      const { update } = await changePlan(words, { planActions: [ask("remove", { step, words })] });
      expect(update.planNews?.isChanged).toBe(false);
      expect(update.planNews?.asked?.question).toBe(question);
    },
  );

  test("leaves it to the concierge to ask where they only ask about it", async () => {
    const { update, io } = await changePlan("what if you make it shorter?", wish);

    expect(update.journeyPlan).toBe(PLAN);
    expect(update.planNews).toEqual({
      report: "Not done, “make it shorter”: I read that as a question.",
      isChanged: false,
      asked: {
        turn: 7,
        question: "A yes would mean: “make it shorter”. Shall I?",
        actions: [],
        rework: "make it shorter",
      },
    });
    expect(io.events).toEqual([]);
  });

  test("comes after what the message asks for outright", async () => {
    const { update } = await changePlan(
      "the tickets are bought. can you make it shorter?",
      {
        ...wish,
        planActions: [ask("done", { step: "step_1", words: "the tickets are bought" })],
      },
      [answer(...join)],
    );

    expect(update.journeyPlan?.changes.map(({ kind }) => kind)).toEqual([
      "mark",
      "replace",
      "remove",
    ]);
  });

  test("shows where a step stood that the message removes", async () => {
    const text = "drop the tickets and the invitation, and put a bus there, 2 hours";
    const add = planAction({ kind: "add", after: "start", parts: [planPart({ title: "Bus" })] });
    const { requests } = await changePlan(
      text,
      {
        rework: "put a bus there, 2 hours",
        planActions: [
          ask("remove", { step: "step_1", words: "drop the tickets" }),
          ask("remove", { step: "step_3", words: "the invitation" }),
        ],
      },
      [answer(add)],
    );

    expect(requests[0]?.messages.at(-1)?.text).toContain(
      [
        "## Changed Just Now",
        "",
        '- Removed "Tickets", which stood at the start.',
        '- Removed "Invite", which stood after step_2.',
      ].join("\n"),
    );
  });

  test("sends a refused answer back once with the reasons", async () => {
    const wrong = answer(planAction({ kind: "remove", target: "step_3", words: "" }), {
      ...planAction({ kind: "add", words: "" }),
      parts: [planPart({ title: "Passport" })],
    });
    const { update, requests } = await changePlan(message, wish, [wrong, answer(...join)]);

    expect(requests).toHaveLength(2);
    expect(requests[1]?.messages.at(-1)?.text).toContain(
      "actions (add): step 3, “Passport”, is there already",
    );
    expect(update.journeyPlan?.version).toBe(3);
  });

  const refused = answer(
    planAction({ kind: "remove", target: "step_1", words: "" }),
    planAction({ kind: "move", target: "step_2", after: "start", words: "" }),
  );
  const tooMuch = answer(
    planAction({ kind: "add", parts: [planPart({ title: "passport" })], words: "" }),
    planAction({ kind: "mark", target: "step_1", mark: "done", words: "" }),
  );
  test.each<[string, readonly ScriptEntry[], string]>([
    ["two refused answers", [refused, refused], "it could not be worked out just now."],
    ["what the plan does not allow", [refused, tooMuch], "step 4, “Passport”, is there already."],
    [
      "a model that is away",
      [new ModelError("model_unreachable", "Cannot ask the model")],
      "it could not be worked out just now.",
    ],
    ["no change", [answer()], "nothing of the plan has to change for it."],
  ])("leaves the plan as it was for %s, and says so", async (_, script, reason) => {
    const { update, io } = await changePlan(message, wish, script);

    expect(update.journeyPlan).toEqual(PLAN);
    expect(io.of("plan-change")).toEqual([]);
    expect(update.planNews).toEqual({
      report: `Not done, “make it shorter”: ${reason}`,
      isChanged: false,
    });
  });
});

law.prop([fc.array(anyPlanAction, { minLength: 1, maxLength: 4 }), fc.string()], { numRuns: 200 })(
  "changePlan() changes nothing for a model whose words the message does not hold",
  async (actions, text) => {
    const planActions = actions.map(({ target, text: words }) =>
      ask("remove", { step: target, text: words, words: "please take it out" }),
    );
    const decisions = actions.map(({ target }) =>
      ask("decide", { step: target, text: "the second", words: "the second, then" }),
    );
    const done = ask("done", { step: "step_1", words: "step 1 is done" });
    const { update, io } = await changePlan(`${text} step 1 is not done yet`, {
      planActions: [...planActions, ...decisions, done],
    });

    expect(update.journeyPlan).toBe(PLAN);
    expect(io.of("plan-change")).toEqual([]);
  },
);

test.each([
  ["thanks", "thanks", ""],
  ["ok", "ok", ""],
  ["don't make it shorter", "make it shorter", "Not done, “make it shorter”: I read that as a no."],
])("changePlan() works nothing out for %j", async (text, rework, report) => {
  const { update, requests } = await changePlan(text, { rework });
  expect(requests).toEqual([]);
  expect(update.planNews).toEqual({ isChanged: false, report });
});

test.each<[string, Asked]>([
  ["yes, exactly", {}],
  ["yes, exactly", { rework: "yes, exactly" }],
  ["ja, genau", { planActions: [ask("remove", { step: "step_4", words: "ja, genau" })] }],
  ["yes, drop it", { rework: "yes, drop it" }],
])("changePlan() carries out what it has asked about at %j, read as %j", async (text, asked) => {
  const { update } = await changePlan(text, { ...asked, asked: WAITING });

  expect(update.planNews).toEqual({
    report: "Removed from the plan: “Room”. Step 2 (“Invite”) rested on “Room”.",
    isChanged: true,
  });
});

test.each<[string, Asked]>([
  ["yes please, we never go there", {}],
  ["yes, but not now", { rework: "yes, but not now" }],
  ["I said yes", { rework: "I said yes" }],
])("changePlan() puts its question again, as it was, at %j, read as %j", async (text, asked) => {
  const { update } = await changePlan(text, { ...asked, asked: WAITING });

  expect(update.planNews).toEqual({
    report: `Not done, “${text}”: I read that as no plain yes.`,
    isChanged: false,
    asked: { ...WAITING, turn: 7 },
  });
});

test.each([
  ["yes, but rather the passport", "“Passport”"],
  ["ja, aber lieber der Passport", "“Passport”"],
  ["yes, but the passport too", "“Room” and “Passport”"],
])("changePlan() asks at %j about %s", async (text, steps) => {
  const planActions = [ask("remove", { step: "step_4", words: text.replace(/^\w+, \w+ /u, "") })];
  const { update } = await changePlan(text, { planActions, asked: WAITING });

  expect(update.planNews?.asked?.question).toContain(`Removed from the plan: ${steps}.`);
});

test("changePlan() asks whether a step shall go where a question may mean that, in words that code does not know", async () => {
  const text = "Room は消したほうがいいかな？";
  const planActions = [ask("remove", { step: "step_2", words: text })];

  expect((await changePlan(text, { planActions })).update.planNews?.asked?.question).toBe(
    ASKS_ROOM,
  );
});

test.each([
  [
    "resume",
    "journey_99",
    "I know no journey called “back to the garden plan” in this conversation.",
  ],
  ["rename", "step_7", "What shall “Trip” be called?"],
] as const)("changePlan() shows no id of a journey to %s", async (journey, journeyTo, text) => {
  const services = testServices();
  const state = turnState({
    turn: 7,
    input: { messageId: "m-7", text: "back to the garden plan" },
    journeys: [activeLine(1, { title: "Trip" })],
    understanding: makeUnderstanding({ route: "concierge", journey, journeyTo }),
  });

  const update = await createChangePlanNode(services)(state, recordedIO());

  expect(update.journeyNews?.text).toContain(text);
});
