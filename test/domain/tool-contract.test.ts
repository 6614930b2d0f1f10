import { test as lawTest } from "@fast-check/vitest";
import { encode } from "gpt-tokenizer";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createMealsDomain, mealsDomain } from "../../meals/index.ts";
import { Toolbox } from "../../domain/toolbox.ts";
import { StepTools } from "../../nodes/steps/step-tools.ts";
import { StepTypeSchema } from "../../state/plan.ts";
import { strictSchemaProblems } from "../../state/strict-schema.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";
import { toolCall } from "../support/tool-calls.ts";
import { tableTool } from "../support/table-tool-names.ts";

const TOOLBOX = new Toolbox(createMealsDomain({ fetchPages: true }));
const STEP_TOOLS = new StepTools(TOOLBOX);

/** Every set of tools that a step of meals is offered. */
const SETS = mealsDomain.subdomains.flatMap(({ name: subdomain }) =>
  StepTypeSchema.options.map((stepType) => ({
    place: `${stepType} ${subdomain}`,
    tools: STEP_TOOLS.list({ stepType, subdomain }),
  })),
);

/** Tokens of the largest set of tools, in the form in which they are sent. */
const LARGEST_SET = 1_971;

/** Places of a schema whose properties have no description. */
function findUndescribed(schema: unknown, place: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    findUndescribed(value, `${place}.${key}`),
  );
  if (!("properties" in schema)) return inner;
  const properties = Object.entries(
    z.record(z.string(), z.looseObject({})).parse(schema.properties),
  );
  return [
    ...properties.flatMap(([name, property]) =>
      typeof property["description"] === "string" ? [] : [`${place}.${name}`],
    ),
    ...inner,
  ];
}

describe("tools as models see them", () => {
  test.each(SETS)("are within the strict subset and described: $place", ({ tools }) => {
    for (const { name, schema } of tools) {
      expect(strictSchemaProblems(schema)).toEqual([]);
      expect(findUndescribed(schema, name)).toEqual([]);
    }
  });

  test("no set is larger than what a prompt has room for, and the guidance is small", () => {
    const sizes = SETS.map(({ tools }) => {
      const sent = tools.map(({ name, description, schema }) => ({
        type: "function",
        function: { name, description, parameters: schema, strict: true },
      }));
      return encode(JSON.stringify(sent)).length;
    });
    const guidance = [
      ...mealsDomain.rules,
      ...mealsDomain.subdomains.flatMap(({ name, about, guidance: texts = {} }) => [
        name,
        about,
        ...Object.values(texts),
      ]),
    ];

    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST_SET);
    expect(encode(guidance.join("\n")).length).toBeLessThan(450);
  });

  test("a page can be named only where the operator allows it", () => {
    const [closed, open] = [false, true].map((fetchPages) =>
      createMealsDomain({ fetchPages }).tools.find(({ name }) => name === "import_recipe"),
    );

    expect(closed?.description).not.toContain("URL");
    expect(open?.description).toContain("URL");
  });
});

describe("arguments as models write them", async () => {
  const database = await testDatabase();
  const seen: ToolOutcome[] = [];
  beforeAll(async () => {
    await seedKitchens(database);
    const demo = openKitchen(database, { userId: "demo" });
    for (const { table } of mealsDomain.entityTypes)
      seen.push(await demo.call(tableTool("read", table), {}));
  });

  /** A conversation that has met every row and has a draft; what it writes is undone. */
  function openSeasoned(): Kitchen {
    const { tools } = mealsDomain;
    const demo = openKitchen(database, { userId: "demo", tools, discard: true });
    for (const outcome of seen) demo.refs.take(outcome);
    demo.refs.draft("recipe", { name: "Stew", ingredients: ["leeks"] });
    return demo;
  }

  lawTest.prop([toolCall], { numRuns: 200 })(
    "any call is carried out or refused in a sentence, and never touches another person's rows",
    async ([name, args]) => {
      const outcome = await openSeasoned()
        .call(name, args)
        .catch((error: unknown) => error);

      if (outcome instanceof Error) {
        expect(["ToolInputError", "UnknownRefError"]).toContain(outcome.name);
        expect(outcome.message).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-4/);
      }
      const { rows } = await database.owner.query(
        "select count(*)::int as count from recipes where user_id = 'neighbour'",
      );
      expect(rows).toEqual([{ count: 2 }]);
    },
    120_000,
  );
});
