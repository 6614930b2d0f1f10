import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { createSignalGate, gated } from "../../control-blocks/gate.ts";
import { SHOWN_MARKER, streamed } from "../support/check-signals.ts";
import { ANSWERS } from "../support/signal-texts.ts";
import { anyCharacter } from "../support/any-character.ts";

/** Returns the text that each chunk lets through, and the rest at the end. */
function steps(chunks: readonly string[], postProcess?: (paragraph: string) => string): string[] {
  const gate = createSignalGate(postProcess === undefined ? {} : { postProcess });
  return [...chunks.map((chunk) => gate.push(chunk)), gate.end()];
}

const shout = (paragraph: string): string => `[${paragraph.toUpperCase()}]`;
const dropB = (paragraph: string): string => (paragraph.startsWith("b") ? "" : paragraph);

describe("createSignalGate()", () => {
  test("passes text on as soon as it cannot belong to a block", () => {
    const chunks = "Hel|lo |you|.\n|\n|``|`js\n|x|\n```|\n|ok <|b>| <<|<|x".split("|");

    expect(steps(chunks).join("|")).toBe("Hel|lo| you|.||||\n\n```js\nx||\n```|\nok| <b>||| <<<x|");
  });

  test("holds a fence line and blank space before a block back, and drops them", () => {
    const chunks = "Yes.\n|\n```y|aml\n|\n<<|<HANDO|VER>|>>\ngoal: x\n<<<END>>|>\n|```|\nGo".split(
      "|",
    );

    expect(steps(chunks)).toEqual(["Yes.", "", "", "", "", "", "", "", "", "\n\nGo", ""]);
  });

  test("lets a block's answer out before the block is closed", () => {
    expect(steps(["One\ntwo <<<BATCH>>>", "x"], shout)).toEqual(["[ONE\nTWO]", "", ""]);
  });

  test("waits at an END inside a line for one that is alone on its line", () => {
    const chunks = ["A\n<<<BATCH>>>x <<<END>>> y\n", "z\n", "<<<END>>>\n", "B"];

    expect(steps(chunks)).toEqual(["A", "", "", "\n\nB", ""]);
    expect(steps(chunks.slice(0, 2))).toEqual(["A", "", "\n\ny\nz"]);
  });

  test("post-processes whole paragraphs and leaves fenced code alone", () => {
    const chunks = ["one\nt", "wo\n\nth", "ree\n```js\nfo", "ur\n\nfive\n", "```\nsix <<", "<x\n"];

    expect(steps(chunks, shout)).toEqual([
      "",
      "[ONE\nTWO]",
      "\n\n[THREE]\n```js",
      "\nfour",
      "\n\nfive\n```",
      "",
      "\n[SIX <<<X]",
    ]);
  });

  test("takes the white space before a paragraph that is emptied along", () => {
    expect(gated("a\n\nb\n\nc\n\nb", { postProcess: dropB })).toBe("a\n\nc");
  });

  test("neutralises what post-processing makes", () => {
    expect(gated("abc", { postProcess: () => "<<<HANDOVER>>>" })).toBe("‹‹‹HANDOVER>>>");
  });
});

const piece = fc.constantFrom(
  ..."<<<HANDOVER>>>|<<<BATCH>>>|<<<END>>>|\n<<<END>>>\n|<<<|<|>|```|```yaml|~~~|\n|\n\n| |\t|**|`|word|e|goal: x|\r\n".split(
    "|",
  ),
);
const anyText = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(...ANSWERS),
);

describe("gated()", () => {
  test.each(ANSWERS)("lets the same through however an answer is cut: %#", (text) => {
    const whole = gated(text);
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(streamed([text.slice(0, cut), text.slice(cut)], {})).toBe(whole);
    }
    expect(streamed([...text], {})).toBe(whole);
  });

  test.each(ANSWERS)("shows no part of a block of an answer cut off anywhere: %#", (text) => {
    const whole = gated(text);
    for (let cut = 0; cut <= text.length; cut += 1) {
      // What the whole answer shows begins with it: nothing but closing white space was added.
      expect(whole.startsWith(gated(text.slice(0, cut)).replace(/[\s`~*]+$/, ""))).toBe(true);
    }
  });

  test.prop([anyText])("lets no marker pass, and trims the text", (text) => {
    const shown = gated(text);
    expect(shown).not.toMatch(SHOWN_MARKER);
    expect(shown).toBe(shown.trim());
  });

  test.prop([anyText])("lets through again what it let through", (text) => {
    expect(gated(gated(text))).toBe(gated(text));
  });

  const shownPart = fc.constantFrom(
    "shown",
    "shown **bold**",
    "- shown\n- shown",
    "```js\nshown\n```",
  );
  const hiddenPart = fc
    .tuple(
      fc.constantFrom("<<<HANDOVER>>>", "<<<BATCH>>>", "```\n<<<BATCH>>>", "**<<<HANDOVER>>>**"),
      fc.constantFrom(
        "hidden",
        "goal: hidden\nhidden",
        "```\nhidden\n```",
        "<<<BATCH>>> hidden",
        "<<<END>>> hidden",
      ),
      fc.constantFrom("<<<END>>>", "  <<<END>>>  ", "**<<<END>>>**"),
    )
    .map(
      ([open, body, close]) => `${open}\n${body}\n${close}${open.startsWith("```") ? "\n```" : ""}`,
    );
  const parts = fc.array(
    fc.oneof(
      shownPart.map((text) => ({ text, shown: true })),
      hiddenPart.map((text) => ({ text, shown: false })),
    ),
    { maxLength: 8 },
  );

  test.prop([parts])(
    "shows what stands outside blocks, and nothing of what stands inside",
    (all) => {
      const answer = all.map((part) => part.text).join("\n\n");
      const shown = all.filter((part) => part.shown).map((part) => part.text);
      expect(gated(answer)).toBe(shown.join("\n\n"));
    },
  );
});
