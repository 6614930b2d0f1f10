import { expect, test } from "vitest";
import { readBlocks } from "../../control-blocks/gate.ts";

const handover = (body: string) => ({ kind: "HANDOVER", body, closed: true });
const batch = (body: string) => ({ kind: "BATCH", body, closed: true });

test.each([
  ["no block", "Just text.", "Just text.", []],
  ["nothing", "", "", []],
  ["a block at the end", "Hi.\n\n<<<HANDOVER>>>\na\n<<<END>>>", "Hi.", [handover("\na\n")]],
  ["a block alone", "<<<BATCH>>>\na\n<<<END>>>\n", "", [batch("\na\n")]],
  ["a block in the middle", "A\n<<<BATCH>>>x\n<<<END>>>\n\n\nB", "A\n\nB", [batch("x\n")]],
  [
    "two blocks",
    "A\n<<<BATCH>>>\nx\n<<<END>>>\nB\n<<<HANDOVER>>>\ny\n<<<END>>>\nC",
    "A\n\nB\n\nC",
    [batch("\nx\n"), handover("\ny\n")],
  ],
  [
    "an END inside a line before the one alone on its line",
    "A\n<<<BATCH>>>\nsay <<<END>>> here\n<<<END>>>\nB",
    "A\n\nB",
    [batch("\nsay <<<END>>> here\n")],
  ],
  [
    "only an END inside a line",
    "A <<<BATCH>>> TYPE: X <<<END>>> hello?\nB",
    "A\n\nhello?\nB",
    [batch(" TYPE: X ")],
  ],
  [
    "blocks closed inside lines, one after the other",
    "A <<<BATCH>>> x <<<END>>> B <<<HANDOVER>>> y <<<END>>> C <<<BATCH>>> z",
    "A\n\nB\n\nC",
    [batch(" x "), handover(" y "), { kind: "BATCH", body: " z", closed: false }],
  ],
  [
    "an END beside the opener and one alone",
    "<<<BATCH>>><<<END>>>\nx\n<<<END>>>",
    "",
    [batch("<<<END>>>\nx\n")],
  ],
  [
    "an opener inside a block",
    "A\n<<<BATCH>>>\nx\n<<<HANDOVER>>>\ny\n<<<END>>>\nB",
    "A\n\nB",
    [batch("\nx\n<<<HANDOVER>>>\ny\n")],
  ],
  [
    "a block never closed",
    "A\n<<<BATCH>>>\nx\nB",
    "A",
    [{ kind: "BATCH", body: "\nx\nB", closed: false }],
  ],
  [
    "a closed block and one never closed",
    "A\n<<<BATCH>>>\nx\n<<<END>>>\nB\n<<<BATCH>>>\ny",
    "A\n\nB",
    [batch("\nx\n"), { kind: "BATCH", body: "\ny", closed: false }],
  ],
  [
    "a marker in any case, with spaces",
    "A\n<<< handover >>>\nx\n<<<End>>>\nB",
    "A\n\nB",
    [handover("\nx\n")],
  ],
  [
    "a marker with more brackets",
    "A\n<<<<BATCH>>>>\nx\n<<<<END>>>>\nB",
    "A\n\nB",
    [batch("\nx\n")],
  ],
  ["bold markers", "A\n\n**<<<BATCH>>>**\nx\n**<<<END>>>**\nB", "A\n\nB", [batch("**\nx\n**")]],
  [
    "lines ended by CR LF",
    "A\r\n<<<BATCH>>>\r\nx\r\n<<<END>>>\r\nB",
    "A\n\nB",
    [batch("\r\nx\r\n")],
  ],
  ["an END without a block", "A\n<<<END>>>\nB", "A\n\nB", []],
  ["an opener cut off", "A\n\n```\n<<<BAT", "A", [{ kind: "BATCH", body: "", closed: false }]],
  ["a marker cut off before its word", "A\n\n<<<", "A", []],
  ["a marker cut off before its third bracket", "A\n<<", "A", []],
  [
    "an END cut off",
    "A\n<<<BATCH>>>\nx\n<<<EN",
    "A",
    [{ kind: "BATCH", body: "\nx\n<<<EN", closed: false }],
  ],
  ["another marker", "A <<<OTHER>>> B", "A ‹‹‹OTHER>>> B", []],
  ["a conflict's marks", "<<<<<<< HEAD\nx", "‹‹‹‹‹‹‹ HEAD\nx", []],
  ["shifts and tags", "a << 2 <b>c</b>", "a << 2 <b>c</b>", []],
])("readBlocks() reads %s", (_name, text, userResponse, blocks) => {
  expect(readBlocks(text)).toEqual({ userResponse, blocks });
});

test.each([
  ["around the block", "A\n\n```yaml\n<<<BATCH>>>\nx\n<<<END>>>\n```\n\nB", "A\n\nB"],
  ["around the block, of tildes", "A\n~~~\n<<<BATCH>>>\nx\n<<<END>>>\n~~~\nB", "A\n\nB"],
  ["around the block, with blank lines", "A\n```\n\n<<<BATCH>>>\nx\n<<<END>>>\n\n```\nB", "A\n\nB"],
  ["on the markers' lines", "A\n```<<<BATCH>>>\nx\n<<<END>>>```\nB", "A\n\nB"],
  ["that opens inside the block", "A\n<<<BATCH>>>\n```yaml\nx\n<<<END>>>\n```\nB", "A\n\nB"],
  ["that closes inside the block", "A\n```\n<<<BATCH>>>\nx\n```\n<<<END>>>\nB", "A\n\nB"],
  [
    "inside the block",
    "A\n<<<BATCH>>>\n```\nx\n```\n<<<END>>>\n```js\ny\n```",
    "A\n\n```js\ny\n```",
  ],
  ["around an END alone", "A\n```\n<<<END>>>\n```\nB", "A\n\nB"],
  ["of code before the block", "```js\ny\n```\n<<<BATCH>>>\nx\n<<<END>>>", "```js\ny\n```"],
  ["around text and the block", "```\ny\n<<<BATCH>>>\nx\n<<<END>>>\n```\nB", "```\ny\n```\nB"],
  ["around a block cut off", "A\n\n```yaml\n<<<BATCH>>>\nx", "A"],
  ["left open with nothing in it", "A\n\n```yaml\n", "A"],
  ["of empty code", "A\n\n```\n```\nB", "A\n\n```\n```\nB"],
  ["longer than the one inside", "````\n```\n<<<END>>>\n````\nB", "````\n```\n````\nB"],
])("readBlocks() treats a code fence %s", (_name, text, userResponse) => {
  expect(readBlocks(text).userResponse).toBe(userResponse);
});
