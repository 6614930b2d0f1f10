import { fc, test } from "@fast-check/vitest";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { plainText } from "../../cli/chat/plain-text.ts";
import { countColumns, Screen } from "../../cli/chat/screen.ts";
import { textTerminal } from "../support/text-terminal.ts";
import { anyCharacter } from "../support/any-character.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("Screen removes the activity row before anything else is written, and moves it below lines", () => {
  const output = textTerminal(80);
  const screen = new Screen(output, false);

  screen.status("planning");
  screen.line("reading recipes … 9");
  screen.stream("Six ");
  screen.status("not while a reply is written");
  screen.stream("dishes");
  screen.endStream();
  screen.stream("one more\n");
  screen.endStream();

  expect(output.shown()).toBe(
    [
      "⠋ planning\r\u001B[Kreading recipes … 9\n",
      "⠋ planning\r\u001B[KSix dishes\n",
      "one more\n",
    ].join(""),
  );
});

test("Screen moves a clock while something goes on, and stops it with the activity", () => {
  const output = textTerminal(80);
  const screen = new Screen(output, false);

  vi.advanceTimersByTime(5_000);
  screen.startClock();
  screen.status("planning");
  vi.advanceTimersByTime(2_040);
  screen.clear();
  const shown = output.shown();
  vi.advanceTimersByTime(2_000);

  expect(shown.split("\r\u001B[K").slice(-3)).toEqual(["⠦ planning 1 s", "⠧ planning 2 s", ""]);
  expect(shown.split("\r\u001B[K")[1]).toBe("⠙ planning");
  expect(output.shown()).toBe(shown);
});

test.each([
  [24, "a description that does not fit", "⠋ a description that d…"],
  [5, "a description", "⠋ a descri…"],
  [24, "日本語の説明はここでは長すぎます", "⠋ 日本語の説明はここで…"],
])("Screen keeps the activity on one row of %i columns", (columns, text, shown) => {
  const output = textTerminal(columns);

  new Screen(output, false).status(text);

  expect(output.shown()).toBe(shown);
});

test("a terminal that does not know its width is taken for one of 80 columns", () => {
  const output = textTerminal(0);
  const screen = new Screen(output, false);
  const row = "a description that takes nearly all of a row in a terminal of eighty columns";

  screen.line(row);

  expect(output.shown()).toBe(`${row}\n`);
  expect([screen.columns(), countColumns(output), countColumns({})]).toEqual([80, 80, 80]);
});

test("Screen removes control sequences before they reach the terminal", () => {
  const output = textTerminal(80);
  const screen = new Screen(output, false);

  screen.line("a\u001B[2Jb\u0007\u009B1mc\td");
  screen.stream("\u001B");
  screen.stream("]0;title\u0007");
  screen.endStream();

  expect(output.shown()).toBe("a[2Jb1mc  d\n]0;title\n");
});

test("plainText() keeps marks of a letter's direction, and none that turns what follows", () => {
  expect(plainText("a\u202Etxt.exe\u2066b\u200F\u05D0")).toBe("atxt.exeb\u200F\u05D0");
});

test.prop([fc.string({ unit: anyCharacter })])("plainText() keeps everything else", (text) => {
  const plain = plainText(text);

  expect(plainText(plain)).toBe(plain);
  expect([...plain]).toEqual(
    [...text].filter(
      (character) =>
        /[\n\t]/.test(character) || !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(character),
    ),
  );
});

function reply(screen: Screen): void {
  screen.stream("**Fri");
  screen.stream("dge** (2)\n- **eggs\n- milk");
  screen.endStream();
}

test("without colours, text stays as it is", () => {
  const output = textTerminal(80);
  const screen = new Screen(output, false);

  screen.line("a problem", "red");
  reply(screen);

  expect(output.shown()).toBe("a problem\n**Fridge** (2)\n- **eggs\n- milk\n");
});

test("Screen shows emphasis in bold where there are colours, and ends it with its line", () => {
  const output = textTerminal(80);
  const screen = new Screen(output, true);

  screen.line("a problem", "red");
  reply(screen);

  expect(output.shown()).toBe(
    [
      "\u001B[31ma problem\u001B[39m\n",
      "\u001B[1mFridge\u001B[22m (2)\n- \u001B[1meggs\u001B[22m\n- milk\n",
    ].join(""),
  );
});
