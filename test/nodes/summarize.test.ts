import { describe, expect, test } from "vitest";
import { createSummarizeNode } from "../../nodes/summarize.ts";
import type { Limits } from "../../state/limits.ts";
import { createNothing } from "../../registry/receipts.ts";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";
import { ModelError } from "../../state/model.ts";
import { EMPTY_HISTORY, type Narrative } from "../../state/turn-summary.ts";
import type { TurnState } from "../../state/turn.ts";
import { EXECUTION } from "../support/concierge-documents.ts";
import { thirdTurnUnderstood } from "../support/narrowing.ts";
import { recordedIO, testServices, type Scripts } from "../support/node-services.ts";
import {
  createEffect,
  makePlan,
  makeResult,
  makeStep,
  makeUnderstanding,
} from "../support/turn-state.ts";
import { replyEvent, storedReply } from "../support/replies.ts";
import { makeLedgerLine } from "../support/turn-state.ts";

const NARRATIVE: Partial<Narrative> = { responseSummary: "Named the four that remain" };
const SILENT = new ModelError("model_timeout", "Cannot ask the model: no answer in 60 seconds");

const TURN: Partial<TurnState> = {
  plan: makePlan({
    goal: "Show what remains",
    steps: [makeStep({ stepType: "analyze", description: "Judge" })],
  }),
  stepResults: [
    makeResult(0, {
      status: "done",
      outcome: "4 dishes remain",
      refs: ["recipe_3", "recipe_4", "recipe_8", "recipe_9"],
    }),
  ],
  replies: [storedReply("Lentil Soup, Chickpea Curry, Mushroom Risotto or Pasta al Limone?")],
  notices: [{ node: "think", code: "repair", text: "repaired" }],
};

/** The record of the turn as code copies it; only the narrative comes from elsewhere. */
const RECORD = {
  turnNumber: 3,
  userMessage: "lets not do the french toast? i also dont feel like doing wings",
  goal: "Show what remains",
  steps: [
    {
      description: "Judge",
      stepType: "analyze",
      subdomain: "recipes",
      outcome: "4 dishes remain",
      note: null,
      entitiesAffected: ["recipe_3", "recipe_4", "recipe_8", "recipe_9"],
      warnings: [],
    },
  ],
  curationSummary: "Demoted recipe_5 (not wanted); Demoted recipe_6 (not in the mood)",
  retainedRefs: [],
  demotedRefs: ["recipe_5", "recipe_6"],
  decision: "plan",
  reasoning: "The recipes have to be seen first.",
  blockedReason: null,
  effects: [],
  notices: TURN.notices,
};

const PLAIN = makeUnderstanding({ expressed: "Wants onions" });
const WRITING = makePlan({ steps: [makeStep({ stepType: "write" })] });
describe("summarize()", () => {
  test("writes the record: facts by code, what the reply said by the model", async () => {
    const { update } = await summarize({ json: NARRATIVE });

    expect(update.turnExecutionSummaries?.at(-1)).toMatchObject({
      ...RECORD,
      responseSummary: `${NARRATIVE.responseSummary}; nothing stored`,
      analysisConclusions: "4 dishes remain",
      whatWeAcknowledged: "Demoted recipe_5 (not wanted); Demoted recipe_6 (not in the mood)",
      naturalNext: "User refines further or picks final options",
      conversationPhase: "narrowing",
      tone: "collaborative",
      whatUserExpressed: "Wants to exclude French Toast and Wings",
    });
    expect(update.turnExecutionSummaries?.map(({ turnNumber }) => turnNumber)).toEqual([2, 3]);
    expect(update.ledger).toEqual([]);
    expect(update).not.toHaveProperty("history");
    expect(update.notices).toEqual(TURN.notices);
  });

  test("says the durable reply before it asks anything, and every notice", async () => {
    const { io } = await summarize({ json: NARRATIVE });

    expect(io.events.map(({ type }) => type)).toEqual(["reply", "prompt", "usage", "notice"]);
    expect(io.of("reply")).toEqual([replyEvent(TURN.replies?.[0]?.text ?? "", "reply_r_1")]);
    expect(io.of("notice")).toEqual([{ type: "notice", ...TURN.notices?.[0] }]);
  });

  test.each<[string, NonNullable<Scripts["summarize"]>, string[]]>([
    ["gives no answer", SILENT, ["model_timeout"]],
    [
      "does not give the form",
      ["A fine turn.", { json: { responseSummary: 4 } }],
      ["repair", "invalid"],
    ],
  ])("stands in for a model that %s", async (_, script, codes) => {
    const { update, io } = await summarize(script);

    const record = update.turnExecutionSummaries?.at(-1);
    expect(record).toMatchObject({
      turnNumber: 3,
      steps: RECORD.steps,
      demotedRefs: RECORD.demotedRefs,
      analysisConclusions: "4 dishes remain",
      conversationPhase: "narrowing",
      tone: "collaborative",
      whatUserExpressed: "Wants to exclude French Toast and Wings",
    });
    expect(update.notices?.map(({ code }) => code)).toEqual(["repair", ...codes]);
    expect(record?.notices).toEqual(update.notices);
    expect(io.of("notice").map(({ code }) => code)).toEqual(["repair", ...codes]);
  });

  test.each<[string, Partial<TurnState>, string]>([
    [
      "was a look-up that code has said",
      {
        plan: makePlan({
          origin: "understand",
          goal: "what is in the fridge",
          steps: [makeStep({})],
        }),
        stepResults: [makeResult(0, { status: "done", outcome: "Found 3 inventory items" })],
        understanding: { ...PLAIN, route: "look" },
      },
      "Found 3 inventory items",
    ],
    [
      "asked back",
      {
        plan: makePlan({ decision: "clarify", questions: ["Which day?"] }),
        stepResults: [],
        understanding: PLAIN,
        replies: [storedReply("Which day?")],
        pending: { kind: "question", text: "Which day?", options: [], waives: [], turn: 3 },
      },
      'Asked "Which day?"',
    ],
    [
      "could not be planned",
      {
        plan: makePlan({ failure: "no answer" }),
        stepResults: [],
        understanding: PLAIN,
        replies: [
          {
            ...storedReply("I could not work out what to do: no answer."),
            receipts: [createNothing({ isWaiting: false })],
          },
        ],
      },
      "Nothing was changed.",
    ],
    [
      "listed things",
      {
        registryEvents: [{ kind: "listed", turn: 3, refs: ["recipe_3", "recipe_4"] }],
      },
      "4 dishes remain; Listed Lentil Soup, Chickpea Curry; nothing stored",
    ],
    [
      "found and stored what it was to",
      {
        plan: makePlan({
          goal: "Add onions",
          steps: [makeStep({}), makeStep({ stepType: "write", description: "Add onions" })],
        }),
        stepResults: [
          makeResult(0, { status: "done", outcome: "Found nothing" }),
          makeResult(1, { status: "done", outcome: "Added the onions" }),
        ],
        effects: [createEffect()],
        understanding: PLAIN,
      },
      "Found nothing; Added the onions",
    ],
  ])("asks no model for a turn that %s", async (_, changes, summary) => {
    const { update, services } = await summarize([], { changes });

    expect(services.models.summarize.requests).toEqual([]);
    expect(update.turnExecutionSummaries?.at(-1)?.responseSummary).toBe(summary);
  });

  test.each<[string, Partial<TurnState>]>([
    ["only said something", { plan: makePlan({ decision: "answer" }), stepResults: [] }],
    ["failed to store", { plan: WRITING, stepResults: [makeResult(0, { status: "failed" })] }],
  ])("asks the model for a turn that %s", async (_, changes) => {
    const { services } = await summarize({ json: NARRATIVE }, { changes });

    expect(services.models.summarize.requests).toHaveLength(1);
  });

  test("asks no model for the steps of a plan in a turn that was stopped: code reads them", async () => {
    const stopped = { node: "driver", code: "stopped", text: "Stopped" };
    const { update, services } = await summarize([], {
      changes: {
        notices: [stopped],
        replies: [storedReply("1. **Choose three bases** — a grain, a sauce, a roast.")],
        concierge: {
          ...INITIAL_PHASE_STATE,
          currentPhase: "executor",
          turnInPhase: 1,
          executionHandover: EXECUTION,
        },
        conciergeThread: {
          contextId: "c-1",
          model: "m",
          messages: [],
          throughTurn: 3,
          planVersion: 0,
        },
      },
    });

    expect(services.models.summarize.requests).toEqual([]);
    expect(update.journeyPlan).toMatchObject({
      goal: EXECUTION.goal,
      version: 1,
      steps: [{ title: "Choose three bases", description: "a grain, a sauce, a roast." }],
      decisions: EXECUTION.decisionsMade.map((chosen) => ({ chosen })),
    });
    expect(update.concierge?.activeWorkflow?.steps[0]?.status).toBe("active");
    expect(update.conciergeThread?.planVersion).toBe(1);
  });

  test("an abort goes on to the driver", async () => {
    const abort = new ModelError("model_aborted", "Aborted");
    await expect(summarize(abort)).rejects.toBe(abort);
  });
});

test("the roll-up folds a full ledger by code, and empties it", async () => {
  const planned = makeLedgerLine(1, { stored: [{ action: "created", refs: "meal_1" }] });
  const { update, services } = await summarize(
    { json: NARRATIVE },
    {
      changes: { ledger: [planned], history: EMPTY_HISTORY },
      limits: { recordTurns: 1, ledgerLines: 2 },
    },
  );

  expect(update.ledger).toEqual([]);
  expect(update.history?.throughTurn).toBe(2);
  expect(update.history?.lines.map(({ turn }) => turn)).toEqual([1, 2]);
  expect(services.models.summarize.requests).toHaveLength(1);
});

async function summarize(
  script: NonNullable<Scripts["summarize"]>,
  options: { readonly changes?: Partial<TurnState>; readonly limits?: Partial<Limits> } = {},
) {
  const services = testServices({ scripts: { summarize: script }, limits: options.limits ?? {} });
  const io = recordedIO();
  const state = thirdTurnUnderstood({ ...TURN, ...options.changes });
  const update = await createSummarizeNode(services)(state, io);
  return { update: update as Partial<TurnState>, io, services };
}
