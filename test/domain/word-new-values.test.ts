import { expect, test } from "vitest";
import { selectUnshown, wordNewValues } from "../../domain/word-new-values.ts";
import { rowKey, type EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import { speakIn } from "../../text/spoken-language.ts";

const BOOK: EntityType = {
  type: "book",
  table: "books",
  words: { one: "book", many: "books" },
  columns: [
    { name: "title", kind: "text" },
    { name: "pages", kind: "integer" },
    { name: "copies", kind: "integer" },
    { name: "due_on", kind: "date" },
    { name: "lent", kind: "boolean" },
    { name: "author_id", kind: "text", references: "author" },
    { name: "secret", kind: "text", visible: false },
  ],
  lists: [
    {
      kind: "inline",
      name: "chapters",
      table: "chapters",
      foreignKey: "book_id",
      orderBy: "position",
      columns: [{ name: "title", kind: "text" }],
    },
  ],
  summary: ["title"],
  orderBy: ["title"],
  label: ({ title }) => (typeof title === "string" ? title : ""),
  facts: ({ pages, copies, lent }) =>
    [
      typeof pages === "number"
        ? `${pages + (typeof copies === "number" ? copies : 0)} in all`
        : "",
      lent === true ? "given away" : "",
    ].join(" "),
};

const WORDS = { labels: new Map([[rowKey("author", "a1"), "Kipling"]]), timeZone: "UTC" };

function word(after: JsonObject, names = Object.keys(after)): string {
  return wordNewValues({ after }, selectUnshown({ after }, BOOK, names), WORDS);
}

test.each<[string, JsonObject, string]>([
  ["what its facts show", { title: "Kim", pages: 370, lent: true }, ""],
  [
    "what its facts count together",
    { title: "Kim", pages: 300, copies: 70 },
    "pages 300, copies 70",
  ],
  ["a day", { title: "Kim", due_on: "2026-01-16" }, "due on Fri 16 Jan 2026"],
  ["a flag that is not set", { title: "Kim", lent: false }, "lent false"],
  ["a row that it points at", { title: "Kim", author_id: "a1" }, "author Kipling"],
  ["the items of a list", { title: "Kim", chapters: [{ title: "One" }] }, "chapters One"],
  ["nothing", { title: "Kim", due_on: null, chapters: [], author_id: "" }, ""],
  ["what may not be seen", { title: "Kim", secret: "x" }, ""],
])(
  "wordNewValues() names the column of what label and facts do not show: %s",
  (_, row, expected) => {
    expect(word(row)).toBe(expected);
  },
);

test("selectUnshown() leaves out what was not given, whatever the row has", () => {
  expect(word({ title: "Kim", copies: 3, due_on: "2026-01-16" }, ["copies"])).toBe("copies 3");
});

test.each([
  ["de", "due on Fr. 16. Jan. 2026"],
  ["fr", "due on ven. 16 janv. 2026"],
  ["pt", "due on sex. 16 de jan. de 2026"],
])("wordNewValues() words days in the language of the reader: %s", (language, expected) => {
  const words = speakIn({ language, templates: new Map() }, () =>
    word({ title: "Kim", due_on: "2026-01-16" }),
  );

  expect(words).toBe(expected);
});
