import { AIMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { chooseRoute } from "../../nodes/choose-route.ts";
import { createUnderstandNode } from "../../nodes/understand.ts";
import { ModelError } from "../../state/model.ts";
import type { Pending } from "../../state/pending.ts";
import { NO_CURATION } from "../../state/registry.ts";
import { toReadCall, type RowRead } from "../../state/row-call.ts";
import type { TurnState } from "../../state/turn.ts";
import type { GivenUnderstandAnswer, UnderstandAnswer } from "../../state/understanding.ts";
import { toValues } from "../support/carry-out.ts";
import { thirdTurn } from "../support/narrowing.ts";
import { recordedIO, testServices, type Scripts } from "../support/node-services.ts";
import {
  makeCuration,
  makePlan,
  makeRowRead,
  makeStep,
  understandAnswer,
  flatAnswer,
  makeUnderstanding,
} from "../support/turn-state.ts";

const WITHOUT_TOAST = makeCuration({
  demote: [{ ref: "recipe_5", reason: "not wanted" }],
  summary: "Demoted recipe_5",
});

const IN_FRIDGE = { column: "location", op: "=" as const, value: "fridge" };

const PROPOSAL = {
  kind: "proposal" as const,
  text: "Shall I save the soup for tomorrow?",
  plan: makePlan({
    decision: "propose",
    proposal: "Shall I save the soup for tomorrow?",
    steps: [
      makeStep({ stepType: "write", subdomain: "meal_plans", group: 3, refs: ["recipe_3"] }),
      makeStep({ stepType: "read", subdomain: "meal_plans", group: 7 }),
    ],
    replans: 1,
  }),
  calls: [],
  turn: 2,
};

describe("understand()", () => {
  test("reads null as a curation that decides nothing, and as nothing rare", async () => {
    const answer = { ...understandAnswer(), curation: null, rare: null };

    const { update } = await understandScript([{ json: answer }]);

    expect(update.understanding).toEqual(makeUnderstanding());
    expect(update.registryEvents).toEqual([]);
    expect(update.notices).toEqual([]);
  });

  test("keeps what was resolved and curated, and takes nothing else over", async () => {
    const answer = {
      references: [
        { text: "the french toast", ref: "recipe_5" },
        { text: "soup", ref: "recipe_3" },
      ],
      curation: WITHOUT_TOAST,
    };

    const { update, services, io } = await understand(understandAnswer(answer));

    const understanding = makeUnderstanding(answer);
    expect(update).toEqual({
      understanding,
      language: "en",
      constraints: [],
      registryEvents: [
        { kind: "curated", turn: 3, curation: WITHOUT_TOAST },
        // Naming something in order to exclude it is no reference.
        { kind: "referenced", turn: 3, refs: ["recipe_3"] },
      ],
      pending: null,
      calls: [{ node: "understand", usage: { input: 0, cached: 0, output: 0 } }],
      notices: [],
      wishChanges: [],
    });
    expect(io.of("understood")).toEqual([
      {
        type: "understood",
        lane: "task",
        route: "task",
        references: answer.references,
        curation: WITHOUT_TOAST,
      },
    ]);
    expect(services.models.understand.remaining()).toBe(0);
  });

  const BESIDE = { text: "the stew", ref: "recipe_77" } as const;
  const SOUP = { text: "soup", ref: "recipe_3" } as const;

  test("says of a message that no prompt has room for that its middle was not read", async () => {
    const text = `Please. ${"and so on ".repeat(2_000)}. Thank you.`;
    const long = await understand(understandAnswer(), { input: { messageId: "m-3", text } });
    const short = await understand(understandAnswer());

    expect(listCodes(long.update)).toContain("message-shortened");
    expect(listCodes(short.update)).not.toContain("message-shortened");
  });

  test("gives refs that were not shown back once", async () => {
    const { update, services } = await understand([
      understandAnswer({ references: [BESIDE, SOUP] }),
      understandAnswer({ references: [SOUP] }),
    ]);

    expect(update.understanding).toEqual(makeUnderstanding({ references: [SOUP] }));
    expect(services.models.understand.requests[1]?.messages.at(-1)?.text).toBe(
      'This could not be used: references.0.ref: ref "recipe_77" cannot be used here; use only those that are shown. Answer again with that put right.',
    );
    expect(listCodes(update)).toEqual(["repair"]);
  });

  test("takes out what stays wrong and keeps the rest of the answer", async () => {
    const wrong = understandAnswer({
      references: [BESIDE, SOUP],
      curation: makeCuration({
        demote: [
          { ref: "recipe_5", reason: "not wanted" },
          { ref: "recipe_78", reason: "not wanted" },
        ],
        restore: [{ ref: "recipe_79", reason: "after all" }],
        retain: [{ ref: "recipe_80", reason: "for later" }],
        drop: ["recipe_81"],
      }),
      needs: "look",
      look: makeRowRead({ refs: ["recipe_83"] }),
      clarification: {
        question: "Which one?",
        options: [
          { ref: "recipe_82", label: "Stew" },
          { ref: "recipe_3", label: "Lentil Soup" },
        ],
      },
    });

    const { update } = await understand([wrong, wrong]);

    expect(update.understanding).toEqual({
      ...makeUnderstanding({ route: "clarify" }),
      references: [SOUP],
      curation: makeCuration({ demote: [{ ref: "recipe_5", reason: "not wanted" }] }),
      clarification: {
        question: "Which one?",
        options: [{ ref: "recipe_3", label: "Lentil Soup" }],
      },
    });
    expect(listCodes(update)).toEqual([
      "repair",
      "partly-used",
      "curation-not-done",
      "curation-not-done",
    ]);
  });

  test("plans the read that answers the message, and no call of another model", async () => {
    const look = makeRowRead({ type: "inventory", where: [IN_FRIDGE] });
    const { update } = await understand([understandAnswer({ needs: "look", look })]);

    const description = "Show inventory items (location = fridge)";
    expect(update.understanding?.route).toBe("look");
    expect(update.plan).toEqual(
      makePlan({
        reasoning: "It asks for the data.",
        goal: description,
        steps: [makeStep({ description, subdomain: "inventory" })],
        calls: [toReadCall(look)],
        origin: "understand",
      }),
    );
    expect(update.stepResults).toHaveLength(1);
  });

  test.each<[string, Partial<RowRead>]>([
    ["of no type", { type: "garage" }],
    ["of an unknown column", { where: [{ column: "price", op: "=", value: 1 }] }],
  ])("leaves a look-up that is %s to Think", async (_, unfit) => {
    const look = makeRowRead(unfit);
    const { update } = await understand([understandAnswer({ needs: "look", look })]);

    expect(update.understanding).toMatchObject({ route: "task", needs: "work", look: null });
    expect(update.plan).toBeUndefined();
    expect(listCodes(update)).toEqual(["call-unfit"]);
  });

  test("merges wishes, with their ends, and lets go of what has ended", async () => {
    const wish = { kind: "soft", count: null, scope: "conversation" } as const;
    const stated = { ...wish, text: "no cod this week", until: "2026-01-18" };
    const ended = { ...wish, text: "no fish", until: "2026-01-11", turn: 1 };

    const { update } = await understand(
      understandAnswer({ constraints: [{ ...stated, replaces: null }] }),
      { constraints: [ended] },
    );

    expect(update.constraints).toEqual([{ ...stated, turn: 3 }]);
    expect(update.notices).toEqual([
      { node: "understand", code: "curation", text: '"no fish" has ended (2026-01-11)' },
    ]);
  });

  test.each<[string, string, string, number]>([
    ["nothing that thanks are read as", "ok, thank you!", "Here is the list.", 0],
    ["nothing that a greeting is read as", "Guten Morgen", "Here is the list.", 0],
    ['nothing that "ok" is read as', "ok", "Here is the list.", 0],
    ["nothing that a mere question is read as", "what day is it?", "Here is the list.", 0],
    ["what a question speaks of", "what can I cook without peanuts?", "Here is the list.", 1],
    ["what a request asks for", "could you remember my allergy?", "Here is the list.", 1],
    ["what may answer a question", "ok, thank you!", "Shall I leave out peanuts?", 1],
  ])("notes as a wish %s", async (_, text, reply, count) => {
    const wish = { kind: "hard", text: "no peanuts", count: null, scope: "person" } as const;
    const { update } = await understand(
      understandAnswer({ constraints: [{ ...wish, until: null, replaces: null }] }),
      {
        input: { messageId: "m-3", text },
        messages: [new AIMessage({ id: "reply_1", content: reply })],
      },
    );

    expect(update.constraints).toHaveLength(count);
  });

  test("leaves out and forgets nothing for thanks", async () => {
    const answer = { curation: { ...WITHOUT_TOAST, clearAll: true } };
    const input = { messageId: "m-3", text: "thank you" };

    const { update } = await understand(understandAnswer(answer), { input });

    expect(update.understanding?.curation).toEqual(NO_CURATION);
    expect(update.registryEvents?.filter(({ kind }) => kind === "curated")).toEqual([]);
  });

  test("runs the stored plan of an accepted proposal", async () => {
    const { update } = await understand(understandAnswer({ answersPending: "accept" }), {
      pending: PROPOSAL,
      input: { messageId: "m-3", text: "yes, save it" },
    });

    expect(update.understanding).toMatchObject({ route: "accept", waived: [] });
    expect(update.plan).toEqual(
      makePlan({
        decision: "plan",
        origin: "proposal",
        proposal: "Shall I save the soup for tomorrow?",
        steps: [
          makeStep({ stepType: "write", subdomain: "meal_plans", group: 1, refs: ["recipe_3"] }),
          makeStep({ stepType: "read", subdomain: "meal_plans", group: 2 }),
        ],
      }),
    );
    expect(update.cursor).toEqual({ group: 1 });
    expect(update.stepResults).toHaveLength(2);
    expect(update.pending).toBeNull();
  });

  test("answers nothing that was not asked", async () => {
    const { update } = await understand(understandAnswer({ answersPending: "accept" }));

    expect(update.understanding).toEqual(makeUnderstanding({ answersPending: null }));
  });

  test.each([
    [
      "there is no answer",
      new ModelError("model_unreachable", "No endpoint"),
      ["model_unreachable"],
    ],
    ["the answer is no JSON", "Certainly!", ["repair", "invalid"]],
  ])("goes on with the message as it is when %s", async (_, entry, codes) => {
    const { update } = await understandScript([entry, entry], { pending: PROPOSAL });

    expect(update.understanding).toMatchObject({
      route: "task",
      lane: "task",
      references: [],
      curation: makeCuration(),
      expressed: "",
      waived: [],
    });
    expect(update.registryEvents).toEqual([]);
    expect(listCodes(update)).toEqual(codes);
  });
});

describe("chooseRoute()", () => {
  const BOTH = { task: true, concierge: true };
  const TASK = { task: true, concierge: false };
  const CONCIERGE = { task: false, concierge: true };
  const question: Pending = {
    kind: "question",
    text: "Which one?",
    options: [],
    waives: ["no soup on mondays"],
    turn: 2,
  };
  const asks = { question: "Which?", options: [] };

  test.each<[string, Partial<UnderstandAnswer>, typeof BOTH, Pending | null, string]>([
    ["a task", {}, BOTH, null, "task"],
    ["advice", { lane: "concierge" }, BOTH, null, "concierge"],
    ["advice where there is no concierge", { lane: "concierge" }, TASK, null, "task"],
    ["a task where there is only a concierge", {}, CONCIERGE, null, "concierge"],
    ["words alone", { needs: "talk" }, BOTH, null, "talk"],
    ["a look", { needs: "look", look: makeRowRead() }, BOTH, null, "look"],
    ["a look without its read", { needs: "look" }, BOTH, null, "task"],
    ["a change", { needs: "change" }, BOTH, null, "task"],
    [
      "a look in the other lane",
      { lane: "concierge", needs: "look", look: makeRowRead() },
      BOTH,
      null,
      "concierge",
    ],
    ["something unclear", { clarification: asks }, BOTH, null, "clarify"],
    ["a question about the assistant", { meta: "sources" }, BOTH, null, "meta"],
    ["yes to a proposal", { answersPending: "accept" }, BOTH, PROPOSAL, "accept"],
    ["yes to a question", { answersPending: "accept", needs: "talk" }, BOTH, question, "task"],
    [
      "an unclear answer to a question",
      { answersPending: "other", clarification: asks },
      BOTH,
      question,
      "task",
    ],
    ["yes with nothing pending", { answersPending: "accept" }, BOTH, null, "task"],
  ])("%s", (_, answer, lanes, pending, route) => {
    expect(chooseRoute(flatAnswer(answer), { lanes, pending }).route).toBe(route);
  });

  test("only yes sets a constraint aside", () => {
    const waived = (["accept", "adjust", "reject", null] as const).map(
      (answersPending) =>
        chooseRoute(flatAnswer({ answersPending }), {
          lanes: BOTH,
          pending: question,
        }).waived,
    );
    expect(waived).toEqual([["no soup on mondays"], [], [], []]);
  });
});

async function understand(
  answers: GivenUnderstandAnswer | readonly GivenUnderstandAnswer[],
  changes: Partial<TurnState> = {},
) {
  const list = Array.isArray(answers) ? answers : [answers];
  return understandScript(
    list.map((json: GivenUnderstandAnswer) => ({ json })),
    changes,
  );
}

async function understandScript(
  script: NonNullable<Scripts["understand"]>,
  changes: Partial<TurnState> = {},
) {
  const services = testServices({ scripts: { understand: script } });
  const io = recordedIO();
  const update = await createUnderstandNode(services)(thirdTurn(changes), io);
  return { update: toValues(update), services, io };
}

function listCodes(update: Partial<TurnState>): string[] {
  return (update.notices ?? []).map(({ code }) => code);
}
