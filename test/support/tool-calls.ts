import { DELETE_TOOL, nameTableTool } from "../../domain/table-tools/tool-names.ts";
import { isRequired, listInlineLists } from "../../state/entity.ts";
import { fc } from "@fast-check/vitest";
import { mealsDomain } from "../../meals/index.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import { OPERATORS } from "../../state/filter.ts";
import { anyCharacter } from "./any-character.ts";

const TYPES = mealsDomain.entityTypes;

const REFS = [
  "recipe_1",
  "recipe_2",
  "task_1",
  "gen_recipe_1",
  "recipe_999",
  "inv_1",
  "",
  "c9f0a1b2-0000-4000-8000-000000000000",
];
const anyRef = fc.constantFrom(...REFS);
const oddWord = fc.oneof(
  anyRef,
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.constantFrom("2026-02-30", "%", "\\", "a\0b", "'; --", "1e999", "-5", "quick"),
);
const oddValue = fc.oneof(
  oddWord,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.array(oddWord, { maxLength: 3 }),
  fc.constant(null),
);

/** Quality of a call: all of it fits the tables, or any part may be anything. */
type Make = "fitting" | "odd";

function valueFor(column: Column, make: Make): fc.Arbitrary<unknown> {
  return make === "fitting" ? fittingValue(column) : fc.oneof(fittingValue(column), oddValue);
}

function fittingValue(column: Column): fc.Arbitrary<unknown> {
  if (column.references !== undefined) return fc.constantFrom("recipe_1", "recipe_2");
  switch (column.kind) {
    case "json":
      return fc.constant(null);
    case "text":
      return fc.constantFrom("Chickpea Curry", "rice", "g", "ä%_\\", "x".repeat(300));
    case "integer":
      return fc.integer({ min: -2, max: 120 });
    case "number":
      return fc.double({ min: -1, max: 1e12, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "date":
      return fc.constantFrom("2026-01-12", "2026-01-15", "0001-01-01", "9999-12-31");
    case "timestamp":
      return fc.constantFrom("2026-01-12T10:00:00Z", "2026-01-12T10:00:00+14:00");
    case "choice":
      return fc.constantFrom(...(column.values ?? []));
    case "tags":
      return fc.array(fc.constantFrom("quick", "vegan", "ä"), { maxLength: 3 });
  }
  return column.kind satisfies never;
}

function chooseColumns(type: EntityType, make: Make): Column[] {
  const children = listInlineLists(type).flatMap((child) =>
    child.columns.map((column) =>
      Object.assign({}, column, { name: `${child.name}.${column.name}` }),
    ),
  );
  const column = { kind: "text" } as const;
  const odd: Column[] = [
    { ...column, name: "id", references: type.type },
    { ...column, name: 'user_id"; --' },
  ];
  return [...type.columns, ...children, ...(make === "odd" ? odd : [])];
}

function fittingOperators(column: Column): readonly string[] {
  if (column.references !== undefined || column.kind === "boolean") return ["=", "!="];
  if (column.kind === "tags") return ["contains"];
  if (column.kind === "text") return ["=", "!=", "ilike", "contains"];
  return column.kind === "choice" ? ["=", "!="] : ["=", "!=", "<", "<=", ">", ">="];
}

function conditionOn(type: EntityType, make: Make): fc.Arbitrary<unknown> {
  return fc.constantFrom(...chooseColumns(type, make)).chain((column) => {
    const name = fc.constant(column.name);
    const one = fc.record({
      column: name,
      op: fc.constantFrom(...fittingOperators(column)),
      value: valueFor(column, make),
    });
    const empty = fc.record({
      column: name,
      op: fc.constantFrom("is_null", "is_not_null"),
      value: fc.constant(null),
    });
    const many = fc.record({
      column: name,
      op: fc.constantFrom("in", "not_in"),
      value: fc.array(valueFor(column, make).map(String), { minLength: 1, maxLength: 3 }),
    });
    const any = fc.record({
      column: name,
      op: fc.constantFrom(...OPERATORS, "like"),
      value: fc.oneof(valueFor(column, make), fc.array(oddWord, { maxLength: 2 })),
    });
    const isListed = column.kind !== "tags" && column.kind !== "boolean";
    if (make === "odd") return fc.oneof(one, empty, many, any);
    return isListed ? fc.oneof(one, empty, many) : fc.oneof(one, empty);
  });
}

function anyValues(columns: readonly Column[], make: Make): fc.Arbitrary<Record<string, unknown>> {
  const required = columns.filter((column) => make === "fitting" && isRequired(column));
  const shape = Object.fromEntries(
    columns.map((column) => [column.name, valueFor(column, make)] as const),
  );
  return fc.record(shape, { requiredKeys: required.map(({ name }) => name) });
}

/** A row with its inline lists. */
function anyRow(type: EntityType, make: Make): fc.Arbitrary<Record<string, unknown>> {
  const lists = listInlineLists(type).map((list): [string, fc.Arbitrary<unknown>] => [
    list.name,
    fc.array(anyValues(list.columns, make), { maxLength: 2 }),
  ]);
  const content = fc.record(Object.fromEntries(lists), { requiredKeys: [] });
  return fc
    .tuple(anyValues(type.columns, make), content)
    .map(([values, children]) => Object.assign({}, values, children));
}

function anyRefs(type: EntityType, make: Make): fc.Arbitrary<unknown> {
  if (make === "odd") return fc.oneof(fc.array(anyRef, { maxLength: 3 }), fc.constant(null));
  return fc.subarray([`${type.refPrefix}_1`], { minLength: 0 });
}

function callOn(type: EntityType, make: Make): fc.Arbitrary<[string, unknown]> {
  const isOdd = make === "odd";
  const refs = anyRefs(type, make);
  const conditions = fc.array(conditionOn(type, make), { maxLength: 2 });
  const groups = fc.array(conditionOn(type, make), { minLength: isOdd ? 0 : 1, maxLength: 2 });
  const order = fc
    .tuple(
      fc.constantFrom(...chooseColumns(type, make).map(({ name }) => name)),
      fc.constantFrom("", " asc", " desc"),
    )
    .map((words) => words.join(""));
  const drafts = isOdd ? refs : fc.constant(type.type === "recipe" ? ["gen_recipe_1"] : []);
  return fc.oneof(
    fc.tuple(
      fc.constant(nameTableTool("read", type)),
      fc.record(
        {
          refs,
          where: conditions,
          anyOf: fc.array(groups, { maxLength: 2 }),
          whole: isOdd ? oddValue : fc.constantFrom(null, true),
          orderBy: isOdd ? fc.oneof(fc.constant(null), order) : fc.constant(null),
          limit: isOdd ? fc.constantFrom(null, 0, 2.5, Number.NaN) : fc.constantFrom(null, 1, 200),
        },
        { requiredKeys: [] },
      ),
    ),
    fc.tuple(
      fc.constant(nameTableTool("create", type)),
      fc.record({
        rows: fc.array(anyRow(type, make), { minLength: isOdd ? 0 : 1, maxLength: 2 }),
        drafts,
      }),
    ),
    fc.tuple(
      fc.constant(nameTableTool("update", type)),
      fc.record({
        refs: isOdd ? refs : fc.constant([`${type.refPrefix}_1`]),
        set: anyRow(type, make),
        clear: isOdd ? fc.array(oddWord, { maxLength: 1 }) : fc.constant([]),
      }),
    ),
    fc.tuple(
      fc.constant(DELETE_TOOL),
      fc.record({
        refs: isOdd ? refs : fc.constant([`${type.refPrefix}_1`]),
        all: isOdd ? fc.oneof(fc.constant(type.type), oddValue) : fc.constant(null),
      }),
    ),
  );
}

const ownCall: fc.Arbitrary<[string, unknown]> = fc.oneof(
  fc.tuple(
    fc.constant("find_recipes"),
    fc.record({
      text: oddValue,
      use: fc.array(oddWord, { maxLength: 2 }),
      avoid: fc.array(oddWord, { maxLength: 2 }),
      maxMinutes: fc.oneof(fc.constant(null), fc.double()),
      tags: fc.array(oddWord, { maxLength: 2 }),
      limit: fc.oneof(fc.constant(null), fc.integer({ min: -1, max: 120 })),
    }),
  ),
  fc.tuple(
    fc.constant("build_shopping_list"),
    fc.record({
      recipes: fc.array(
        fc.record({ ref: anyRef, servings: fc.oneof(fc.constantFrom(null, 3, 0.5), fc.double()) }),
        { maxLength: 2 },
      ),
      from: fc.oneof(fc.constantFrom(null, "2026-01-12"), oddWord),
      to: fc.oneof(fc.constantFrom(null, "2026-01-18"), oddWord),
    }),
  ),
  fc.tuple(fc.constant("import_recipe"), fc.record({ text: oddValue, url: oddValue })),
  fc.tuple(
    fc.constant("export_calendar"),
    fc.record({ from: fc.oneof(fc.constant("2026-01-12"), oddWord), to: oddWord }),
  ),
);

const TOOL_NAMES = [
  ...TYPES.flatMap((type) =>
    (["read", "create", "update"] as const).map((action) => nameTableTool(action, type)),
  ),
  DELETE_TOOL,
  ...mealsDomain.tools.map(({ name }) => name),
];

/** Calls of the meals domain's tools: half of them well made, others odd in places, some anything at all. */
export const toolCall: fc.Arbitrary<[string, unknown]> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TYPES).chain((type) => callOn(type, "fitting")) },
  { weight: 3, arbitrary: fc.constantFrom(...TYPES).chain((type) => callOn(type, "odd")) },
  { weight: 2, arbitrary: ownCall },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...TOOL_NAMES), fc.jsonValue()) },
);
