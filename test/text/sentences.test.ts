import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, expectTypeOf, test } from "vitest";
import { MEALS_PARAMETERS, MEALS_SENTENCES } from "../../meals/sentences.ts";
import {
  createSentenceRenderer,
  type ParameterKind,
  type TemplateArguments,
} from "../../text/fill-template.ts";
import { SENTENCE_PARAMETERS, SENTENCES } from "../../text/sentences.ts";
import { anyHostilePiece, anyIdentifier } from "../support/hostile-texts.ts";

/** A value of each source: a name and a text that hold machinery, and words of the person that stay. */
const hostileValues = fc
  .tuple(anyIdentifier, fc.array(anyHostilePiece, { minLength: 1, maxLength: 4 }))
  .map(([identifier, pieces]) => ({
    operator: "",
    pieces: [identifier, ...pieces].map((piece) => piece.toLowerCase()),
    content: "Grandma's soup_12",
    amount: 7,
    name: identifier,
    foreign: `It failed: ${pieces.join(" and ")}.`,
  }));

describe("createSentenceRenderer()", () => {
  const render = createSentenceRenderer(
    { plain: "Nothing was found.", rows: "{count} {count|row|rows} of {table}" },
    { count: "amount", table: "content" },
  );

  test("fills in values as they are, and chooses the word that fits the number", () => {
    expect(render("plain")).toBe("Nothing was found.");
    expect(render("rows", { count: 1, table: "{count|a|b}" })).toBe("1 row of {count|a|b}");
    expect(render("rows", { count: 0, table: "$&" })).toBe("0 rows of $&");
  });

  test("shows a value as its source demands", () => {
    const table = { all: "{count} {label} {column} {answer} {fault}" } as const;
    const sources = {
      count: "amount",
      label: "content",
      column: "name",
      answer: "foreign",
      fault: "operator",
    } as const;
    const hostile = "use_by at db.internal:5432";
    expect(
      createSentenceRenderer(table, sources)("all", {
        count: 12_000,
        label: hostile,
        column: "shelf_id",
        answer: hostile,
        fault: hostile,
      }),
    ).toBe(`12,000 ${hostile} shelf use by at … ${hostile}`);
    // @ts-expect-error -- the source of a placeholder is missing
    createSentenceRenderer(table, { count: "amount" });
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

interface Table {
  readonly name: string;
  readonly sentences: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, ParameterKind>>;
}

const TABLES: readonly Table[] = [
  { name: "SENTENCES", sentences: SENTENCES, parameters: SENTENCE_PARAMETERS },
  { name: "MEALS_SENTENCES", sentences: MEALS_SENTENCES, parameters: MEALS_PARAMETERS },
];

/** Placeholders of a template, each once; `isCount` for one that chooses between two words. */
function listPlaceholders(template: string) {
  const found = [...template.matchAll(/\{([^}|]*)(\|)?/gu)];
  const counts = new Set(found.flatMap(([, name = "", bar]) => (bar === undefined ? [] : [name])));
  return [...new Set(found.map(([, name = ""]) => name))].map((name) => ({
    name,
    isCount: counts.has(name),
  }));
}

describe.each(TABLES)("$name", ({ sentences, parameters }) => {
  test("has only placeholders that can be filled, and a source for each", () => {
    const used = Object.values(sentences).flatMap(listPlaceholders);
    expect(new Set(used.map(({ name }) => name))).toEqual(new Set(Object.keys(parameters)));
    for (const [id, template] of Object.entries(sentences)) {
      const render = createSentenceRenderer({ [id]: template }, parameters);
      for (const value of [1, 2]) {
        const values = listPlaceholders(template).map(({ name }) => [name, value]);
        expect(render(id, Object.fromEntries(values))).not.toMatch(/[{}]/u);
      }
    }
  });

  const forUsers = Object.entries(sentences)
    .map(([id, template]) => ({
      id,
      placeholders: listPlaceholders(template),
      render: createSentenceRenderer({ [id]: template }, parameters),
    }))
    .filter(({ placeholders }) =>
      placeholders.every(({ name }) => parameters[name] !== "operator"),
    );

  law.prop([hostileValues])("shows a user no machinery, whatever its values hold", (hostile) => {
    for (const { id, placeholders, render } of forUsers) {
      const values = placeholders.map(({ name, isCount }) => [
        name,
        isCount ? 2 : hostile[parameters[name] ?? "foreign"],
      ]);
      const shown = render(id, Object.fromEntries(values));
      for (const piece of hostile.pieces) expect(shown.toLowerCase()).not.toContain(piece);
      expect(shown.includes(hostile.content)).toBe(
        placeholders.some(({ name }) => parameters[name] === "content"),
      );
    }
  });
});
