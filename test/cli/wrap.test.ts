import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { createWrapper, cutToWidth, measureWidth } from "../../cli/chat/wrap.ts";

function wrapped(pieces: readonly string[], columns: number): string {
  const wrapper = createWrapper(() => columns);
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
])("text is broken into rows: %s", (_, text, columns, rows) => {
  expect(wrapped([text], columns)).toBe(rows);
});

const text = fc
  .array(fc.constantFrom("a", "word", " ", "  ", "\n", "longer-one", "é", "日", "🍲", "- "), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));

test.prop([text, fc.integer({ min: 12, max: 30 })])(
  "no row of several words is wider than the terminal, and every word is kept in order",
  (whole, columns) => {
    const rows = wrapped([whole], columns);

    const tooWide = rows.split("\n").filter((row) => measureWidth(row) > columns);
    expect(tooWide.filter((row) => /\S\s+\S/.test(row))).toEqual([]);
    expect(rows.replaceAll(/\s/g, "")).toBe(whole.replaceAll(/\s/g, ""));
  },
);

test.prop([text, fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: 3, max: 30 })])(
  "text in pieces is broken as the whole is",
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

    expect(measureWidth(cut)).toBeLessThanOrEqual(columns);
    expect(cut === whole || (cut.endsWith("…") && whole.startsWith(cut.slice(0, -1)))).toBe(true);
  },
);
