import { fc, test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { postProcess } from "../../output-filter/post-process.ts";

test.each([
  ["Freeze half of it [claim_3].", "Freeze half of it."],
  ["Freeze half of it. [c1]", "Freeze half of it."],
  ["Freeze half of it. [c1, c4] Then rest.", "Freeze half of it. Then rest."],
  ["Freeze half of it [c1][c2].", "Freeze half of it."],
  ["Freeze half of it [c1], [c2] and rest", "Freeze half of it, [c2] and rest"],
  ["- **Freeze half [Claim 3]**: it keeps [c2]", "- **Freeze half**: it keeps"],
  ["It keeps [c2], which saves time.", "It keeps, which saves time."],
  ["Blanks at the end \t", "Blanks at the end"],
  ["A line break  \nstays", "A line break  \nstays"],
  ["One blank \nis none", "One blank\nis none"],
  ["A last line  \n\nhas none  ", "A last line\n\nhas none"],
  ["a\n  \nb", "a\n\nb"],
  ["```\na [c1].\n`````\nb [c2].", "```\na [c1].\n`````\nb."],
])("postProcess() repairs %j", (text, repaired) => {
  expect(postProcess(text)).toBe(repaired);
});

test.each([
  "",
  "As shown in [c1], freezing works.",
  "As [c1] says, freezing works.",
  "[c1] says that freezing works.",
  "This contradicts [c3].",
  "Five of six models agree.",
  "You need German [C2].",
  "See [c1](https://example.org/c1) and [the text][c1].",
  "Here is the place: ![c1]",
  "Look![c1]",
  "[c1]: https://example.org",
  "- [c1] is open",
  "1. [c1] is open",
  "Use `list [c1]` and `a [c2]`.",
  "Type `it works [c1].` there",
  "Use `list [c1].\nand more [c2].` there",
  "```\nlist [c1].  \n\n  x [c2].\t\n```",
  "~~~py\na [c1].\n```\nb [c2].\n~~~",
  "- ```\n  a [c1]. \n  ```",
  "> ```\n> a [c1].  \n> ```",
  "````\na [c1].\n```\nb [c2].",
  "Here:\n\n    code [c1].  \n    more [c2].\n\nand on",
  "```\nnever closed [c1].  ",
  "a  \nb",
])("postProcess() leaves %j", (text) => {
  expect(postProcess(text)).toBe(text);
});

const pieces = fc.constantFrom(
  "[c1]",
  "[claim_3, c4]",
  "[C2]",
  " ",
  "  ",
  "\t",
  "\n",
  ".",
  ",",
  "word",
  "in",
  "**",
  "`",
  "[",
  "]",
  "(x)",
  "- ",
  "1. ",
  "    ",
  "> ",
  "!",
  "c1",
  ", c2]",
  "é",
  "“",
  "”",
);
const anyText = fc
  .array(fc.oneof(pieces, fc.constantFrom("```", "~~~", "\n\n")), { maxLength: 30 })
  .map((parts) => parts.join(""));
/** Without a fence, however its pieces fall together. */
const paragraph = fc.array(pieces, { maxLength: 20 }).map((parts) =>
  parts
    .join("")
    .replace(/`{3,}/gu, "`")
    .replace(/\n{2,}/gu, "\n"),
);

law.prop([anyText])("postProcess() is idempotent", (text) => {
  const once = postProcess(text);
  expect(postProcess(once)).toBe(once);
});

law.prop([paragraph, paragraph])("postProcess() treats each paragraph by itself", (a, b) => {
  expect(postProcess(`${a}\n\n${b}`)).toBe(`${postProcess(a)}\n\n${postProcess(b)}`);
});

law.prop([anyText])("postProcess() is the identity inside a fence", (text) => {
  const inside = text.replace(/[`~]/gu, "");
  const block = `\`\`\`\n${inside}\n\`\`\``;
  expect(postProcess(block)).toBe(block);
});

law.prop([anyText])("postProcess() takes away nothing but citations and blanks", (text) => {
  expect(splitWords(postProcess(text))).toBe(splitWords(text));
});

test.each(["[c1]", " ", "[c1] ", "`", "word [c1]. ", "a[", "\n", "[c1, "])(
  "postProcess() takes a hundred thousand characters of %j",
  (piece) => {
    const text = piece.repeat(100_000 / piece.length);
    expect(postProcess(postProcess(text))).toBe(postProcess(text));
  },
);

function splitWords(text: string): string {
  return text.replace(/\[(?:c|[Cc]laim)[^\]]*\]|\s/gu, "");
}
