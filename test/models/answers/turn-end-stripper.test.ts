import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { TurnEndStripper } from "../../../models/answers/turn-end-stripper.ts";

function strip(...pieces: readonly string[]): string {
  const stripper = new TurnEndStripper();
  return [...pieces.map((piece) => stripper.push(piece)), stripper.end()].join("");
}

const TOKENS = [
  "<|im_end|>",
  "<|im_start|>",
  "<|eot_id|>",
  "<|user|>",
  "<end_of_turn>",
  "<\uFF5Cend\u2581of\u2581sentence\uFF5C>",
];
const pieces = fc.array(
  fc.constantFrom(...TOKENS, "<|channel|>", "<", "|", "im_end", "|>", "`", " \n", "Soup", "<b>"),
  { maxLength: 12 },
);

describe("TurnEndStripper", () => {
  test.each(TOKENS)("ends an answer at %s", (token) => {
    expect(strip(`Soup.${token}\n<|im_start|>user\nthanks`)).toBe("Soup.");
    expect(strip(`${token} \n${token}Soup.${token}thanks`)).toBe(" \nSoup.");
  });

  test.each([
    ["in code marks", "It ends with `<|im_end|>`, then more."],
    ["of a channel", "<|channel|>final<|message|>Soup.<|end|>"],
    ["that is none", "a <| b, <b>c</b>, x|>y <|im_end"],
  ])("leaves a token %s", (_, text) => {
    expect(strip(text)).toBe(text);
  });

  test.prop([pieces, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 })])(
    "gives the same text for any chunking",
    (parts, sizes) => {
      const text = parts.join("");
      const cut: string[] = [];
      for (let at = 0; at < text.length;) {
        const size = sizes[cut.length % sizes.length] ?? 1;
        cut.push(text.slice(at, at + size));
        at += size;
      }

      expect(strip(...cut)).toBe(strip(text));
    },
  );
});
