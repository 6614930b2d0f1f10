import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { cleanText, createOutputGate } from "../../output-filter/output-gate.ts";
import { sizesOfPieces, streamText } from "../support/stream-text.ts";

const ID = "00000001-aaaa-4bbb-8ccc-000000000003";
const OTHER_ID = "00000009-aaaa-4bbb-8ccc-000000000009";
const NAMES = {
  labels: new Map([
    ["recipe_3", "Lentil Soup"],
    ["gen_recipe_1", "Shakshuka"],
    ["choice_2", "dinners this week"],
    ["e17", "oat milk"],
    ["e18", "rye bread"],
  ]),
  ids: new Map([[ID, "Lentil Soup"]]),
  prefixes: ["recipe", "gen_recipe", "inv", "choice"],
  tools: ["read_recipes", "delete_rows", "undo"],
  others: new Map([
    ["t2-b1", ""],
    ["claim_1", "three bases"],
    ["claim_11", "a map"],
  ]),
};

describe("cleanText()", () => {
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
    ["no thought that has no end", "Soup. <reasoning>Now what", "Soup."],
    ["no marker", "Soup it is. <<<END>>>", "Soup it is."],
    [
      "no block of JSON, whatever its name",
      'Soup it is.\n<<<PLAN>>>\n[{"step": "(a) buy > 3"}]\n<<<END>>> Bye.',
      "Soup it is.\n Bye.",
    ],
    ["the words of a block", "<<<NOTE>>> [1] Soup it is. <<</NOTE>>>", "[1] Soup it is."],
    ["a block that does not end", '<<<PLAN>>> {"step": 1}', '{"step": 1}'],
    ["no delimiter of a prompt", "<data>Soup</data> it is.", "Soup it is."],
    ["no delimiter that is left inside another", "<da<data>ta>Soup it is.", "Soup it is."],
    ["brackets of the person's own", "Soup (for two) is left.", "Soup (for two) is left."],
    ["a ref in any case by its label", "Cook RECIPE_3 or Recipe_8.", "Cook Lentil Soup or."],
    ["a ref with leading zeros by its label", "Cook recipe_03.", "Cook Lentil Soup."],
    ["a ref escaped for Markdown by its label", String.raw`Cook recipe\_3.`, "Cook Lentil Soup."],
    [
      "a draft escaped for Markdown by its label",
      String.raw`I made gen\_recipe\_1.`,
      "I made Shakshuka.",
    ],
    ["a ref in italics by its label", "Cook _recipe_3_.", "Cook _Lentil Soup_."],
    ["no refs of any spelling in brackets", "Two (Recipe_3,recipe_04; INV_1).", "Two."],
    ["a ref around a thought", "Cook recipe_<think>hm</think>3.", "Cook Lentil Soup."],
    ["a choice by its title", "In choice_2 four are left.", "In dinners this week four are left."],
    ["no choice in brackets", "Four are left (choice_2).", "Four are left."],
    ["no choice that is not known", "In choice_9 four are left.", "In four are left."],
    [
      "effects behind their word by their rows",
      "I can undo e17, e18 and effect e17.",
      "I can undo oat milk, rye bread and effect oat milk.",
    ],
    ["no effect in brackets", "It is back (e17).", "It is back."],
    ["an effect in code by its row", "It is `e18`.", "It is `rye bread`."],
    [
      "a road that has the name of an effect",
      "Take the e17 to Ghent, or E17 motorway (E17).",
      "Take the e17 to Ghent, or E17 motorway (E17).",
    ],
    ["a code of no effect", "Seat (e21), change e99.", "Seat (e21), change e99."],
    [
      "the name of a tool as words",
      "I called `read_recipes`, then Delete_Rows.",
      "I called `read recipes`, then Delete Rows.",
    ],
    ["no batch", "From t2-b1 (t2-b1) it is clear.", "From it is clear."],
    ["a claim by its label", "It is claim_1, then claim_11.", "It is three bases, then a map."],
    ["no claims and batches in brackets", "Cook ahead [claim_1, claim_11] (t2-b1).", "Cook ahead."],
    [
      "what only looks like a claim or a batch",
      "Claim_1, claim_12, claim_1-a, x.claim_1, t2-b11, at2-b1",
      "Claim_1, claim_12, claim_1-a, x.claim_1, t2-b11, at2-b1",
    ],
    ["a tool of one word as it is", "You can undo that.", "You can undo that."],
    ["a number behind a word", "See recipe 3 and choice 2.", "See recipe 3 and choice 2."],
    ["a name inside a longer one", "my_recipe_3, recipe_3b", "my_recipe_3, recipe_3b"],
    ["no <thinking>", "a<thinking>x</thinking>b", "ab"],
    ["no <thought>", "a<Thought>x</thought>b", "ab"],
    ["no [THINK]", "a[THINK]x</think> y[/THINK]b", "ab"],
    ["no [THINK] that has no end", "a[THINK]x", "a"],
    ["nothing before the end of a thought alone", "a</thought>b[/THINK]c", "c"],
    [
      "the end of a thought as code marks",
      "It ends with `</think>` here.",
      "It ends with `` here.",
    ],
    ["brackets with a word of thought", "[think] <thinker> [/think]", "[think] <thinker> [/think]"],
  ])("shows %s", (_, text, shown) => {
    expect(cleanText(text, NAMES)).toBe(shown);
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
  "<<<END>>>",
  "{",
  "]",
  "</message>",
  "Recipe_",
  "recipe\\_3",
  "_",
  "3",
  "[THINK]",
  "[/THINK]",
  "<thought>",
  "</thought>",
  "effect",
  "undo ",
  " e17",
  ", ",
  " and ",
  "`",
  "<|channel|>",
  "final",
  "<|message|>",
  "<|end|>",
  "`e18`",
  "(e17)",
  "read_recipes",
  "choice_2",
  "t2-b1",
  "claim_1",
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

property.prop([anyText, sizesOfPieces])(
  "createOutputGate() returns the same text for any chunking, and nothing of the program's own",
  (text, sizes) => {
    const shown = streamText(text, { sizes, create: (back) => createOutputGate(NAMES, back) });

    expect(shown.trim()).toBe(cleanText(text, NAMES));
    expect(shown).not.toMatch(/(?<![\p{L}\p{N}_])(?:recipe|inv)_\d+(?![\p{L}\p{N}_])/iu);
    expect(shown).not.toMatch(/<\/?(?:think|thought|data|message)>|<<<[A-Z]+>>>|<\|[a-z]+\|>/i);
    expect(shown).not.toMatch(/\[\/?THINK\]/);
  },
);

const WORDS = [
  "recipe 3",
  "Recipe",
  "choice 2",
  "the E17 motorway",
  "e17",
  "seat (E17)",
  "effects of e-bikes",
  "undo the knot",
  "read recipes",
  "snake_case_2",
  "step_1",
  "[1]",
  "(two of them)",
  "a < b > c",
  "I think",
  "[think twice]",
  "**bold** and _italic_",
  "https://a.example/recipes/3?page=2",
  "don\u2019t",
  "Gr\u00fc\u00dfe",
  "1. Soup",
];
const prose = fc
  .array(
    fc.oneof(fc.constantFrom(...WORDS), fc.stringMatching(/^[a-zA-Z0-9 .,;:!?'"()-]{0,12}$/)),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  // A lower-case effect behind one of its words is one.
  .map((words) => words.filter((word) => !/\be\d/.test(word) || word === "e17").join(". "));

property.prop([prose])("cleanText() leaves ordinary prose as it is", (text) => {
  expect(cleanText(text, NAMES)).toBe(text.trim());
});
