import { expect, test } from "vitest";
import { parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import { gated } from "../../control-blocks/gate.ts";
import { parseIntentHandover } from "../../control-blocks/intent-handover.ts";
import { findSignalFault, streamed } from "../support/check-signals.ts";
import { chunked, seededRandom, signalText } from "../support/signal-texts.ts";

test("createSignalGate() reads 5,000 random and mutated answers alike, whole and in chunks", () => {
  const random = seededRandom(20_260_112);
  const faults: string[] = [];
  for (let done = 0; done < 5_000; done += 1) {
    const text = signalText(random);
    const fault = findSignalFault(text, chunked(text, random));
    if (fault !== null) faults.push(`${fault}: ${JSON.stringify(text)}`);
  }
  expect(faults).toEqual([]);
}, 120_000);

const block = (body: string) => `<<<HANDOVER>>>\ngoal: g\n${body}\n<<<END>>>`;

test.each([
  ["openers", "<<<HANDOVER>>>\n".repeat(35_000)],
  ["ENDs inside lines", "<<<BATCH>>> a <<<END>>> b ".repeat(20_000)],
  ["ENDs without a block", "<<<END>>>".repeat(55_000)],
  ["angle brackets", "<".repeat(500_000)],
  ["beginnings of markers", "<<<HAND".repeat(72_500)],
  ["fence lines", "```\n".repeat(125_000)],
  ["one fence line", "`".repeat(500_000)],
  ["decoration", "* ".repeat(250_000)],
  ["blank space", `a${" \n".repeat(250_000)}b`],
  ["quotes", block(`gaps: ${'"a, '.repeat(125_000)}`)],
  ["apostrophes", block(`gaps: ${"'a, ".repeat(125_000)}`)],
  ["backslashes", block(`gaps: "${"\\".repeat(500_000)}`)],
  ["brackets", block(`gaps: ${"(a, [".repeat(100_000)}`)],
  ["white space in a value", block(`gaps: a${" ".repeat(500_000)}b`)],
  ["bullets", block(`gaps:\n${"- a, b\n".repeat(70_000)}`)],
  ["keys", block("gaps: a\n".repeat(62_500))],
  ["prompts", `<<<BATCH>>>\nTYPE: WORKFLOW\n${"PROMPT: a\n".repeat(50_000)}<<<END>>>`],
  [
    "white space in a prompt",
    `<<<BATCH>>>\nTYPE: WORKFLOW\nPROMPT: a${" \n".repeat(250_000)}b\n<<<END>>>`,
  ],
])(
  "createSignalGate() reads half a million characters of %s in time, whole and in chunks",
  (_name, text) => {
    parseIntentHandover(text);
    parseBatchSignal(text);

    expect(streamed(text.match(/[^]{1,97}/g) ?? [], {})).toBe(gated(text));
  },
  120_000,
);
