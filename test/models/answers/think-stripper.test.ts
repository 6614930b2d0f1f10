import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { splitThinking } from "../../../models/answers/split-thinking.ts";
import { ThinkStripper } from "../../../models/answers/think-stripper.ts";

function strip(pieces: readonly string[]): { readonly text: string; readonly thought: number } {
  const stripper = new ThinkStripper();
  const passed = pieces.map((piece) => stripper.push(piece));
  return { text: [...passed, stripper.end()].join(""), thought: stripper.thought };
}

const pieces = fc.array(
  fc.constantFrom(
    "<think>",
    "</think>",
    "<thinking>",
    "</Thinking>",
    "<reasoning>",
    "<thi",
    " \n",
    "<",
    "a",
    "nk>",
    "/",
    "é",
  ),
  { maxLength: 12 },
);

describe("splitThinking()", () => {
  test.each([
    ["a block", "<think>Soup?</think>\nHello", "Soup?", "Hello"],
    ["a block after blanks, in capitals", "\n <THINKING>Soup?</thinking> Hello", "Soup?", "Hello"],
    ["only the first block", "<think>a</think><think>b</think>", "a", "<think>b</think>"],
    ["a block with another tag in it", "<think>a</thinking>b</think>c", "a</thinking>b", "c"],
    ["a block that does not end", "<reasoning>Soup? Hello", "Soup? Hello", ""],
    ["a closing tag alone", "Soup?</think>\n\nHello", "Soup?", "Hello"],
  ])("takes out %s", (_, text, thought, rest) => {
    expect(splitThinking(text)).toEqual({ thought, rest });
  });

  test.each([
    ["no tag", " Hello"],
    ["a block later on", "Hello <think>a"],
    ["a closing tag within JSON", ' {"a":"</think>"}'],
    ["a closing tag within a fence", '```json\n{"a":"</think>"}\n```'],
    ["another tag", "<thought>a</thought>"],
  ])("leaves a text with %s", (_, text) => {
    expect(splitThinking(text)).toEqual({ thought: "", rest: text });
  });
});

describe("ThinkStripper", () => {
  test.prop([pieces, fc.infiniteStream(fc.integer({ min: 1, max: 9 }))], { numRuns: 500 })(
    "gives the text that splitThinking() gives, however it is cut",
    (parts, lengths) => {
      const text = parts.join("");
      const isOpened = /^\s*<(?:think|thinking|reasoning)>/i.test(text);
      const expected = isOpened ? splitThinking(text) : { rest: text, thought: "" };

      expect(strip(cut(text, lengths))).toEqual({
        text: expected.rest,
        thought: expected.thought.length,
      });
    },
  );

  test.prop([fc.stringMatching(/^\s*[^<\s]/u), fc.array(fc.string())])(
    "holds nothing of a text that does not begin with a tag",
    (first, pieces) => {
      const stripper = new ThinkStripper();

      expect([first, ...pieces].map((piece) => stripper.push(piece))).toEqual([first, ...pieces]);
      expect(stripper.end()).toBe("");
    },
  );

  test("lets a text go as soon as it cannot become a tag", () => {
    const stripper = new ThinkStripper();

    expect(["\n<", "thin", "s", " <think>"].map((piece) => stripper.push(piece))).toEqual([
      "",
      "",
      "\n<thins",
      " <think>",
    ]);
  });

  test("counts what was thought while it is still being thought", () => {
    const stripper = new ThinkStripper();
    stripper.push(`<think>${"a".repeat(100)}`);

    expect(stripper.thought).toBeGreaterThan(90);
    expect([stripper.end(), stripper.thought]).toEqual(["", 100]);
  });
});

function cut(text: string, lengths: Iterable<number>): readonly string[] {
  const cuts: string[] = [];
  let rest = text;
  for (const length of lengths) {
    if (rest === "") return cuts;
    cuts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return cuts;
}
