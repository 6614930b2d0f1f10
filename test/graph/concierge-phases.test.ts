import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import type { Advice, UnderstandAnswer } from "../../state/understanding.ts";
import {
  BEFORE_PLAN,
  conciergeBehaviour,
  conciergeThread,
  HANDOVER_BLOCK,
  lastText,
  listRequests,
  MESSAGES,
  OPENING,
  PLAN,
  readMessage,
  sendAll,
  WORKFLOW_BLOCK,
  type ConciergeScript,
} from "../support/concierge-thread.ts";
import { renderSentence } from "../../text/sentences.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { repliesIn, type Behaviour } from "../support/test-thread.ts";
import { understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

const WANTS_PLAN = "give me the plan, I start Monday";

/** Understand's advice on messages, by their text; the others continue. */
function reading(advice: Readonly<Record<string, Partial<Advice>>>): Behaviour {
  const { understand } = conciergeBehaviour();
  return {
    understand: (request) => {
      const found = advice[readMessage(request)];
      if (found === undefined) return understand?.(request) ?? null;
      const isFirst = !lastText(request).includes("## Phase\n");
      const journey = isFirst ? "new" : "continue";
      return { json: understandAnswer({ lane: "concierge", journey, ...found }) };
    },
  };
}

/** An explorer that begins the plan when it is told that they want it. */
const beginsPlan: ConciergeScript = (phase, request) => {
  if (phase === "starter" && request.messages.length > 2) return "Tell me more.";
  return phase === "explorer" && lastText(request).includes("## Readiness")
    ? `${BEFORE_PLAN}\n\n${WORKFLOW_BLOCK}`
    : null;
};

describe("a request for the plan", () => {
  const wants = { asksForPlan: "give me the plan" };

  test.each<[string, readonly string[]]>([
    ["first message", []],
    ["second message", [MESSAGES.question]],
    ["third message, to a starter that never hands over", [MESSAGES.question, MESSAGES.reply]],
    [
      "tenth message",
      [MESSAGES.question, ...Array.from({ length: 8 }, (_, index) => `${index}: hm`)],
    ],
  ])("as %s brings the plan in that turn", async (_, way) => {
    const thread = await conciergeThread(database, {
      behaviour: reading({ [WANTS_PLAN]: wants }),
      concierge: beginsPlan,
    });
    await sendAll(thread, way);

    const events = await thread.send(WANTS_PLAN);

    expect(repliesIn(events)).toEqual([BEFORE_PLAN, PLAN]);
    expect(checkEventOrder(events)).toEqual([]);
    const state = await thread.state();
    expect(state.concierge).toMatchObject({ currentPhase: "executor", turnInPhase: 1 });
    expect(state.journeyPlan?.steps).toHaveLength(2);
    expect(state.opening?.answer).toBe(way.length === 0 ? BEFORE_PLAN : OPENING);
    const asked = lastText(listRequests(thread, "explorer").at(-1) ?? missing());
    expect(asked).toContain('## Readiness\n\nThey ask for the plan now ("give me the plan").');
    expect(batchesIn(events)).toEqual([
      ...(way.length === 0 ? ["opening"] : []),
      "workflow",
      "step-help",
    ]);
    expect(repliesIn(await thread.send(MESSAGES.start))).toHaveLength(1);
  });

  test("without one, a promise to act is told to the concierge and forces nothing", async () => {
    const thread = await conciergeThread(database, {
      behaviour: reading({ "I do it by Friday": { commits: "by Friday" } }),
      concierge: (phase) => (phase === "starter" ? "Tell me more." : null),
    });
    await sendAll(thread, [MESSAGES.question, "I do it by Friday"]);

    expect((await thread.state()).concierge).toMatchObject({ currentPhase: "starter" });
    expect(lastText(listRequests(thread, "starter").at(-1) ?? missing())).toContain(
      '## Readiness\n\nThey say that they will act ("by Friday").',
    );
  });
});

describe("a starter", () => {
  test("that writes its block at its third answer hands over then", async () => {
    const thread = await conciergeThread(database, {
      concierge: (phase, request) => {
        if (phase !== "starter" || request.messages.length === 2) return null;
        return readMessage(request) === "fridays are free"
          ? `I see.\n\n${HANDOVER_BLOCK}`
          : "What limits you?";
      },
    });
    const turns = await sendAll(thread, [MESSAGES.question, "hm", "fridays are free"]);

    expect(turns.map(repliesIn)).toEqual([[OPENING], ["What limits you?"], ["I see."]]);
    expect((await thread.state()).concierge).toMatchObject({ currentPhase: "explorer" });
  });

  test("that writes only its block is given a sentence", async () => {
    const thread = await conciergeThread(database, {
      concierge: (phase, request) =>
        phase === "starter" && request.messages.length > 2 ? HANDOVER_BLOCK : null,
    });
    const [, second = []] = await sendAll(thread, [MESSAGES.question, MESSAGES.reply]);

    expect(repliesIn(second)).toEqual(["Thank you, that helps. What matters most to you in this?"]);
    expect((await thread.state()).concierge).toMatchObject({ currentPhase: "explorer" });
  });

  test("may begin the plan from its second answer on", async () => {
    const thread = await conciergeThread(database, {
      concierge: (phase, request) =>
        phase === "starter" && request.messages.length > 2
          ? `${BEFORE_PLAN}\n\n${WORKFLOW_BLOCK}`
          : null,
    });
    const [, second = []] = await sendAll(thread, [MESSAGES.question, MESSAGES.reply]);

    expect(repliesIn(second)).toEqual([BEFORE_PLAN, PLAN]);
    expect((await thread.state()).concierge).toMatchObject({ currentPhase: "executor" });
  });
});

describe("an explorer", () => {
  test("keeps hypotheses, and holds up the mirror once a stall", async () => {
    const news = { isNews: true };
    const way = ["one", "two", "three", "quiet", "quiet too", "still quiet", "four", "no", "none"];
    const thread = await conciergeThread(database, {
      behaviour: reading({ one: news, two: news, three: news, four: news }),
    });
    await sendAll(thread, [MESSAGES.question, MESSAGES.reply, ...way]);

    const prompts = listRequests(thread, "explorer");
    expect(prompts[0]?.messages[0]?.text).toContain("## Hypotheses\n\nKeep two or three readings");
    const stalled = prompts.map(lastText).filter((text) => text.includes("## Nothing New"));
    expect(stalled.map((text) => /<message>\n(.+)\n/u.exec(text)?.[1])).toEqual([
      "quiet too",
      "none",
    ]);
    expect((await thread.state()).concierge).toMatchObject({ currentPhase: "explorer" });
  });
});

describe("the help with the first step", () => {
  test("is announced once, and does not speak unasked", async () => {
    const thread = await conciergeThread(database);
    await sendAll(thread, [MESSAGES.question, MESSAGES.reply]);

    const events = await thread.send(MESSAGES.plan);

    expect(repliesIn(events)).toEqual([BEFORE_PLAN, PLAN]);
    expect(
      events.flatMap((event) => (event.type === "step-help-ready" ? [event] : [])),
    ).toMatchObject([
      {
        step: "step_1",
        text: "I have worked out step 1, “Choose three bases”: say “go on”.",
      },
    ]);
    const later = await sendAll(thread, ["go on", "and then?"]);
    expect(later.flat().filter(({ type }) => type === "step-help-ready")).toEqual([]);
  });
});

/** Understand reads "how do you know?" as one, and everything else as before. */
const curious = (rare: Partial<UnderstandAnswer>): Behaviour => {
  const { understand } = conciergeBehaviour();
  return {
    understand: (request) =>
      readMessage(request) === "how do you know?"
        ? { json: understandAnswer({ lane: "concierge", meta: "sources", ...rare }) }
        : (understand?.(request) ?? null),
  };
};

describe("a question about the assistant", () => {
  const tasks = Array.from({ length: 20 }, (_, index) => `task: what about ${index}?`);

  test.each<[string, Partial<UnderstandAnswer>, string]>([
    ["the one that Understand names", { metaBatch: "t1-b1" }, MESSAGES.question],
    ["the newest one where it names none", {}, "help with “Choose three bases”"],
  ])("20 turns after a batch is answered from %s", async (_, rare, question) => {
    const thread = await conciergeThread(database, { behaviour: curious(rare) });
    await sendAll(thread, [MESSAGES.question, MESSAGES.reply, MESSAGES.plan, MESSAGES.start]);
    await sendAll(thread, tasks);

    const [reply = ""] = repliesIn(await thread.send("how do you know?"));

    expect(reply).toContain("4");
    expect(reply).toContain(question.slice(0, 40));
    const asked = thread.requests.findLast(({ role }) => role === "understand");
    expect(lastText(asked ?? missing())).toContain("## What Experts Were Asked\n\n<data>\n- t3-b2");
  });

  test("while the help with a step waits is answered from the plan's batch, as an earlier one after other turns", async () => {
    const thread = await conciergeThread(database, { behaviour: curious({}) });
    await sendAll(thread, [MESSAGES.question, MESSAGES.reply, MESSAGES.plan]);

    const [first = ""] = repliesIn(await thread.send("how do you know?"));
    await sendAll(thread, tasks.slice(0, 2));
    const [later = ""] = repliesIn(await thread.send("how do you know?"));

    const isEarlier = renderSentence("askedEarlier");
    const isPlan = renderSentence("askedForPlan");
    expect([first, later].map((reply) => reply.includes(isPlan))).toEqual([true, true]);
    expect([first, later].map((reply) => reply.includes(isEarlier))).toEqual([false, true]);
  });
});

function batchesIn(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) => (event.type === "analysis" ? [event.purpose] : []));
}

function missing(): never {
  throw new Error("Cannot look at the prompt: it was not sent");
}
