import { Client, type Command } from "@langchain/langgraph-sdk";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { openModels } from "../../app/open-models.ts";
import { publicValues } from "../../graph/public-state.ts";
import type { LanguageModel } from "../../state/model.ts";
import { namesIn } from "../support/fresh-kitchen.ts";
import { serveGraph } from "../support/served-graph.ts";
import { readProblem } from "../support/server-parts.ts";

const { models } = await openModels({ kind: "simulated" });
let calls = 0;
/** Models answer once it is resolved. */
let gate = Promise.resolve();
const served = await serveGraph({
  models: {
    ...models,
    understand: counted(models.understand),
    think: counted(models.think),
    act: counted(models.act),
    reply: counted(models.reply),
    summarize: counted(models.summarize),
  },
});
const { database } = served;
const client = new Client({ apiUrl: served.url, apiKey: null, callerOptions: { maxRetries: 0 } });

afterAll(async () => {
  await served.close();
  expect(served.noted.errors).toEqual([]);
});

beforeEach(() => database.owner.query("delete from shopping_list"));

function counted(model: LanguageModel): LanguageModel {
  return {
    ...model,
    async complete(request) {
      calls += 1;
      await gate;
      return model.complete(request);
    },
  };
}

const ITEMS = ["eggs", "milk", "oats", "rice"];
const WORDING =
  "This deletes 4 shopping list lines: milk, eggs, oats, rice. You can undo it for 30 days. Do it?";
/** The question in the form that human-in-the-loop pages of LangGraph read. */
const INTERRUPT = {
  id: "confirm_2_1",
  value: {
    action_requests: [
      { name: "delete_rows", args: { refs: [], all: "shopping" }, description: WORDING },
    ],
    review_configs: [{ action_name: "delete_rows", allowed_decisions: ["approve", "reject"] }],
  },
};

const PublicSchema = z.looseObject({
  messages: z.array(z.looseObject({ content: z.string() })),
  __interrupt__: z.unknown().optional(),
});

function listItems(): Promise<string[]> {
  return namesIn(database, { table: "shopping_list", userId: "demo" });
}

function say(content: string) {
  return { input: { messages: [{ type: "human", content }] } };
}

/** The last values of a run, and what it took. */
async function run(threadId: string, payload: ReturnType<typeof say> | ReturnType<typeof decide>) {
  const before = calls;
  const values: unknown[] = [];
  for await (const { event, data } of client.runs.stream(threadId, "concierge", payload)) {
    if (event === "values") values.push(data);
  }
  const { messages, __interrupt__: interrupts } = PublicSchema.parse(values.at(-1));
  return {
    last: messages.slice(-2).map(({ content }) => content),
    interrupts,
    calls: calls - before,
  };
}

function decide(type: string, message?: string): { command: Command } {
  return {
    command: { resume: { decisions: [message === undefined ? { type } : { type, message }] } },
  };
}

const approval = { decisions: [{ type: "approve" }] };

/** A thread in which the deletion of four items waits for a yes. */
async function askToDelete(): Promise<string> {
  const { thread_id: threadId } = await client.threads.create();
  await client.runs.wait(
    threadId,
    "concierge",
    say("add milk, eggs, oats and rice to my shopping list"),
  );
  await client.runs.wait(threadId, "concierge", say("delete everything on my shopping list"));
  return threadId;
}

async function readThread(threadId: string) {
  const { status, interrupts } = await client.threads.get(threadId);
  const state = await client.threads.getState(threadId);
  const found = await client.threads.search({ ids: [threadId], status: "interrupted" });
  return {
    status,
    interrupts,
    tasks: state.tasks.map((task) => ({ name: task.name, interrupts: task.interrupts })),
    next: state.next,
    found: found.length,
  };
}

const WAITING = {
  status: "interrupted",
  interrupts: { confirm_2_1: [INTERRUPT] },
  tasks: [{ name: "confirm", interrupts: [INTERRUPT] }],
  next: [],
  found: 1,
};
const IDLE = { status: "idle", interrupts: {}, tasks: [], next: [], found: 0 };

describe("LangGraph's client", () => {
  test("sees a question for a yes as an interrupt, and approves it without a call of a model", async () => {
    const { thread_id: threadId } = await client.threads.create();
    await run(threadId, say("add milk, eggs, oats and rice to my shopping list"));
    const asked = await run(threadId, say("delete everything on my shopping list"));
    const waiting = await readThread(threadId);

    const approved = await run(threadId, decide("approve"));

    expect(asked).toEqual({
      last: ["delete everything on my shopping list", WORDING],
      interrupts: [INTERRUPT],
      calls: 2,
    });
    expect(waiting).toEqual(WAITING);
    expect(approved).toEqual({
      last: ["Yes.", "Deleted: milk, eggs, oats, rice"],
      interrupts: undefined,
      calls: 0,
    });
    expect(await listItems()).toEqual([]);
    expect(await readThread(threadId)).toEqual(IDLE);
  });

  test("rejects it without a call of a model, also where it waits for the run's end", async () => {
    const threadId = await askToDelete();
    const before = calls;

    const outcome = await client.runs.wait(threadId, "concierge", decide("reject"));

    const { messages, __interrupt__: interrupts } = PublicSchema.parse(outcome);
    expect([messages.at(-1)?.content, interrupts, calls - before]).toEqual([
      "Nothing was changed.",
      undefined,
      0,
    ]);
    expect(await listItems()).toEqual(ITEMS);
    expect(await readThread(threadId)).toEqual(IDLE);
  });

  test("rejects it with a message, which is read as one", async () => {
    const threadId = await askToDelete();

    const { last } = await run(threadId, decide("reject", "delete milk from my shopping list"));

    expect(last).toEqual(["delete milk from my shopping list", "Deleted: milk"]);
    expect(await listItems()).toEqual(["eggs", "oats", "rice"]);
  });

  test("goes on with a message instead", async () => {
    const threadId = await askToDelete();

    const { last } = await run(threadId, say("add tea to my shopping list"));

    expect(last).toEqual(["add tea to my shopping list", "Added: tea"]);
    expect(await readThread(threadId)).toEqual(WAITING);
  });

  test("finds it as the last update of a run, and approves it by its id", async () => {
    const threadId = await askToDelete();
    const updates: unknown[] = [];
    const payload = { ...say("what is in my pantry?"), streamMode: ["updates"] as ["updates"] };
    for await (const { event, data } of client.runs.stream(threadId, "concierge", payload)) {
      if (event === "updates") updates.push(data);
    }

    const other = await run(threadId, { command: { resume: { confirm_9_9: approval } } });
    const named = await run(threadId, { command: { resume: { confirm_2_1: approval } } });

    expect(updates.at(-1)).toEqual({ __interrupt__: [INTERRUPT] });
    expect([other.last, other.calls]).toEqual([["Yes.", WORDING], 0]);
    expect([named.last, named.calls]).toEqual([["Yes.", "Deleted: milk, eggs, oats, rice"], 0]);
  });

  test("decides about what was shown, not about what a turn under way may ask", async () => {
    const threadId = await askToDelete();
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const before = calls;
    const running = client.runs.wait(threadId, "concierge", say("what is in my pantry?"));
    await expect.poll(() => calls).toBe(before + 1);

    const decision = await client.runs.create(threadId, "concierge", decide("approve"));
    resolve();
    await Promise.all([running, client.runs.join(threadId, decision.run_id)]);

    const { values } = await client.threads.getState(threadId);
    const { messages } = PublicSchema.parse(values);
    expect(messages.slice(-2).map(({ content }) => content)).toEqual(["Yes.", WORDING]);
    expect(await listItems()).toEqual(ITEMS);
    expect(await readThread(threadId)).toEqual(WAITING);
  });

  test("drops it by a change of the state", async () => {
    const threadId = await askToDelete();

    await client.threads.updateState(threadId, { values: { pending: null } });

    expect(await readThread(threadId)).toEqual(IDLE);
    expect(await run(threadId, decide("approve"))).toEqual({
      last: [
        "Yes.",
        "No question of mine waits for a yes, so I have done nothing. What shall I do?",
      ],
      interrupts: undefined,
      calls: 0,
    });
    expect(await listItems()).toEqual(ITEMS);
  });
});

async function chat(body: object): Promise<Response> {
  return fetch(`${served.url}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/x-ndjson" },
    body: JSON.stringify(body),
  });
}

describe("POST /chat", () => {
  const EventSchema = z.looseObject({ type: z.string() });

  test("takes a decision about a confirmation, without a call of a model; a second one is answered with how things stand", async () => {
    const thread = await askToDelete();
    const before = calls;
    const approve = { thread, decision: { confirmation: "confirm_2_1", type: "approve" } };

    const streams = [await (await chat(approve)).text(), await (await chat(approve)).text()];

    const events = streams.map((stream) =>
      stream
        .trimEnd()
        .split("\n")
        .map((line) => EventSchema.parse(JSON.parse(line)))
        .filter(({ type }) => ["turn-start", "confirmation-end", "reply"].includes(type)),
    );
    expect(events).toEqual([
      [
        expect.objectContaining({ type: "turn-start", message: "Yes." }),
        expect.objectContaining({
          type: "confirmation-end",
          id: "confirm_2_1",
          answer: "accepted",
        }),
        expect.objectContaining({ type: "reply", text: "Deleted: milk, eggs, oats, rice" }),
      ],
      [
        expect.objectContaining({ type: "turn-start", message: "Yes." }),
        expect.objectContaining({
          type: "reply",
          text: "No question of mine waits for a yes, so I have done nothing. What shall I do?",
        }),
      ],
    ]);
    expect(calls - before).toBe(0);
    expect(await listItems()).toEqual([]);
  });

  test("puts a decision into the words of the conversation's language", async () => {
    const thread = await askToDelete();
    const config = { configurable: { thread_id: thread } };
    await served.graph.updateState(config, { language: "de" }, "finish");

    await (
      await chat({ thread, decision: { confirmation: "confirm_2_1", type: "reject" } })
    ).text();

    const { values } = await served.graph.getState(config);
    const { messages } = PublicSchema.parse(publicValues(values));
    expect(messages.slice(-2).map(({ content }) => content)).toEqual([
      "Nein.",
      "Es wurde nichts geändert.",
    ]);
    expect(await listItems()).toEqual(ITEMS);
  });

  const DECISION = { confirmation: "confirm_2_1", type: "approve" };
  test.each<[string, object, [status: number, code: string, field: string | undefined]]>([
    ["nothing", { thread: "t" }, [422, "invalid_request", "/message"]],
    [
      "both",
      { thread: "t", message: "yes", decision: DECISION },
      [422, "invalid_request", "/decision"],
    ],
    ["no thread", { decision: DECISION }, [422, "invalid_request", "/thread"]],
    [
      "an unknown thread",
      { thread: "t", decision: DECISION },
      [404, "thread_not_found", undefined],
    ],
    [
      "an edit",
      { thread: "t", decision: { ...DECISION, type: "edit" } },
      [422, "not_supported", "/decision/type"],
    ],
  ])("refuses %s", async (_, body, expected) => {
    expect(await readProblem(await chat(body))).toEqual(expected);
  });
});
