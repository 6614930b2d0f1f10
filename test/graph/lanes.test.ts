import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openModels } from "../../app/open-models.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { TurnEvent } from "../../state/event.ts";
import { openConversation, type Stage } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";

const database = await testDatabase();
const { models } = await openModels({ kind: "simulated" });

/** A thread of somebody on a graph of its own. */
function openThread(options: Partial<Stage>) {
  return openConversation(
    { database, models, ...options },
    { userId: "lanes", threadId: randomUUID() },
  );
}

const OPEN_QUESTION = "we keep ordering takeout and it costs a fortune, what should we do?";

function listNodes(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) => (event.type === "node-start" ? [event.node] : []));
}

describe("a graph without a domain", () => {
  test("is a concierge for anything", async () => {
    const thread = openThread({});

    const { events } = await thread.send(OPEN_QUESTION);

    expect(checkEventOrder(events)).toEqual([]);
    expect(listNodes(events)).toEqual([
      "intake",
      "understand",
      "convene",
      "mapper",
      "structure",
      "starter",
      "reply",
      "summarize",
      "finish",
    ]);
    expect(await thread.state()).toMatchObject({
      opening: { question: OPEN_QUESTION },
      concierge: { currentPhase: "starter", turnInPhase: 1 },
    });
  });

  test("answers small talk without asking any expert", async () => {
    const thread = openThread({});

    const { events } = await thread.send("hello!");

    expect(listNodes(events)).toEqual(["intake", "understand", "reply", "summarize", "finish"]);
    expect((await thread.state()).opening).toBeNull();
  });
});

test("with the task lane alone an open question is the planner's", async () => {
  const thread = openThread({ domain: mealsDomain, lanes: { task: true, concierge: false } });

  const { events } = await thread.send(OPEN_QUESTION);

  expect(listNodes(events)).toContain("think");
  expect(listNodes(events)).not.toContain("convene");
});

describe("createConciergeGraph() refuses", () => {
  const expert = { id: "risk", lens: null, model: models.reply };
  test.each<[string, Partial<Stage>, RegExp]>([
    [
      "a graph without a lane",
      { domain: mealsDomain, lanes: { task: false, concierge: false } },
      /without a lane: enable task, concierge or both/,
    ],
    [
      "the task lane without a domain",
      { lanes: { task: true, concierge: true } },
      /task lane without a domain: pass "domain"/,
    ],
    [
      "an expert twice",
      { experts: [expert, expert] },
      /"risk" twice: give each expert a different id/,
    ],
  ])("%s", (_, options, message) => {
    expect(() => openThread(options)).toThrow(message);
  });
});
