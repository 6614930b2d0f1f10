import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { createReplyGate, gateReply } from "../../output-filter/reply-gate.ts";

const ID = "00000001-aaaa-4bbb-8ccc-000000000003";
const OTHER_ID = "00000009-aaaa-4bbb-8ccc-000000000009";
const NAMES = {
  labels: new Map([
    ["recipe_3", "Lentil Soup"],
    ["gen_recipe_1", "Shakshuka"],
  ]),
  ids: new Map([[ID, "Lentil Soup"]]),
  prefixes: ["recipe", "gen_recipe", "inv"],
};

describe("gateReply()", () => {
  test.each([
    ["a known ref by its label", "Cook recipe_3 today.", "Cook Lentil Soup today."],
    ["a draft by its label", "I made gen_recipe_1.", "I made Shakshuka."],
    [
      "no ref in brackets behind a label",
      "Lentil Soup (recipe_3) is left.",
      "Lentil Soup is left.",
    ],
    ["no list of refs in brackets", "Two are left (recipe_3, recipe_4).", "Two are left."],
    ["no ref that is not known", "I removed inv_77 today.", "I removed today."],
    ["an underscore word that is no ref", "Use snake_case_2 here.", "Use snake_case_2 here."],
    ["a known id by its label", `It is ${ID}.`, "It is Lentil Soup."],
    ["no id that is not known", `It is ${OTHER_ID} today.`, "It is today."],
    [
      "an id in an address",
      `See https://a.example/${OTHER_ID}.`,
      `See https://a.example/${OTHER_ID}.`,
    ],
    ["no thought", "<think>Hm, recipe_3?</think>Soup it is.", "Soup it is."],
    ["no thought that has no end", "Soup. <reasoning>Now what", "Soup. "],
    ["no marker", "Soup it is. <<<END>>>", "Soup it is. "],
    ["no delimiter of a prompt", "<data>Soup</data> it is.", "Soup it is."],
    ["brackets of the person's own", "Soup (for two) is left.", "Soup (for two) is left."],
  ])("shows %s", (_, text, shown) => {
    expect(gateReply(text, NAMES)).toBe(shown);
  });
});

const PIECES = [
  "recipe_3",
  "recipe_99",
  " (",
  ")",
  "(recipe_3, inv_1)",
  "[inv_2]",
  ID,
  OTHER_ID.toUpperCase(),
  "<think>",
  "</think>",
  "<thinking>",
  "<data>",
  "<<<HANDOVER>>>",
  "</message>",
  "<",
  "\n",
  " ",
  "1. ",
  "Soup",
  "https://a.example/",
];
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6 })), { maxLength: 14 })
  .map((pieces) => pieces.join(""));

property.prop([anyText, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 })])(
  "createReplyGate() returns the same text for any chunking, and nothing of the program's own",
  (text, sizes) => {
    const gate = createReplyGate(NAMES);
    let shown = "";
    for (let at = 0, turn = 0; at < text.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? 1;
      shown += gate.push(text.slice(at, at + size));
      at += size;
    }
    shown += gate.end();

    expect(shown).toBe(gateReply(text, NAMES));
    expect(shown).not.toMatch(/(?<![\p{L}\p{N}_])(?:recipe|inv)_[1-9]\d*(?![\p{L}\p{N}_])/u);
    expect(shown).not.toMatch(/<\/?(?:think|data|message)>|<<<[A-Z]+>>>/i);
  },
);
