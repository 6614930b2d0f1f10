import { describe, expect, test } from "vitest";
import { createExecutorNode } from "../../nodes/executor.ts";
import { createExplorerNode } from "../../nodes/explorer.ts";
import { fitServices } from "../../nodes/fit-services.ts";
import { createStarterNode } from "../../nodes/starter.ts";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";
import type { TurnState } from "../../state/turn.ts";
import { renderSentence } from "../../text/sentences.ts";
import { toValues } from "../support/carry-out.ts";
import { BARE_EXECUTION, INTENT } from "../support/concierge-documents.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import type { ScriptEntry } from "../support/scripted-model.ts";
import { asSmall } from "../support/small-model.ts";
import { makeUnderstanding, turnState } from "../support/turn-state.ts";

const TEXT = "Sundays it is.";
const NODES = {
  starter: createStarterNode,
  explorer: createExplorerNode,
  executor: createExecutorNode,
} as const;
type Phase = keyof typeof NODES;

interface SpeakOptions {
  /** Earlier messages of the person. */
  readonly earlier?: readonly string[];
  readonly asksForPlan?: string | null;
}

/** Lets a concierge in the middle of its phase answer a message. */
async function speak(
  phase: Phase,
  script: readonly ScriptEntry[],
  tier: "full" | "small",
  { earlier = [], asksForPlan = null }: SpeakOptions = {},
) {
  const plain = testServices({
    lanes: { task: true, concierge: true },
    scripts: { concierge: script },
  });
  const { concierge } = plain.models;
  const models = { ...plain.models, concierge: tier === "small" ? asSmall(concierge) : concierge };
  const services = fitServices({ ...plain, models }, ["concierge"]);
  const contextId = `${phase}@turn-1`;
  const state: TurnState = turnState({
    turn: 2,
    input: { messageId: "m-2", text: "ok, let us do it" },
    understanding: makeUnderstanding({ lane: "concierge", asksForPlan }),
    opening: { question: INTENT.userQuery, answer: "Prepare one base.", analysis: null },
    concierge: {
      ...INITIAL_PHASE_STATE,
      currentPhase: phase,
      turnInPhase: 1,
      conciergeContextId: contextId,
      intentHandover: phase === "starter" ? null : INTENT,
      executionHandover: phase === "executor" ? BARE_EXECUTION : null,
    },
    conciergeThread: {
      contextId,
      model: concierge.name,
      messages: earlier.map((text) => ({ role: "user", text })),
      throughTurn: 1,
      planVersion: 0,
    },
  });
  const io = recordedIO();
  const update = toValues(await NODES[phase](services)(state, io));
  const shown = io.events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  const { limits, countTokens } = services;
  return { update, shown: shown.join(""), requests: concierge.requests, limits, countTokens };
}

const { explorationHighlights: _highlights, ...HANDOVER } = BARE_EXECUTION;
const PLAN = {
  isMeant: true,
  ...HANDOVER,
  prompt: "You are a cook. Plan four evenings.",
};
const HELP = { isMeant: true, step: "Choose bases", context: "Two ovens", prompt: "Which bases?" };
const READING = {
  isMeant: true,
  keyFindings: ["Sundays are free"],
  impliedGoal: "eat well for less",
  revealedConstraints: ["no leftovers"],
  acceptedFraming: "",
  resistedFraming: null,
  unpromptedReveals: [],
  stillUnclear: [],
  effectiveStance: "decide",
};

test.each([
  ["Sundays it is, and", `Sundays it is, and\n\n${renderSentence("replyCutShort")}`],
  [`${TEXT}\n\n<<<BATCH\nSTEP: Choose`, TEXT],
])("an answer that the length limit has cut says so: %j", async (text, said) => {
  const { update } = await speak("executor", [{ text, truncated: true }], "full");

  expect(update.passedOnReply?.text).toBe(said);
});

describe("a concierge of the small tier", () => {
  test.each([
    ["explorer", PLAN, { type: "WORKFLOW", prompt: PLAN.prompt, step: null }],
    ["executor", HELP, { type: "STEP_HELP", prompt: HELP.prompt, step: HELP.step }],
  ] as const)("asks in a call of its own what follows: %s", async (phase, json, signal) => {
    const { update, shown, requests } = await speak(phase, [TEXT, { json }], "small");

    expect(update.signal).toMatchObject(signal);
    expect([shown, update.passedOnReply?.text]).toEqual([TEXT, TEXT]);
    expect(requests.map(({ schema }) => schema?.name ?? null)).toEqual([
      null,
      phase === "explorer" ? "workflow_request" : "step_help_request",
    ]);
    expect(update.calls).toHaveLength(2);
  });

  test("hands over what it was asked for", async () => {
    const { update } = await speak("starter", [TEXT, { json: READING }], "small");

    expect(update.concierge?.currentPhase).toBe("explorer");
    expect(update.concierge?.intentHandover).toMatchObject({
      impliedGoal: READING.impliedGoal,
      keyFindings: READING.keyFindings,
      effectiveStance: "decide",
    });
  });

  test("goes on where nothing is meant, or nothing could be had", async () => {
    const none = await speak("explorer", [TEXT, { json: { ...PLAN, isMeant: false } }], "small");
    const empty = { json: { ...PLAN, prompt: " " } };
    const failed = await speak("explorer", [TEXT, empty, empty], "small");

    expect([none.update.signal, failed.update.signal]).toEqual([undefined, undefined]);
    expect([none.shown, failed.shown]).toEqual([TEXT, TEXT]);
    expect(failed.update.notices?.map(({ node, code }) => `${node} ${code}`)).toEqual([
      "signal repair",
      "signal invalid",
    ]);
  });

  test("takes its promise back where the plan was asked for and it means none", async () => {
    const none = { json: { ...PLAN, isMeant: false } };
    const { update, requests } = await speak("explorer", [TEXT, none], "small", {
      asksForPlan: "let us do it",
    });

    expect(update.signal).toBeUndefined();
    expect(update.passedOnReply?.text).toBe(`${TEXT}\n\n${renderSentence("planNotBegun")}`);
    expect(requests).toHaveLength(2);
  });

  test("is not asked where it has written a block", async () => {
    const block = "<<<BATCH>>>\nTYPE: STEP_HELP\nSTEP: One\nPROMPT:\nHow?\n<<<END>>>";
    const { update, requests } = await speak("executor", [`${TEXT}\n\n${block}`], "small");

    expect(update.signal).toMatchObject({ type: "STEP_HELP", prompt: "How?" });
    expect(requests).toHaveLength(1);
  });

  test("is asked about no more of a long thread than its limit, the newest first", async () => {
    const long = `${TEXT} `.repeat(600).trim();
    const talk = Array.from({ length: 48 }, (_, at) => `${at}: ${"we talked a while ".repeat(30)}`);
    const spoken = await speak("explorer", [long, { json: PLAN }], "small", { earlier: talk });

    const { requests, countTokens, limits } = spoken;
    const before = requests[1]?.messages.slice(0, -1).map(({ text }) => text) ?? [];
    expect(requests[0]?.messages).toHaveLength(talk.length + 1);
    expect(countTokens(before.join(""))).toBeLessThanOrEqual(limits.conciergeThreadTokens);
    expect(before.length).toBeLessThan(talk.length);
    expect(before.at(-1)).toBe(long);
    expect(before.at(-2)).toContain("ok, let us do it");
  });

  test("is shown no control block in its prompt", async () => {
    const { requests } = await speak("starter", [TEXT, { json: READING }], "small");

    expect(JSON.stringify(requests[0]?.messages)).not.toContain("<<<");
  });
});

test("a concierge of the full tier is asked once", async () => {
  const { requests } = await speak("explorer", [TEXT], "full");

  expect(requests).toHaveLength(1);
});
