import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import { parseIntentHandover } from "../../control-blocks/intent-handover.ts";
import {
  renderExecutionBlock,
  renderIntentHandover,
  renderStepHelpBlock,
} from "../../control-blocks/render.ts";
import { EXECUTION, INTENT } from "../support/signal-texts.ts";

const nasty = fc.constantFrom(
  "none",
  "[list]",
  "{x}",
  "a, b",
  "[a, b]",
  '"q"',
  "'q'",
  "- a",
  "goal: x",
  "|",
  ">-",
  "a\nb",
  "<<<END>>>",
  "\n<<<END>>>\n",
  "```",
  " a ",
  "$1,500, by January 31, 2027",
  "a;b",
  "\\",
  '"',
  "“a”",
  "`a`",
  "PROMPT: x",
  "1. a",
  "a\r\nb",
  "a,",
  '"a",',
  "**a**",
  "\u2028a",
  "\uFEFFa",
  "a  b",
  "own_key: a",
  "a b: c",
  "{",
  "},",
  "\uD800",
  "~~~",
  "refined goal",
  "x".repeat(400),
  "#",
  "(none)",
);
const text = fc
  .oneof(fc.string(), fc.string({ unit: "binary" }), nasty, fc.lorem({ maxCount: 8 }))
  .filter((value) => value.trim() !== "");
const optional = fc.oneof(fc.constant(""), text);
const list = fc.array(text, { maxLength: 4 });
const goal = text.filter((value) => /[\p{L}\d]{2}/u.test(value) && !/none|list|goal/i.test(value));

const intent = fc.record({
  shape: optional,
  keyFindings: list,
  tensions: list,
  gaps: list,
  userQuery: optional,
  starterResponse: optional,
  userReply: optional,
  impliedGoal: goal,
  revealedConstraints: list,
  acceptedFraming: optional,
  resistedFraming: fc.option(text),
  unpromptedReveals: list,
  stillUnclear: list,
  effectiveStance: fc.constantFrom("explore" as const, "decide" as const, "challenge" as const),
});
const execution = fc.record({
  goal,
  problemSummary: optional,
  situation: optional,
  constraints: list,
  priorities: list,
  decisionsMade: list,
  openQuestions: list,
  explorationHighlights: list,
});

test.prop([intent], { numRuns: 2000 })(
  "parsing a rendered intent handover gives it back",
  (handover) => {
    expect(parseIntentHandover(`Hi.\n\n${renderIntentHandover(handover)}\n`)).toEqual({
      userResponse: "Hi.",
      handover,
    });
  },
);

test.prop([execution], { numRuns: 2000 })(
  "parsing a rendered execution block gives it back",
  (handover) => {
    expect(
      parseBatchSignal(
        `Hi.\n\n${renderExecutionBlock({ handover, prompt: " You are.\n\n<<<END>>>\n- x " })}`,
      ),
    ).toEqual({
      userResponse: "Hi.",
      type: "WORKFLOW",
      handover,
      batchPrompt: "You are.\n\n‹‹‹END>>>\n- x",
      step: null,
      blocker: null,
      context: null,
    });
  },
);

test.prop([fc.option(text), fc.option(text), fc.option(text)], { numRuns: 1000 })(
  "parsing a rendered step's help gives it back",
  (step, blocker, context) => {
    expect(parseBatchSignal(renderStepHelpBlock({ step, blocker, context, prompt: "p" }))).toEqual({
      userResponse: "",
      type: "STEP_HELP",
      handover: null,
      batchPrompt: "p",
      step,
      blocker,
      context,
    });
  },
);

test("renderIntentHandover() leaves out blank items and writes blanks as null", () => {
  const handover = { ...INTENT, gaps: ["", "a", " "], resistedFraming: " ", shape: "" };

  expect(parseIntentHandover(renderIntentHandover(handover)).handover).toEqual({
    ...INTENT,
    gaps: ["a"],
    resistedFraming: null,
    shape: "",
  });
});

test("renderIntentHandover() writes plainly what reads back plainly", () => {
  expect(renderIntentHandover(INTENT)).toBe(`<<<HANDOVER>>>
shape: tradeoff
key_findings:
  - takeout costs $1,500 a month
  - both are home after seven, tired
tensions:
  - time, against money
gaps:
  - nobody knows the kitchen
user_query: We keep ordering takeout, what should we do?
starter_response: Cooking ahead costs one afternoon and saves five evenings.
user_reply: Budget is $1,500; it has to work by January 31, 2027.
goal: Eat at home on weeknights for $1,500 a month
constraints:
  - $1,500 a month
  - by January 31, 2027
accepted_framing: one cooking day
resisted_framing: null
unprompted_reveals:
  - my partner hates leftovers
still_unclear: []
effective_stance: decide
<<<END>>>`);
});

test("renderExecutionBlock() writes the seeds' form", () => {
  expect(renderExecutionBlock({ handover: EXECUTION, prompt: "You are a meal planner." }))
    .toBe(`<<<BATCH>>>
TYPE: WORKFLOW

HANDOVER:
  goal: Five home-cooked weeknights by the end of January
  problem_summary: Two people come home after seven and order takeout out of tiredness.
  situation: A couple, a small kitchen
  constraints:
    - $1,500 a month
    - no leftovers, twice
  priorities:
    - little time on weeknights
  decisions_made:
    - cook on Sundays
  open_questions: []
  exploration_highlights:
    - she laughed at the word 'meal kit'

PROMPT:
You are a meal planner.
<<<END>>>`);
});
