import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import stringWidth from "string-width";
import { cutToWidth, hangRows, StreamWrapper, wrapRows } from "../../cli/wrap.ts";

function wrapped(pieces: readonly string[], columns: number): string {
  const wrapper = new StreamWrapper(() => columns);
  return pieces.map((piece) => wrapper.push(piece)).join("") + wrapper.end();
}

test.each([
  ["short", "six dishes", 20, "six dishes"],
  ["at a word", "six dishes are left to choose", 12, "six dishes\nare left to\nchoose"],
  ["exactly full", "abc def", 3, "abc\ndef"],
  ["own line ends", "- one two\n  - three four", 9, "- one two\n  - three\n  four"],
  ["a word longer than a row", "a incomprehensible b", 6, "a\nincomprehensible\nb"],
  ["wide characters", "冷蔵庫に何がありますか", 8, "冷蔵庫に\n何があり\nますか"],
  ["an end that is a space", "one two ", 20, "one two"],
])("StreamWrapper breaks text into rows: %s", (_, text, columns, rows) => {
  expect(wrapped([text], columns)).toBe(rows);
});

const text = fc
  .array(fc.constantFrom("a", "word", " ", "  ", "\n", "longer-one", "é", "日", "🍲", "- "), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));

test.prop([text, fc.integer({ min: 12, max: 30 })])(
  "StreamWrapper keeps rows of several words within the terminal, and every word in order",
  (whole, columns) => {
    const rows = wrapped([whole], columns);

    const tooWide = rows.split("\n").filter((row) => stringWidth(row) > columns);
    expect(tooWide.filter((row) => /\S\s+\S/.test(row))).toEqual([]);
    expect(rows.replaceAll(/\s/g, "")).toBe(whole.replaceAll(/\s/g, ""));
  },
);

test.prop([text, fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: 3, max: 30 })])(
  "StreamWrapper breaks text in pieces as it breaks the whole",
  (whole, sizes, columns) => {
    const characters = [...whole];
    const pieces = sizes.map((size) => characters.splice(0, size).join(""));

    expect(wrapped([...pieces, characters.join("")], columns)).toBe(wrapped([whole], columns));
  },
);

test.prop([fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 })])(
  "cutToWidth() stays within its columns",
  (whole, columns) => {
    const cut = cutToWidth(whole, columns);

    expect(stringWidth(cut)).toBeLessThanOrEqual(columns);
    expect(cut === whole || (cut.endsWith("…") && whole.startsWith(cut.slice(0, -1)))).toBe(true);
  },
);

test("hangRows() breaks long words and wide characters, and indents what follows", () => {
  expect(wrapRows("  a  b\nc", 20)).toEqual(["a b c"]);
  expect(hangRows("an incomprehensible thing", { prefix: "- ", columns: 12 })).toEqual([
    "- an incompr",
    "  ehensible",
    "  thing",
  ]);
  expect(hangRows("冷蔵庫に何がありますか", { prefix: "  ", columns: 10 })).toEqual([
    "  冷蔵庫に",
    "  何があり",
    "  ますか",
  ]);
});
