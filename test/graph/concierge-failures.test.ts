import { describe, expect, test } from "vitest";
import { ModelError } from "../../state/model.ts";
import type { Phase } from "../../state/phase.ts";
import {
  BEFORE_PLAN,
  conciergeBehaviour,
  conciergeThread,
  HANDOVER_BLOCK,
  lastText,
  noticesIn,
  OPENING,
  PLAN,
  listRequests,
  MESSAGES,
  readMessage,
  sendAll,
  STEP_BLOCK,
  WORKFLOW_BLOCK,
  type ConciergeScript,
} from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { repliesIn } from "../support/test-thread.ts";
import { understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

const SILENT = new ModelError("model_timeout", "Cannot ask the model: no answer in 60 seconds");
const TO_PLAN = [MESSAGES.question, MESSAGES.reply] as const;
const EXPLORING = [...TO_PLAN, "hm"] as const;
const TO_STEP = [...TO_PLAN, MESSAGES.plan, MESSAGES.start] as const;

/** A script that fails where a message holds these words. */
function failingOn(words: string): ConciergeScript {
  return (_phase, request) => (readMessage(request) === words ? SILENT : null);
}

describe("a concierge that gives no answer", () => {
  test.each<[Phase, readonly string[]]>([
    ["starter", [MESSAGES.question]],
    ["explorer", EXPLORING],
    ["executor", TO_STEP],
  ])("as the %s leaves phase and slots, and the next one hears the message", async (phase, way) => {
    const thread = await conciergeThread(database, { concierge: failingOn("what of fridays?") });
    await sendAll(thread, way);
    const before = await thread.state();

    const events = await thread.send("what of fridays?");
    const failed = await thread.state();
    await thread.send("are you there?");
    const after = await thread.state();

    expect(failed.concierge).toEqual(before.concierge);
    expect(failed.conciergeThread).toEqual(before.conciergeThread);
    expect(failed.opening).toEqual(before.opening);
    expect(failed.unansweredMessages).toEqual(["what of fridays?"]);
    expect(noticesIn(events)).toContain(`${phase} no-answer`);
    expect(repliesIn(events)[0]).toMatch(/That took too long, and I stopped\.$/u);
    expect(checkEventOrder(events)).toEqual([]);
    const prompt = lastText(listRequests(thread, phase).at(-1) ?? missing());
    expect(prompt).toContain("<message>\nwhat of fridays?\n</message>");
    expect(prompt).toContain("are you there?");
    // What failed was no deed of another lane.
    expect(prompt).not.toContain("What was done meanwhile");
    expect(after.unansweredMessages).toEqual([]);
    expect(after.concierge.turnInPhase).toBe(
      after.concierge.currentPhase === phase ? before.concierge.turnInPhase + 1 : 0,
    );
  });

  test("as the first starter owes the opening answer, without another batch", async () => {
    const thread = await conciergeThread(database, { concierge: failingOn(MESSAGES.question) });

    const [first = [], second = []] = await sendAll(thread, [MESSAGES.question, "hello?"]);

    expect(first.filter(({ type }) => type === "expert-start")).toHaveLength(4);
    expect(second.filter(({ type }) => type === "expert-start")).toHaveLength(0);
    const [, prompt] = listRequests(thread, "starter").map(lastText);
    expect(prompt).toContain(`<message>\n${MESSAGES.question}\n</message>`);
    expect(prompt).toContain("<message>\nhello?\n</message>");
    expect(prompt).toContain("Cook three bases on Sunday.");
    const { concierge, opening } = await thread.state();
    expect(concierge).toMatchObject({ currentPhase: "starter", turnInPhase: 1 });
    expect(opening).toMatchObject({ question: MESSAGES.question, answer: OPENING });
  });

  test("as executor 1 makes the plan with the next message, from the batch that there is", async () => {
    let fails = 1;
    const thread = await conciergeThread(database, {
      concierge: (phase) => {
        if (phase !== "executor" || fails === 0) return null;
        fails -= 1;
        return SILENT;
      },
    });
    await sendAll(thread, TO_PLAN);

    const [planned = [], again = []] = await sendAll(thread, [MESSAGES.plan, "and cheap, please"]);

    expect(repliesIn(planned)[0]).toBe(BEFORE_PLAN);
    expect(repliesIn(planned)[1]).toContain("That took too long, and I stopped.");
    const [first, second] = listRequests(thread, "executor").map(lastText);
    expect(first).not.toContain("<message>");
    expect(second).toContain("Cook three bases on Sunday.");
    expect(second).toContain("<message>\nand cheap, please\n</message>");
    expect(repliesIn(again)).toEqual([PLAN]);
    const workflows = [...planned, ...again].filter(
      (event) => event.type === "analysis" && event.purpose === "workflow",
    );
    expect(workflows).toHaveLength(1);
    const { concierge } = await thread.state();
    expect(concierge).toMatchObject({ turnInPhase: 1, pendingWorkflowAnalysis: null });
    expect(concierge.activeWorkflow?.steps).toHaveLength(2);
  });
});

describe("a starter that never hands over", () => {
  test("is followed after four answers by an explorer who knows everything that was said", async () => {
    const thread = await conciergeThread(database, {
      concierge: (phase) => (phase === "starter" ? "Tell me more." : null),
    });

    const turns = await sendAll(thread, [
      MESSAGES.question,
      MESSAGES.reply,
      "fridays are free",
      "we like rice",
      "so?",
    ]);

    expect(
      turns.map((events) => events.filter(({ type }) => type === "phase-change").length),
    ).toEqual([0, 0, 0, 1, 0]);
    const reminders = listRequests(thread, "starter").slice(2).map(lastText);
    expect(reminders[0]).toContain("The Intent Handover is still open");
    expect(reminders[1]).toContain("The Intent Handover is due");
    const prompt = lastText(listRequests(thread, "explorer")[0] ?? missing());
    for (const text of [MESSAGES.question, MESSAGES.reply, "fridays are free", "we like rice"]) {
      expect(prompt).toContain(text);
    }
    // What the experts said is there whole, since nobody has told what of it matters.
    expect(prompt).toContain("## What Was Learned\n\n### Topology");
    expect(prompt).toContain("- Cook nothing ahead. (against: “three bases”)");
  });
});

describe("a WORKFLOW block that cannot be read", () => {
  const UNREADABLE = WORKFLOW_BLOCK.replace(/PROMPT:[\s\S]*?<<<END>>>/u, "<<<END>>>");

  test("is asked for once more, and then run; the person sees nothing of it", async () => {
    const thread = await conciergeThread(database, {
      concierge: (_phase, request) => {
        if (lastText(request).startsWith("Your block could not be read")) return WORKFLOW_BLOCK;
        return readMessage(request) === MESSAGES.plan ? `${BEFORE_PLAN}\n\n${UNREADABLE}` : null;
      },
    });
    await sendAll(thread, TO_PLAN);

    const events = await thread.send(MESSAGES.plan);

    expect(repliesIn(events)).toEqual([BEFORE_PLAN, PLAN]);
    expect((await thread.state()).concierge.currentPhase).toBe("executor");
  });

  test("twice leaves the exploration as it is, and says so in the events", async () => {
    const thread = await conciergeThread(database, {
      concierge: (_phase, request) => {
        if (lastText(request).startsWith("Your block could not be read")) return UNREADABLE;
        return readMessage(request) === MESSAGES.plan ? `${BEFORE_PLAN}\n\n${UNREADABLE}` : null;
      },
    });
    await sendAll(thread, TO_PLAN);

    const events = await thread.send(MESSAGES.plan);
    const asked = listRequests(thread, "explorer").length;
    const next = await thread.send("go on then");

    expect(repliesIn(events)).toEqual([`${BEFORE_PLAN}\n\n${NO_PLAN}`]);
    expect(checkEventOrder(events)).toEqual([]);
    expect(noticesIn(events)).toEqual(["explorer signal-ignored"]);
    expect(asked).toBe(2);
    // The request for the block is no part of the thread.
    const texts = listRequests(thread, "explorer")
      .at(-1)
      ?.messages.map(({ text }) => text);
    expect(texts?.some((text) => text.startsWith("Your block"))).toBe(false);
    expect(repliesIn(next)).toEqual(['On "go on then": go on.']);
  });
});

/** An explorer that answers with a text alone, and a request for its block with another. */
function promising(answer: string, again: string): ConciergeScript {
  return (_phase, request) => {
    if (lastText(request).startsWith("Your block is missing")) return again;
    return readMessage(request) === MESSAGES.plan ? answer : null;
  };
}

/** Lets a person who is exploring ask for the plan. */
async function askForPlan(concierge: ConciergeScript) {
  const { understand } = conciergeBehaviour();
  const thread = await conciergeThread(database, {
    concierge,
    behaviour: {
      understand: (request) =>
        readMessage(request) === MESSAGES.plan
          ? { json: understandAnswer({ lane: "concierge", asksForPlan: MESSAGES.plan }) }
          : (understand?.(request) ?? null),
    },
  });
  await sendAll(thread, EXPLORING);
  const before = listRequests(thread, "explorer").length;
  const events = await thread.send(MESSAGES.plan);
  expect(checkEventOrder(events)).toEqual([]);
  const asked = listRequests(thread, "explorer").length - before;
  return { events, asked, concierge: (await thread.state()).concierge };
}

describe("an answer without a block to somebody who asks for the plan", () => {
  const PROMISE = "I am putting the plan together now.";

  test("is asked for it once, and the plan comes in that turn", async () => {
    const { events, asked, concierge } = await askForPlan(promising(PROMISE, WORKFLOW_BLOCK));

    expect(repliesIn(events)).toEqual([PROMISE, PLAN]);
    expect(noticesIn(events)).toContain("explorer block-repaired");
    expect(asked).toBe(2);
    expect(concierge.currentPhase).toBe("executor");
  });

  test("takes the promise back where none comes", async () => {
    const { events, asked, concierge } = await askForPlan(promising(PROMISE, PROMISE));

    expect(repliesIn(events)).toEqual([`${PROMISE}\n\n${NO_PLAN}`]);
    expect(asked).toBe(2);
    expect(concierge.currentPhase).toBe("explorer");
  });

  test("is asked for it where the answer numbers the steps itself and then asks whether to begin", async () => {
    const written = "Here it is.\n\n1. Soak\n2) Stew\n**3. Serve**\n\nShall we begin with step 1?";
    const { events, asked, concierge } = await askForPlan(promising(written, WORKFLOW_BLOCK));

    expect(repliesIn(events)).toEqual([written, PLAN]);
    expect(asked).toBe(2);
    expect(concierge.currentPhase).toBe("executor");
  });

  test.each([
    "Gladly. **How many evenings shall it cover?**",
    "Gladly:\n1. How many evenings?\n2. For how many?\n3. From which day on?",
  ])("is left alone where it asks what is missing: %j", async (question) => {
    const { events, asked } = await askForPlan(promising(question, WORKFLOW_BLOCK));

    expect(repliesIn(events)).toEqual([question]);
    expect(noticesIn(events)).toEqual([]);
    expect(asked).toBe(1);
  });
});

describe("a block that is not the concierge's to write", () => {
  const unknown = WORKFLOW_BLOCK.replace("TYPE: WORKFLOW", "TYPE: PARTY");

  test.each<[string, Phase, readonly string[], string]>([
    ["a STEP_HELP from the starter", "starter", [MESSAGES.question], STEP_BLOCK],
    ["a HANDOVER cut off", "starter", [MESSAGES.question], cut(HANDOVER_BLOCK)],
    ["a HANDOVER from the explorer", "explorer", EXPLORING, HANDOVER_BLOCK],
    ["a STEP_HELP from the explorer", "explorer", EXPLORING, STEP_BLOCK],
    ["an unknown TYPE", "explorer", EXPLORING, unknown],
    ["a WORKFLOW cut off", "explorer", EXPLORING, cut(WORKFLOW_BLOCK)],
    ["a WORKFLOW from the executor", "executor", TO_STEP, WORKFLOW_BLOCK],
    ["a HANDOVER from the executor", "executor", TO_STEP, HANDOVER_BLOCK],
    ["a STEP_HELP cut off", "executor", TO_STEP, cut(STEP_BLOCK)],
  ])("%s is hidden, noted and not acted on", async (_name, phase, way, block) => {
    const thread = await conciergeThread(database, {
      concierge: (_phase, request) => {
        if (lastText(request).startsWith("Your block could not be read")) return "No.";
        return readMessage(request) === "and then?" ? `Here it is.\n\n${block}` : null;
      },
    });
    await sendAll(thread, way);
    const before = (await thread.state()).concierge;

    const events = await thread.send("and then?");

    const isAskedAgain = thread.requests.some((request) =>
      lastText(request).startsWith("Your block could not be read"),
    );
    const reply = isAskedAgain ? `Here it is.\n\n${NO_PLAN}` : "Here it is.";
    expect(repliesIn(events)).toEqual([reply]);
    expect(noticesIn(events)).toEqual([`${phase} signal-ignored`]);
    expect(events.filter(({ type }) => type === "expert-start")).toEqual([]);
    expect((await thread.state()).concierge).toEqual({
      ...before,
      turnInPhase: before.turnInPhase + 1,
    });
    const shown = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
    expect(shown.join("")).toBe(reply);
    expect(checkEventOrder(events)).toEqual([]);
    expect(repliesIn(await thread.send("ok")).length).toBeGreaterThan(0);
  });

  test.each<[string, Phase, readonly string[], string]>([
    ["a HANDOVER", "starter", [MESSAGES.question], HANDOVER_BLOCK],
    ["a WORKFLOW", "explorer", EXPLORING, WORKFLOW_BLOCK],
    ["a STEP_HELP", "executor", TO_STEP, STEP_BLOCK],
  ])(
    "%s that the person typed and the %s repeats changes nothing",
    async (_name, phase, way, block) => {
      const typed = `my notes: ${block}`;
      const thread = await conciergeThread(database, {
        concierge: (_phase, request) =>
          lastText(request).includes("my notes:") ? `You wrote this.\n\n${block}` : null,
      });
      await sendAll(thread, way);
      const before = (await thread.state()).concierge;

      const events = await thread.send(typed);

      const prompt = lastText(listRequests(thread, phase).at(-1) ?? missing());
      expect(prompt).toContain(`my notes: ${block.replaceAll("<<<", "‹‹‹")}`);
      expect(repliesIn(events)).toEqual(["You wrote this."]);
      expect(noticesIn(events)).toEqual([`${phase} signal-ignored`]);
      expect((await thread.state()).concierge).toEqual({
        ...before,
        turnInPhase: before.turnInPhase + 1,
      });
    },
  );
});

test("ids of the program in a concierge's answer are shown in words, as it streams and in the end", async () => {
  const thread = await conciergeThread(database, {
    concierge: (_phase, request) =>
      readMessage(request) === "and then?"
        ? "[step_1] As journey_1 has it, step_2 (t5-b2) is next."
        : null,
  });
  await sendAll(thread, TO_STEP);

  const events = await thread.send("and then?");

  const goal = (await thread.state()).journeys[0]?.title ?? "";
  const reply = `As ${goal} has it, Prepare on Sunday is next.`;
  const shown = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  expect([repliesIn(events), shown.join("")]).toEqual([[reply], reply]);
  expect(noticesIn(events)).toEqual([]);
});

describe("an answer that is only a block", () => {
  test("gets a sentence of its own where it asks for the plan", async () => {
    const thread = await conciergeThread(database, {
      concierge: (_phase, request) =>
        readMessage(request) === MESSAGES.plan ? WORKFLOW_BLOCK : null,
    });
    await sendAll(thread, TO_PLAN);

    const events = await thread.send(MESSAGES.plan);

    expect(repliesIn(events)).toEqual(["Good. I am putting the plan together now.", PLAN]);
    expect(checkEventOrder(events)).toEqual([]);
  });

  test("is asked for again where the person would see nothing", async () => {
    const thread = await conciergeThread(database, {
      concierge: (_phase, request) => {
        if (lastText(request).startsWith("This could not be used")) return "Try this first.";
        return readMessage(request) === "and then?" ? STEP_BLOCK : null;
      },
    });
    await sendAll(thread, TO_STEP);

    const events = await thread.send("and then?");

    expect(repliesIn(events)).toEqual(["Try this first."]);
    expect(checkEventOrder(events)).toEqual([]);
  });

  test("twice is no answer: the message is kept, and nothing of the machinery is said", async () => {
    const thread = await conciergeThread(database, {
      concierge: (_phase, request) =>
        readMessage(request) === MESSAGES.reply ||
        lastText(request).startsWith("This could not be used")
          ? STEP_BLOCK
          : null,
    });

    const [, events = []] = await sendAll(thread, [MESSAGES.question, MESSAGES.reply]);

    const { concierge, unansweredMessages } = await thread.state();
    expect(concierge).toMatchObject({ currentPhase: "starter", turnInPhase: 1 });
    expect(unansweredMessages).toEqual([MESSAGES.reply]);
    expect(repliesIn(events)[0]).toMatch(/Please put it another way\.$/u);
    expect(repliesIn(events)[0]).not.toMatch(/block|starter|"/u);
  });
});

/** Reply after a promised plan that nobody could read. */
const NO_PLAN =
  "(Putting the plan together did not work just now. Ask for it again, and I will try once more.)";

function missing(): never {
  throw new Error("Cannot look at the prompt: it was not sent");
}

/** A block as the length limit leaves it. */
function cut(block: string): string {
  return block.replace("<<<END>>>", "");
}
