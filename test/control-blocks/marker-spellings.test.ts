import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import { gated, readBlocks } from "../../control-blocks/gate.ts";
import { parseIntentHandover } from "../../control-blocks/intent-handover.ts";
import { MarkerSpellings } from "../../control-blocks/marker-spellings.ts";
import { HANDOVER_BLOCK, STEP_BLOCK, WORKFLOW_BLOCK } from "../support/concierge-thread.ts";
import { streamed } from "../support/check-signals.ts";

/** `SPELLING_CASES=10000 npm test -- test/control-blocks/marker-spellings.test.ts` is the long play. */
const numRuns = Number(process.env["SPELLING_CASES"] ?? 200);

const BRACKETS = [
  ["<", ">"],
  ["＜", "＞"],
  ["«", "»"],
  ["&lt;", "&gt;"],
  ["\\<", "\\>"],
] as const;

interface Spelling {
  readonly brackets: (typeof BRACKETS)[number];
  readonly opening: number;
  /** Closing brackets beyond the opening ones. */
  readonly surplus: number;
  readonly end: string;
  readonly isSmall: boolean;
  readonly space: string;
}

const spelling: fc.Arbitrary<Spelling> = fc.record({
  brackets: fc.constantFrom(...BRACKETS),
  opening: fc.integer({ min: 2, max: 5 }),
  surplus: fc.integer({ min: 0, max: 2 }),
  end: fc.constantFrom("END", "END WORD", "END_WORD", "/WORD", "WORD END"),
  isSmall: fc.boolean(),
  space: fc.constantFrom("", " "),
});

/** Writes the markers of a block in another spelling. */
function respell(block: string, spelled: Spelling): string {
  const word = block.startsWith("<<<HANDOVER") ? "HANDOVER" : "BATCH";
  const { brackets, opening, surplus, end, isSmall, space } = spelled;
  const write = (phrase: string): string => {
    const cased = isSmall ? phrase.toLowerCase() : phrase;
    return [
      brackets[0].repeat(opening),
      space,
      cased,
      space,
      brackets[1].repeat(opening + surplus),
    ].join("");
  };
  return block
    .replace(`<<<${word}>>>`, () => write(word))
    .replace("<<<END>>>", () => write(end.replace("WORD", word)));
}

const BLOCKS = [HANDOVER_BLOCK, WORKFLOW_BLOCK, STEP_BLOCK] as const;

describe("a block in another spelling", () => {
  law.prop([spelling, fc.constantFrom(...BLOCKS)], { numRuns })(
    "shows nothing and has the same fields, cut at every character",
    (spelled, block) => {
      const text = `Good.\n\n${respell(block, spelled)}`;
      const canonical = `Good.\n\n${block}`;

      expect(streamed(Array.from(text), {})).toBe("Good.");
      expect(gated(text)).toBe("Good.");
      expect(parseIntentHandover(text)).toEqual(parseIntentHandover(canonical));
      expect(parseBatchSignal(text)).toEqual(parseBatchSignal(canonical));
    },
  );

  law.prop([spelling, fc.constantFrom(...BLOCKS), fc.nat()], { numRuns })(
    "shows nothing of its body wherever the answer ends",
    (spelled, block, at) => {
      const whole = respell(block, spelled);
      const opener = whole.indexOf("\n");
      const cut = whole.slice(0, opener + (at % (whole.length - opener)));

      expect(gated(`Good.\n\n${cut}`)).toBe("Good.");
      expect(readBlocks(cut).blocks).toHaveLength(1);
    },
  );
});

test.each([
  "cat <<EOF > a.txt",
  'grep ada <<< "$names" and ＜＜＜ as well',
  "see the arrows <<<<<< here, or <<<OTHER>>>",
  "a << b and b << c",
  'cout << "x" << endl;',
  "elle dit « bonjour » et ««tant pis»»",
  "&lt;b&gt; and \\<i\\>",
  "use <<name>> as a placeholder",
  "if (a && b) { x &= 1 }",
  "<<handover> and more",
  "«Batch» is a word, and so is <end>",
])("%j is text", (text) => {
  expect(gated(text)).toBe(text);
});

describe("a body in JSON", () => {
  const handover = {
    goal: 'Say "no" in time',
    key_findings: ["one, two", "three\nfour"],
    resisted_framing: null,
    stance: "decide",
  };
  const batch = {
    prompt: "You coach.\n\nTYPE: none\n- one",
    type: "WORKFLOW",
    handover: { goal: "Sleep", constraints: ["no pills; ever"], situation: "tired" },
  };

  const write = {
    "on one line": (value: object) => JSON.stringify(value),
    "over several lines": (value: object) => JSON.stringify(value, null, 2),
    "in a fence": (value: object) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
  };

  test.each(Object.entries(write))("%s gives its fields", (_, body) => {
    const intent = `Good.\n\n<<<HANDOVER>>>\n${body(handover)}\n<<<END>>>`;
    const signal = `Good.\n\n<<<BATCH>>>\n${body(batch)}\n<<<END>>>`;

    expect([gated(intent), gated(signal)]).toEqual(["Good.", "Good."]);
    expect(parseIntentHandover(intent).handover).toMatchObject({
      impliedGoal: handover.goal,
      keyFindings: handover.key_findings,
      resistedFraming: null,
      effectiveStance: "decide",
    });
    expect(parseBatchSignal(signal)).toMatchObject({
      type: "WORKFLOW",
      batchPrompt: batch.prompt,
      handover: batch.handover,
    });
  });

  test("that repeats the template is none", () => {
    const text = 'A\n\n<<<HANDOVER>>>\n{"goal": "what you take them to want"}\n<<<END>>>';
    expect(parseIntentHandover(text)).toEqual({ userResponse: "A", handover: null });
  });
});

test.each(["**<<<END>>>**", "`<<<END>>>`", "> <<<END>>>", "__<<END HANDOVER>>__"])(
  "%j closes a block, and its decoration is none of the last field",
  (end) => {
    const text = `Good.\n\n${HANDOVER_BLOCK.replace("<<<END>>>", end)}`;
    expect(gated(text)).toBe("Good.");
    expect(parseIntentHandover(text)).toEqual(parseIntentHandover(`Good.\n\n${HANDOVER_BLOCK}`));
  },
);

const pieces = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.constantFrom(
        "<<",
        "<",
        "«",
        "»",
        "&lt;",
        "&",
        "\\<",
        "\\",
        " << ",
        "＜＜",
        "EOF",
        "b",
        "\n",
      ),
    ),
    { maxLength: 20 },
  )
  .filter((parts) => !/handover|batch|end/iu.test(parts.join("")));

law.prop([pieces], { numRuns })("MarkerSpellings passes prose on unchanged", (parts) => {
  const text = parts.join("");
  let passed = "";
  const reader = new MarkerSpellings((piece) => {
    passed += piece;
  });
  for (const character of Array.from(text)) reader.push(character);
  reader.end();
  // What is cut behind three brackets may have become a marker.
  expect(passed === text || /(?:<|＜|«|&lt;|\\<){3,}[ /_a-z]*$/iu.test(text)).toBe(true);
});

/** Openers and closers that no table knows, by name. */
const UNKNOWN_MARKERS: readonly (readonly [opener: string, closer: string])[] = [
  ["<<<WORKFLOW>>>", "<<<END WORKFLOW>>>"],
  ["<<<BATCH: WORKFLOW>>>", "<<<END>>>"],
  ["<<<WORKFLOW BATCH>>>", "<<<END>>>"],
  ["<<<BATCH", "<<<END>>>"],
  ["<BATCH>", "<END>"],
  ["<BATCH>", "</BATCH>"],
  ["[[[BATCH]]]", "[[[END]]]"],
  ["<|BATCH|>", "<|END|>"],
  ["---BATCH---", "---END---"],
  ["‹‹‹BATCH›››", "‹‹‹END›››"],
  ["《《《BATCH》》》", "《《《END》》》"],
  ["〈〈〈BATCH〉〉〉", "〈〈〈END〉〉〉"],
  ["<<<ВАТСН>>>", "<<<END>>>"],
  ["<\u200B<\u200B<BATCH>>>", "<<<END>>>"],
  ["## BATCH", "<<<END>>>"],
  ["```\n[[BATCH]]", "[[END]]\n```"],
  ["", "<<<END>>>"],
  ["", "END"],
];

describe.each(UNKNOWN_MARKERS)("a block between %j and %j", (opener, closer) => {
  test.each([WORKFLOW_BLOCK, STEP_BLOCK])("is read like any other, cut anywhere: %#", (block) => {
    const body = block.replace("<<<BATCH>>>\n", "").replace("\n<<<END>>>", "");
    const text = `Good.\n\n${opener === "" ? "" : `${opener}\n`}${body}\n${closer}\n\nMore?`;

    expect(streamed(Array.from(text), {})).toBe("Good.\n\nMore?");
    expect(gated(text)).toBe("Good.\n\nMore?");
    expect(parseBatchSignal(text)).toEqual({
      ...parseBatchSignal(`Good.\n\n${block}`),
      userResponse: "Good.\n\nMore?",
    });
    for (let end = text.indexOf("TYPE:") + 8; end < text.indexOf(closer, 20); end += 1) {
      expect(gated(text.slice(0, end))).toBe("Good.");
    }
  });
});

test.each([
  [HANDOVER_BLOCK.replace("<<<HANDOVER>>>", "[[[HANDOVER]]]"), "HANDOVER"],
  [WORKFLOW_BLOCK.replace("<<<END>>>", "<<<END WORKFLOW>>>"), "BATCH"],
  [WORKFLOW_BLOCK.replace("<<<BATCH>>>\nTYPE: WORKFLOW", "[WORKFLOW]"), "BATCH"],
  ["TYPE: PLAN\n\nPROMPT: You coach.\n<<<END>>>", "BATCH"],
  ['<batch type="WORKFLOW">\n<goal>Sleep</goal>\n</batch>', "BATCH"],
  ['<tool_call>{"name":"BATCH","arguments":{"goal":"Sleep"}}</tool_call>', "BATCH"],
])("%j is hidden as a block", (block, kind) => {
  const text = `Good.\n\n${block}\n\nMore?`;
  expect(streamed(Array.from(text), {})).toBe("Good.\n\nMore?");
  expect(gated(text)).toBe("Good.\n\nMore?");
  expect(readBlocks(text).blocks).toMatchObject([{ kind, closed: true }]);
});

test.each([
  "What type: workflow or habit?\ntype: a habit, I would say\nprompt: none",
  "Type: a dark room\nStep: hang curtains",
  "TYPE: A\n\nand so on",
  "[WORKFLOW]\n\nThat is the word.",
  "**WORKFLOW**\n\nGoal: sleep at eleven",
  "[[NOTE]]\nstep: one",
  "<batch> is a tag of XML\nand <tool> another",
  "HANDOVER\n\nof the keys at noon",
])("%j is prose", (text) => {
  expect(streamed(Array.from(text), {})).toBe(text);
});
