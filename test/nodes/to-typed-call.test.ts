import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { Toolbox } from "../../domain/toolbox.ts";
import { mealsDomain } from "../../meals/index.ts";
import { toTypedCall, type TypedCall } from "../../nodes/steps/to-typed-call.ts";
import type { Column } from "../../state/entity.ts";
import { OPERATORS } from "../../state/filter.ts";
import type { StepType } from "../../state/plan.ts";
import { createRowCallSchema, type RowCall, type RowRead } from "../../state/row-call.ts";
import { toStrictSchema } from "../../state/strict-schema.ts";
import { makeRowCall, setRow } from "../support/turn-state.ts";

const toolbox = new Toolbox(mealsDomain);
const TYPES = mealsDomain.entityTypes.map(({ type }) => type);

function convert(call: Partial<RowCall>, stepType: StepType, subdomain: string): TypedCall {
  const place = { stepType, subdomain };
  return toTypedCall(makeRowCall(call), { place, domain: mealsDomain, toolbox });
}

const IS_DONE = { column: "done", op: "=", value: true } as const;
const WITH_INGREDIENTS: Partial<RowCall> = {
  do: "create",
  type: "recipe",
  set: setRow({ name: "Shakshuka", ingredients: ["eggs"] }),
};
type Value = RowRead["where"][number]["value"];
const ALL = { all: true, where: [] };
/** Values that plainly fit a column, by its kind. */
const FITTING: Readonly<Record<Column["kind"], (values: readonly string[]) => readonly Value[]>> = {
  text: () => ["a word", 12, true],
  integer: () => [3, "3", " -3 "],
  number: () => [0.5, "0.5", -3, "19.999999999999999999"],
  boolean: () => [true, "true", "false"],
  date: () => ["2026-01-15"],
  timestamp: () => ["2026-01-12T10:00:00Z"],
  choice: (values) => [...values, ...values.map((each) => each.toUpperCase())],
  tags: () => ["one", ["one", "two"]],
  json: () => [],
};
const NO_PAGE = { whole: null, orderBy: null, limit: null, after: null };

describe("toTypedCall()", () => {
  test("reads with its conditions", () => {
    const where = [{ column: "location", op: "=" as const, value: "fridge" }];

    expect(
      convert({ type: "inventory", find: { all: false, where } }, "read", "inventory"),
    ).toEqual({
      kind: "typed",
      tool: "read_inventory_items",
      args: { refs: [], where, anyOf: [], ...NO_PAGE },
    });
  });

  test("reads all columns where all of a row is asked for", () => {
    expect(convert({ refs: ["recipe_1"], find: ALL }, "read", "recipes")).toMatchObject({
      args: { refs: ["recipe_1"], whole: true },
    });
  });

  test("creates rows with every column, and values of the column's kind", () => {
    const set = setRow({ name: "butter", quantity: "4", purchased: "false", sources: "Shakshuka" });
    const row = {
      name: "butter",
      quantity: 4,
      unit: null,
      category: null,
      purchased: false,
      sources: ["Shakshuka"],
    };

    expect(convert({ do: "create", type: "shopping", set }, "write", "shopping")).toEqual({
      kind: "typed",
      tool: "create_shopping_list_lines",
      args: { rows: [row], drafts: [] },
    });
  });

  test("saves drafts by their refs", () => {
    const call: Partial<RowCall> = { do: "create", type: "recipe", refs: ["gen_recipe_1"] };

    expect(convert(call, "write", "recipes")).toMatchObject({
      args: { rows: [], drafts: ["gen_recipe_1"] },
    });
  });

  test("clears what an update sets to null", () => {
    const set = setRow({ due_on: null, done: true });
    const call: Partial<RowCall> = { do: "update", type: "task", refs: ["task_1"], set };

    expect(convert(call, "write", "tasks")).toEqual({
      kind: "typed",
      tool: "update_tasks",
      args: {
        refs: ["task_1"],
        set: { title: null, due_on: null, category: null, done: true },
        clear: ["due_on"],
      },
    });
  });

  test("deletes rows by refs, or all of a type", () => {
    const named: Partial<RowCall> = { do: "delete", type: "task", refs: ["task_1"] };

    expect(convert(named, "write", "tasks")).toMatchObject({
      tool: "delete_rows",
      args: { refs: ["task_1"], all: null },
    });
    expect(convert({ do: "delete", type: "task", find: ALL }, "write", "tasks")).toMatchObject({
      args: { refs: [], all: "task" },
    });
  });

  test.each<[string, Partial<RowCall>, StepType, string]>([
    ["an unknown type", { type: "book" }, "read", "recipes"],
    ["a type beside the step's", { do: "delete", type: "task", find: ALL }, "write", "shopping"],
    ["a write in a read step", { do: "delete", type: "task", find: ALL }, "read", "tasks"],
    ["an unknown column", setting("colour", "red"), "write", "tasks"],
    ["a value of another kind", setting("done", "perhaps"), "write", "tasks"],
    ["null in a column that always has a value", setting("done", null), "write", "tasks"],
    ["an update without refs", { ...setting("done", true), refs: [] }, "write", "tasks"],
    [
      "a new row without a required value",
      { do: "create", type: "task", set: setRow({}) },
      "write",
      "tasks",
    ],
    ["a deletion that names nothing", { do: "delete", type: "task" }, "write", "tasks"],
    [
      "a deletion by conditions",
      { do: "delete", type: "task", find: { all: false, where: [IS_DONE] } },
      "write",
      "tasks",
    ],
    [
      "a row with fewer values than columns",
      { do: "create", type: "task", set: { columns: ["title", "done"], rows: [["Sow"]] } },
      "write",
      "tasks",
    ],
    ["parts of a list with several columns", WITH_INGREDIENTS, "write", "recipes"],
  ])("leaves %s to a model", (_, call, stepType, subdomain) => {
    expect(convert(call, stepType, subdomain).kind).toBe("unfit");
  });

  const value = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.constantFrom(null, "true", "12", "-0.5", "2026-01-15", "Fridge", "recipe_1"),
  );
  const columns = mealsDomain.entityTypes.flatMap((type) => type.columns.map(({ name }) => name));
  const column = fc.constantFrom(...columns, "ingredients", "eaters", "ingredients.name", "id");
  const anyCall = fc.record({
    do: fc.constantFrom("read", "create", "update", "delete"),
    step: fc.constant(0),
    type: fc.constantFrom(...TYPES),
    refs: fc.array(fc.constantFrom("recipe_1", "task_2", "gen_recipe_1", "x"), { maxLength: 2 }),
    find: fc.option(
      fc.record({
        all: fc.boolean(),
        where: fc.array(fc.record({ column, op: fc.constantFrom(...OPERATORS), value }), {
          maxLength: 2,
        }),
      }),
    ),
    set: fc.option(
      fc.array(column, { maxLength: 4 }).chain((columns) => {
        const { length } = columns;
        const row = fc.array(value, { minLength: length, maxLength: length });
        return fc.record({ columns: fc.constant(columns), rows: fc.array(row, { maxLength: 2 }) });
      }),
    ),
  });

  test.prop([anyCall])("gives nothing that the tool's own schema does not take", (call) => {
    const stepType = call.do === "read" ? "read" : "write";
    for (const { name: subdomain } of mealsDomain.subdomains) {
      const typed = convert(call, stepType, subdomain);
      if (typed.kind === "unfit") continue;
      const tool = toolbox.tools.find(({ name }) => name === typed.tool);

      expect(tool?.parameters.parse(typed.args)).toEqual(typed.args);
      expect(toolbox.listTools({ stepType, subdomain })).toContain(tool);
    }
  });

  test.each(mealsDomain.subdomains)("converts what fits a column of $name", ({ name, type }) => {
    const entityType = mealsDomain.entityTypes.find((one) => one.type === type);
    for (const column of entityType?.columns ?? []) {
      const { kind, values = [], references } = column;
      for (const value of references === undefined ? FITTING[kind](values) : ["any_1"]) {
        const set = setRow({ [column.name]: value });
        const call: Partial<RowCall> = { do: "update", type, refs: [`${type}_1`], set };

        expect(convert(call, "write", name)).toMatchObject({ kind: "typed" });
      }
    }
  });
});

test("createRowCallSchema() renders within the strict subset, `do` first", () => {
  const schema = toStrictSchema(createRowCallSchema(TYPES));

  expect(Object.keys(Object(schema["properties"]))[0]).toBe("do");
  expect(schema).toMatchObject({
    additionalProperties: false,
    properties: { type: { enum: TYPES } },
  });
});

function setting(column: string, value: Value): Partial<RowCall> {
  return { do: "update", type: "task", refs: ["task_1"], set: setRow({ [column]: value }) };
}
