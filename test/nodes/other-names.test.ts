import { expect, test } from "vitest";
import { createNameCheck } from "../../nodes/steps/other-names.ts";
import type { EntityType } from "../../state/entity.ts";
import { AUTHOR, BOOK } from "../support/library.ts";

const TYPES: readonly EntityType[] = [BOOK, AUTHOR];

/** Tells whether a message names another book than the one of a label, beside which Kim Lee is known. */
function namesOther(message: string, label: string, isStrict: boolean): boolean {
  const entries = [
    { type: "book", id: "book-1", label, facts: "370 pages, attic" },
    { type: "author", id: "author-1", label: "Kim Lee", facts: "" },
  ];
  const check = createNameCheck({ message, registry: { entries }, entityTypes: TYPES, isStrict });
  return check({ type: "book", id: "book-1", ref: "book_1", label });
}

test.each([
  ["delete INV-2026-00900", "INV-2026-00018"],
  ["delete INV-2026-0001 please", "INV-2026-00018"],
  ["delete L-26-05", "L-26-04"],
  ["delete S-26-04", "L-26-04"],
  ["set the memo of INV-2025-00018 to shelves", "INV-2026-00018"],
  ["please delete payment 7 of 100", "payment 1 of 100"],
  ["delete The Great Gatsby", "The Great Escape"],
  ["set the pages of The Great Gatsby to 300", "The Great Escape"],
  ["rename the client Blue Mill to Green Mill", "Blue Kiln"],
  ["delete Children of Dune", "Dune"],
  ["delete Dune Messiah", "Dune"],
])("createNameCheck() finds another name in %j than %j", (message, label) => {
  expect([true, false].map((isStrict) => namesOther(message, label, isStrict))).toEqual([
    true,
    true,
  ]);
});

test.each([
  ["delete the great gatsby", "The Great Escape", [true, false]],
  ["make the wings crispy", "Sticky Chicken Wings", [true, false]],
  ["bin the blue tent", "Pop-up tent", [true, false]],
  ["delete the tent poles", "Pop-up tent", [true, false]],
  ["delete alexander the great", "The Great Escape", [true, false]],
  ["alexander the great can go", "The Great Escape", [true, false]],
  ["bin clash of the titans", "Titans Rising", [true, false]],
])(
  "createNameCheck() takes any word beside a part of a label for its name where it is strict: %j",
  (message, label, found) => {
    expect([true, false].map((isStrict) => namesOther(message, label, isStrict))).toEqual(found);
  },
);

test.each([
  ["delete INV-2026-00018", "INV-2026-00018"],
  ["delete 00018", "INV-2026-00018"],
  ["delete L-26-04, I entered it twice", "L-26-04"],
  ["set A-105 to 12 pages", "A-105"],
  ["Delete Mrs Hansen on Friday, please", "Maren Hansen"],
  ["delete the Escape book", "The Great Escape"],
  ["delete the great one in the attic", "The Great Escape"],
  ["remove Dune by Kim Lee", "Dune"],
  ["remove Kim Lee Dune", "Dune"],
  ["Lösche Dune am Dienstag", "Dune"],
  ["Great Escape: delete it", "The Great Escape"],
  ["bin the tent and the smoke machine", "Pop-up tent"],
  ["please chuck the tent", "Pop-up tent"],
  ["vire la tente", "Tente pop-up"],
  ["butta la tenda", "Tenda pop-up"],
  ["pfeffer den Generator raus", "Honda Generator"],
  ["she brings the chair herself so we don't need it", "Makeup chair"],
  ["remove the tent again", "Pop-up tent"],
  ["lösche das Zelt doch selbst", "Pop-up Zelt"],
  ["make it 3", "The Great Escape"],
  ["move it to 2026-01-17", "Curry 2026-01-16"],
  ["move Curry to 17.01.2026", "Curry 16.01.2026"],
  ["delete Dune. Children of Dune stays", "Dune"],
])("createNameCheck() finds no other name in %j than %j", (message, label) => {
  expect([true, false].map((isStrict) => namesOther(message, label, isStrict))).toEqual([
    false,
    false,
  ]);
});
