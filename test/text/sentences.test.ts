import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, test } from "vitest";
import { MEALS_SENTENCES } from "../../meals/sentences.ts";
import { createSentenceRenderer, type TemplateArguments } from "../../text/fill-template.ts";
import { SENTENCES } from "../../text/sentences.ts";

describe("createSentenceRenderer()", () => {
  const render = createSentenceRenderer({
    plain: "Nothing was found.",
    rows: "{count} {count|row|rows} of {table}",
  });

  test("fills in values as they are, and chooses the word that fits the number", () => {
    expect(render("plain")).toBe("Nothing was found.");
    expect(render("rows", { count: 1, table: "{count|a|b}" })).toBe("1 row of {count|a|b}");
    expect(render("rows", { count: 0, table: "$&" })).toBe("0 rows of $&");
  });

  test("takes exactly the values that a sentence names", () => {
    expectTypeOf<TemplateArguments<"Done.">>().toEqualTypeOf<[]>();
    expectTypeOf<TemplateArguments<"{count} {count|row|rows} of {table}">>().toEqualTypeOf<
      [values: { readonly count: number; readonly table: string | number }]
    >();
    // @ts-expect-error -- a value that the sentence does not name
    render("plain", { count: 1 });
    // @ts-expect-error -- a value is missing
    expect(() => render("rows", { count: 1 })).toThrow('Cannot fill "{table}": no value is given');
    // @ts-expect-error -- the number decides between two words
    render("rows", { count: "1", table: "recipes" });
  });
});

test.each<[string, Readonly<Record<string, string>>]>([
  ["SENTENCES", SENTENCES],
  ["MEALS_SENTENCES", MEALS_SENTENCES],
])("%s has only placeholders that can be filled", (_, table) => {
  for (const [id, template] of Object.entries(table)) {
    const names = [...template.matchAll(/\{([^}|]*)/gu)].map(([, name = ""]) => name);
    const render = createSentenceRenderer({ [id]: template });
    for (const value of [1, 2]) {
      const values = Object.fromEntries(names.map((name) => [name, value]));
      expect(render(id, values)).not.toMatch(/[{}]/u);
    }
  }
});

test("SENTENCES and MEALS_SENTENCES hold every sentence that code writes into a reply", () => {
  const root = join(import.meta.dirname, "../..");
  const elsewhere = globSync(REPLY_SOURCES, { cwd: root }).flatMap((path) =>
    findProse(readFileSync(join(root, path), "utf8")).map((text) => `${path}: ${text}`),
  );
  expect(elsewhere.toSorted()).toEqual(FOR_MODELS_AND_SUMMARIES);
});

/** The files whose texts reach the person. */
const REPLY_SOURCES = [
  "nodes/reply/*.ts",
  "nodes/steps/{breaches,call-result,end-step,fold-calls,open-rows,plan-progress}.ts",
  "nodes/concierge/speak-as-concierge.ts",
  "nodes/explorer.ts",
  "output-filter/meta-response.ts",
  "registry/render-outcome.ts",
  "domain/table-tools/failures.ts",
  "driver/{message-turn,replay-turn,turn-errors}.ts",
  "meals/format-quick.ts",
  "meals/checks/check*.ts",
  "meals/shopping/build-shopping-list.ts",
];

/** Other texts in these files: they go back to a model, or are compared. */
const FOR_MODELS_AND_SUMMARIES = [
  'domain/table-tools/failures.ts: "create the row"',
  'domain/table-tools/failures.ts: "update or delete on"',
  'meals/checks/checks.ts: "food of meals"',
  'meals/checks/checks.ts: "food of recipes"',
  'meals/checks/checks.ts: "food to buy"',
  'meals/checks/checks.ts: "planned meals of members"',
  'meals/shopping/build-shopping-list.ts: "dishes to cook"',
  'meals/shopping/build-shopping-list.ts: "first planned day, YYYY-MM-DD"',
  'meals/shopping/build-shopping-list.ts: "last planned day"',
  `meals/shopping/build-shopping-list.ts: "null: the recipe's own"`,
  'meals/shopping/build-shopping-list.ts: "ref of type recipe"',
  'nodes/concierge/speak-as-concierge.ts: "the person would see nothing: write the answer before the block"',
  'nodes/explorer.ts: "typed by the user"',
  "nodes/steps/end-step.ts: `The drafts break what was asked: ${describeBreaches(breaches)}`",
];

/** Returns the quoted texts of three words and more, but for those of errors, notices and a tool's description. */
function findProse(source: string): string[] {
  const code = source
    .replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gmu, "")
    .replace(/throw new [^;]*;/gu, "")
    .replace(/\{[^\n]*\bcode: "[^\n]*\}/gu, "")
    .replace(/\bcode: "[^"]*",\s*text: [^\n]*/gu, "")
    .replace(/const ENGLISH = [^;]*;/u, "")
    .replace(/description:\s*"[^"]*"/gu, "");
  return code.match(/"[^"\n]*"|`[^`\n]*`/gu)?.filter(hasThreeWords) ?? [];
}

function hasThreeWords(text: string): boolean {
  return /[\p{L}’']+ [\p{L}’']+ [\p{L}’']+/u.test(text);
}
