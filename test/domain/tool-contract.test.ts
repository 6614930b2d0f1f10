import { test as lawTest } from "@fast-check/vitest";
import { encode } from "gpt-tokenizer";
import { beforeAll, describe, expect, test } from "vitest";
import { createMealsDomain, mealsDomain } from "../../meals/index.ts";
import { createTableTools } from "../../domain/table-tools.ts";
import { toolSchema } from "../../domain/tool-schema.ts";
import { strictSchemaProblems } from "../../state/strict-schema.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";
import { toolCall } from "../support/tool-calls.ts";

const TOOLS = [...createTableTools(mealsDomain.entityTypes), ...mealsDomain.tools];

describe("tools as models see them", () => {
  test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    "%s is a strict schema",
    (_name, tool) => {
      expect(strictSchemaProblems(toolSchema(tool).schema)).toEqual([]);
    },
  );

  test("all of them together are small, and so is the guidance", () => {
    const schemas = TOOLS.map((tool) => JSON.stringify(toolSchema(tool))).join("");
    const guidance = [
      ...mealsDomain.rules,
      ...mealsDomain.subdomains.flatMap(({ name, about, guidance: texts }) => [
        name,
        about,
        ...Object.values(texts),
      ]),
    ];

    expect(encode(schemas).length).toBeLessThan(1_400);
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
      seen.push(await demo.call("db_read", { table }));
  });

  /** A conversation that has met every row and has a draft; what it writes is undone. */
  function openSeasoned(): Kitchen {
    const { tools } = mealsDomain;
    const demo = openKitchen(database, { userId: "demo", tools, discard: true });
    for (const outcome of seen) demo.refs.take(outcome);
    demo.refs.draft("recipe", { name: "Stew", ingredients: ["leeks"] });
    return demo;
  }

  lawTest.prop([toolCall], { numRuns: 400 })(
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
