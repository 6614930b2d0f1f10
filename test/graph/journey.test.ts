import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Expert } from "../../state/expert.ts";
import { NarrativeSchema } from "../../state/turn-summary.ts";
import { ModelError } from "../../state/model.ts";
import {
  conciergeBehaviour,
  conciergeThread,
  createExpert,
  hangingModel,
  lastText,
  noticesIn,
  OPENING,
  PLAN,
  quickExperts,
  listRequests,
  MESSAGES,
  readMessage,
  sendAll,
  STEP_BLOCK,
  readQuestion,
  STEP_PROMPT,
  type ConciergeScript,
} from "../support/concierge-thread.ts";
import { EXECUTION, NO_PATCH } from "../support/concierge-documents.ts";
import { plannedPlan } from "../support/journey-plans.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { openThread, repliesIn, type Behaviour, type TestThread } from "../support/test-thread.ts";
import { makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

const TO_STEP = [MESSAGES.question, MESSAGES.reply, "hm", MESSAGES.plan, MESSAGES.start] as const;

const NARRATIVE = NarrativeSchema.parse({
  analysisConclusions: null,
  responseSummary: "Answered",
  conversationPhase: "executing",
  tone: "collaborative",
  whatUserExpressed: "Said something",
  whatWeAcknowledged: "Answered",
  naturalNext: "User goes on",
});

const PLANNED = plannedPlan(
  ["Choose three bases", "Prepare on Sunday"].map((title) => ({
    title,
    description: `Do: ${title}`,
  })),
);

/** Reads the plan's two steps. */
const KEEPING: Behaviour = {
  summarize: (request) => {
    if (request.schema?.name === "workflow") {
      return { json: { ...PLANNED, goal: "Five weeknights" } };
    }
    return { json: NARRATIVE };
  },
};

/** The same, with "back to it" for the journey of the goal. */
const GOING_BACK: Behaviour = {
  ...KEEPING,
  understand: (request) =>
    readMessage(request) === "back to it"
      ? { json: understandAnswer({ lane: "concierge", journey: "resume", journeyTo: GOAL }) }
      : (conciergeBehaviour().understand?.(request) ?? null),
};

const JourneyRow = z.object({
  journey: z.string(),
  turn: z.number(),
  status: z.string(),
  reason: z.string().nullable(),
  phase: z.string(),
  marks: z.string().nullable(),
});

/** The rows of a thread's journeys, in the order in which they were written. */
async function archived({ run }: TestThread): Promise<z.infer<typeof JourneyRow>[]> {
  // Stored in snake_case, as everything in the archive is.
  const { rows } = await database.owner.query(
    `select journey_id as journey, changed_turn as turn, status, reason,
            state -> 'concierge' ->> 'current_phase' as phase,
            (select string_agg(step ->> 'mark', ' ' order by number)
               from jsonb_array_elements(nullif(state -> 'plan', 'null') -> 'steps')
                    with ordinality as steps(step, number)) as marks
       from journeys where thread_id = $1 order by changed_turn, opened_turn`,
    [run.threadId],
  );
  return z.array(JourneyRow).parse(rows);
}

/** The goal that is handed over. */
const GOAL = EXECUTION.goal;
const ACTIVE = { journey: "journey_1", status: "active", reason: null };
const REOPENED = { ...ACTIVE, status: "paused", reason: "reopened", phase: "executor" };
const SET_ASIDE = `The plan of “${GOAL}” is set aside, and its question is open again; say “back to ${GOAL}” to go on with the plan.`;

describe("a plan that is dropped", () => {
  test("goes back to a fresh explorer in the same turn, who knows what stays true", async () => {
    const thread = await conciergeThread(database, { behaviour: KEEPING });
    await sendAll(thread, [...TO_STEP, "done with step 1"]);

    const events = await thread.send("drop: forget that plan, what about a cook?");

    const { concierge, conciergeThread: own } = await thread.state();
    expect(concierge).toMatchObject({
      currentPhase: "explorer",
      turnInPhase: 1,
      conciergeContextId: "explorer@turn-7",
      executionHandover: null,
      activeWorkflow: null,
      pendingWorkflowAnalysis: null,
      pendingStepBatchAnalysis: null,
    });
    expect(own.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    const prompt = lastText(listRequests(thread, "explorer").at(-1) ?? missing());
    for (const kept of [
      "$1,500 a month",
      "No leftovers eaten twice",
      "Prepare on Sunday",
      "A couple, a small kitchen, one free Sunday afternoon",
      "Whether Fridays stay free",
      "Done of the plan that was dropped: Choose three bases",
      // What the experts said of step 1.
      "Rice, tomato sauce and roast roots keep five days.",
      "forget that plan, what about a cook?",
    ]) {
      expect(prompt).toContain(kept);
    }
    expect(prompt).not.toContain(PLAN);
    expect(events.filter(({ type }) => type === "expert-start")).toEqual([]);
    expect(repliesIn(events)[0]?.split("\n\n")[0]).toBe(SET_ASIDE);
    // The plan that was dropped stays in the row of its journey.
    expect((await archived(thread)).slice(-2)).toEqual([
      { ...REOPENED, turn: 7, marks: "done open" },
      { ...ACTIVE, journey: "journey_7", turn: 7, phase: "explorer", marks: null },
    ]);
    expect(checkEventOrder(events)).toEqual([]);
  });

  test("is had back with its name, whole, and the question beside it stays", async () => {
    const thread = await conciergeThread(database, { behaviour: GOING_BACK });
    await sendAll(thread, [...TO_STEP, "done with step 1"]);
    const before = await thread.state();
    await sendAll(thread, ["drop: what a lovely evening", "hm"]);

    const events = await thread.send("back to it");

    const { journeys, journeyPlan, concierge } = await thread.state();
    expect(repliesIn(events)[0]?.split("\n\n")[0]).toBe(
      `“${GOAL} (2)” is paused; say “back to ${GOAL} (2)” to go on with it. We are back at “${GOAL}”, step 2 of 2.`,
    );
    expect(journeyPlan).toEqual(before.journeyPlan);
    expect(concierge).toEqual({
      ...before.concierge,
      turnInPhase: before.concierge.turnInPhase + 1,
    });
    expect(journeys).toMatchObject([
      { id: "journey_1", title: GOAL, status: "active" },
      { id: "journey_7", title: `${GOAL} (2)`, status: "paused", openedTurn: 1 },
    ]);
    // Twice dropped, twice kept.
    await thread.send("drop: forget it");
    expect((await thread.state()).journeys.map(({ title }) => title)).toEqual([
      GOAL,
      `${GOAL} (2)`,
      `${GOAL} (3)`,
    ]);
  });

  test.each([
    understandAnswer({ undo: { effects: [] } }),
    understandAnswer({
      lane: "concierge",
      planActions: [{ kind: "undo", step: null, after: null, text: null, words: "undo that" }],
    }),
  ])("is had back by an undo of the message that dropped it: %#", async (undo) => {
    const thread = await conciergeThread(database, {
      behaviour: {
        ...KEEPING,
        understand: (request) =>
          readMessage(request) === "undo that"
            ? { json: undo }
            : (conciergeBehaviour().understand?.(request) ?? null),
      },
    });
    await sendAll(thread, [...TO_STEP, "done with step 1"]);
    const { journeyPlan } = await thread.state();
    await thread.send("drop: what a lovely evening");

    const events = await thread.send("undo that");

    expect((await thread.state()).journeyPlan).toEqual(journeyPlan);
    expect(repliesIn(events)).toEqual([
      `“${GOAL} (2)” is paused; say “back to ${GOAL} (2)” to go on with it. We are back at “${GOAL}”, step 2 of 2.\n\nDo this about "undo that".`,
    ]);
  });

  test("is set aside though the explorer gives no answer, and the next message finds one", async () => {
    const thread = await conciergeThread(database, {
      behaviour: KEEPING,
      concierge: silentWhenDropped,
    });
    await sendAll(thread, TO_STEP);

    const events = await thread.send("drop: forget it");
    const rows = await archived(thread);
    await thread.send("are you there?");

    expect(repliesIn(events)[0]).toContain(SET_ASIDE);
    expect(rows.slice(-2)).toEqual([
      { ...REOPENED, turn: 6, marks: "open open" },
      { ...ACTIVE, journey: "journey_6", turn: 6, phase: "explorer", marks: null },
    ]);
    expect((await thread.state()).concierge).toMatchObject({
      currentPhase: "explorer",
      turnInPhase: 1,
    });
    const prompt = lastText(listRequests(thread, "explorer").at(-1) ?? missing());
    expect(prompt).toContain("A plan was made for this and dropped by the person");
    expect(prompt).toContain("forget it");
  });
});

describe("a new question", () => {
  test("opens a journey with a batch of its own; the old one is archived with its plan", async () => {
    const thread = await conciergeThread(database, { behaviour: KEEPING });
    await sendAll(thread, TO_STEP);

    const events = await thread.send("new: how do we plan a birthday?");

    expect(events.filter(({ type }) => type === "expert-start")).toHaveLength(4);
    expect(repliesIn(events)).toEqual([
      `“${GOAL}” is paused at step 1 of 2; say “back to ${GOAL}” to go on with it.\n\n${OPENING}`,
    ]);
    const { concierge, opening } = await thread.state();
    expect(concierge).toEqual({
      currentPhase: "starter",
      turnInPhase: 1,
      conciergeContextId: "starter@turn-6",
      intentHandover: null,
      executionHandover: null,
      activeWorkflow: null,
      pendingWorkflowAnalysis: null,
      pendingStepBatchAnalysis: null,
    });
    expect(opening?.question).toBe("new: how do we plan a birthday?");
    expect((await archived(thread)).slice(-2)).toEqual([
      {
        journey: "journey_1",
        turn: 6,
        status: "paused",
        reason: "another question",
        phase: "executor",
        marks: "open open",
      },
      { ...ACTIVE, journey: "journey_6", turn: 6, phase: "starter", marks: null },
    ]);
    const prompt =
      listRequests(thread, "starter")
        .at(-1)
        ?.messages.map(({ text }) => text) ?? [];
    expect(prompt.join("\n")).not.toContain("takeout");
  });

  test("after the last step is complete begins with a batch, though it sounds like going back", async () => {
    const thread = await conciergeThread(database, { behaviour: KEEPING });
    await sendAll(thread, [...TO_STEP, "done with step 1", "done with step 2"]);
    expect((await thread.state()).concierge.activeWorkflow).toMatchObject({
      currentStepIndex: 2,
      steps: [{ status: "complete" }, { status: "complete" }],
    });

    const events = await thread.send("drop: what about a birthday?");

    expect(repliesIn(events)).toEqual([
      `“${GOAL}” is finished; say “back to ${GOAL}” to look at it again.\n\n${OPENING}`,
    ]);
    expect((await thread.state()).concierge).toMatchObject({
      currentPhase: "starter",
      activeWorkflow: null,
    });
    expect((await archived(thread)).slice(-2)).toMatchObject([
      { journey: "journey_1", status: "closed", reason: "done", marks: "done done" },
      { journey: "journey_8", status: "active" },
    ]);
  });
});

describe("the workflow", () => {
  test.each([
    { does: "fails", answer: "no JSON" },
    { does: "leaves out a step", answer: { json: plannedPlan(["Choose three bases"]) } },
  ])("is read from the plan, by code where the model $does", async ({ answer }) => {
    const thread = await conciergeThread(database, { behaviour: { summarize: () => answer } });

    await sendAll(thread, TO_STEP.slice(0, 4));

    expect((await thread.state()).concierge.activeWorkflow).toMatchObject({
      goal: "Five home-cooked weeknights by the end of January",
      steps: [
        { title: "Choose three bases", doneWhen: "three bases stand on the list" },
        { title: "Prepare on Sunday", doneWhen: "the freezer is full" },
      ],
    });
  });

  test("stands in Think's and Act's prompts, and what they do in the executor's next message", async () => {
    const thread = await conciergeThread(database, {
      behaviour: {
        ...KEEPING,
        think: () => ({
          json: thinkAnswer({ goal: "Put the bases on the list", steps: [makeStep()] }),
        }),
      },
    });
    await sendAll(thread, TO_STEP);

    await sendAll(thread, ["task: put those on my shopping list", "what now?", "and then?"]);

    for (const role of ["think", "act"] as const) {
      const request = thread.requests.find((one) => one.role === role);
      expect(lastText(request ?? missing())).toContain(
        "## Active Plan\n\n<data>\nGoal: Five weeknights\nCurrent step, 1 of 2: Choose three bases",
      );
    }
    const [after, later] = listRequests(thread, "executor").slice(-2).map(lastText);
    expect(after).toBe(
      "What was done meanwhile:\n- Put the bases on the list: Answered; nothing stored\n\n---\n\nwhat now?",
    );
    expect(later).toBe("and then?");
  });
});

describe("help with a later step that does not come in", () => {
  test("is said to the executor with the next message", async () => {
    const thread = await conciergeThread(database, {
      experts: [helpless("e1"), helpless("e2")],
      concierge: (_phase, request) =>
        readMessage(request) === "I am stuck" ? `Try this.\n\n${STEP_BLOCK}` : null,
    });
    await sendAll(thread, TO_STEP);

    await sendAll(thread, ["I am stuck", "still stuck", "ok"]);

    const [next, later] = listRequests(thread, "executor").slice(-2).map(lastText);
    expect(next).toContain("The help you asked for did not come in.");
    expect(next).toContain("<message>\nstill stuck\n</message>");
    expect(later).toBe("ok");
  });
});

describe("a thread that is full", () => {
  const SMALL = { conciergeThreadTokens: 1_200 };

  test("of an explorer rolls over: a fresh one of the same phase with what has emerged", async () => {
    const patch = { ...NO_PATCH, revealedConstraints: ["Mondays are out"] };
    const behaviour = conciergeBehaviour((phase) => (phase === "explorer" ? long("Go on.") : null));
    const thread = await conciergeThread(database, {
      limits: SMALL,
      behaviour: {
        ...behaviour,
        concierge: (request) =>
          request.schema?.name === "handover_patch"
            ? { json: patch }
            : (behaviour.concierge?.(request) ?? null),
      },
    });
    await sendAll(thread, [MESSAGES.question, MESSAGES.reply, "not on mondays"]);
    const before = (await thread.state()).concierge;

    const events = await thread.send("what else?");

    const { concierge } = await thread.state();
    expect(concierge).toMatchObject({
      currentPhase: "explorer",
      turnInPhase: before.turnInPhase + 1,
      conciergeContextId: "explorer@turn-4",
    });
    const request = listRequests(thread, "explorer").at(-1) ?? missing();
    expect(request.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    for (const kept of ["$1,500 a month", "Home after seven", "Mondays are out", "what else?"]) {
      expect(lastText(request)).toContain(kept);
    }
    expect(lastText(request)).not.toContain("It depends on the week.");
    expect(noticesIn(events)).toEqual(["explorer rolled-over"]);
  });

  test("of an executor rolls over: goal, limits, plan and the current step stay", async () => {
    const thread = await conciergeThread(database, {
      limits: SMALL,
      behaviour: KEEPING,
      concierge: (phase, request) =>
        phase === "executor" && !lastText(request).includes("Write the plan")
          ? long("Do it.")
          : null,
    });
    await sendAll(thread, [...TO_STEP, "done with step 1"]);
    const before = (await thread.state()).concierge;

    await thread.send("what now?");

    const { concierge } = await thread.state();
    expect(concierge).toMatchObject({
      currentPhase: "executor",
      turnInPhase: before.turnInPhase + 1,
      activeWorkflow: before.activeWorkflow,
    });
    const request = listRequests(thread, "executor").at(-1) ?? missing();
    expect(request.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    for (const kept of [
      "Five home-cooked weeknights by the end of January",
      "$1,500 a month",
      "2. [>] **Prepare on Sunday** — Do: Prepare on Sunday",
      "what now?",
    ]) {
      expect(lastText(request)).toContain(kept);
    }
  });

  test("is followed the same way when another model is configured", async () => {
    const thread = await conciergeThread(database, { behaviour: KEEPING });
    await sendAll(thread, TO_STEP);

    const other = openThread(database, {
      run: thread.run,
      experts: quickExperts(4),
      behaviour: { ...conciergeBehaviour(), ...KEEPING },
      modelName: "another",
    });
    const events = await other.send("what now?");

    const request = listRequests(other, "executor").at(-1) ?? missing();
    expect(request.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(noticesIn(events)).toEqual(["executor rolled-over"]);
    expect((await other.state()).conciergeThread.model).toBe("another");
  });
});

test("a starter of another model is told its first answer, and hands over", async () => {
  const thread = await conciergeThread(database);
  await sendAll(thread, [MESSAGES.question]);
  const answer = (await thread.state()).opening?.answer ?? missing();

  const other = openThread(database, {
    run: thread.run,
    experts: quickExperts(4),
    behaviour: conciergeBehaviour(),
    modelName: "another",
  });
  await other.send(MESSAGES.reply);

  const request = listRequests(other, "starter").at(-1) ?? missing();
  expect(request.messages.map(({ role }) => role)).toEqual(["system", "user"]);
  const prompt = lastText(request);
  for (const text of [MESSAGES.question, answer, MESSAGES.reply]) expect(prompt).toContain(text);
  expect((await other.state()).concierge).toMatchObject({ currentPhase: "explorer" });
});

test("the journey's state is strict JSON in every channel", async () => {
  const thread = await conciergeThread(database, {
    behaviour: KEEPING,
    experts: [...quickExperts(2), { id: "e3", lens: null, model: hangingModel() }],
    limits: { expertGraceSeconds: 1 },
  });

  await sendAll(thread, [MESSAGES.question, MESSAGES.reply]);

  const { messages: _, ...state } = await thread.state();
  expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state);
});

/** An expert who answers every batch but the step's. */
function helpless(id: string): Expert {
  return createExpert(id, (request) =>
    readQuestion(request) === STEP_PROMPT ? new TypeError("broken") : `View of ${id}`,
  );
}

/** An explorer that does not answer who drops the plan. */
function silentWhenDropped(...[phase, request]: Parameters<ConciergeScript>) {
  return phase === "explorer" && readMessage(request).startsWith("drop: ")
    ? new ModelError("model_timeout", "Cannot ask the model: no answer")
    : null;
}

function long(text: string): string {
  return `${text} ${"It depends on the week. ".repeat(150)}`;
}

function missing(): never {
  throw new Error("Cannot look at the prompt: it was not sent");
}
