import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { detectMachineryLeakage } from "../../output-filter/detect-machinery-leakage.ts";
import { TABLES } from "./tables.ts";

const KNOWN = {
  claims: ["c1", "c2", "c3", "c4", "c9", "c_12", "claim_7", "k.5"],
  batches: ["t3-b1"],
  experts: ["risk", "expert-2"],
  lenses: ["You look for what goes wrong: the assumption that fails, what cannot be undone."],
  metrics: ["alignment", "tension", "support"],
  markers: ["HANDOVER", "BATCH", "STEP_HELP"],
};
const NOTHING = { claims: [], batches: [], experts: [], lenses: [], metrics: [], markers: [] };

const detect = (text: string) => detectMachineryLeakage(text, KNOWN);

describe.each(TABLES)("detectMachineryLeakage() on $file", ({ leaking, innocent }) => {
  test.each(leaking)("finds a leak: %s", (sentence) => {
    expect(detect(sentence)).not.toEqual([]);
  });

  test.each(innocent)("finds none: %s", (sentence) => {
    expect(detect(sentence)).toEqual([]);
  });
});

test.each([
  ["claim", "c3", "Kündigen Sie erst später, das sagt c3."],
  ["claim", "[c1, c4]", "Réservez d'abord [c1, c4]."],
  ["claim", "[C2]", "先订票 [C2]。"],
  ["claim", "claim_7", "Lo dice claim_7, sin más."],
  ["claim", "k.5", "Vgl. k.5 und die anderen."],
  ["batch", "t3-b1", "Das steht in t3-b1."],
  ["expert", "Expert-2", "Expert-2 è contrario."],
  ["expert", "[risk]", "Attention au toit [risk]."],
  ["lens", "you look for what goes wrong", "Meine Sicht: you look for what goes wrong."],
  ["metric", "Alignment: 0,8", "Alignment: 0,8 – also recht einig."],
  ["metric", "support von 0.75", "Mit support von 0.75 ist das klar."],
  ["marker", "<<HANDOVER>>", "Danke! <<HANDOVER>> Ziel: Schlaf"],
  ["marker", "STEP_HELP", "Ik vraag STEP_HELP aan."],
])("detectMachineryLeakage() finds a %s (%s) in any language", (kind, text, sentence) => {
  expect(detect(sentence)).toEqual([{ kind, text }]);
  expect(detectMachineryLeakage(sentence, NOTHING)).toEqual([]);
});

test("detectMachineryLeakage() takes a name that is an ordinary word for one", () => {
  const text =
    "The risk is small. There is tension in the rope, and support from 2 friends. C1 is a level.";
  expect(detect(text)).toEqual([]);
});

test("detectMachineryLeakage() names each place once, in the order of the text", () => {
  const text =
    "According to the models, rent. The support ratio is 0.83, see [c1]. Expert 3 agrees.";
  expect(detect(text)).toEqual([
    { kind: "phrase", text: "According to the models" },
    { kind: "metric", text: "support ratio is 0.83" },
    { kind: "claim", text: "[c1]" },
    { kind: "phrase", text: "Expert 3" },
  ]);
});

test("detectMachineryLeakage() names places that touch apart", () => {
  expect(detect("It keeps longer.[c1][c2]").map(({ text }) => text)).toEqual(["[c1]", "[c2]"]);
});

test("detectMachineryLeakage() does not read code blocks", () => {
  expect(detect("Run this:\n\n```sql\nselect claim_7 from t;\n```\n\nDone.")).toEqual([]);
  expect(detect("~~~\nclaim_7\n")).toEqual([]);
});

const anyName = fc.string({ unit: "grapheme", maxLength: 8 });
const anyKnown = fc.record({
  claims: fc.array(anyName, { maxLength: 4 }),
  batches: fc.array(anyName, { maxLength: 2 }),
  experts: fc.array(anyName, { maxLength: 4 }),
  lenses: fc.array(fc.string({ maxLength: 60 }), { maxLength: 2 }),
  metrics: fc.array(anyName, { maxLength: 3 }),
  markers: fc.array(anyName, { maxLength: 3 }),
});

law.prop([fc.string({ unit: "grapheme", maxLength: 300 }), anyKnown])(
  "detectMachineryLeakage() finds what stands in the text, whatever is known",
  (text, known) => {
    for (const leak of detectMachineryLeakage(text, known)) expect(text).toContain(leak.text);
  },
);

law.prop([
  fc.stringMatching(/^[a-z]{1,3}_?[0-9]{1,3}$/),
  fc.constantFrom("Siehe {} dazu.", "先 {} 订", "({})"),
])("detectMachineryLeakage() finds any id that the turn holds", (id, frame) => {
  const found = detectMachineryLeakage(frame.replace("{}", id), { ...NOTHING, claims: [id] });
  expect(found).toEqual([{ kind: "claim", text: id }]);
});

test.each([
  "the models ",
  "[c1, ",
  "according to ",
  "experts ",
  "five of ",
  "```\n",
  "claim ",
  "tension ",
])("detectMachineryLeakage() takes a hundred thousand characters of %j", (piece) => {
  expect(detect(`${piece.repeat(100_000 / piece.length)}\n\n[c9]`)).toBeInstanceOf(Array);
});
