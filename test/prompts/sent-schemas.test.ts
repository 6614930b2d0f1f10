import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { mealsDomain } from "../../meals/index.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import { pickSentParts, type NamedSchema } from "../../state/model.ts";
import { nameSchema } from "../../state/strict-schema.ts";
import { listAnswerSchemas, listToolSchemas } from "../support/sent-schemas.ts";

const ROOT = join(import.meta.dirname, "../..");
const MOST_WORDS = 20;

const ANSWERS = [...listAnswerSchemas(mealsDomain)];
const TOOLS = [...listToolSchemas(mealsDomain)];
const SMALL_TOOLS = listToolSchemas(mealsDomain, "small");

test.each(ANSWERS)(
  "the answer schema of %s describes every property in at most 20 words",
  (_, named) => {
    expect(listUndescribed(named)).toEqual([]);
  },
);

test.each(TOOLS)(
  "the tools of a step to %s describe every argument in at most 20 words",
  (_, tools) => {
    expect(tools.flatMap(listUndescribed)).toEqual([]);
  },
);

test("a property without a description, and one with 21 words, are found at any depth", () => {
  const schema = z.object({
    bare: z.string(),
    short: z.string().describe(repeatWord(20)),
    list: z
      .array(z.object({ inner: z.string().nullable(), long: z.string().describe(repeatWord(21)) }))
      .nullable()
      .describe("a list"),
  });

  const found = listUndescribed(nameSchema("made-up", { description: "made up", schema }));

  expect(found).toEqual([
    "made-up.bare: no description",
    "made-up.list.inner: no description",
    "made-up.list.long: 21 words",
  ]);
});

test.each(ANSWERS)(
  "the answer schema of %s is sent as its golden file has it",
  async (name, named) => {
    await expect(writeAsSent([named])).toMatchFileSnapshot(`../golden/${name}.schema.json`);
  },
);

test.each(["read", "analyze", "generate", "write"])(
  "the tools of a step to %s recipes are sent as their golden file has them",
  async (stepType) => {
    const tools = new Map(TOOLS).get(`${stepType} recipes`) ?? [];
    await expect(writeAsSent(tools)).toMatchFileSnapshot(`../golden/act-${stepType}.schema.json`);
  },
);

test.each(["read", "analyze", "generate", "write"])(
  "the tools of a small model's step to %s recipes are sent as their golden file has them",
  async (stepType) => {
    const tools = SMALL_TOOLS.get(`${stepType} recipes`) ?? [];
    const golden = `../golden/act-${stepType}-small.schema.json`;
    await expect(writeAsSent(tools)).toMatchFileSnapshot(golden);
  },
);

test("a small model's step is offered all but recall, block_step and the readers of other types", () => {
  const small = new Map([...SMALL_TOOLS].map(([place, tools]) => [place, listNames(tools)]));
  const left = TOOLS.map(([place, tools]) => {
    const names = new Set(small.get(place));
    return [place, listNames(tools).filter((name) => !names.has(name))] as const;
  });

  const always = ["recall", "block_step"];
  expect(left.filter(([, names]) => !always.every((name) => names.includes(name)))).toEqual([]);
  const readers = left.map(([place, names]) => [
    place,
    names.filter((name) => !always.includes(name)),
  ]);
  expect(Object.fromEntries(readers.filter(([, names]) => names?.length !== 0))).toEqual({
    "read cooking_log": ["read_recipes"],
    "write cooking_log": ["read_recipes"],
    "read inventory": ["read_planned_meals", "read_shopping_list_lines"],
    "write inventory": ["read_planned_meals", "read_shopping_list_lines"],
    "read meal_plans": ["read_recipes"],
    "write meal_plans": ["read_recipes"],
    "read shopping": ["read_inventory_items"],
    "write shopping": ["read_inventory_items"],
  });
});

function listNames(tools: readonly NamedSchema[]): readonly string[] {
  return tools.map(({ name }) => name);
}

test("every answer schema that a node makes is among those that are held here", async () => {
  const files = globSync("nodes/**/*.ts", { cwd: ROOT });
  const sources = await Promise.all(files.map((file) => readFile(join(ROOT, file), "utf8")));
  const made = sources.flatMap((source) =>
    [...source.matchAll(/(?<!function )\banswerSchema\(\s*"([^"]+)"/gu)].map(([, name]) => name),
  );
  const calls = sources.flatMap((source) => source.match(/(?<!function )\banswerSchema\(/gu) ?? []);

  expect(made).toHaveLength(calls.length);
  expect(new Set(made)).toEqual(new Set(ANSWERS.map(([, { name }]) => name)));
  expect(made).toHaveLength(ANSWERS.length);
});

/** Lists the properties without a description or with a longer one, by their path. */
function listUndescribed({ name, schema }: NamedSchema): string[] {
  return [...new Set(listProblems(schema, name))];
}

function listProblems(schema: JsonObject, path: string): string[] {
  const { properties, items, anyOf, $defs } = schema;
  const judged = listEntries(properties).flatMap(([key, property]) =>
    judgeDescription(property).map((problem) => `${path}.${key}: ${problem}`),
  );
  const inside: readonly (readonly [path: string, value: Json | undefined])[] = [
    ...listEntries(properties).map(([key, property]) => [`${path}.${key}`, property] as const),
    [path, items],
    ...(Array.isArray(anyOf) ? anyOf.map((each: Json) => [path, each] as const) : []),
    ...listEntries($defs).map(([key, definition]) => [`${path}#${key}`, definition] as const),
  ];
  return judged.concat(
    inside.flatMap(([at, value]) => (isJsonObject(value) ? listProblems(value, at) : [])),
  );
}

function listEntries(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function repeatWord(count: number): string {
  return Array.from({ length: count }, () => "word").join(" ");
}

/** Judges a description; one that goes through the columns of a type (`date: YYYY-MM-DD; …`) may have as many words for each. */
function judgeDescription(property: Json): string[] {
  const description = isJsonObject(property) ? property["description"] : undefined;
  if (typeof description !== "string" || description.trim() === "") return ["no description"];
  const names = isJsonObject(property) && Array.isArray(property["enum"]) ? property["enum"] : [];
  const clauses = description.split("; ");
  const isByColumn = clauses.every((clause) => names.includes(clause.split(": ")[0] ?? ""));
  return (isByColumn ? clauses : [description])
    .map((text) => text.split(/\s+/u).length)
    .filter((words) => words > MOST_WORDS)
    .map((words) => `${words} words`);
}

/** Writes schemas as endpoints get them, a keyword a line. */
function writeAsSent(schemas: readonly NamedSchema[]): string {
  const sent = schemas.map(pickSentParts);
  return `${JSON.stringify(sent.length === 1 ? sent[0] : sent, null, 2)}\n`;
}
