import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { speakAsConcierge } from "../../nodes/concierge/speak-as-concierge.ts";
import { createReplyNode } from "../../nodes/reply.ts";
import { createSummarizeNode } from "../../nodes/summarize.ts";
import { createUnderstandNode } from "../../nodes/understand.ts";
import { createReceipt } from "../../registry/receipts.ts";
import type { TurnState } from "../../state/turn.ts";
import { renderSentence } from "../../text/sentences.ts";
import { toValues } from "../support/carry-out.ts";
import { summariesWith, thirdTurn } from "../support/narrowing.ts";
import {
  recordedIO,
  testServices,
  type RecordedIO,
  type Scripts,
} from "../support/node-services.ts";
import type { ScriptEntry } from "../support/scripted-model.ts";
import { storedReply } from "../support/replies.ts";
import {
  createEffect,
  makeCuration,
  makePlan,
  makeResult,
  makeStep,
  makeUnderstanding,
  understandAnswer,
} from "../support/turn-state.ts";

/** Words with the program's own in every spelling, and as they may be shown. */
const RAW = String.raw`<think>recipe_8?</think>Cook RECIPE_03 or recipe\_4 (recipe_3) with read_recipes.[THINK]x[/THINK]`;
const CLEAN = "Cook Lentil Soup or Chickpea Curry with read recipes.";
/** The same for code that quotes a model in a line of its own. */
const RAW_QUESTION = `${RAW} Yes?`;
const CLEAN_QUESTION = `${CLEAN} Yes?`;

describe("words of models that code passes on", () => {
  test.each<[string, Partial<TurnState>, string]>([
    [
      "a clarification with its options",
      {
        understanding: makeUnderstanding({
          route: "clarify",
          clarification: {
            question: RAW_QUESTION,
            options: [
              { ref: "recipe_3", label: "<think>recipe_4</think>the recipe_3" },
              { ref: "recipe_4", label: "<thought>hm" },
            ],
          },
        }),
      },
      `${CLEAN_QUESTION}\n- the Lentil Soup\n- Chickpea Curry`,
    ],
    [
      "questions of Think",
      { plan: makePlan({ decision: "clarify", questions: [RAW_QUESTION, "<think>only this"] }) },
      CLEAN_QUESTION,
    ],
    [
      "a proposal with its steps",
      {
        plan: makePlan({
          decision: "propose",
          proposal: RAW_QUESTION,
          steps: [makeStep({ stepType: "write", description: RAW, writes: [] })],
        }),
      },
      `${CLEAN_QUESTION}\n1. ${CLEAN}`,
    ],
    [
      "a question of a step",
      {
        plan: makePlan({ steps: [makeStep({})] }),
        stepResults: [makeResult(0, { status: "asked", outcome: RAW, question: RAW_QUESTION })],
      },
      `${CLEAN}\n\n${CLEAN_QUESTION}`,
    ],
  ])("%s", async (_, changes, text) => {
    const { update } = await reply(changes, []);

    expect(update.replies).toMatchObject([{ body: text }]);
  });

  test("a proposal keeps the refs of what a yes runs", async () => {
    const steps = [makeStep({ stepType: "write", description: "Cook recipe_3", writes: [] })];
    const { update } = await reply(
      { plan: makePlan({ decision: "propose", proposal: "Shall I?", steps }) },
      [],
    );

    expect(update.pending).toMatchObject({ plan: { steps: [{ description: "Cook recipe_3" }] } });
  });

  test("the reason of a failed step, where the reply is empty", async () => {
    const { update } = await reply(
      {
        plan: makePlan({ steps: [makeStep({ description: "Look" })] }),
        stepResults: [makeResult(0, { status: "failed", outcome: RAW })],
      },
      ["", ""],
    );

    expect(update.replies?.[0]?.body).toContain(CLEAN);
  });

  test("a step that was not done, in its receipt", async () => {
    const { update } = await reply(
      {
        plan: makePlan({ steps: [makeStep({ stepType: "write", description: RAW, writes: [] })] }),
        stepResults: [makeResult(0, { status: "failed", outcome: "" })],
      },
      ["Sorry."],
    );

    expect(update.replies?.[0]?.receipts).toContainEqual(
      createReceipt({ kind: "notDone", label: CLEAN }),
    );
  });

  test("a wish is stored without refs, thoughts and markers", async () => {
    const wish = { kind: "hard" as const, count: null, until: null, scope: "person" as const };
    const constraints = [
      { ...wish, text: "<think>x</think> never recipe_3 <<<END>>>", replaces: "no Recipe_4" },
      { ...wish, text: "<reasoning>nothing but a thought", replaces: null },
    ];
    const held = { ...wish, text: "no Chickpea Curry", turn: 1 };

    const input = { messageId: "m-1", text: "curry is fine, but never that soup" };

    const { update } = await understand({ constraints }, { constraints: [held], input });

    expect(update.constraints).toMatchObject([{ text: "never Lentil Soup" }]);
    expect(update.wishChanges).toMatchObject([
      { wish: { text: "no Chickpea Curry" }, isWithdrawn: true },
      { wish: { text: "never Lentil Soup" }, isWithdrawn: false },
    ]);
  });
});

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 40 });

property.prop([sizes])(
  "speakAsConcierge() shows no thought and no ref, however the text comes, and its thread keeps no thought",
  async (pieces) => {
    const block = "<<<HANDOVER>>>\nGOAL: recipe_3\n<<<END>>>";
    const text = `<thinking>a <<<HANDOVER>>> plan</thinking>${RAW} And (recipe_99) rest.\n\n${block}`;
    const { speech, io } = await speak(text, pieces);

    const shown = `${CLEAN} And rest.`;
    expect(speech).toMatchObject({ kind: "answered", shown });
    expect(
      io
        .of("text-delta")
        .map((event) => event.text)
        .join(""),
    ).toBe(shown);
    expect(io.of("reply-reset")).toEqual([]);
    const kept = speech.kind === "answered" ? speech.thread.messages.at(-1)?.text : null;
    expect(kept).toBe(
      String.raw`Cook RECIPE_03 or recipe\_4 (recipe_3) with read_recipes. And (recipe_99) rest.` +
        `\n\n${block}`,
    );
  },
);

/** A model whose first words do not stand. */
const RICE_AFTER_ALL: ScriptEntry = ({ onText, onRestart }) => {
  onText?.("Cook soup.\n\nThen rest. <<<HANDO");
  onRestart?.();
  return "Cook rice.";
};

test("speakAsConcierge() takes back what a call has said that is made again; code's own words stand", async () => {
  const io = recordedIO();
  const journeyNews = { text: "We go on with the party.", isReply: false };

  const speech = await speakAsConcierge(
    thirdTurn({ journeyNews }),
    { phase: "starter", fresh: true, required: [], parts: [] },
    { services: testServices({ scripts: { concierge: RICE_AFTER_ALL } }), io },
  );

  expect(speech).toMatchObject({ kind: "answered", shown: "Cook rice." });
  const events = io.events.filter(({ type }) => type === "text-delta" || type === "reply-reset");
  const reset = events.findIndex(({ type }) => type === "reply-reset");
  expect(reset).toBeGreaterThan(0);
  const shown = events.slice(reset + 1).map((event) => ("text" in event ? event.text : ""));
  expect(shown.join("")).toBe("We go on with the party.\n\nCook rice.");
});

property.prop([sizes])(
  "speakAsConcierge() takes back a thought whose beginning stood in the prompt, and leaves what code said",
  async (pieces) => {
    const opening = "The plan is as it was.";
    const { speech, io } = await speak(`A plan? <<<HANDOVER>>> No.\n</think>\n\n${RAW}`, pieces, {
      planNews: { report: opening, isChanged: false },
    });

    expect(speech).toMatchObject({ kind: "answered", shown: CLEAN });
    const shown = io.events.reduce((text, event) => {
      if (event.type === "reply-reset") return "";
      return event.type === "text-delta" ? text + event.text : text;
    }, "");
    expect(shown).toBe(`${opening}\n\n${CLEAN}`);
    expect(io.of("reply-reset").length).toBeLessThanOrEqual(1);
  },
);

describe("createReplyNode() answers a claim of which nothing is true", () => {
  const talk = { plan: makePlan({ decision: "answer" }), understanding: makeUnderstanding() };
  const claim = "I have saved the whole week.";
  const denied = `${claim}\n\n${renderSentence("nothingChanged")}`;

  test.each<[string, Partial<TurnState>, string]>([
    ["in talk", {}, denied],
    ["of a concierge", { passedOnReply: { text: claim } }, denied],
    [
      "but not where something was left out",
      {
        understanding: makeUnderstanding({
          curation: makeCuration({ demote: [{ ref: "recipe_3", reason: "no" }] }),
        }),
      },
      claim,
    ],
    [
      "but not where it names a change of an earlier turn",
      {
        turnExecutionSummaries: summariesWith([createEffect({ label: "The Whole Week" })]),
      },
      claim,
    ],
    [
      "also below a receipt that says so",
      { understanding: makeUnderstanding({ needs: "change" }) },
      denied,
    ],
  ])("%s", async (_, changes, body) => {
    const { update, io } = await reply({ ...talk, ...changes }, [claim]);

    expect(update.replies?.[0]?.body).toBe(body);
    expect(io.of("reply-reset")).toEqual([]);
  });

  test.each<[string, string, string, boolean]>([
    ["an order read as talk", "delete the lentil soup", "Lentil Soup is off your list.", true],
    ["the same words where nobody asked", "hello", "Lentil Soup is off your list.", false],
    ["what is so", "save the lentil soup", "Lentil Soup is saved.", false],
  ])("of %s", async (_, text, words, isDenied) => {
    const body = isDenied ? `${words}\n\n${renderSentence("nothingChanged")}` : words;
    const input = { messageId: "m-3", text };
    const answered = await reply({ ...talk, input }, [words]);
    const advised = await reply({ ...talk, input, passedOnReply: { text: words } }, []);

    expect([answered, advised].map(({ update }) => update.replies?.[0]?.body)).toEqual([
      body,
      body,
    ]);
  });

  test.each([
    ["of which nothing came", makeCuration(), ["nothing"]],
    ["that leaves a choice out", makeCuration({ demote: [{ ref: "recipe_3", reason: "no" }] }), []],
  ])("in receipts, of an order %s", async (_, curation, kinds) => {
    const input = { messageId: "m-3", text: "drop the chickpea curry" };
    const understanding = makeUnderstanding({ curation });
    const { update } = await reply({ ...talk, input, understanding }, ["All right."]);

    expect(update.replies?.[0]?.receipts.map(({ kind }) => kind)).toEqual(kinds);
  });

  test("says of a draft that it is not saved", async () => {
    const { registry } = thirdTurn({});
    const [entry] = registry.entries;
    const draft =
      entry === undefined ? [] : [{ ...entry, ref: "gen_recipe_1", id: null, label: "Pesto" }];
    const { update } = await reply(
      {
        registry: { ...registry, entries: [...registry.entries, ...draft] },
        registryEvents: [],
        plan: makePlan({ steps: [makeStep({ stepType: "generate" })] }),
        stepResults: [makeResult(0, { status: "done", artifacts: ["gen_recipe_1"] })],
      },
      ["I saved the pesto in your recipe box."],
    );

    expect(update.replies?.[0]?.text).toBe(
      "Not saved yet: Pesto\n\nI saved the pesto in your recipe box.",
    );
  });
});

describe("createUnderstandNode() tells what became of a curation", () => {
  const chili = { ref: "recipe_55", reason: "no chili" };

  test.each<[string, Parameters<typeof understandAnswer>[0], string[]]>([
    [
      "an unknown thing, in the words of the message",
      {
        references: [{ text: "French Toast", ref: "recipe_55" }],
        curation: makeCuration({ demote: [chili] }),
      },
      ['I could not leave out "French Toast": I do not know which one you mean.'],
    ],
    [
      "an unknown thing, not in a model's own words",
      {
        references: [{ text: "everything you saved", ref: "recipe_55" }],
        curation: makeCuration({ demote: [chili], restore: [{ ref: "recipe_56", reason: "" }] }),
      },
      [
        "I could not leave out something that you named: I do not know which one you mean.",
        "I could not bring back something that you named: I do not know which one you mean.",
      ],
    ],
    [
      "that all of it is forgotten",
      {
        curation: makeCuration({ clearAll: true, demote: [{ ref: "recipe_3", reason: "no" }] }),
      },
      ["I could not leave out Lentil Soup; please say so again.", renderSentence("nothingLeftOut")],
    ],
    [
      "nothing of one that contradicts itself",
      {
        curation: makeCuration({
          demote: [{ ref: "recipe_3", reason: "no" }],
          restore: [{ ref: "recipe_3", reason: "yes" }],
        }),
      },
      [],
    ],
  ])("%s", async (_, answer, told) => {
    const { update } = await understand(answer);
    const texts = (update.notices ?? [])
      .filter(({ code }) => code === "curation-not-done")
      .map(({ text }) => text);

    expect(texts).toEqual(told);
    const { update: replied } = await reply({ notices: update.notices ?? [] }, ["No chili."]);
    expect(replied.replies?.[0]?.text).toBe(
      [told.join("\n"), "No chili."].filter(Boolean).join("\n\n"),
    );
  });
});

describe("createSummarizeNode() takes no claim over", () => {
  const NOTHING = "; nothing stored";

  test.each([
    ["a claim", "Saved the whole week's dinners and added milk"],
    ["a claim with a subject", "It says: I have saved the week"],
    ["a ref", "Named recipe_3"],
    ["an effect in brackets", "Told about the soup (e17)"],
    ["a thought", "<think>x</think>Named the soup"],
  ])("with %s", async (_, responseSummary) => {
    expect(await summarize(responseSummary)).toBe(`Said "Soup keeps for two days."${NOTHING}`);
  });

  test("and says of any other line that nothing was stored", async () => {
    const line = "Suppe h\u00e4lt zwei Tage";
    expect(await summarize(line)).toBe(`${line}${NOTHING}`);
  });
});

/** The summaries of the earlier turns, as if each had made these changes. */
async function reply(changes: Partial<TurnState>, script: NonNullable<Scripts["reply"]>) {
  const services = testServices({ scripts: { reply: script } });
  const io = recordedIO();
  const state = { ...thirdTurn({ understanding: makeUnderstanding() }), ...changes };
  const update = await createReplyNode(services)(state, io);
  return { update: toValues(update), io };
}

async function understand(
  answer: Parameters<typeof understandAnswer>[0],
  changes: Partial<TurnState> = {},
) {
  const json = understandAnswer(answer);
  const services = testServices({ scripts: { understand: [{ json }, { json }] } });
  const update = await createUnderstandNode(services)(thirdTurn(changes), recordedIO());
  return { update: toValues(update) };
}

async function speak(text: string, pieces: readonly number[], changes: Partial<TurnState> = {}) {
  const io: RecordedIO = recordedIO();
  const services = testServices({ scripts: { concierge: [] } });
  const concierge = {
    name: "in pieces",
    complete: async ({ onText }: { readonly onText: ((text: string) => void) | null }) => {
      for (let at = 0, turn = 0; at < text.length; turn += 1) {
        const size = pieces[turn % pieces.length] ?? 1;
        onText?.(text.slice(at, at + size));
        at += size;
      }
      const usage = { input: 0, cached: 0, output: 0 };
      return { text, json: undefined, toolCalls: [], truncated: false, usage };
    },
  };
  const speech = await speakAsConcierge(
    { ...thirdTurn({}), ...changes },
    { phase: "starter", fresh: true, required: [], parts: [] },
    { services: { ...services, models: { ...services.models, concierge } }, io },
  );
  return { speech, io };
}

async function summarize(responseSummary: string): Promise<string | undefined> {
  const services = testServices({ scripts: { summarize: [{ json: { responseSummary } }] } });
  const update = await createSummarizeNode(services)(
    {
      ...thirdTurn({ understanding: makeUnderstanding() }),
      plan: makePlan({ decision: "answer" }),
      replies: [storedReply("Soup keeps for two days.")],
      turnExecutionSummaries: summariesWith([createEffect({ effectId: 17 })]),
    },
    recordedIO(),
  );
  return toValues(update).turnExecutionSummaries?.at(-1)?.responseSummary;
}
