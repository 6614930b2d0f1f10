import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { readLines, type InputLine } from "../../cli/chat/read-lines.ts";

async function collectLines(
  chunks: readonly Uint8Array[],
  keepBytes = 1_000,
): Promise<InputLine[]> {
  async function* input(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  const lines: InputLine[] = [];
  for await (const line of readLines(input(), { keepBytes })) lines.push(line);
  return lines;
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

function split(whole: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  let start = 0;
  const pieces = sizes.map((size) => whole.subarray(start, (start += size)));
  return [...pieces, whole.subarray(start)];
}

const line = fc
  .string({ unit: "grapheme", maxLength: 20 })
  .map((text) => text.replaceAll(/[\r\n\uFEFF]/g, ""));

test.prop([
  fc.array(line, { minLength: 1 }),
  fc.constantFrom("\n", "\r\n"),
  fc.array(fc.integer({ min: 0, max: 7 })),
])("readLines() gives the same lines however the bytes arrive", async (texts, end, sizes) => {
  const whole = bytes(texts.map((text) => text + end).join(""));

  const lines = await collectLines(split(whole, sizes));

  expect(lines).toEqual(texts.map((text, index) => ({ text, number: index + 1, damaged: false })));
});

test.prop([fc.array(fc.uint8Array({ maxLength: 50 }))])(
  "readLines() takes any bytes",
  async (chunks) => {
    const lines = await collectLines(chunks);

    expect(lines.every(({ text }) => text.isWellFormed() && !text.includes("\n"))).toBe(true);
  },
);

test.each([
  ["nothing", [], []],
  ["a last line without an end", [bytes("a\nb")], ["a", "b"]],
  ["empty lines", [bytes("\n\na\n")], ["", "", "a"]],
  ["a byte-order mark", [bytes("\uFEFFa\n\uFEFFb\n")], ["a", "\uFEFFb"]],
  [
    "a byte-order mark in pieces",
    [bytes("\uFEFFa").subarray(0, 2), bytes("\uFEFFa").subarray(2)],
    ["a"],
  ],
  ["a carriage return within", [bytes("a\rb\r\n")], ["a\rb"]],
] satisfies [string, Uint8Array[], string[]][])(
  "readLines() reads %s",
  async (_, chunks, texts) => {
    const lines = await collectLines(chunks);

    expect(lines.map(({ text }) => text)).toEqual(texts);
  },
);

test("readLines() replaces what is not UTF-8, and says so", async () => {
  const lines = await collectLines([Uint8Array.of(0x61, 0xff, 0x62, 0x0a, 0xc3, 0x0a), bytes("ö")]);

  expect(lines).toEqual([
    { text: "a\uFFFDb", number: 1, damaged: true },
    { text: "\uFFFD", number: 2, damaged: true },
    { text: "ö", number: 3, damaged: false },
  ]);
});

test("readLines() keeps the beginning of a line that is too long, and goes on after it", async () => {
  const lines = await collectLines([bytes("abc"), bytes("def\nghijk"), bytes("\nx")], 4);

  expect(lines).toEqual([
    { text: "abcd", number: 1, damaged: false },
    { text: "ghij", number: 2, damaged: false },
    { text: "x", number: 3, damaged: false },
  ]);
});
