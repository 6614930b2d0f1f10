import { joinNames } from "../phrase.ts";
import { LISTS_SEVERAL } from "../prompt/complete-answer.ts";
import { compareNumbers } from "../prompt/read-entities.ts";
import type { ShownRow } from "../prompt/read-rows.ts";

/** A row that a name can mean, and where it is: "in the fridge", or nothing. */
export interface Option {
  readonly row: ShownRow;
  readonly place: string;
}

/** The rows that a name can mean, as a sentence, and the question which of them is meant. */
export interface OpenChoice {
  readonly found: string;
  readonly question: string;
}

/**
 * Lists what a name can mean. Rows of one name and place stand in the order of their refs, in which an
 * answer counts them, each with the first value that tells them apart: `"Rex" (weight 30) in the dogs`.
 */
export function listOptions(options: readonly Option[], question: string): OpenChoice {
  const sorted = options.toSorted((one, other) => compareNumbers(one.row.ref, other.row.ref));
  const isAlike = (one: Option, other: Option): boolean =>
    one.row.label === other.row.label && one.place === other.place;
  const alike = sorted.map((option) => sorted.filter((other) => isAlike(option, other)));
  const texts = sorted.map(({ row, place }, at) => {
    const fact = describeDifference(row, alike[at] ?? []);
    return [`"${row.label}"`, fact, place].filter((text) => text !== "").join(" ");
  });
  const isOpen = alike.some(({ length }) => length > 1);
  return {
    found: `${LISTS_SEVERAL}${joinNames(texts)}.`,
    question: isOpen ? "Which one do you mean? Please say “the first one” or the like." : question,
  };
}

/** The first value that no other of some rows has, with its column: "(weight 30)"; empty for a row that is alone, or like another. */
function describeDifference({ ref, cells }: ShownRow, alike: readonly Option[]): string {
  const others = alike.filter(({ row }) => row.ref !== ref);
  const found = Object.entries(cells).find(
    ([column, value]) =>
      /^[^(),"]+$/u.test(value) &&
      !/ and /u.test(value) &&
      others.every(({ row }) => row.cells[column] !== value),
  );
  return others.length === 0 || found === undefined
    ? ""
    : `(${found[0].replaceAll("_", " ")} ${found[1]})`;
}
