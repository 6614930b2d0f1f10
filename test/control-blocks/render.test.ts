import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import { parseIntentHandover } from "../../control-blocks/intent-handover.ts";
import {
  renderExecutionBlock,
  renderIntentHandover,
  renderStepHelpBlock,
} from "../../control-blocks/render.ts";
import { INTENT } from "../support/signal-texts.ts";

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
  "parseIntentHandover() gives back what renderIntentHandover() writes",
  (handover) => {
    expect(parseIntentHandover(`Hi.\n\n${renderIntentHandover(handover)}\n`)).toEqual({
      userResponse: "Hi.",
      handover,
    });
  },
);

test.prop([execution], { numRuns: 2000 })(
  "parseBatchSignal() gives back what renderExecutionBlock() writes",
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
  "parseBatchSignal() gives back what renderStepHelpBlock() writes",
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
