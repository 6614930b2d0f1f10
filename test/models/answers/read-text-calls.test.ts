import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { readTextCalls } from "../../../models/answers/read-text-calls.ts";
import type { Json } from "../../../state/json.ts";
import type { ToolCall } from "../../../state/model.ts";
import { listMealsTools } from "../../support/sent-schemas.ts";
import { strictValues } from "../../support/strict-values.ts";

const TOOLS = listMealsTools();

const SOUP = '{"name":"find_recipes","arguments":{"text":"soup"}}';
const PIE = '{"name":"find_recipes","parameters":{"text":"pie"}}';

function called(...texts: readonly string[]): readonly ToolCall[] {
  return texts.map((text, at) => ({
    id: `call_${at + 1}`,
    name: "find_recipes",
    args: { text },
    argsError: null,
  }));
}

describe("readTextCalls()", () => {
  test.each([
    ["in a tag", `<tool_call>\n${SOUP}\n</tool_call>`],
    ["in a tag that is not closed", `I look. <tool_call>${SOUP}`],
    ["in a fence", `I look:\n\`\`\`json\n${SOUP}\n\`\`\``],
    ["bare", SOUP],
    ["among words", `I look: ${SOUP}.`],
    ["after thinking", `<think>${PIE}</think>${SOUP}`],
    [
      "with its arguments as text",
      JSON.stringify({ name: "find_recipes", arguments: '{"text":"soup"}' }),
    ],
  ])("reads a call %s", (_, text) => {
    expect(readTextCalls(text, TOOLS)).toEqual(called("soup"));
  });

  test.each([
    ["in tags", `<tool_call>${SOUP}</tool_call>\nand <tool_call>${PIE}</tool_call>`],
    ["in tags that are not closed", `<tool_call>${SOUP}\n<tool_call>${PIE}`],
    ["in one tag", `<tool_call>[${SOUP},${PIE}]</tool_call>`],
    ["in fences", `\`\`\`\n${SOUP}\n\`\`\`\n\`\`\`\n${PIE}\n\`\`\``],
    ["in a list", `[${SOUP},${PIE}]`],
    ["in a list among words", `I look: [${SOUP}, ${PIE}].`],
  ])("reads several calls %s", (_, text) => {
    expect(readTextCalls(text, TOOLS)).toEqual(called("soup", "pie"));
  });

  test.each([
    ["words", "I look for soup."],
    ["nothing", ""],
    ["a tool that was not offered", SOUP.replace("find_recipes", "drop_tables")],
    ["arguments that are no object", '{"name":"find_recipes","arguments":["soup"]}'],
    ["arguments that cannot be parsed", '{"name":"find_recipes","arguments":"{text"}'],
    ["no arguments", '{"name":"find_recipes"}'],
    ["half a call", SOUP.slice(0, -3)],
    ["a call in thinking alone", `<think>${SOUP}</think>I am done.`],
    ["a call quoted in an answer", JSON.stringify({ question: `<tool_call>${SOUP}</tool_call>` })],
  ])("takes %s as text", (_, text) => {
    expect(readTextCalls(text, TOOLS)).toEqual([]);
  });

  test("leaves out those of several calls that are none", () => {
    const text = `[${SOUP},{"name":"drop_tables","arguments":{}},3,${PIE}]`;

    expect(readTextCalls(text, TOOLS)).toEqual(called("soup", "pie"));
  });

  const written = fc.constantFrom<((call: Json) => string)[]>(
    (call) => JSON.stringify(call),
    (call) => JSON.stringify([call], null, 2),
    (call) => `\`\`\`json\n${JSON.stringify(call, null, 2)}\n\`\`\``,
    (call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`,
  );
  const calls = fc
    .constantFrom(...TOOLS)
    .chain(({ name, schema }) => strictValues(schema).map((args) => ({ name, args })));

  test.prop([calls, written], { numRuns: 200 })(
    "reads every call of a tool that is offered, word for word",
    ({ name, args }, write) => {
      expect(readTextCalls(write({ name, arguments: args }), TOOLS)).toEqual([
        { id: "call_1", name, args, argsError: null },
      ]);
    },
  );
});
