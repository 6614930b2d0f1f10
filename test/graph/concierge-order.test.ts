import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import type { Expert } from "../../state/expert.ts";
import { ModelError, type ModelRequest } from "../../state/model.ts";
import {
  BEFORE_PLAN,
  conciergeThread,
  createExpert,
  hangingModel,
  lastText,
  modelThat,
  noticesIn,
  PLAN,
  quickExperts,
  listRequests,
  MESSAGES,
  sendAll,
  readQuestion,
  STEP_PROMPT,
} from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { outlineTurn, repliesIn, type Behaviour, type TestThread } from "../support/test-thread.ts";

const database = await testDatabase();

const TO_PLAN = [MESSAGES.question, MESSAGES.reply] as const;
/** So long that a test which waits for it fails. */
const PATIENT = { expertSeconds: 600, expertGraceSeconds: 600, batchSeconds: 600 };

/** An expert that answers every batch but the step's, in which it never ends. */
function hangingInStep(id: string): Expert {
  const hung = hangingModel();
  const quick = modelThat(() => `View of ${id}`);
  return {
    id,
    lens: null,
    model: {
      name: id,
      complete: (request) =>
        readQuestion(request) === STEP_PROMPT ? hung.complete(request) : quick.complete(request),
    },
  };
}

/** Sends a message, and another one as soon as `when` says so; all events of both. */
async function interrupted(
  thread: TestThread,
  first: string,
  then: { readonly text: string; readonly when: (event: TurnEvent) => boolean },
): Promise<readonly TurnEvent[]> {
  const sent: Promise<unknown>[] = [];
  const events = await thread.send(first, {
    onEvent: (event) => {
      if (sent.length === 0 && then.when(event)) sent.push(thread.sendFor(then.text, {}));
    },
  });
  await Promise.all(sent);
  return events;
}

const isStepEvent = (event: TurnEvent, type: "expert-start" | "expert-end"): boolean =>
  event.type === type && event.purpose === "step-help";

describe("the turn in which a plan is asked for", () => {
  test("tells the explorer's reply, runs the batch, tells the plan, and then asks for step 1", async () => {
    const thread = await conciergeThread(database, { experts: quickExperts(2) });
    await sendAll(thread, TO_PLAN);

    const events = await thread.send(MESSAGES.plan);

    const order = outlineTurn(events).filter((type) => type !== "notice" && type !== "plan-change");
    expect(order).toEqual([
      "turn-start",
      "understood",
      "reply",
      "expert-start",
      "expert-start",
      "expert-end",
      "expert-end",
      "analysis",
      "phase-change",
      "reply",
      "expert-start",
      "expert-start",
      "expert-end",
      "expert-end",
      "analysis",
      "step-help-ready",
      "turn-end",
    ]);
    expect(repliesIn(events)).toEqual([BEFORE_PLAN, PLAN]);
    expect(checkEventOrder(events)).toEqual([]);
    expect((await thread.state()).concierge).toMatchObject({
      currentPhase: "executor",
      turnInPhase: 1,
      pendingWorkflowAnalysis: null,
      pendingStepBatchAnalysis: { shape: { name: "settled" } },
    });
  });

  test("asks for step 1 while the record is being written", async () => {
    const asked = Promise.withResolvers<void>();
    let isPlanned = false;
    const summarize: Behaviour["summarize"] = async () => {
      if (isPlanned) await asked.promise;
      return "no JSON";
    };
    const thread = await conciergeThread(database, { behaviour: { summarize } });
    await sendAll(thread, TO_PLAN);
    isPlanned = true;

    const events = await thread.send(MESSAGES.plan, {
      onEvent: (event) => {
        if (isStepEvent(event, "expert-end")) asked.resolve();
      },
    });

    expect(events.at(-1)?.type).toBe("turn-end");
  });

  test("notes in the events what the step's batch ran into", async () => {
    const failing = createExpert("e2", (request) =>
      readQuestion(request) === STEP_PROMPT
        ? new ModelError("model_timeout", "Cannot ask the model: no answer")
        : "View of e2",
    );
    const thread = await conciergeThread(database, { experts: [...quickExperts(1), failing] });
    await sendAll(thread, TO_PLAN);

    const events = await thread.send(MESSAGES.plan);

    expect(noticesIn(events).slice(-2)).toEqual(["expert expert-failed", "mapper no-quorum"]);
    expect((await thread.state()).concierge.pendingStepBatchAnalysis).toBeNull();
  });
});

describe("a message that comes while a step's batch runs", () => {
  test("cuts it when two have answered, and is answered with the brief", async () => {
    const thread = await conciergeThread(database, {
      experts: [...quickExperts(2), hangingInStep("e3")],
      limits: PATIENT,
    });
    await sendAll(thread, TO_PLAN);

    const events = await interrupted(thread, MESSAGES.plan, {
      text: MESSAGES.start,
      when: (event) => isStepEvent(event, "expert-end") && ends(event) === "e2 answered",
    });

    expect(events.filter((event) => isStepEvent(event, "expert-end")).map(ends)).toEqual([
      "e1 answered",
      "e2 answered",
      "e3 cut",
    ]);
    expect(checkEventOrder(events)).toEqual([]);
    // Nobody is told to say "go on" who has gone on.
    expect(events.filter(({ type }) => type === "step-help-ready")).toEqual([]);
    const [, prompt] = listRequests(thread, "executor").map(lastText);
    expect(prompt).toContain("Rice, tomato sauce and roast roots keep five days.");
    expect(prompt).toContain(`<message>\n${MESSAGES.start}\n</message>`);
    expect(repliesIn(events).at(-1)).toBe(`Do this about "${MESSAGES.start}".`);
  });

  test("leaves a batch without an answer its grace, and is answered without a brief", async () => {
    const thread = await conciergeThread(database, {
      experts: [hangingInStep("e1"), hangingInStep("e2")],
      limits: { ...PATIENT, cutGraceSeconds: 1 },
    });
    await sendAll(thread, TO_PLAN);

    const events = await interrupted(thread, MESSAGES.plan, {
      text: MESSAGES.start,
      when: (event) => isStepEvent(event, "expert-start"),
    });

    expect(events.filter((event) => isStepEvent(event, "expert-end")).map(ends)).toEqual([
      "e1 cut",
      "e2 cut",
    ]);
    const [, prompt] = listRequests(thread, "executor").map(lastText);
    expect(prompt).toContain("No expert guidance on Step 1 came in.");
    expect(prompt).toContain("TYPE: STEP_HELP");
    expect(prompt).toContain(MESSAGES.start);
  });
});

describe("a stop", () => {
  test.each([
    ["workflow", [BEFORE_PLAN]],
    ["step-help", [BEFORE_PLAN, PLAN]],
  ] as const)(
    "in a %s batch ends the turn there: nobody is asked again",
    async (purpose, replies) => {
      let asked = 0;
      const hung = hangingModel({ heeds: true });
      const quick = modelThat(() => "My view");
      const isHere = (text: string): boolean =>
        purpose === "workflow" ? text.startsWith("You are a meal planner") : text === STEP_PROMPT;
      const complete = (request: ModelRequest) => {
        if (!isHere(readQuestion(request))) return quick.complete(request);
        asked += 1;
        return hung.complete(request);
      };
      const model = { name: "stopped", complete };
      const experts = ["e1", "e2"].map((id) => ({ id, lens: null, model }));
      const thread = await conciergeThread(database, { experts, limits: PATIENT });
      await sendAll(thread, TO_PLAN);

      const stop = new AbortController();
      const events = await thread.send(MESSAGES.plan, {
        stop: stop.signal,
        onEvent: (event) => {
          if (event.type === "expert-start" && event.purpose === purpose && asked === 2)
            stop.abort();
        },
      });

      expect(asked).toBe(2);
      expect(repliesIn(events)).toEqual(replies);
      expect(events.at(-1)?.type).toBe("turn-end");
      expect(noticesIn(events)).toContain("driver stopped");
      expect(checkEventOrder(events)).toEqual([]);
      expect(repliesIn(await thread.send("and now?"))).toHaveLength(1);
    },
  );
});

function ends(event: TurnEvent): string {
  return event.type === "expert-end" ? `${event.expert} ${event.outcome}` : "";
}
