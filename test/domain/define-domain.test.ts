import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CORE_TOOLS, defineDomain } from "../../domain/define-domain.ts";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import { Toolbox } from "../../domain/toolbox.ts";
import { DomainError } from "../../domain/domain-error.ts";
import { mealsDomain } from "../../meals/index.ts";
import { StepTools } from "../../nodes/steps/step-tools.ts";
import type { Domain } from "../../state/domain.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import {
  AUTHOR,
  BOOK,
  CHAPTERS,
  describeLibrary,
  FINISH_BOOK,
  LENT_BOOKS,
  LOAN,
  NOTE,
} from "../support/library.ts";

/** The library with another description of its books. */
function withBook(parts: Partial<EntityType>): Partial<Domain> {
  return { entityTypes: [{ ...BOOK, ...parts }, AUTHOR, NOTE, LOAN] };
}

/** The library whose books have one more column. */
function withColumn(column: Column): Partial<Domain> {
  return withBook({ columns: [...BOOK.columns, column] });
}

function withLink(link: string): Partial<Domain> {
  return { checks: [{ ...LENT_BOOKS, links: [link] }] };
}

/** An answer of Understand to a message that asks for nothing. */
const HEARD = {
  reasoning: "Small talk.",
  references: [],
  constraints: [],
  needs: "talk",
  look: null,
  extras: null,
};

const { needs: _needs, ...HEARD_HALF } = HEARD;

/** A plan with one step in a part of the domain. */
function planIn(subdomain: string): JsonObject {
  return {
    reasoning: "They have to be judged.",
    goal: null,
    decision: "plan",
    steps: [
      {
        description: "Judge them",
        stepType: "analyze",
        subdomain,
        group: 1,
        refs: ["thing_1"],
        writes: [],
      },
    ],
    calls: [],
    asks: [],
  };
}

const NOTE_LINE = z.strictObject({ note: z.string() });

/** Parameters of a tool, each with the path of the one that is not described. */
const UNDESCRIBED: readonly (readonly [path: string, shape: z.ZodRawShape])[] = [
  ["note", { note: z.string() }],
  ["note", { note: z.string().describe(" ").nullable() }],
  ["lines.note", { lines: z.array(NOTE_LINE).describe("all") }],
  ["line.note", { line: NOTE_LINE.describe("one").nullable() }],
];

const MISTAKES: readonly (readonly [mistake: string, parts: Partial<Domain>, problem: string])[] = [
  [
    "a summary with an unknown column",
    withBook({ summary: ["titel"] }),
    'Type "book": summary names "titel"; did you mean "title", or is "title" misspelt?',
  ],
  [
    "an order by an unknown column",
    withBook({ orderBy: ["shelf_mark"] }),
    'Type "book": orderBy names "shelf_mark"; the columns are title, status, pages, author_id, search, id, created_at, updated_at',
  ],
  [
    "an order by a column of few letters",
    withBook({ orderBy: ["age"] }),
    'Type "book": orderBy names "age"; the columns are title, status, pages, author_id, search, id, created_at, updated_at',
  ],
  ...["Big Loan", "loan.old"].map((type): [string, Partial<Domain>, string] => [
    `a type called ${type}`,
    {
      entityTypes: [BOOK, AUTHOR, NOTE, { ...LOAN, type, refPrefix: "loan" }],
      subdomains: [
        ...describeLibrary().subdomains.slice(0, 1),
        { name: "loans", type, about: "loans" },
      ],
      checks: [],
    },
    `Type "${type}" has a name that is no lowercase word; write letters, digits and underscores, such as "payment_method"`,
  ]),
  [
    "the migrations by their URL",
    { migrations: "file:///app/migrations" },
    'The path of the migrations is "file:///app/migrations", which is a URL; write fileURLToPath("file:///app/migrations")',
  ],
  [
    "a label of a value that is no column",
    withBook({ label: ({ id, title }) => JSON.stringify([id, title]) }),
    'Type "book": label reads "id", which is none of its columns; the columns are title, status, pages, author_id, search, chapters, notes',
  ],
  [
    "facts of a value that is no column",
    withBook({ facts: ({ page }) => JSON.stringify(page) ?? "" }),
    'Type "book": facts reads "page", which is none of its columns; did you mean "pages"?',
  ],
  [
    "two types of one name",
    {
      entityTypes: [
        BOOK,
        AUTHOR,
        NOTE,
        LOAN,
        { ...NOTE, table: "remarks", words: { one: "remark", many: "remarks" } },
      ],
    },
    'Two types are called "note"; rename one of them',
  ],
  [
    "two types with one ref prefix",
    withBook({ refPrefix: "note" }),
    'Types "book" and "note" share the ref prefix "note"; give one of them another in refPrefix',
  ],
  [
    "a ref prefix that reads like a ref",
    withBook({ refPrefix: "book_1" }),
    'Type "book" has the ref prefix "book_1"; a prefix has lowercase letters with single "_" between them and does not begin with "gen_": set refPrefix',
  ],
  [
    "a ref prefix of drafts",
    withBook({ refPrefix: "gen_note" }),
    'Type "book" has the ref prefix "gen_note"; a prefix has lowercase letters with single "_" between them and does not begin with "gen_": set refPrefix',
  ],
  [
    "two types of one table",
    {
      entityTypes: [
        ...describeLibrary().entityTypes,
        { ...NOTE, type: "remark", words: { one: "remark", many: "remarks" } },
      ],
      subdomains: [
        ...describeLibrary().subdomains,
        { name: "remarks", type: "remark", about: "all" },
      ],
    },
    'Two types are of the table "notes"; describe it once',
  ],
  [
    "an inline list of a type's table",
    withBook({ lists: [CHAPTERS, { ...CHAPTERS, name: "notes", table: "notes" }] }),
    'List "notes" of type "book" is of the table "notes", which type "note" describes; describe it once: as a list of the kind "entities", or without that type',
  ],
  ...["shop.loans.old", 'shop."Loans"'].map((table): [string, Partial<Domain>, string] => [
    `the table ${table}`,
    { entityTypes: [BOOK, AUTHOR, NOTE, { ...LOAN, table }] },
    `Table "${table}" is no name; write "table" or "schema.table" as the database has them, without quotes, and rename a table whose name has a dot or a quote in it`,
  ]),
  [
    "two columns of one name",
    withColumn({ name: "pages", kind: "integer" }),
    'Type "book" has two columns or lists named "pages"; rename one of them',
  ],
  [
    "a column that points at no type",
    withColumn({ name: "editor_id", kind: "text", references: "auhtor" }),
    'Type "book": column "editor_id" points at "auhtor"; did you mean "author"?',
  ],
  [
    "a choice without values",
    withColumn({ name: "genre", kind: "choice" }),
    'Type "book": column "genre" is a choice without values; list them in "values"',
  ],
  [
    "values of a text",
    withColumn({ name: "genre", kind: "text", values: ["novel"] }),
    'Type "book": column "genre" has values, but its kind is "text"; make it a "choice" or leave the values out',
  ],
  [
    "a nested value that may be set",
    withColumn({ name: "extra", kind: "json", set: "always" }),
    'Type "book": column "extra" has the kind "json", which can only be read; leave "set" out',
  ],
  [
    "a key that may be changed",
    withBook({
      key: { column: "isbn", kind: "text" },
      columns: [...BOOK.columns, { name: "isbn", kind: "text", set: "always" }],
    }),
    'Type "book": column "isbn" is its key, which a row keeps; write set: "create", or name a column that never changes in the key',
  ],
  [
    "a list of an unknown type",
    withBook({
      lists: [CHAPTERS, { kind: "entities", name: "notes", type: "remark", foreignKey: "book_id" }],
    }),
    'Type "book", list "notes" holds rows of type "remark"; the types are book, author, note, loan',
  ],
  [
    "a list by an unknown column",
    withBook({
      lists: [CHAPTERS, { kind: "entities", name: "notes", type: "note", foreignKey: "bok_id" }],
    }),
    'Type "book", list "notes" has the foreign key "bok_id", which type "note" does not have; did you mean "book_id"?',
  ],
  [
    "a list by a column that points elsewhere",
    withBook({
      lists: [CHAPTERS, { kind: "entities", name: "notes", type: "note", foreignKey: "text" }],
    }),
    'Type "book", list "notes": column "text" of type "note" does not point at "book"; write references: "book"',
  ],
  [
    "a right without a column for it",
    { entityTypes: [BOOK, AUTHOR, { ...NOTE, rights: ["read", "update"] }, LOAN] },
    'Type "note" has the right "update", but no column may be set then; write set: "always" at those that may be, or leave the right out',
  ],
  [
    "a shared type that may be changed",
    { ...withBook({ ownership: "shared", rights: ["read", "create", "delete"] }), tools: [] },
    'Type "book" is shared and has the rights "create" and "delete"; a shared type can only be read: leave them out',
  ],
  [
    "two subdomains of one name",
    {
      subdomains: [...describeLibrary().subdomains, { name: "loans", type: "loan", about: "all" }],
    },
    'Two subdomains are called "loans"; rename one of them',
  ],
  [
    "a subdomain whose name is no word",
    {
      subdomains: [
        ...describeLibrary().subdomains,
        { name: "my loans", type: "loan", about: "all" },
      ],
    },
    'Subdomain "my loans" has a name that is no lowercase word; write letters, digits and underscores, such as "payment_methods"',
  ],
  [
    "a subdomain about no type",
    {
      subdomains: [...describeLibrary().subdomains, { name: "more", type: "lon", about: "all" }],
    },
    'Subdomain "more" is about "lon"; did you mean "loan"?',
  ],
  [
    "a type in no subdomain",
    { subdomains: describeLibrary().subdomains.slice(0, 1) },
    'Type "loan" is in no subdomain; add a subdomain of that type, or name it in the reads of one',
  ],
  [
    "a tool named like a generated one",
    { tools: [{ ...FINISH_BOOK, name: "read_books" }] },
    'Tool "read_books" has the name of a built-in tool; rename it',
  ],
  [
    "types whose tools have one name",
    withBook({ words: NOTE.words }),
    'Types "book" and "note" make the tool "read_notes"; give one of them another noun in words.many',
  ],
  [
    "an example of Understand that lacks a key",
    { examples: { understand: { shown: ['Message: "hi"'], answer: HEARD_HALF } } },
    'The example of "understand": needs: Invalid option: expected one of "talk"|"look"|"change"|"work"|"advise"',
  ],
  [
    "an example of Think in an unknown part of the domain",
    { examples: { think: { shown: ['Message: "hi"'], answer: planIn("shelv") } } },
    'The example of "think": a step is for "shelv"; did you mean "shelf"?',
  ],
  [
    "an example of Act that calls no tool",
    { examples: { act: { shown: ["Step"], answer: [{ name: "finish_bok", args: {} }] } } },
    'The example of "act": it calls "finish_bok"; did you mean "finish_book"?',
  ],
  [
    "an example of Reply that is no text",
    { examples: { reply: { shown: ["Message"], answer: {} } } },
    'The example of "reply": give the reply as a text',
  ],
  [
    "an example with a ref that a conversation may have",
    { examples: { reply: { shown: ["Rows: book_2 Emma"], answer: "Emma is there." } } },
    'The example of "reply" names "book_2", which a conversation may have; name things as thing_1, thing_2',
  ],
  [
    "a subdomain that reads no type",
    {
      subdomains: [
        ...describeLibrary().subdomains,
        { name: "more", type: "loan", reads: ["boook"], about: "all" },
      ],
    },
    'Subdomain "more" reads "boook"; did you mean "book"?',
  ],
  [
    "a tool for no subdomain",
    { tools: [{ ...FINISH_BOOK, subdomain: "shelv" }] },
    'Tool "finish_book" is for "shelv"; did you mean "shelf"?',
  ],
  [
    "a tool named like one of every step",
    { tools: [{ ...FINISH_BOOK, name: "complete_step" }] },
    'Tool "complete_step" has the name of a built-in tool; rename it',
  ],
  [
    "two tools of one name",
    { tools: [FINISH_BOOK, FINISH_BOOK] },
    'Two tools are called "finish_book"; rename one of them',
  ],
  [
    "a tool with an optional argument",
    { tools: [{ ...FINISH_BOOK, parameters: z.object({ note: z.string().optional() }) }] },
    'Tool "finish_book": Cannot send "finish_book" as a strict schema: (root): "note" must be required; make it nullable instead of optional',
  ],
  [
    "a tool with an argument that JSON cannot hold",
    { tools: [{ ...FINISH_BOOK, parameters: z.object({ day: z.date().describe("its day") }) }] },
    'Tool "finish_book": Cannot send "finish_book" as a strict schema: properties.day: must have a "type" (or an "anyOf" or a "$ref"); JSON has no such value: take a date as z.iso.date(), a large number as a text',
  ],
  [
    "a tool without a description",
    { tools: [{ ...FINISH_BOOK, description: " " }] },
    'Tool "finish_book" has no description; say what it does, and for which wish',
  ],
  ...UNDESCRIBED.map(([path, shape]): [string, Partial<Domain>, string] => [
    `a tool with a parameter "${path}" that is not described`,
    { tools: [{ ...FINISH_BOOK, parameters: z.strictObject(shape) }] },
    `Tool "finish_book": parameter "${path}" has no description; say what a model gives there: .describe("…")`,
  ]),
  [
    "a tool that writes no type",
    { tools: [{ ...FINISH_BOOK, writes: ["books"] }] },
    'Tool "finish_book" writes "books"; did you mean "book"?',
  ],
  [
    "a tool that writes a shared type",
    { tools: [{ ...FINISH_BOOK, writes: ["author"] }] },
    'Tool "finish_book" writes "author", which is shared and can only be read; leave it out of writes',
  ],
  ...["finish book", "livre_terminé", "", "b".repeat(65)].map(
    (name): [string, Partial<Domain>, string] => [
      `a tool named "${name}"`,
      { tools: [{ ...FINISH_BOOK, name }] },
      `Tool "${name}" has a name that models cannot call; write 1 to 64 letters (a to z), digits and underscores, such as "cancel_order"`,
    ],
  ),
  ...(["read", "call"] as const).map((effect): [string, Partial<Domain>, string] => [
    `a tool with the effect "${effect}" that writes`,
    { tools: [{ ...FINISH_BOOK, effect }] },
    `Tool "finish_book" has the effect "${effect}" and writes "book"; write effect: "write", or leave writes out`,
  ]),
  [
    "a tool that takes the key of an outside call and is none",
    { tools: [{ ...FINISH_BOOK, takesKey: true }] },
    'Tool "finish_book" has takesKey, which is for services outside the database; leave it out, or write effect: "call"',
  ],
  [
    "a tool for no step",
    { tools: [{ ...FINISH_BOOK, steps: [] }] },
    'Tool "finish_book" is for no step; leave steps out, or name those that may call it',
  ],
  [
    "a tool that writes in steps that may change nothing",
    { tools: [{ ...FINISH_BOOK, steps: ["read", "write", "generate"] }] },
    'Tool "finish_book" changes something and is for steps of the type "read" and "generate", in which nothing may be changed; leave steps out',
  ],
  [
    "an outside call that changes something, in steps that may change nothing",
    { tools: [{ ...FINISH_BOOK, effect: "call", writes: [], confirm: "always", steps: ["read"] }] },
    'Tool "finish_book" changes something and is for steps of the type "read", in which nothing may be changed; leave steps out',
  ],
  [
    "two checks of one name",
    { checks: [LENT_BOOKS, { ...LENT_BOOKS, links: [] }] },
    'Two checks are called "lent books"; rename one of them',
  ],
  [
    "two columns of one label",
    withColumn({ name: "author", kind: "text" }),
    'Type "book": people know the columns "author_id" and "author" as "author"; give one of them another label',
  ],
  [
    "a label that reads a hidden column",
    withBook({
      columns: [...BOOK.columns, { name: "isbn", kind: "text", visible: false }],
      label: ({ isbn }) => JSON.stringify(isbn ?? null),
    }),
    'Type "book": label reads "isbn", which is hidden, so nobody gets its value; leave visible: false out, or read another column',
  ],
  [
    "an empty summary",
    withBook({ summary: [] }),
    'Type "book" has an empty summary; name the columns that a list of its rows shows',
  ],
  ["an empty persona", { persona: " " }, '"persona" is empty; say who answers: "a librarian"'],
  [
    "a subdomain about nothing",
    {
      subdomains: [
        ...describeLibrary().subdomains.slice(0, 1),
        { name: "loans", type: "loan", about: "" },
      ],
    },
    'Subdomain "loans": about is empty; say what its rows are',
  ],
  [
    "a check that looks at no type",
    { checks: [{ ...LENT_BOOKS, types: [], links: [] }] },
    'Check "lent books" looks at no type; name one in types',
  ],
  [
    "a check that looks at no action",
    { checks: [{ ...LENT_BOOKS, actions: [] }] },
    'Check "lent books" looks at no action; write "create", "update" and "delete" in actions, or some of them',
  ],
  [
    "a relative path of the migrations",
    { migrations: "./migrations" },
    'The path of the migrations is "./migrations"; write an absolute one: join(import.meta.dirname, "./migrations")',
  ],
  ...["choice", "thing"].map((refPrefix): [string, Partial<Domain>, string] => [
    `the ref prefix "${refPrefix}"`,
    withBook({ refPrefix }),
    `Type "book" has the ref prefix "${refPrefix}", which the program uses itself; set refPrefix`,
  ]),
  [
    "a type with an empty word",
    withBook({ words: { ...BOOK.words, also: ["volume", " "] } }),
    'Type "book" has an empty word; write nouns in words.one, many and also',
  ],
  [
    "a hidden column that may be set",
    withColumn({ name: "isbn", kind: "text", visible: false, set: "create" }),
    'Type "book": column "isbn" is hidden and may be set, so nobody could see what is stored; leave "set" or "visible" out',
  ],
  ...["user_id", "row_version"].map((name): [string, Partial<Domain>, string] => [
    `a column "${name}" that may be set`,
    withColumn({ name, kind: "text", set: "always" }),
    `Type "book": column "${name}" is set by the program alone; leave "set" out`,
  ]),
  [
    "a list whose foreign key may be set",
    withBook({
      lists: [
        {
          ...CHAPTERS,
          columns: [...CHAPTERS.columns, { name: "book_id", kind: "text", set: "always" }],
        },
      ],
    }),
    'Type "book", list "chapters": column "book_id" is its foreign key, which the program sets; leave "set" out',
  ],
  [
    "a list that shows fewer rows than none",
    withBook({
      lists: [
        CHAPTERS,
        { kind: "entities", name: "notes", type: "note", foreignKey: "book_id", shown: -1 },
      ],
    }),
    'Type "book", list "notes": shown is -1; write a whole number, 0 or more',
  ],
  [
    "a check of no type",
    { checks: [{ ...LENT_BOOKS, types: ["boook"] }] },
    'Check "lent books" looks at "boook"; did you mean "book"?',
  ],
  [
    "a link along an unknown column",
    withLink("auther_id"),
    'Check "lent books", link "auther_id": type "book" has no column "auther_id"; did you mean "author_id"?',
  ],
  [
    "a link along a column that points nowhere",
    withLink("title.chapters"),
    'Check "lent books", link "title.chapters": column "title" of type "book" points at no type; write "references" at the column, or end the link before it',
  ],
  [
    "a link back from no type",
    withLink("laon<book_id"),
    'Check "lent books", link "laon<book_id": there is no type "laon"; did you mean "loan"?',
  ],
  [
    "a link back along a column that points elsewhere",
    withLink("loan<borrower"),
    'Check "lent books", link "loan<borrower": "borrower" of type "loan" does not point at type "book"; those that do are book_id',
  ],
];

const CONFIRM_ADVICE =
  'write "never", "always", or { above: 3, unnamed: true } with a number of 0 or more';

/** Values that no compiler finds in plain JavaScript. */
const UNKNOWN: readonly (readonly [part: string, values: object, problem: string])[] = [
  [
    'Type "book"',
    { rights: ["read", "write"] },
    'rights has "write"; the values are read, create, update, delete',
  ],
  ['Type "book"', { ownership: "all" }, 'ownership has "all"; the values are subject, shared'],
  ['Type "book"', { version: "xmin" }, 'version has "xmin"; the values are row_version, content'],
  [
    'Type "book"',
    { key: { column: "id", kind: "int" } },
    'the kind of the key has "int"; the values are uuid, text, integer',
  ],
  [
    'Type "book"',
    {
      columns: [...BOOK.columns, { name: "isbn", kind: "string", set: "always" }],
    },
    'the kind of column "isbn" has "string"; the values are text, integer, number, boolean, date, timestamp, choice, tags, json',
  ],
  [
    'Type "book"',
    { columns: [...BOOK.columns, { name: "isbn", kind: "text", set: "alway" }] },
    'the set of column "isbn" has "alway"; did you mean "always"?',
  ],
  [
    'Type "book"',
    { confirm: { remove: "always" } },
    'confirm has "remove"; the values are create, update, delete',
  ],
  ['Type "book"', { confirm: { delete: "alway" } }, `confirm.delete is "alway"; ${CONFIRM_ADVICE}`],
  [
    'Type "book"',
    { confirm: { delete: { unnamed: true } } },
    `confirm.delete is {"unnamed":true}; ${CONFIRM_ADVICE}`,
  ],
  ['Tool "finish_book"', { effect: "reed", writes: [] }, 'effect has "reed"; did you mean "read"?'],
  [
    'Tool "finish_book"',
    { steps: ["read", "writing"], effect: "read", writes: [] },
    'steps has "writing"; the values are read, analyze, generate, write',
  ],
  ['Tool "finish_book"', { confirm: true }, `confirm is true; ${CONFIRM_ADVICE}`],
  [
    'Tool "finish_book"',
    { undo: { nevr: "it was sent" } },
    'undo is {"nevr":"it was sent"}; write { never: "the refund has been made" } with the reason, or a function',
  ],
  [
    'Check "lent books"',
    { actions: ["delete", "created"] },
    'actions has "created"; did you mean "create"?',
  ],
  [
    'Subdomain "shelf"',
    { guidance: { writes: "Ask." } },
    'guidance has "writes"; did you mean "write"?',
  ],
];

/** Parts that give no text, and keys that nobody reads. */
const UNREAD: readonly (readonly [parts: object, ...problems: readonly string[]])[] = [
  ...[async () => "Emma", ({ pages }: JsonObject) => pages, async () => JSON.parse("")].map(
    (label) =>
      [
        withValues('Type "book"', { label }),
        'Type "book": label gives no text for a row without values, as a new one may be; return one, such as String(values["title"] ?? "")',
      ] as const,
  ),
  [
    { emptyText: (table: string) => (table === "loans" ? undefined : "None.") },
    'emptyText gives no text for the table "loans"; return one',
  ],
  [
    { examples: { repli: { shown: ["Message"], answer: "Hello." } } },
    'examples has "repli"; did you mean "reply"?',
  ],
  [
    { simulated: { ...mealsDomain.simulated, subdomains: {} } },
    'simulated: Unrecognized key: "subdomains"',
  ],
  [
    { simulated: { ...mealsDomain.simulated, columns: ["pages", "quantity"] } },
    'simulated: columns: no type has a column "quantity"',
  ],
];

/** The library with other values in the part of that name. */
function withValues(part: string, values: object): Domain {
  const library = describeLibrary();
  const change = <T extends object>(parts: readonly T[], print: (one: T) => string): readonly T[] =>
    parts.map((one) => (print(one) === part ? Object.assign({ ...one }, values) : one));
  return {
    ...library,
    entityTypes: change(library.entityTypes, ({ type }) => `Type "${type}"`),
    tools: change(library.tools, ({ name }) => `Tool "${name}"`),
    checks: change(library.checks, ({ name }) => `Check "${name}"`),
    subdomains: change(library.subdomains, ({ name }) => `Subdomain "${name}"`),
  };
}

describe("defineDomain()", () => {
  test("takes a domain without mistakes as it is", () => {
    const library = describeLibrary();

    expect(defineDomain(library)).toBe(library);
    expect(defineDomain(mealsDomain)).toBe(mealsDomain);
  });

  test.each(UNKNOWN)("refuses in %s the values %o", (part, values, problem) => {
    expect(listProblems(withValues(part, values))).toEqual([`${part}: ${problem}`]);
  });

  test.each<[object, ...string[]]>([
    [{ tools: undefined }, '"tools" has to be a list'],
    [{ rules: "Be brief" }, '"rules" has to be a list of texts'],
    [
      { migrations: null, emptyText: "" },
      '"emptyText" has to be a function',
      '"migrations" has to be a text',
    ],
    [
      {
        entityTypes: [
          AUTHOR,
          { ...BOOK, words: "book", columns: [{ name: "title" }], label: undefined },
        ],
      },
      '"entityTypes.book.words" has to be { one, many }',
      '"entityTypes.book.columns.title.kind" has to be a text',
      '"entityTypes.book.label" has to be a function',
    ],
    [
      { entityTypes: [{ ...BOOK, lists: [{ ...CHAPTERS, kind: "list" }] }] },
      '"entityTypes.book.lists.chapters.kind" has to be "inline" or "entities"',
    ],
    [
      { tools: [{ ...FINISH_BOOK, parameters: z.string(), run: undefined }], checks: [undefined] },
      '"tools.finish_book.parameters" has to be z.strictObject({ … })',
      '"tools.finish_book.run" has to be a function',
      '"checks.0" has to be an object',
    ],
    [
      {
        entityTypes: [
          {
            ...BOOK,
            key: "id",
            rights: "read",
            confirm: "always",
            refPrefix: 1,
            words: { ...BOOK.words, also: "volume" },
          },
        ],
      },
      '"entityTypes.book.words.also" has to be a list of texts',
      '"entityTypes.book.refPrefix" has to be a text',
      '"entityTypes.book.rights" has to be a list of texts',
      '"entityTypes.book.key" has to be { column, kind }',
      '"entityTypes.book.confirm" has to be an object',
    ],
    [
      {
        tools: [{ ...FINISH_BOOK, writes: "book", steps: "write" }],
        checks: [{ ...LENT_BOOKS, links: [["author_id"]] }],
        subdomains: [{ name: "shelf", type: "book", reads: "author", about: "all" }],
      },
      '"subdomains.shelf.reads" has to be a list of texts',
      '"tools.finish_book.writes" has to be a list of texts',
      '"tools.finish_book.steps" has to be a list of texts',
      '"checks.lent books.links.0" has to be a text',
    ],
  ])("refuses a description with %o", (parts, ...problems) => {
    const domain = Object.assign(describeLibrary(), parts);

    expect(listProblems(domain)).toEqual(problems.map((problem) => `${problem}; write it`));
  });

  test.each(UNREAD)("refuses %o", (parts, ...problems) => {
    expect(listProblems(Object.assign(describeLibrary(), parts))).toEqual(problems);
  });

  test.each(MISTAKES)("refuses %s", (_, parts, problem) => {
    expect(listProblems(describeLibrary(parts))).toEqual([problem]);
  });

  test("takes parameters whose items, or values beside null, are described", () => {
    const note = z.string().describe("a note");
    const day = z.iso.date().describe("its day");
    const parameters = z.strictObject({ note: note.nullable(), notes: z.array(note), day });

    expect(listProblems(describeLibrary({ tools: [{ ...FINISH_BOOK, parameters }] }))).toEqual([]);
  });

  test("takes examples that are answers of the domain", () => {
    const examples: Domain["examples"] = {
      understand: { shown: ['Message: "hi"'], answer: HEARD },
      think: { shown: ['Message: "which of them?"'], answer: planIn("shelf") },
      act: { shown: ["Step"], answer: [{ name: "finish_book", args: { ref: "thing_1" } }] },
      reply: { shown: ['Message: "hi"'], answer: "Hello." },
    };
    expect(listProblems(describeLibrary({ examples }))).toEqual([]);
  });

  test("names every mistake at once, under the domain's name", () => {
    const wrong = describeLibrary({
      ...withBook({ summary: ["titel"], orderBy: ["crated_at"] }),
      tools: [FINISH_BOOK, FINISH_BOOK],
    });

    expect(() => defineDomain(wrong)).toThrow(
      new DomainError("library", [
        'Type "book": summary names "titel"; did you mean "title", or is "title" misspelt?',
        'Type "book": orderBy names "crated_at"; did you mean "created_at", or is "created_at" misspelt?',
        'Two tools are called "finish_book"; rename one of them',
      ]),
    );
  });

  test("throws an error that Node prints with each problem once", () => {
    expect(inspect(new DomainError("library", ["Rename it"])).match(/Rename it/g)).toHaveLength(1);
  });

  test("knows the tools that every step has", () => {
    const tools = new StepTools(new Toolbox(NO_DOMAIN));
    const names = tools.list({ stepType: "analyze", subdomain: "" }).map(({ name }) => name);

    expect(names.toSorted()).toEqual(CORE_TOOLS.toSorted());
  });
});

function listProblems(domain: Domain): readonly string[] {
  try {
    defineDomain(domain);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.problems;
    throw error;
  }
}
