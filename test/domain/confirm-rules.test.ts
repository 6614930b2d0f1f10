import { expect, test } from "vitest";
import { findConfirmRules } from "../../domain/changes/confirm-rules.ts";
import { findObjection } from "../../domain/changes/find-objection.ts";
import type { Change } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import { BOOK, FINISH_BOOK, LOAN, NOTE } from "../support/library.ts";

const deletion: Change = {
  action: "delete",
  type: "book",
  id: "1",
  ref: "book_1",
  label: "Emma",
  before: {},
  after: null,
  version: 1,
  changed: [],
  cause: "named",
};
const found: Change = { ...deletion, cause: "found" };
const note: Change = { ...deletion, type: "note", label: "Read to page 10", cause: "follows" };

const loan: Change = { ...note, type: "loan", label: "Kim's" };

const selectAll = <T>(rows: readonly T[]): readonly T[] => rows;

interface Circumstances {
  /** Changes of the kind that the turn has made before. */
  readonly earlier?: number;
  /** Labels of what the person has not named. */
  readonly unnamed?: readonly string[];
  readonly book?: EntityType;
  readonly isAlone?: boolean;
}

/** Finds the rules for changes that the person has named, and the plan has listed. */
function findRules(
  changes: readonly Change[],
  { earlier = 0, unnamed = [], book = BOOK, isAlone = true }: Circumstances = {},
): readonly string[] {
  return findConfirmRules(changes, {
    tool: { name: "delete_rows" },
    entityTypes: [book, NOTE, LOAN],
    drafts: new Map(),
    isAlone,
    consent: {
      selectNamed: (rows) => rows.filter(({ label }) => !unnamed.includes(label)),
      selectPlanned: selectAll,
      selectAgreed: null,
      countEarlier: () => earlier,
      isUnasked: false,
      ordersNoDeletion: false,
      selectUnrelated: () => [],
    },
  });
}

test.each([
  ["a row that a ref names, with its parts", [deletion, note], []],
  [
    "a row that a ref names, with another of its type",
    [deletion, { ...deletion, cause: "follows" as const }],
    [],
  ],
  [
    "a row that a ref names, with a row of another type",
    [deletion, loan],
    ["delete book: other rows go with it"],
  ],
  [
    "a row that a ref names and that a row of another type loses",
    [deletion, { ...loan, action: "update" as const, changed: ["book_id"] }],
    ["delete book: other rows go with it"],
  ],
  [
    "a row that a ref names, with another change of a row of another type",
    [deletion, { ...loan, action: "update" as const, changed: ["borrower"] }],
    [],
  ],
  ["rows that no ref names", [found], []],
  [
    "rows that no ref names, with rows of another type",
    [found, note],
    ["delete book: other rows go with it"],
  ],
  [
    "rows that no ref names, with changes of another type",
    [found, { ...note, action: "update" as const }],
    [],
  ],
])("findConfirmRules() for a deletion that is named and planned: %s", (_, changes, rules) => {
  expect(findRules(changes)).toEqual(rules);
});

test("findConfirmRules() asks about a deletion that takes rows along which no type describes", () => {
  const rules = ["delete book: other rows go with it"];
  expect(findRules([deletion], { isAlone: false })).toEqual(rules);
});

test("findConfirmRules() counts what the turn has changed before the call", () => {
  expect(findRules([deletion], { earlier: 2 })).toEqual([]);
  expect(findRules([deletion], { earlier: 3 })).toEqual(["delete book: more than 3"]);
});

function listChapters(titles: readonly string[]) {
  return { chapters: titles.map((title) => ({ title })) };
}

test("findObjection() asks anew about what was asked about otherwise, though no rule would ask by now", () => {
  const rules = ["delete book: more than 3"];
  const objection = findObjection([deletion], {
    verdicts: [],
    along: [],
    drafts: new Map(),
    tool: { ...FINISH_BOOK, name: "delete_rows" },
    entityTypes: [BOOK, NOTE],
    consent: {
      selectNamed: selectAll,
      selectPlanned: selectAll,
      selectAgreed: null,
      countEarlier: () => 0,
      isUnasked: false,
      ordersNoDeletion: false,
      isPreview: false,
      selectUnrelated: () => [],
      listUnspoken: () => [],
      confirmed: { changesHash: "another", rules },
      isRepeated: false,
    },
  });

  expect(objection).toMatchObject({ kind: "unconfirmed", unconfirmed: { rules } });
});

/** An update of a book's chapters. */
function rewrite(before: readonly string[], after: readonly string[]): Change {
  return {
    ...deletion,
    action: "update",
    before: listChapters(before),
    after: listChapters(after),
    changed: ["chapters"],
  };
}

const UNNAMED = "update book: items taken out that were not named";

test.each([
  ["a new item", rewrite(["I"], ["I", "II"]), []],
  ["another order", rewrite(["I", "II"], ["II", "I"]), []],
  ["an item that the person has named", rewrite(["I", "II"], ["I"]), []],
  ["an item that nobody named", rewrite(["I", "III"], ["I"]), [UNNAMED]],
  ["one of two alike", rewrite(["III", "III"], ["III"]), [UNNAMED]],
  ["all of the items", rewrite(["I", "III"], []), [UNNAMED]],
  ["an item in place of another", rewrite(["I", "III"], ["I", "IV"]), [UNNAMED]],
  [
    "more items than may be deleted at once",
    rewrite(["I", "II", "IV", "V"], []),
    ["update book: more than 3 items taken out"],
  ],
])(
  "findConfirmRules() takes items that an update takes out of a list for deleted: %s",
  (...row) => {
    const [, change, rules] = row;
    expect(findRules([change], { unnamed: ["III"] })).toEqual(rules);
  },
);

test("findConfirmRules() asks about no item where updates of the type are never asked about", () => {
  const book: EntityType = { ...BOOK, confirm: { update: "never" } };
  expect(findRules([rewrite(["III"], [])], { unnamed: ["III"], book })).toEqual([]);
});

test.each([
  ["that is added", ["crime"], ["crime", "war"], []],
  ["that the person has named", ["crime", "war"], ["war"], []],
  ["that nobody named", ["crime", "love"], ["crime"], [UNNAMED]],
  ["in place of another", ["love"], ["crime"], [UNNAMED]],
])("findConfirmRules() takes a text that leaves a list column for deleted: %s", (...row) => {
  const [, before, after, rules] = row;
  const columns = [
    ...BOOK.columns,
    { name: "themes", kind: "tags" as const, set: "always" as const },
  ];
  const change: Change = {
    ...deletion,
    action: "update",
    before: { themes: before },
    after: { themes: after },
    changed: ["themes"],
  };

  expect(findRules([change], { unnamed: ["love"], book: { ...BOOK, columns } })).toEqual(rules);
});
