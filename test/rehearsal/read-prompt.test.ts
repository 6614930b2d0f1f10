import { fc, test as lawTest } from "@fast-check/vitest";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { readRows, readRefs, readTable } from "../../models/rehearsal/prompt/read-entities.ts";
import { readPrompt } from "../../models/rehearsal/prompt/read-prompt.ts";
import { readTables } from "../../models/rehearsal/prompt/read-tables.ts";
import { renderRegistryTable } from "../../registry/render-table.ts";
import { renderRows } from "../../registry/render-rows.ts";
import { fence } from "../../state/fence.ts";
import { readGolden } from "../support/read-golden.ts";
import { nastyText, anyRegistry } from "../support/arbitraries.ts";
import { testTypes } from "../support/entity-types.ts";

const countTokens = (text: string): number => text.length;

describe("readPrompt()", () => {
  test.each([
    ["understand.full", "understand"],
    ["think.full", "think"],
    ["act-write.full", "act"],
    ["reply.full", "reply"],
    ["summarize.full", "summarize"],
    ["fold.full", "fold"],
  ] as const)("recognises %s by its first sentence", async (file, role) => {
    const prompt = readPrompt(messagesOf(await readGolden(file)));

    expect(prompt.role).toBe(role);
  });

  test("does not know its role without that sentence", () => {
    const prompt = readPrompt([
      new SystemMessage("## Rules\n\n- Be kind."),
      new HumanMessage("## Message\n\nhello"),
    ]);

    expect(prompt.role).toBeNull();
  });

  test("takes a heading that a person typed for content", () => {
    const typed = "## Known entities\n\nrecipe_99 Anything: goes";
    const prompt = readPrompt([
      new SystemMessage("You are the memory of a test."),
      new HumanMessage(
        `## Known entities\n\nrecipe_1 Soup: lentils\n\n## Message\n\n${fence("message", typed)}`,
      ),
    ]);

    expect(prompt.section("Known entities")).toBe("recipe_1 Soup: lentils");
    expect(prompt.message).toBe(typed);
  });

  test("tells answered calls from refused ones", () => {
    const prompt = readPrompt([
      new SystemMessage("You carry out one step of the work of a test."),
      new HumanMessage("## Step\n\nStep 1 of 1 (read, recipes): Read all recipes"),
      new AIMessage({ content: "", tool_calls: [toolCall("a", "db_read")] }),
      new ToolMessage({ tool_call_id: "a", name: "db_read", content: "Found 2 recipes" }),
      new AIMessage({ content: "", tool_calls: [toolCall("b", "complete_step")] }),
      new ToolMessage({
        tool_call_id: "b",
        name: "complete_step",
        content: "This could not be used: refs: wrong. Answer again with that put right.",
      }),
    ]);

    expect(prompt.calls.map(({ name, result }) => [name, result])).toEqual([
      ["db_read", "Found 2 recipes"],
    ]);
    expect(prompt.refused.map(({ name }) => name)).toEqual(["complete_step"]);
    expect(prompt.sentBack).toBe("refs: wrong. Answer again with that put right.");
  });

  lawTest.prop([fc.array(nastyText), fc.array(nastyText)])(
    "reads any texts without a fault",
    (system, user) => {
      const prompt = readPrompt([
        new SystemMessage(system.join("\n")),
        new HumanMessage(user.join("\n")),
      ]);

      expect(typeof prompt.section("Message")).toBe("string");
    },
  );
});

lawTest.prop([anyRegistry])(
  "readTable() finds every ref that a registry table shows",
  (registry) => {
    const table = renderRegistryTable(registry, {
      before: [],
      turn: 3,
      window: 2,
      budget: 10_000,
      countTokens,
    });

    expect(readTable(table.text, table.changes).map(({ ref }) => ref)).toEqual(table.shown);
  },
);

test("readTable() believes what is said to have changed", () => {
  const table = "recipe_1 Miso Cod\nrecipe_2 Wings: 50 min\ninv_1 eggs: 6\ninv_2 oats";
  const changes = "inv_1 eggs: 4\nDeleted: inv_2, recipe_2\n+ 3 older, ask recall";
  expect(readTable(table, changes)).toEqual([
    { ref: "recipe_1", label: "Miso Cod", facts: "", draft: false },
    { ref: "inv_1", label: "eggs", facts: "4", draft: false },
  ]);
});

lawTest.prop([anyRegistry])("readRows() finds every row that is shown", (registry) => {
  const refs = registry.entries.map(({ ref }) => ref);
  const rows = renderRows(registry, { refs, types: testTypes, budget: 100_000, countTokens });

  expect(readRows(rows.text).map(({ ref }) => ref)).toEqual(rows.shown);
});

test("readRefs() spells out what is folded", () => {
  expect(readRefs("Read 3 → recipe_1 through recipe_3, inv_7; recipe_2 again")).toEqual([
    "recipe_1",
    "recipe_2",
    "recipe_3",
    "inv_7",
  ]);
});

test("readTables() reads columns, choices, references and child lists", () => {
  const text =
    "- meal_plans (meal, meal_n): date:date, slot(lunch|dinner), recipe_id→recipe; parts[name, quantity:number]";

  expect(readTables(text)).toEqual([
    {
      table: "meal_plans",
      type: "meal",
      prefix: "meal",
      columns: [
        { name: "date", kind: "date", values: [], references: null },
        { name: "slot", kind: "choice", values: ["lunch", "dinner"], references: null },
        { name: "recipe_id", kind: "text", values: [], references: "recipe" },
      ],
      lists: [
        {
          name: "parts",
          columns: [
            { name: "name", kind: "text", values: [], references: null },
            { name: "quantity", kind: "number", values: [], references: null },
          ],
        },
      ],
    },
  ]);
});

/** A golden file as messages: "# system", then "# user". */
function messagesOf(golden: string): (SystemMessage | HumanMessage)[] {
  const [system = "", user = ""] = golden.replace(/^# system\n\n/, "").split("\n# user\n\n");
  return [new SystemMessage(system), new HumanMessage(user)];
}

function toolCall(id: string, name: string) {
  return { type: "tool_call" as const, id, name, args: { table: "recipes" } };
}
