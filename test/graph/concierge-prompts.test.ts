import { describe, expect, test } from "vitest";
import type { ModelRequest } from "../../state/model.ts";
import type { Phase } from "../../state/phase.ts";
import {
  conciergeThread,
  lastText,
  OPENING,
  listRequests,
  MESSAGES,
  sendAll,
  TO_EXPLORER,
} from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import type { TestThread } from "../support/test-thread.ts";

const database = await testDatabase();

const EXPLORING = ["what about fridays?", "and lunch?", "it has to be cheap"];
const DOING = ["what if I have no freezer?", "ok", "done with step 1"];
const WHOLE_WAY = [
  MESSAGES.question,
  MESSAGES.reply,
  ...EXPLORING,
  MESSAGES.plan,
  MESSAGES.start,
  ...DOING,
];

/** The whole way, once for all tests: they only look. */
const walked = (async () => {
  const thread = await conciergeThread(database);
  await sendAll(thread, WHOLE_WAY);
  return thread;
})();

/** The messages of a prompt, one JSON text each. */
function toBytes({ messages }: ModelRequest): string[] {
  return messages.map((message) => JSON.stringify(message));
}

function joinTexts(request: ModelRequest | undefined): string {
  return (request?.messages ?? []).map(({ text }) => text).join("\n");
}

/** The lines of a text that say something of their own. */
function splitLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length > 30);
}

describe("within a phase", () => {
  test.each([
    ["starter", 2],
    ["explorer", 4],
    ["executor", 5],
  ] as const)("the %s's previous prompt is a byte prefix of the next", async (phase, turns) => {
    const prompts = listRequests(await walked, phase).map(toBytes);

    expect(prompts).toHaveLength(turns);
    for (const [index, prompt] of prompts.entries()) {
      const previous = prompts[index - 1] ?? [];
      expect(prompt.slice(0, previous.length)).toEqual(previous);
      // After it: the answer that came, and the new message.
      expect(prompt.length - previous.length).toBe(2);
    }
  });

  test.each(["starter", "explorer", "executor"] as const)(
    "what the %s is told later repeats nothing that its thread has",
    async (phase) => {
      const requests = listRequests(await walked, phase);

      for (const request of requests.slice(1)) {
        const before = request.messages.slice(0, -1).map(({ text }) => text);
        const known = new Set(before.flatMap(splitLines));
        const repeated = splitLines(withoutPlan(lastText(request))).filter((line) =>
          known.has(line),
        );
        // A brief says of every map what to think of agreement; a block's form is shown once a kind.
        const general = /^(?:Agreement is not truth|CONTEXT: \[)/u;
        expect(repeated.filter((line) => !general.test(line))).toEqual([]);
      }
    },
  );
});

describe("at a transition", () => {
  test("the explorer's prompt shows the thread's own facts in place of the model's", async () => {
    const [first] = listRequests(await walked, "explorer");

    const text = joinTexts(first);
    expect(text).toContain("**Shape:** contested");
    expect(text).toContain(
      "- “three bases” against “nothing ahead”: Sunday is either used or free",
    );
    expect(text).toContain("How much freezer room there is");
    expect(text).toContain(`**They asked:** "${MESSAGES.question}"`);
    expect(text).toContain(`**They replied:** "${MESSAGES.reply}"`);
  });

  test.each([
    ["explorer", [OPENING, TO_EXPLORER]],
    ["executor", EXPLORING],
  ] as const)("the %s's first prompt has nothing of the transcript", async (phase, message) => {
    const [first] = listRequests(await walked, phase);

    expect(first?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    const text = joinTexts(first);
    expect(
      message.slice(phase === "executor" ? 1 : 0).filter((line) => text.includes(line)),
    ).toEqual([]);
    expect(text).not.toContain("View of e1");
  });

  test("each instance has a name of its own, and its thread no message of another", async () => {
    const thread = await walked;
    const { concierge, conciergeThread } = await thread.state();

    expect(concierge.conciergeContextId).toBe("executor@turn-6");
    expect(conciergeThread.contextId).toBe("executor@turn-6");
    const texts = conciergeThread.messages.map(({ text }) => text).join("\n");
    expect(EXPLORING.slice(1).filter((line) => texts.includes(line))).toEqual([]);
  });
});

test("a warning of one expert in the opening is in the first prompt of every later instance", async () => {
  const HARM = "Rice that stood warm overnight makes people ill.";
  const claims = Array.from({ length: 12 }, (_, at) => ({
    ...toClaim(`c${at}`, `Cook dish number ${at} ahead.`),
    supporters: [1, 2, 3],
  }));
  const warning = { ...toClaim("c20", HARM), supporters: [4], stakes: "harm" };
  const thread = await conciergeThread(database, {
    limits: { conciergeThreadTokens: 900 },
    behaviour: {
      mapper: (request) =>
        lastText(request).includes(MESSAGES.question)
          ? { json: { claims: [...claims, warning], edges: [], gaps: [] } }
          : null,
    },
    concierge: (phase, request) =>
      phase === "explorer" && !lastText(request).includes(MESSAGES.plan)
        ? { text: "I see. ".repeat(120) }
        : null,
  });
  await sendAll(thread, WHOLE_WAY);

  const first = (["explorer", "executor"] as const).flatMap((phase) =>
    listRequests(thread, phase).filter(({ messages }) => messages.length === 2),
  );
  expect(first.length).toBeGreaterThan(4);
  expect(first.filter((request) => !joinTexts(request).includes(HARM))).toEqual([]);
  const { keyFindings = [] } = (await thread.state()).concierge.intentHandover ?? {};
  expect(keyFindings).toEqual([HARM, ...claims.slice(0, 6).map(() => expect.any(String))]);
});

function toClaim(id: string, text: string) {
  return { id, label: id, text, type: "prescriptive", stakes: "none", why: "" };
}

test("every prompt of every phase holds what the person said in its turn", async () => {
  const thread: TestThread = await walked;
  const phases: Phase[] = ["starter", "explorer", "executor"];

  const texts = phases.flatMap((phase) => listRequests(thread, phase)).map(lastText);

  expect(WHOLE_WAY.filter((message) => !texts.some((text) => text.includes(message)))).toEqual([]);
});

/** A text without the plan's newest version, which is shown whole. */
function withoutPlan(text: string): string {
  return text.replace(/^## The Plan Now, Version \d+\n[\s\S]*?(?=^## |^---$|^What was done)/mu, "");
}
