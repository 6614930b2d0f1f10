import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import { parseIntentHandover } from "../../control-blocks/intent-handover.ts";
import { writeBatchBlock, writeHandoverBlock } from "../../control-blocks/write-block.ts";
import { EXECUTION, INTENT } from "../support/concierge-documents.ts";

/** Texts that say something, with all that could end a field, a list or a block. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom("<<<END>>>", "\n", "PROMPT:", "goal: x", "[a, b]", '"', ";", "- ", "```"),
    ),
  )
  .map((parts) => `So ${parts.join(" ")} it is`);
const anyList = fc.array(anyText, { maxLength: 4 });

test("writeHandoverBlock() writes what parseIntentHandover() reads", () => {
  expect(parseIntentHandover(writeHandoverBlock(INTENT))).toEqual({
    userResponse: "",
    handover: INTENT,
  });
});

test.prop([
  fc.record({
    impliedGoal: anyText,
    keyFindings: anyList,
    revealedConstraints: anyList,
    resistedFraming: fc.option(anyText),
    effectiveStance: fc.constantFrom("explore" as const, "decide" as const, "challenge" as const),
  }),
])("writeHandoverBlock() loses no value, whatever it holds", (values) => {
  const { userResponse, handover } = parseIntentHandover(`Good.\n\n${writeHandoverBlock(values)}`);

  expect(userResponse).toBe("Good.");
  expect(handover).toMatchObject(values);
});

test.prop([
  fc.record({ goal: anyText, situation: anyText, constraints: anyList, priorities: anyList }),
])("writeBatchBlock() loses no value of a plan's handover, whatever it holds", (values) => {
  const handover = { ...EXECUTION, ...values };
  const block = writeBatchBlock({ type: "WORKFLOW", handover, prompt: "Plan it.\n- in steps" });

  expect(parseBatchSignal(`Good.\n\n${block}`)).toEqual({
    userResponse: "Good.",
    type: "WORKFLOW",
    handover,
    batchPrompt: "Plan it.\n- in steps",
    step: null,
    blocker: null,
    context: null,
  });
});

test.prop([anyText, anyText, anyText])(
  "writeBatchBlock() writes a request for help with a step that no prompt can end",
  (step, context, prompt) => {
    const block = writeBatchBlock({ type: "STEP_HELP", step, context, prompt });

    const signal = parseBatchSignal(`Good.\n\n${block}`);

    expect(signal).toMatchObject({ userResponse: "Good.", type: "STEP_HELP", step, context });
    expect(signal.batchPrompt).toMatch(/^So/u);
    expect(signal.batchPrompt).toMatch(/it is$/u);
  },
);
