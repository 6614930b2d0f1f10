import { afterAll, expect, test } from "vitest";
import { TurnEventSchema, type TurnEvent } from "../../state/event.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import { findActiveStep } from "../../state/view-plan.ts";
import { BARE_EXECUTION } from "../support/concierge-documents.ts";
import { lastText, quickExperts, readMessage, readPhase } from "../support/concierge-thread.ts";
import { judgePlanWish, type PlayedMessage } from "../support/judge-plan-wish.ts";
import { PlanOracle, type MeantMessage } from "../support/plan-oracle.ts";
import {
  listSettings,
  outlineWishedPlan,
  PLAN_WISHES,
  WISHED_PLANS,
  type PlanWish,
  type WishedPlan,
} from "../support/plan-wishes.ts";
import { readSse } from "../support/read-sse.ts";
import { renderExecutionBlock } from "../support/render-blocks.ts";
import { serveGraph } from "../support/served-graph.ts";
import { behavingModels, repliesIn, type Behaviour } from "../support/test-thread.ts";
import { NARRATIVE_ANSWER, understandAnswer } from "../support/turn-state.ts";

const PLANS = Object.values(WISHED_PLANS);

/** The message that sets marks and choices of a plan as they are to stand. */
function describeSettings(plan: WishedPlan): string {
  return `${plan.goal}. ${listSettings(plan)
    .map(({ words }) => words)
    .join("; ")}`;
}

/** Meanings of each message of the play, by its text and by the words in it that ask for something. */
const MEANINGS = new Map<string, MeantMessage>();
for (const plan of PLANS) {
  keepMeaning(describeSettings(plan), { meant: listSettings(plan), isUnclear: false });
}
for (const { messages, meaning, expect: expected } of PLAN_WISHES) {
  for (const [index, text] of messages.entries()) {
    const isUnclear = expected[index] === "asks back";
    keepMeaning(text, { meant: meaning[index] ?? [], isUnclear });
  }
}

function keepMeaning(text: string, meaning: MeantMessage): void {
  for (const words of [...meaning.meant.map((change) => change.words), text]) {
    MEANINGS.set(words, meaning);
  }
}

const oracle = new PlanOracle((words) => MEANINGS.get(words) ?? missing());

/** Gives a plan to those who ask for one, in the same turn; the oracle answers what is said afterwards. */
const BEHAVIOUR: Behaviour = {
  understand: (request) => {
    const asksForPlan = readMessage(request);
    if (!PLANS.some(({ goal }) => goal === asksForPlan))
      return oracle.behaviour.understand(request);
    return { json: { ...understandAnswer({ lane: "concierge", journey: "new", asksForPlan }) } };
  },
  concierge: (request) => {
    if (readPhase(request) === "explorer") {
      const handover = { ...BARE_EXECUTION, goal: readPlan(lastText(request)).goal };
      return `Here it comes.\n\n${renderExecutionBlock(handover, "You plan well.")}`;
    }
    if (!lastText(request).includes("Write the plan")) return oracle.behaviour.concierge(request);
    const { goal, steps } = readPlan(lastText(request));
    return [goal, ...steps.map(({ title }, index) => `${index + 1}. ${title}`)].join("\n");
  },
  summarize: (request) => ({
    json:
      request.schema?.name === "workflow"
        ? outlineWishedPlan(readPlan(lastText(request)))
        : NARRATIVE_ANSWER,
  }),
};

function readPlan(prompt: string): WishedPlan {
  return PLANS.find(({ goal }) => prompt.includes(goal)) ?? missing();
}

const served = await serveGraph({
  models: behavingModels(BEHAVIOUR, { requests: [], name: "wished" }),
  experts: quickExperts(2),
});
afterAll(() => served.close());

async function post(path: string, body: object): Promise<Response> {
  const response = await fetch(`${served.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response;
}

async function send(thread: string, message: string): Promise<readonly TurnEvent[]> {
  const events = await readSse(await post("/chat", { thread, message }));
  return events.flatMap(({ data }) => TurnEventSchema.safeParse(data).data ?? []);
}

async function loadPlan(thread: string): Promise<JourneyPlan> {
  const { values } = await served.graph.getState({ configurable: { thread_id: thread } });
  return values.journeyPlan ?? missing();
}

/** Leads a thread to a plan, with marks and choices. */
async function openPlan(plan: WishedPlan): Promise<string> {
  const thread = crypto.randomUUID();
  await send(thread, plan.goal);
  await send(thread, describeSettings(plan));
  return thread;
}

async function playWish({ messages }: PlanWish, from: string): Promise<readonly PlayedMessage[]> {
  const copied: unknown = await (await post(`/threads/${from}/copy`, {})).json();
  const { thread_id: thread } = copied as { readonly thread_id: string };
  const played: PlayedMessage[] = [];
  for (const message of messages) {
    const before = await loadPlan(thread);
    const reply = repliesIn(await send(thread, message)).join("\n\n");
    played.push({ before, after: await loadPlan(thread), reply });
  }
  return played;
}

function missing(): never {
  throw new Error("Cannot look at it: it is not there");
}

/** The longest that two cores of a busy machine take, in milliseconds. */
const TIMEOUT = 90_000;

test(
  "thirty wishes to change a plan are carried out or asked back, and spoken of as they are stored",
  async () => {
    const threads = new Map<WishedPlan, string>();
    for (const plan of PLANS) {
      const thread = await openPlan(plan);
      threads.set(plan, thread);
      const opened = await loadPlan(thread);
      expect(opened.steps.map(({ title, mark }) => [title, mark])).toEqual(
        plan.steps.map(({ title, mark }) => [title, mark]),
      );
      expect(opened.decisions.map(({ question, chosen }) => [question, chosen])).toEqual(
        plan.decisions.map(({ question, chosen }) => [question, chosen]),
      );
      expect(findActiveStep(opened)?.title).toBe(plan.next);
    }
    const plays = await Promise.all(
      PLAN_WISHES.map(async (wish) => {
        const plan = WISHED_PLANS[wish.plan];
        return { wish, plan, played: await playWish(wish, threads.get(plan) ?? missing()) };
      }),
    );

    expect(oracle.missing).toEqual([]);
    expect(served.noted.errors).toEqual([]);
    expect(plays.map(({ wish, plan, played }) => judgePlanWish(wish, plan, played))).toEqual(
      PLAN_WISHES.map(({ id, expect: outcomes }) => ({ id, outcomes, problems: [] })),
    );
    // The judge notices a change that was not stored, and one that is not spoken of.
    for (const { wish, plan, played } of plays) {
      const changed = played.some(({ before, after }) => after.version > before.version);
      const unstored = played.map(({ before, reply }) => ({ before, after: before, reply }));
      const unspoken = played.map(({ before, after }) => ({ before, after, reply: "I see." }));
      for (const falsified of [unstored, unspoken]) {
        expect(judgePlanWish(wish, plan, falsified).problems.length > 0).toBe(changed);
      }
    }
  },
  TIMEOUT,
);
