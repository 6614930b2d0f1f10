import { buildTranslatePrompt } from "../../prompts/translate.ts";
import { expertQuestion } from "../support/expert-questions.ts";
import { expect, test } from "vitest";
import { countTokens } from "../../models/tokens.ts";
import {
  buildExecutorContinuationPrompt,
  buildExecutorPresentationPrompt,
  buildExecutorSynthesisPrompt,
  buildPassThrough,
  buildStepHelpResultWrapper,
} from "../../prompts/executor.ts";
import { buildExpertPrompt } from "../../prompts/expert.ts";
import {
  buildBlockRequest,
  buildExplorerContinueWrapper,
  buildExplorerInitialPrompt,
} from "../../prompts/explorer.ts";
import { DEFAULT_LENSES } from "../../prompts/lenses.ts";
import { buildMapperPrompt } from "../../prompts/mapper.ts";
import { orderParts, renderParts } from "../../prompts/part.ts";
import { buildRollOverPrompt } from "../../prompts/roll-over.ts";
import { buildSignalRequest } from "../../prompts/signal-request.ts";
import {
  buildStarterInitialPrompt,
  buildStarterRebuiltPrompt,
  buildStarterReminderWrapper,
  buildStarterTurn2Wrapper,
} from "../../prompts/starter.ts";
import { viewPlan } from "../../state/view-plan.ts";
import { buildChangePlanPrompt } from "../../prompts/change-plan.ts";
import { buildWorkflowPrompt } from "../../prompts/workflow.ts";
import type { EnvelopePart } from "../../state/envelope.ts";
import { FORK } from "../support/analyses.ts";
import {
  BARE_EXECUTION,
  BARE_INTENT,
  EXECUTION,
  INTENT,
  JOURNEY_PLAN,
} from "../support/concierge-documents.ts";
import { messageText } from "../support/render-prompt.ts";

const PERSONA = "a meal-planning assistant for a household";
const PERSON = "Household of 2: Anna (ALLERGIES (hard): peanuts).\n- fridays stay free (must hold)";
const QUESTION = "we keep ordering takeout on weeknights, what should we do?";
const MESSAGE = "ok, but can we keep fridays free?";
/** Everything that may come along with a message. */
const BUSY = {
  turn: 6,
  unansweredMessages: ["are you there?"],
  meanwhile: ["Six things were put on the shopping list."],
};
const WARNINGS = ["Rice that stood warm overnight makes people ill."];
const FULL = { analysis: FORK, countTokens };
const NONE = { analysis: null, countTokens };

const PLAN = `### This week

1. **Choose three bases** — a grain, a sauce, a roast (20 min).
   Done when: three bases stand on the list.
2. **Prepare on Sunday** — cook them in two hours.

Is there anything to adjust?`;

const PROMPTS: readonly (readonly [name: string, full: EnvelopePart[], empty: EnvelopePart[]])[] = [
  [
    "starter-initial",
    buildStarterInitialPrompt(QUESTION, {
      ...FULL,
      ...BUSY,
      stance: "decide",
      persona: PERSONA,
      person: PERSON,
    }),
    buildStarterInitialPrompt(QUESTION, { ...NONE, stance: "default", turn: 1 }),
  ],
  [
    "starter-turn-2",
    buildStarterTurn2Wrapper(INTENT.userReply, { ...BUSY, shape: "contested", question: QUESTION }),
    buildStarterTurn2Wrapper(INTENT.userReply, { turn: 2, shape: null, question: QUESTION }),
  ],
  [
    "starter-rebuilt",
    buildStarterRebuiltPrompt(MESSAGE, {
      ...FULL,
      ...BUSY,
      stance: "decide",
      persona: PERSONA,
      person: PERSON,
      shape: "contested",
      question: QUESTION,
      answer: "Cook twice on Sunday.\n\nWhat would wear you out?",
    }),
    buildStarterRebuiltPrompt(MESSAGE, {
      ...NONE,
      turn: 2,
      stance: "default",
      shape: null,
      question: QUESTION,
      answer: "Begin small.",
    }),
  ],
  [
    "starter-reminder",
    buildStarterReminderWrapper(MESSAGE, BUSY),
    buildStarterReminderWrapper(MESSAGE, { turn: 3 }),
  ],
  [
    "explorer-initial",
    buildExplorerInitialPrompt(INTENT, {
      ...BUSY,
      userMessage: MESSAGE,
      persona: PERSONA,
      person: PERSON,
    }),
    buildExplorerInitialPrompt(BARE_INTENT, { userMessage: MESSAGE, turn: 3 }),
  ],
  [
    "explorer-by-code",
    buildExplorerInitialPrompt(INTENT, {
      ...BUSY,
      userMessage: MESSAGE,
      persona: PERSONA,
      person: PERSON,
      opening: FULL,
    }),
    buildExplorerInitialPrompt(BARE_INTENT, {
      userMessage: MESSAGE,
      turn: 3,
      opening: NONE,
    }),
  ],
  [
    "explorer-continue",
    buildExplorerContinueWrapper(MESSAGE, BUSY),
    buildExplorerContinueWrapper(MESSAGE, { turn: 4 }),
  ],
  ["block-request", buildBlockRequest("no PROMPT"), buildBlockRequest("missing")],
  [
    "executor-synthesis",
    buildExecutorSynthesisPrompt(EXECUTION, {
      ...FULL,
      ...BUSY,
      warnings: WARNINGS,
      userMessage: MESSAGE,
      persona: PERSONA,
      person: PERSON,
    }),
    buildExecutorSynthesisPrompt(BARE_EXECUTION, { ...NONE, turn: 5, userMessage: null }),
  ],
  [
    "executor-presentation",
    buildExecutorPresentationPrompt(MESSAGE, { ...FULL, ...BUSY }),
    buildExecutorPresentationPrompt(MESSAGE, { ...NONE, turn: 6 }),
  ],
  [
    "executor-continuation",
    buildExecutorContinuationPrompt(MESSAGE, {
      ...FULL,
      ...BUSY,
      warnings: WARNINGS,
      handover: EXECUTION,
      plan: viewPlan(JOURNEY_PLAN),
      planTokens: 1_200,
      records: ["Turn 5: Step 1 was confirmed as done."],
      persona: PERSONA,
      person: PERSON,
    }),
    buildExecutorContinuationPrompt(MESSAGE, {
      ...NONE,
      turn: 6,
      handover: BARE_EXECUTION,
      plan: null,
      planTokens: 1_200,
      records: [],
    }),
  ],
  [
    "change-plan",
    buildChangePlanPrompt({
      plan: viewPlan(JOURNEY_PLAN),
      removed: [
        { title: "Shop on Friday", after: "start" },
        { title: "Freeze half", after: "step_1" },
      ],
      wish: "I only have Saturdays, make it fit",
      lastAnswer: "Shall I move the cooking to Saturday?",
      constraints: "- no fish (a rule)",
      analysis: FULL.analysis,
      planTokens: 1_200,
      sheetTokens: 1_200,
      countTokens,
    }),
    buildChangePlanPrompt({
      plan: viewPlan(JOURNEY_PLAN),
      removed: [],
      wish: "shorter",
      lastAnswer: "",
      constraints: "",
      analysis: null,
      planTokens: 1_200,
      sheetTokens: 1_200,
      countTokens,
    }),
  ],
  [
    "step-help-result",
    buildStepHelpResultWrapper(MESSAGE, { ...FULL, ...BUSY }),
    buildStepHelpResultWrapper(MESSAGE, { ...NONE, turn: 7 }),
  ],
  ["pass-through", buildPassThrough(MESSAGE, BUSY), buildPassThrough(MESSAGE, { turn: 7 })],
  [
    "expert",
    buildExpertPrompt({
      question: expertQuestion(QUESTION, {
        unanswered: ["We moved last week."],
        constraints: ["no nuts (must hold)", "nothing fried (until 2026-01-31)"],
        person: "Household of 2.",
        earlier: ["They said: “we get home at seven” They were told: what could be cooked ahead."],
      }),
      lens: DEFAULT_LENSES[0]?.lens ?? null,
      persona: PERSONA,
      batch: "t1-b1",
    }),
    buildExpertPrompt({ question: expertQuestion(QUESTION), lens: null }),
  ],
  [
    "mapper",
    buildMapperPrompt({
      question: expertQuestion(QUESTION, { constraints: ["no nuts (must hold)"] }),
      answers: ["Cook ahead.\nOn Sunday.", "Keep it short."],
    }),
    buildMapperPrompt({ question: expertQuestion(QUESTION), answers: [] }),
  ],
  [
    "translate",
    buildTranslatePrompt({
      language: "German",
      sentences: [
        { id: "receiptCreated", template: "Added: {rows}" },
        { id: "undescribedUndone", template: "{count} {count|entry|entries} of other data" },
      ],
    }),
    buildTranslatePrompt({ language: "German", sentences: [] }),
  ],
  [
    "workflow",
    buildWorkflowPrompt({
      plan: PLAN,
      goal: EXECUTION.goal,
      decisionsMade: EXECUTION.decisionsMade,
    }),
    buildWorkflowPrompt({ plan: PLAN, goal: "", decisionsMade: [] }),
  ],
  [
    "roll-over",
    buildRollOverPrompt({
      handover: INTENT,
      messages: [
        { role: "user", text: MESSAGE },
        { role: "assistant", text: "Fridays free, then: four evenings.\n\nWhich ones matter?" },
      ],
    }),
    buildRollOverPrompt({ handover: BARE_INTENT, messages: [] }),
  ],
];

/** The prompts that differ for a small model. */
const SMALL_BUSY = { ...BUSY, tier: "small" } as const;
const SMALL = { tier: "small" } as const;
const SMALL_PROMPTS: typeof PROMPTS = [
  [
    "starter-turn-2-small",
    buildStarterTurn2Wrapper(MESSAGE, { ...SMALL_BUSY, shape: "contested", question: QUESTION }),
    buildStarterTurn2Wrapper(MESSAGE, { ...SMALL, turn: 2, shape: null, question: QUESTION }),
  ],
  [
    "starter-reminder-small",
    buildStarterReminderWrapper(MESSAGE, SMALL_BUSY),
    buildStarterReminderWrapper(MESSAGE, { ...SMALL, turn: 3 }),
  ],
  [
    "explorer-initial-small",
    buildExplorerInitialPrompt(INTENT, { ...SMALL_BUSY, userMessage: MESSAGE, persona: PERSONA }),
    buildExplorerInitialPrompt(BARE_INTENT, { ...SMALL, userMessage: MESSAGE, turn: 3 }),
  ],
  [
    "executor-synthesis-small",
    buildExecutorSynthesisPrompt(EXECUTION, {
      ...FULL,
      ...SMALL_BUSY,
      userMessage: MESSAGE,
      persona: PERSONA,
    }),
    buildExecutorSynthesisPrompt(BARE_EXECUTION, {
      ...NONE,
      ...SMALL,
      turn: 5,
      userMessage: null,
    }),
  ],
  [
    "executor-presentation-small",
    buildExecutorPresentationPrompt(MESSAGE, { ...FULL, ...SMALL_BUSY }),
    buildExecutorPresentationPrompt(MESSAGE, { ...NONE, ...SMALL, turn: 6 }),
  ],
  [
    "executor-continuation-small",
    buildExecutorContinuationPrompt(MESSAGE, {
      ...FULL,
      ...SMALL_BUSY,
      handover: EXECUTION,
      plan: viewPlan(JOURNEY_PLAN),
      planTokens: 1_200,
      records: [],
      persona: PERSONA,
    }),
    buildExecutorContinuationPrompt(MESSAGE, {
      ...NONE,
      ...SMALL,
      turn: 6,
      handover: BARE_EXECUTION,
      plan: null,
      planTokens: 1_200,
      records: [],
    }),
  ],
];

test("no prompt of a small model shows a control block", () => {
  const shown = SMALL_PROMPTS.flatMap(([, ...prompts]) => prompts.map(render));
  expect(shown.filter((text) => text.includes("<<<"))).toEqual([]);
});

test.each(["handover", "workflow", "step-help"] as const)(
  "signal-%s: the question after a small model's answer",
  async (kind) => {
    const text = render(buildSignalRequest(kind));
    await expect(text).toMatchFileSnapshot(`../golden/signal-${kind}.md`);
  },
);

test.each([...PROMPTS, ...SMALL_PROMPTS])("%s: everything there is", async (name, parts) => {
  await expect(render(parts)).toMatchFileSnapshot(`../golden/${name}.full.md`);
});

test.each([...PROMPTS, ...SMALL_PROMPTS])(
  "%s: nothing beyond what is needed",
  async (name, _full, parts) => {
    await expect(render(parts)).toMatchFileSnapshot(`../golden/${name}.empty.md`);
  },
);

function render(parts: readonly EnvelopePart[]): string {
  return renderParts(orderParts(parts)).map(messageText).join("\n");
}
