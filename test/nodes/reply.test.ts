import { activeLine } from "../support/journey-lines.ts";
import { fc, test } from "@fast-check/vitest";
import { AIMessage, HumanMessage, RemoveMessage, type BaseMessage } from "@langchain/core/messages";
import { describe, expect } from "vitest";
import { createReplyNode } from "../../nodes/reply.ts";
import { createReceipt } from "../../registry/receipts.ts";
import type { Limits } from "../../state/limits.ts";
import { ModelError } from "../../state/model.ts";
import { outcomeLines } from "../../nodes/reply/step-outcomes.ts";
import type { CallResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { thirdTurn } from "../support/narrowing.ts";
import {
  recordedIO,
  testServices,
  type RecordedIO,
  type Scripts,
  type TestServices,
} from "../support/node-services.ts";
import {
  callResult,
  createEffect,
  makePlan,
  makeResult,
  makeStep,
  makeUnderstanding,
} from "../support/turn-state.ts";
import { renderSentence } from "../../text/sentences.ts";

const SOUP_PLANNED = createEffect();
const STORED = "Added: Lentil Soup (2026-01-13, dinner)";

test("createReplyNode() stamps a reply by a clock that counts fractions of milliseconds", async () => {
  const services = testServices({ now: () => 1_700_000_000_000.25 });
  const clarification = { question: "Which of them?", options: [] };
  const understanding = makeUnderstanding({ route: "clarify", clarification });
  const update = await createReplyNode(services)(thirdTurn({ understanding }), recordedIO());
  expect(update).toMatchObject({ replies: [{ at: "2023-11-14T22:13:20Z" }] });
});

test("createReplyNode() shows what checks say above the reply, whoever writes it", async () => {
  const warnings = ['"Pizza, Tue 13 Jan dinner" has olive (disliked by Anna)'];
  const asked = makeResult(0, { status: "asked", outcome: "", question: "Another one?", warnings });

  const { update, io } = await reply({ plan: makePlan(), stepResults: [asked] });

  const note = renderSentence("warning", { warning: warnings[0] ?? "" });
  expect(readReply(update).replies).toMatchObject([{ text: `${note}\n\nAnother one?` }]);
  const receipt = createReceipt({ kind: "warning", reason: note });
  expect(io.events.slice(0, 2)).toEqual([
    { type: "receipts", reply: "reply_run-1_1", receipts: [receipt], text: note },
    { type: "text-delta", reply: "reply_run-1_1", text: note },
  ]);
});

describe("a reply that code can word needs no model", () => {
  test("a clarification, with its options", async () => {
    const options = [
      { ref: "recipe_3", label: "Lentil Soup" },
      { ref: "recipe_4", label: "Chickpea Curry" },
    ];
    const { update, io, services } = await reply({
      understanding: makeUnderstanding({
        route: "clarify",
        clarification: { question: "Which of them?", options },
      }),
    });

    const text = "Which of them?\n- Lentil Soup\n- Chickpea Curry";
    expect(readReply(update)).toEqual({
      replies: [{ id: "reply_run-1_1", text }],
      messages: [text],
    });
    expect(io.events).toEqual([{ type: "text-delta", reply: "reply_run-1_1", text }]);
    expect(update.pending).toEqual({
      kind: "question",
      text: "Which of them?",
      options,
      waives: [],
      turn: 3,
    });
    expect(update.registryEvents?.at(-1)).toEqual({
      kind: "listed",
      turn: 3,
      refs: ["recipe_3", "recipe_4"],
    });
    expect(services.models.reply.requests).toEqual([]);
  });

  test("a clarification, whose options of one name are told apart by what is known of them", async () => {
    const { registry } = thirdTurn({});
    const row = { name: "Curry", minutes: 30, servings: 2 };
    const entries = registry.entries.map((entry) => {
      if (entry.ref === "recipe_3") return { ...entry, label: "Curry", facts: "", row };
      if (entry.ref !== "recipe_4") return entry;
      return { ...entry, label: "Curry", facts: "", row: { ...row, servings: 4 } };
    });
    const options = ["recipe_3", "recipe_4"].map((ref) => ({ ref, label: "Curry" }));
    const clarification = { question: "Which of them?", options };
    const { update } = await reply({
      registry: { ...registry, entries },
      registryEvents: [],
      understanding: makeUnderstanding({ route: "clarify", clarification }),
    });

    expect(readReply(update).messages).toEqual([
      "Which of them?\n- Curry (servings 2)\n- Curry (servings 4)",
    ]);
  });

  test("Think's questions", async () => {
    const plan = makePlan({
      decision: "clarify",
      steps: [],
      questions: ["For whom?", "For when?"],
    });

    const { update } = await reply({ plan });

    expect(readReply(update).messages).toEqual(["For whom?\nFor when?"]);
    expect(update.pending).toMatchObject({ kind: "question", waives: [] });
  });

  test("a proposal, whose plan waits for the answer", async () => {
    const plan = makePlan({ decision: "propose", proposal: "Shall I plan the soup?" });

    const { update } = await reply({ plan });

    expect(readReply(update).messages).toEqual(["Shall I plan the soup?"]);
    expect(update.pending).toEqual({
      kind: "proposal",
      text: "Shall I plan the soup?",
      plan: { ...plan },
      calls: [],
      turn: 3,
    });
  });

  test("a proposal whose first line claims what has not happened is denied; its steps claim nothing", async () => {
    const steps = [makeStep({ stepType: "write", description: "Planned the soup for Friday" })];
    const propose = (proposal: string) =>
      reply({ plan: makePlan({ decision: "propose", proposal, steps }) });

    const { update } = await propose("Shall I plan the soup?");
    const { update: claimed } = await propose(
      "I have added the soup to your list. Shall I buy bread, too?",
    );

    const nothing = renderSentence("nothingChanged");
    expect(readReply(update).messages.join()).not.toContain(nothing);
    expect(readReply(claimed).messages.join()).toMatch(new RegExp(`\n\n${nothing}$`, "u"));
  });

  test("a proposal after something was done: only what is left waits", async () => {
    const [done, left] = [
      makeStep({ stepType: "write" }),
      makeStep({ group: 2, description: "Clear the list" }),
    ];
    const plan = makePlan({
      decision: "propose",
      proposal: "Shall I clear it?",
      steps: [done, left],
    });

    const { update } = await reply({
      plan,
      stepResults: [makeResult(0, { status: "done", outcome: "Created 1 planned meal" })],
      effects: [SOUP_PLANNED],
    });

    expect(readReply(update).messages).toEqual([`${STORED}\n\nShall I clear it?`]);
    expect(update.pending).toMatchObject({ kind: "proposal", plan: { ...plan, steps: [left] } });
  });

  test.each([
    ["nothing", [], `${renderSentence("nothingChanged")}\n\nThat took too long.`],
    ["something", [SOUP_PLANNED], `${STORED}\n\n${renderSentence("changesStand")}`],
  ])("a plan that could not be made, with %s stored before", async (_, effects, text) => {
    const plan = makePlan({ decision: "answer", steps: [], failure: "That took too long." });

    const { update } = await reply({ plan, effects });

    expect(readReply(update).messages).toEqual([text]);
    expect(update).not.toHaveProperty("pending");
  });

  test.each([
    ["with its words", "I cannot help with [recipe_99] that.", "I cannot help with that."],
    ["with a thought alone", "<think>no</think>", renderSentence("modelRefused")],
  ])("a plan that the model refused, %s", async (_, failure, shown) => {
    const { update } = await reply({ plan: makePlan({ decision: "answer", steps: [], failure }) });

    expect(readReply(update).messages).toEqual([`${renderSentence("nothingChanged")}\n\n${shown}`]);
  });

  test("the questions of steps, with their results so far", async () => {
    const breaches = [
      {
        kind: "breach" as const,
        rule: "no soup on mondays",
        reason: "the soup is on monday",
        overridable: true,
      },
    ];
    const { update } = await reply({
      plan: makePlan({ steps: [makeStep(), makeStep()] }),
      stepResults: [
        makeResult(0, {
          status: "asked",
          outcome: "Two would do.",
          question: "Which one?",
          breaches,
        }),
        makeResult(1, { status: "asked", outcome: "For how many?", question: "For how many?" }),
      ],
    });

    expect(readReply(update).messages).toEqual(["Two would do.\n\nWhich one?\n\nFor how many?"]);
    expect(update.pending).toEqual({
      kind: "question",
      text: "Which one?\nFor how many?",
      options: [],
      waives: ["no soup on mondays"],
      turn: 3,
    });
  });

  test("a look-up that the domain can say", async () => {
    const { update, services } = await reply({
      input: { messageId: "m", text: "what recipes do I have?" },
      understanding: makeUnderstanding({
        route: "look",
      }),
      plan: makePlan({ origin: "understand" }),
      stepResults: [
        makeResult(0, {
          status: "done",
          outcome: "Found 2 recipes",
          calls: [readCall(["recipe_3", "recipe_8"])],
        }),
      ],
    });

    expect(readReply(update).messages).toEqual([
      "1. Lentil Soup: red lentils, carrots, onions, 40 min\n2. Mushroom Risotto: rice, mushrooms, parmesan, 45 min",
    ]);
    expect(services.models.reply.requests).toEqual([]);
  });

  test("a look-up without what the person has left out, which is counted", async () => {
    const calls = [readCall(["recipe_3", "recipe_1"])];
    const { update } = await reply({
      ...QUICK_RECIPES,
      input: { messageId: "m", text: "what recipes do I have?" },
      stepResults: [makeResult(0, { status: "done", calls })],
    });
    const only = await reply({
      ...QUICK_RECIPES,
      stepResults: [makeResult(0, { status: "done", calls: [readCall(["recipe_1"])] })],
    });

    const counted = renderSentence("moreLeftOut", { count: 1 });
    expect(readReply(update).messages).toEqual([
      `1. Lentil Soup: red lentils, carrots, onions, 40 min\n\n${counted}`,
    ]);
    expect(readReply(only.update).messages).toEqual([counted]);
  });

  const QUICK_RECIPES: Partial<TurnState> = {
    understanding: makeUnderstanding({
      route: "look",
    }),
    plan: makePlan({ origin: "understand" }),
  };
  const FAILED_READ = { ...readCall([]), ok: false, summary: "Cannot carry out it" };
  const LOOKUP_FAILED = renderSentence("lookupFailed", { what: "the recipes" });

  test("directReply() reports a look-up whose read failed as a failure", async () => {
    const { update } = await reply({
      ...QUICK_RECIPES,
      stepResults: [makeResult(0, { status: "done", outcome: "No recipes", calls: [FAILED_READ] })],
    });

    expect(readReply(update).messages).toEqual([LOOKUP_FAILED]);
  });

  test("directReply() says which value of a look-up did not fit", async () => {
    const summary = "“soon” does not fit “due on”";
    const { update } = await reply({
      ...QUICK_RECIPES,
      stepResults: [
        makeResult(0, { status: "done", calls: [{ ...FAILED_READ, summary, isExplained: true }] }),
      ],
    });

    expect(readReply(update).messages).toEqual([
      renderSentence("lookupUnfit", { what: "the recipes", reason: summary }),
    ]);
  });

  test("directReply() says that nothing is there when a repeated read finds nothing", async () => {
    const { update } = await reply({
      ...QUICK_RECIPES,
      stepResults: [makeResult(0, { status: "done", calls: [FAILED_READ, readCall([])] })],
    });

    expect(readReply(update).messages).toEqual(["There are no recipes like that."]);
  });

  test("directReply() reports a failed read after the rows that another read found", async () => {
    const { update } = await reply({
      ...QUICK_RECIPES,
      input: { messageId: "m", text: "what recipes do I have?" },
      stepResults: [
        makeResult(0, { status: "done", calls: [readCall(["recipe_3"]), FAILED_READ] }),
      ],
    });

    expect(readReply(update).messages).toEqual([
      expect.stringMatching(/^1\. Lentil Soup[^]*\n\nI could not look up the recipes/),
    ]);
  });

  test("directReply() leaves a look-up without any read to the model", async () => {
    const { update } = await reply(
      { ...QUICK_RECIPES, stepResults: [makeResult(0, { status: "done", calls: [] })] },
      "I have not looked yet.",
    );

    expect(readReply(update).messages).toEqual(["I have not looked yet."]);
  });
});

describe("outcomeLines()", () => {
  const UPDATE = callResult({ tool: "update_recipes", effect: "write" });
  test.each<[string, Partial<CallResult>, string]>([
    ["an update that changed no row", {}, renderSentence("noRowChanged")],
    ["an update of one row", { count: 1, summary: "Updated 1 recipe" }, "Updated the soup"],
    ["a tool that reports in words", { summary: "Sent it" }, "Updated the soup"],
  ])("tells what came of %s", (_, changes, outcome) => {
    const lines = outcomeLines({
      ...thirdTurn(),
      plan: makePlan({ steps: [makeStep({ stepType: "write", description: "Rename it" })] }),
      stepResults: [
        makeResult(0, {
          status: "done",
          outcome: "Updated the soup",
          calls: [{ ...UPDATE, ...changes }],
        }),
      ],
    });

    expect(lines).toEqual([`Rename it: ${outcome}`]);
  });

  test("fallbackReply() does not repeat an update that changed no row", async () => {
    const { update } = await reply(
      {
        plan: makePlan({ steps: [makeStep({ stepType: "write" })] }),
        stepResults: [makeResult(0, { status: "done", outcome: "Updated it", calls: [UPDATE] })],
      },
      new ModelError("model_failed", "no answer"),
    );

    expect(readReply(update).messages).toEqual([renderSentence("nothingChanged")]);
  });
});

describe("a model's reply", () => {
  const ANSWERED: Partial<TurnState> = {
    plan: makePlan({ steps: [makeStep({ stepType: "analyze" })] }),
    stepResults: [
      makeResult(0, { status: "done", outcome: "2 remain", refs: ["recipe_3", "recipe_8"] }),
    ],
  };

  test("streams as it arrives and is what is kept", async () => {
    const { update, io } = await reply(ANSWERED, "Lentil Soup or Mushroom Risotto?");

    expect(readReply(update).replies).toEqual([
      { id: "reply_run-1_1", text: "Lentil Soup or Mushroom Risotto?" },
    ]);
    expect(io.of("text-delta").length).toBeGreaterThan(1);
    expect(io.of("reply-reset")).toEqual([]);
    expect(shownIn(io)).toBe("Lentil Soup or Mushroom Risotto?");
    expect(update.registryEvents?.at(-1)).toEqual({
      kind: "listed",
      turn: 3,
      refs: ["recipe_3", "recipe_8"],
    });
    expect(update).not.toHaveProperty("pending");
  });

  test("shows and keeps no ref, no batch, no thought and no delimiter of a prompt", async () => {
    const answer =
      "<think>recipe_3 or not?</think>Take recipe_3 (recipe_3, t1-b2), <data>not</data> inv_99.";
    const { update, io } = await reply({ ...ANSWERED, journeys: [activeLine(1)] }, answer);

    const text = "Take Lentil Soup, not.";
    expect(readReply(update).replies).toEqual([{ id: "reply_run-1_1", text }]);
    expect(shownIn(io)).toBe(text);
  });

  test("takes back what a call has said that is made again; its receipts stand", async () => {
    const effects = [SOUP_PLANNED];
    const script = beginAnew("<think>Lentil", "Mushroom Risotto");
    const { update, io } = await reply({ ...ANSWERED, effects }, script);

    expect(io.of("reply-reset")).toEqual([]);
    expect(shownIn(io)).toBe(`${STORED}\n\nMushroom Risotto`);
    expect(readReply(update).replies).toEqual([{ id: "reply_run-1_1", text: shownIn(io) }]);

    const begun = await reply({ ...ANSWERED, effects }, beginAnew("Lentil Soup or ", "Risotto."));

    const after = begun.io.events.findIndex(({ type }) => type === "reply-reset") + 1;
    expect(begun.io.events.slice(after, after + 2)).toMatchObject([
      { type: "receipts", text: STORED },
      { type: "text-delta", text: STORED },
    ]);
    expect(shownIn(begun.io)).toBe(`${STORED}\n\nRisotto.`);
  });

  test("takes back what was a thought after all, and leaves the receipts", async () => {
    const thought = "Okay, the user said something. Is it about the soup?\n";
    const { update, io } = await reply(
      { ...ANSWERED, effects: [createEffect({ action: "created", label: "butter", facts: "4" })] },
      `${thought}</think>\n\nYou could go on.`,
    );

    const text = "Added: butter (4)\n\nYou could go on.";
    expect(readReply(update).replies).toEqual([{ id: "reply_run-1_1", text }]);
    expect(shownIn(io)).toBe(text);
    expect(io.of("reply-reset")).toHaveLength(1);
    const reset = io.events.findIndex(({ type }) => type === "reply-reset");
    expect(shownIn({ ...io, events: io.events.slice(0, reset + 3) })).toBe("Added: butter (4)");
  });

  test.each<[string, NonNullable<Scripts["reply"]>]>([
    [
      "breaks off",
      cutAfter("Lentil Soup or", new ModelError("model_unreachable", "The stream was cut")),
    ],
    ["gives nothing", ["", ""]],
    ["is not there", new ModelError("model_key_rejected", "The key was refused")],
  ])("is stood in for when it %s", async (_, script) => {
    const { update, io } = await reply(ANSWERED, script);

    const text = [renderSentence("wordsMissing"), "- 2 remain: Lentil Soup, Mushroom Risotto"].join(
      "\n\n",
    );
    expect(readReply(update)).toEqual({
      replies: [{ id: "reply_run-1_1", text }],
      messages: [text],
    });
    expect(shownIn(io)).toBe(text);
    expect(update.notices).not.toEqual([]);
  });

  test("stands in with what was stored, and what was not", async () => {
    const { update } = await reply(
      {
        plan: makePlan({
          steps: [
            makeStep({
              stepType: "write",
              description: "Plan two dinners",
              writes: [{ action: "create", type: "meal", refs: [] }],
            }),
          ],
        }),
        stepResults: [makeResult(0, { status: "failed", outcome: "One slot is taken." })],
        effects: [SOUP_PLANNED],
      },
      new ModelError("model_failed", "no answer"),
    );

    expect(readReply(update).messages).toEqual([`${STORED}\nNot done: Add planned meals`]);
  });

  test("names what a question has kept from being reached", async () => {
    const write = { stepType: "write" } as const;
    const { update } = await reply(
      {
        plan: makePlan({
          steps: [
            makeStep({ ...write, description: "Clear the week" }),
            makeStep({
              ...write,
              description: "Plan two dinners",
              writes: [{ action: "create", type: "meal", refs: [] }],
            }),
          ],
        }),
        stepResults: [makeResult(0, { status: "asked" }), makeResult(1, { status: "skipped" })],
      },
      new ModelError("model_failed", "no answer"),
    );

    expect(readReply(update).messages.join("\n")).toContain(
      `Not done: Add planned meals (${renderSentence("stepAfterQuestion")})`,
    );
  });

  test("says of an answer that the length limit has cut that it is not whole", async () => {
    const { update, io } = await reply(ANSWERED, { text: "Two remain, and", truncated: true });

    const text = `Two remain, and…\n\n${renderSentence("replyCutShort")}`;
    expect(readReply(update).messages).toEqual([text]);
    expect(shownIn(io)).toBe(text);
  });

  test("replaces what an answer that was asked for twice has shown", async () => {
    const { update, io } = await reply(ANSWERED, [" \n", "Two remain."]);

    expect(readReply(update).messages).toEqual(["Two remain."]);
    expect(shownIn(io)).toBe("Two remain.");
  });

  test("asks what a step asked when something was stored besides", async () => {
    const { update } = await reply({
      plan: makePlan({ steps: [makeStep({ stepType: "write" }), makeStep()] }),
      stepResults: [
        makeResult(0, { status: "done", outcome: "Created 1 planned meal" }),
        makeResult(1, { status: "asked", outcome: "Two would do.", question: "Which one?" }),
      ],
      effects: [SOUP_PLANNED],
    });

    expect(readReply(update).messages).toEqual([`${STORED}\n\nTwo would do.\n\nWhich one?`]);
    expect(update.pending).toMatchObject({ kind: "question", text: "Which one?" });
  });

  test("is told of rows that did not go in, not of those that were put right", async () => {
    const failed = { label: "plums", ref: null, reason: "no room" };
    const { services, update } = await reply(
      {
        plan: makePlan({ steps: [makeStep({ stepType: "write", description: "Buy" })] }),
        stepResults: [
          makeResult(0, {
            status: "done",
            outcome: "Added them",
            calls: [
              { ...readCall([]), failures: [failed, { ...failed, label: "figs" }] },
              { ...readCall([]), failures: [{ ...failed, reason: "still no room" }] },
            ],
          }),
        ],
      },
      "Done.",
    );

    const lines = "Not done: plums (still no room); figs (no room)\nNothing was changed.";
    expect(sectionIn(services, "Already Shown")).toContain(lines);
    expect(readReply(update).messages).toEqual([`${lines}\n\nDone.\n\nNothing was changed.`]);
  });

  test("is told once how many rows there were no room for", async () => {
    const refs = Array.from({ length: 59 }, (_, index) => `inv_${index + 1}`);
    const { services } = await reply(
      {
        plan: makePlan({ steps: [makeStep({ subdomain: "inventory" })] }),
        stepResults: [makeResult(0, { status: "done", outcome: "Found 59", refs })],
      },
      "Much.",
      { rowsTokens: 60 },
    );

    expect(sectionIn(services, "Rows").match(/\d+ more inventory items/gu)).toHaveLength(1);
  });

  test("an abort goes on to the driver", async () => {
    const abort = new ModelError("model_aborted", "Aborted");
    await expect(reply(ANSWERED, abort)).rejects.toBe(abort);
  });
});

describe("the transcript", () => {
  const anyTranscript = fc
    .array(fc.string({ maxLength: 60 }), { maxLength: 40 })
    .map((texts): BaseMessage[] =>
      texts
        .map((content, index): BaseMessage => new AIMessage({ id: `old-${index}`, content }))
        .concat(
          new HumanMessage({
            id: "message-3",
            content: "the message of this turn",
            additional_kwargs: { turn: 3 },
          }),
        ),
    );

  test.prop([anyTranscript, fc.integer({ min: 2, max: 12 }), fc.integer({ min: 40, max: 400 })])(
    "stays within its limits from the oldest on, and keeps the message of the turn",
    async (messages, transcriptMessages, transcriptBytes) => {
      const limits = { transcriptMessages, transcriptBytes };
      const { update } = await reply({ messages, ...CLARIFIES }, [], limits);
      const kept = applyReply(messages, update);

      expect(kept).toEqual(messages.slice(messages.length - kept.length));
      expect(kept.at(-1)).toBe(messages.at(-1));
      expect(kept.length + 1).toBeLessThanOrEqual(transcriptMessages);
      // One more would have been too many, or nothing more was there.
      const before = messages.slice(messages.length - kept.length - 1);
      const isFull = kept.length + 2 > transcriptMessages || countBytes(before) > transcriptBytes;
      expect(isFull || kept.length === messages.length).toBe(true);
      expect(countBytes(kept) <= transcriptBytes || kept.length === 1).toBe(true);
    },
  );
});

test("createReplyNode() shows the row of something left out to one who asks about it", async () => {
  const references = [{ text: "the tacos", ref: "recipe_2" }];
  const { services } = await reply(
    { understanding: makeUnderstanding({ references }), plan: makePlan({ decision: "answer" }) },
    "They take 30 minutes.",
  );

  expect(sectionIn(services, "Rows")).toContain("recipe_2 | Cod Tacos");
});

/** A turn that code answers without a model. */
const CLARIFIES: Partial<TurnState> = {
  understanding: makeUnderstanding({
    route: "clarify",
    clarification: { question: "?", options: [] },
  }),
};

async function reply(
  changes: Partial<TurnState>,
  script: NonNullable<Scripts["reply"]> = [],
  limits: Partial<Limits> = {},
) {
  const services = testServices({ scripts: { reply: script }, limits });
  const io = recordedIO();
  const state = { ...thirdTurn({ understanding: makeUnderstanding() }), ...changes };
  const update = await createReplyNode(services)(state, io);
  return { update: update as Partial<TurnState>, io, services };
}

/** Returns the stored replies and the texts of the new messages. */
function readReply(update: Partial<TurnState>) {
  const messages = (update.messages ?? [])
    .filter((message) => !RemoveMessage.isInstance(message))
    .map((message) => message.text);
  return { replies: update.replies?.map(({ id, text }) => ({ id, text })), messages };
}

/** A section of the prompt that the model was shown. */
function sectionIn({ models }: TestServices, heading: string): string {
  const text = models.reply.requests[0]?.messages[1]?.text ?? "";
  return text.split(`## ${heading}\n\n`)[1]?.split("\n\n## ")[0] ?? "";
}

/** Returns the text on the screen of a client that removes what a reset takes back. */
function shownIn(io: RecordedIO): string {
  return io.events.reduce((text, event) => {
    if (event.type === "reply-reset") return "";
    return event.type === "text-delta" ? text + event.text : text;
  }, "");
}

function applyReply(messages: readonly BaseMessage[], update: Partial<TurnState>): BaseMessage[] {
  const removed = new Set<string | undefined>(
    (update.messages ?? [])
      .filter((message) => RemoveMessage.isInstance(message))
      .map(({ id }) => id),
  );
  return messages.filter(({ id }) => !removed.has(id));
}

function countBytes(messages: readonly BaseMessage[]): number {
  return messages.reduce((sum, { content }) => sum + Buffer.byteLength(JSON.stringify(content)), 0);
}

/** A model that says that much and then fails. */
function cutAfter(text: string, error: ModelError): NonNullable<Scripts["reply"]> {
  return (request) => {
    request.onText?.(text);
    return error;
  };
}

/** A model whose first words do not stand. */
function beginAnew(first: string, text: string): NonNullable<Scripts["reply"]> {
  return (request) => {
    request.onText?.(first);
    request.onRestart?.();
    return text;
  };
}

function readCall(refs: string[]) {
  return callResult({ summary: `Found ${refs.length} recipes`, refs, count: refs.length });
}
