import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { detectMachineryLeakage } from "../../output-filter/detect-machinery-leakage.ts";
import { TABLES } from "./tables.ts";

describe.each(TABLES)("detectMachineryLeakage() on $file", ({ leaking, innocent }) => {
  test.each(leaking)("finds what leaks: %s", (sentence) => {
    expect(detectMachineryLeakage(sentence)).not.toEqual([]);
  });

  test.each(innocent)("finds nothing: %s", (sentence) => {
    expect(detectMachineryLeakage(sentence)).toEqual([]);
  });
});

test("detectMachineryLeakage() names each place once, in the order of the text", () => {
  const text = "Five of six models agree [c1]. The mapper found a gap.\n\nExpert 3 says: wait.";

  expect(detectMachineryLeakage(text)).toEqual([
    { kind: "models", text: "Five of six models agree" },
    { kind: "claim-id", text: "[c1]" },
    { kind: "mapper", text: "The mapper" },
    { kind: "experts", text: "Expert 3" },
  ]);
});

test("detectMachineryLeakage() names places that touch apart", () => {
  const texts = detectMachineryLeakage("It keeps longer.[c1][c2]").map(({ text }) => text);
  expect(texts).toEqual(["[c1]", "[c2]"]);
});

test("detectMachineryLeakage() does not read code blocks", () => {
  expect(
    detectMachineryLeakage("Run this:\n\n```sql\nselect claim_3 from t;\n```\n\nDone."),
  ).toEqual([]);
  expect(detectMachineryLeakage("~~~\nclaim_3\n")).toEqual([]);
});

const innocents = TABLES.flatMap(({ innocent }) => innocent);
const leaks = TABLES.flatMap(({ leaking }) => leaking);

law.prop([fc.constantFrom(...leaks), fc.constantFrom(...innocents), fc.constantFrom(...innocents)])(
  "detectMachineryLeakage() finds a leak among clean paragraphs, and only it",
  (leak, before, after) => {
    expect(detectMachineryLeakage([before, leak, after].join("\n\n"))).toEqual(
      detectMachineryLeakage(leak),
    );
  },
);

law.prop([fc.string({ unit: "grapheme", maxLength: 300 })])(
  "detectMachineryLeakage() finds what stands in the text",
  (text) => {
    for (const leak of detectMachineryLeakage(text)) expect(text).toContain(leak.text);
  },
);

test.each(["the models ", "[c1, ", "according to ", "experts ", "five of ", "```\n", "claim "])(
  "detectMachineryLeakage() takes a hundred thousand characters of %j",
  (piece) => {
    expect(
      detectMachineryLeakage(`${piece.repeat(100_000 / piece.length)}\n\n[c9]`),
    ).toBeInstanceOf(Array);
  },
);
