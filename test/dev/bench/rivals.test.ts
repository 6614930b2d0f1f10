import { describe, expect, test } from "vitest";
import type {
  RecordedCall,
  RecordedTurn,
} from "../../../dev/bench/conversation/record-conversation.ts";
import { holdWith, RIVALS, type Rival } from "../../../dev/bench/rivals/agents.ts";
import { scriptOf, type ScriptedTurn } from "../../../dev/bench/rivals/script.ts";
import { summarizeByRule } from "../../../dev/bench/rivals/summarize.ts";
import { agentSystemPrompt } from "../../../dev/bench/rivals/system-prompt.ts";
import type { ToolCall } from "../../../state/model.ts";
import type { CallResult } from "../../../state/step.ts";

const SCHEMA = {
  name: "look",
  description: "Looks something up.",
  schema: {
    type: "object",
    properties: { thing: { type: "string" } },
    required: ["thing"],
    additionalProperties: false,
  },
} as const;

function turnsOf(count: number, result: string): readonly ScriptedTurn[] {
  return Array.from({ length: count }, (_, index) => ({
    turn: index + 1,
    message: `what about thing ${index + 1}?`,
    rounds: [
      [{ id: `call_${index + 1}`, name: "look", args: { thing: `thing ${index + 1}` }, result }],
    ],
    reply: `Thing ${index + 1} is there.`,
  }));
}

function hold(rival: Rival, script: readonly ScriptedTurn[]) {
  return holdWith(rival, { script, systemPrompt: "You keep things.", schemas: [SCHEMA] });
}

const LONG = "found ".repeat(700);

describe("holdWith()", () => {
  test.each(RIVALS)(
    "asks twice a turn, with tools, and does what the script says: %s",
    async (rival) => {
      const { turns, lastPrompt } = await hold(rival, turnsOf(3, "found"));

      expect(turns.map(({ calls }) => calls.map(({ asker }) => asker))).toEqual(
        Array.from({ length: 3 }, () => ["agent", "agent"]),
      );
      const [asking, replying] = turns[2]?.calls ?? [];
      expect(asking?.output).toBe('\nlook({"thing":"thing 3"})');
      expect(replying?.output).toBe("Thing 3 is there.");
      expect(replying?.prompt.schemas).toBe(JSON.stringify([SCHEMA]));
      const said = [1, 2, 3].flatMap((turn) => [
        `user: what about thing ${turn}?`,
        "assistant: ",
        `call_${turn} look({"thing":"thing ${turn}"})`,
        `tool call_${turn} look: found`,
        `assistant: Thing ${turn} is there.`,
      ]);
      expect(lastPrompt.split("\n")).toEqual(["system: You keep things.", ...said.slice(0, -1)]);
    },
  );

  test("keeps all of a long conversation as transcript", async () => {
    const { lastPrompt } = await hold("transcript", turnsOf(8, LONG));

    expect(lastPrompt.match(/^user: .*$/gmu)).toHaveLength(8);
  });

  test("keeps the last 4,000 tokens when trimmed", async () => {
    const { lastPrompt } = await hold("trimmed", turnsOf(8, LONG));

    expect(lastPrompt.match(/^user: .*$/gmu)).toEqual(
      [4, 5, 6, 7, 8].map((turn) => `user: what about thing ${turn}?`),
    );
  });

  test("asks for a summary of what it drops when summarising", async () => {
    const { turns, lastPrompt } = await hold("summarised", turnsOf(8, LONG));

    expect(turns.flatMap(({ calls }) => calls).some(({ asker }) => asker === "summary")).toBe(true);
    expect(lastPrompt).toContain("Here is a summary of the conversation to date:");
    expect(lastPrompt).toContain("- Asked: what about thing 1?");
  });
});

test("summarizeByRule() keeps what was asked and answered, the latest that fit, and the summary before", () => {
  const prompt = [
    "<messages>\nMessages to summarize:",
    "Human: Here is a summary of the conversation to date:",
    "",
    "- Asked: what is old?",
    "Human: what's in my fridge?",
    'AI: [{"type":"tool_call","id":"1","name":"look","args":{}}]',
    "Tool: look, eggs",
    "AI: Eggs.\nAnything else?",
    "</messages>",
  ].join("\n");

  expect(summarizeByRule(prompt)).toBe(
    "- Asked: what is old?\n- Asked: what's in my fridge?\n- Answered: Eggs.",
  );
  const many = Array.from({ length: 200 }, (_, index) => `Human: question number ${index}`);
  const summary = summarizeByRule(`Messages to summarize:\n${many.join("\n")}\n</messages>`);
  expect(summary).toContain("question number 199");
  expect(summary).not.toContain("question number 1\n");
});

describe("scriptOf()", () => {
  test("makes the calls of a round at once, with what came of them, and drops what is no tool of theirs", () => {
    const [turn] = scriptOf(
      [
        recorded({
          calls: [
            act(1, call("look", { thing: "a" })),
            act(1, call("look", { thing: "b" })),
            act(2, call("complete_step", { resultSummary: "done" })),
          ],
          results: [result("look", { thing: "b" }, "B"), result("look", { thing: "a" }, "A")],
        }),
      ],
      new Set(["look"]),
    );

    expect(turn?.rounds).toEqual([
      [
        { id: "call_1_1_1", name: "look", args: { thing: "a" }, result: "A" },
        { id: "call_1_1_2", name: "look", args: { thing: "b" }, result: "B" },
      ],
    ]);
  });

  test("gives the whole content where this project names a draft", () => {
    const save = { table: "recipes", rows: [], drafts: ["gen_recipe_1"] };
    const [, turn] = scriptOf(
      [
        recorded({
          drafts: new Map([
            ["gen_recipe_1", { name: "Soup", tags: ["quick"], ingredients: [{ name: "peas" }] }],
          ]),
        }),
        recorded({
          turn: 2,
          calls: [act(1, call("db_create", save))],
          results: [result("db_create", save, "Created")],
        }),
      ],
      new Set(["db_create"]),
    );

    expect(turn?.rounds[0]?.[0]?.args).toEqual({
      table: "recipes",
      rows: [
        {
          fields: [
            { name: "name", value: "Soup" },
            { name: "tags", value: ["quick"] },
          ],
          children: [{ list: "ingredients", fields: [{ name: "name", value: "peas" }] }],
        },
      ],
      drafts: [],
    });
  });
});

const SECTIONS = ["Rules of the house", "Subdomains", "Tables", "Profile", "Calendar"];

/** A turn whose prompt has these sections. */
function prompted(headings: readonly string[]): RecordedTurn {
  const text = headings.map((heading) => `## ${heading}\n\nof ${heading}`).join("\n\n");
  const request = { messages: [{ role: "user", text }], schema: null, tools: [] } as const;
  return recorded({ calls: [{ ...act(1), request }] });
}

describe("agentSystemPrompt()", () => {
  test("tells who it is and each section once", () => {
    const [first, ...rest] = agentSystemPrompt("a cook", [
      prompted([...SECTIONS, "Message"]),
      prompted(SECTIONS),
    ]).split("\n\n## ");

    expect(first?.startsWith("You are a cook.")).toBe(true);
    expect(rest).toEqual(SECTIONS.map((heading) => `${heading}\n\nof ${heading}`));
  });

  test("refuses a conversation that lacks one", () => {
    expect(() => agentSystemPrompt("a cook", [prompted(["Tables"])])).toThrow(/Rules of the house/);
  });
});

function recorded(given: Partial<RecordedTurn>): RecordedTurn {
  return {
    turn: 1,
    message: "hello",
    calls: [],
    reply: "Hello",
    results: [],
    drafts: new Map(),
    ...given,
  };
}

function act(round: number, ...toolCalls: readonly ToolCall[]): RecordedCall {
  return {
    node: "act",
    round,
    request: { messages: [], schema: null, tools: [] },
    answer: {
      text: "",
      json: undefined,
      toolCalls,
      truncated: false,
      usage: { input: 0, cached: 0, output: 0 },
    },
    sections: [],
  };
}

function call(name: string, args: unknown): ToolCall {
  return { id: "call_1", name, args, argsError: null };
}

function result(tool: string, args: CallResult["args"], text: string): CallResult {
  return {
    call: 1,
    callId: "call_1",
    tool,
    table: "",
    args,
    effect: "read",
    ok: true,
    text,
    summary: "",
    refs: [],
    count: 1,
    suppressed: false,
    failures: [],
    breaches: [],
  };
}
