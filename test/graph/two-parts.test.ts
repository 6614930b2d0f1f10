import { describe, expect, test } from "vitest";
import { z } from "zod";
import { renderSentence } from "../../text/sentences.ts";
import { ModelError, type ModelRequest } from "../../state/model.ts";
import type { Advice } from "../../state/understanding.ts";
import {
  conciergeBehaviour,
  conciergeThread,
  lastText,
  listRequests,
  MESSAGES,
  OPENING,
  readMessage,
  sendAll,
} from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { adding, call, complete } from "../support/step-script.ts";
import { repliesIn, type Behaviour, type TestThread } from "../support/test-thread.ts";
import { makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

const STEP_DONE = "step 1 is done, what now?";
const BOTH = `put figs on my list, and ${STEP_DONE}`;
const ADDED = `${renderSentence("receiptCreated", { rows: "figs" })}\n\nGladly.`;

function isForBoth(request: ModelRequest): boolean {
  return lastText(request).includes("put figs");
}

/** Models of a thread in which a message for both lanes adds figs, besides what the concierge does. */
function adds(advice: Partial<Advice> = {}): Behaviour {
  const { understand } = conciergeBehaviour();
  return {
    understand: (request) =>
      readMessage(request).startsWith("put figs")
        ? {
            json: understandAnswer({
              lane: "both",
              needs: "change",
              conciergePart: STEP_DONE,
              ...advice,
            }),
          }
        : (understand?.(request) ?? null),
    think: (request) =>
      isForBoth(request)
        ? {
            json: thinkAnswer({
              steps: [
                makeStep({ description: "Add figs", stepType: "write", subdomain: "shopping" }),
              ],
            }),
          }
        : null,
    act: ({ messages }) =>
      messages.some(({ role }) => role === "tool") ? complete("Added it") : call(...adding("figs")),
  };
}

const DONE = {
  kind: "done" as const,
  step: "step_1",
  after: null,
  text: null,
  words: "step 1 is done",
};
const TO_STEP = [MESSAGES.question, MESSAGES.reply, MESSAGES.plan, MESSAGES.start] as const;

describe("a message with a part for each lane", () => {
  test("is served in one turn: the task first, then the plan is changed, then the concierge", async () => {
    const thread = await conciergeThread(database, { behaviour: adds({ planActions: [DONE] }) });
    await sendAll(thread, TO_STEP);

    const events = await thread.send(BOTH);

    expect(repliesIn(events)).toEqual([
      ADDED,
      `Done: 1 (“Choose three bases”).\n\nDo this about "${BOTH}".`,
    ]);
    expect(checkEventOrder(events)).toEqual([]);
    expect(await countFigs(thread)).toBe(1);
    const state = await thread.state();
    expect(state.journeyPlan?.steps.map(({ mark }) => mark)).toEqual(["done", "open"]);
    expect(state.turnExecutionSummaries.at(-1)?.effects).toHaveLength(1);
    const nodes = events.flatMap((event) => (event.type === "node-start" ? [event.node] : []));
    expect(nodes.filter((node) => node !== "tools" && node !== "act")).toEqual([
      "intake",
      "understand",
      "think",
      "reply",
      "changePlan",
      "executor",
      "reply",
      "summarize",
      "finish",
    ]);

    const thought = thread.requests.findLast(({ role }) => role === "think");
    expect(lastText(thought ?? missing())).toContain(
      `The concierge's part: "${STEP_DONE}". It is answered after yours; the rest is yours.`,
    );
    const spoken = lastText(listRequests(thread, "executor").at(-1) ?? missing());
    expect(spoken).toContain(`The concierge's part: "${STEP_DONE}". It is yours`);
    expect(spoken).toContain("What was done meanwhile:\n- Just now, with this message: ");
    expect(spoken).toContain("## Changed Just Now\n\nDone: 1 (“");
  });

  test("says nothing of the concierge's part in the reply about the task", async () => {
    const conciergePart = "suggest a dinner for Kim";
    const thread = await conciergeThread(database, { behaviour: adds({ conciergePart }) });
    await sendAll(thread, TO_STEP);

    const events = await thread.send(`put figs on my list and ${conciergePart}`);

    expect(repliesIn(events)[0]).toBe(ADDED);
  });

  test("says neither that nothing was changed nor to send it all again where its task fails", async () => {
    const thread = await conciergeThread(database, {
      behaviour: {
        ...adds({ planActions: [DONE] }),
        think: () => new ModelError("model_failed", "No answer"),
      },
    });
    await sendAll(thread, TO_STEP);

    const [task, plan] = repliesIn(await thread.send(BOTH));

    expect(task).toBe(renderSentence("otherPartMissing"));
    expect(plan).toContain("Done: 1 (“Choose three bases”).");
  });

  test("may open a journey", async () => {
    const thread = await conciergeThread(database, { behaviour: adds({ journey: "new" }) });

    const events = await thread.send(BOTH);

    expect(repliesIn(events)).toEqual([ADDED, OPENING]);
    expect((await thread.state()).opening?.question).toBe(BOTH);
  });

  test("needs no concierge where there is neither a journey nor a question", async () => {
    const thread = await conciergeThread(database, { behaviour: adds() });

    expect(repliesIn(await thread.send(BOTH))).toEqual([ADDED]);
  });

  test("keeps the question that its task part ends in, and serves the other part all the same", async () => {
    const clarification = { question: "Which list?", options: [] };
    const asking = await conciergeThread(database, {
      behaviour: {
        ...adds(),
        understand: (request) =>
          readMessage(request) === BOTH
            ? { json: understandAnswer({ lane: "both", clarification, conciergePart: STEP_DONE }) }
            : (conciergeBehaviour().understand?.(request) ?? null),
      },
    });
    await sendAll(asking, TO_STEP);

    const events = await asking.send(BOTH);

    expect(repliesIn(events)).toEqual(["Which list?", `Do this about "${BOTH}".`]);
    expect((await asking.state()).pending).toMatchObject({ kind: "question", text: "Which list?" });
  });

  test("loses and repeats nothing where the process dies between its replies", async () => {
    let deaths = 0;
    const { concierge } = conciergeBehaviour();
    const thread = await conciergeThread(database, {
      behaviour: {
        ...adds({ planActions: [DONE] }),
        concierge: (request) => {
          const isSecond = lastText(request).includes("put figs");
          if (!isSecond || deaths > 0) return concierge?.(request) ?? null;
          deaths += 1;
          return new TypeError("The process has died");
        },
      },
    });
    await sendAll(thread, TO_STEP);

    const first = await thread.send(BOTH, { messageId: "m-both" });
    const rest = await thread.send(BOTH, { messageId: "m-both" });

    expect(deaths).toBe(1);
    expect(repliesIn(first)).toEqual([]);
    expect(repliesIn(rest)).toEqual([
      ADDED,
      `Done: 1 (“Choose three bases”).\n\nDo this about "${BOTH}".`,
    ]);
    expect(await countFigs(thread)).toBe(1);
    expect((await thread.state()).journeyPlan?.version).toBe(2);
  });

  test("goes to the one lane that is switched on", async () => {
    const thread = await conciergeThread(database, {
      lanes: { task: false, concierge: true },
      behaviour: adds(),
    });
    await sendAll(thread, TO_STEP);

    expect(repliesIn(await thread.send(BOTH))).toEqual([`Do this about "${BOTH}".`]);
    expect(await countFigs(thread)).toBe(0);
  });
});

async function countFigs({ run }: TestThread): Promise<number> {
  const { rows } = await database.owner.query(
    "select count(*)::int as figs from shopping_list where user_id = $1 and name = 'figs'",
    [run.userId],
  );
  return z.tuple([z.object({ figs: z.number() })]).parse(rows)[0].figs;
}

function missing(): never {
  throw new Error("Cannot look at the prompt: it was not sent");
}
