import { findOrder, listNames } from "../../output-filter/asked-change.ts";
import { listOrdered } from "../../output-filter/read-asked-parts.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import { foldWords } from "../../text/fold-words.ts";
import { isCourtesy } from "../../text/read-yes-no.ts";

/** All that came of a turn, in words. */
interface CameAbout {
  /** Each changed row, with what is known of it. */
  readonly rows: readonly string[];
  /** All else: what was refused, asked, read, noted. */
  readonly others: string;
}

/**
 * Returns true for a message that orders several things of which some have a word in what came of the
 * turn, and others none: a model has forgotten them. A changed row that no order names may be one of
 * those, under another name: "spuds". Where no order is named, the words are not those of the data, and
 * nothing is known. Pure.
 *
 * @example
 * forgetsOrder("Add rice and delete the milk", { rows: ["Rice"], others: "" }); // true
 * forgetsOrder("Add rice and delete the milk", { rows: ["Rice", "Milk"], others: "" }); // false
 */
export function forgetsOrder(message: string, { rows, others }: CameAbout): boolean {
  const orders = listOrdered(message)
    .filter((clause) => !isCourtesy(clause) && findOrder(clause)?.pointsBack !== true)
    .map(listNames)
    .filter((names) => names.length > 0);
  const isNamed = (row: string): boolean => orders.some((names) => sharesName(names, row));
  const came = [...rows, others];
  const forgotten = orders.filter((names) => !came.some((text) => sharesName(names, text)));
  const isReadable = forgotten.length < orders.length;
  return isReadable && forgotten.length > rows.filter((row) => !isNamed(row)).length;
}

/** Returns true for a text with one of some names, or with a figure of theirs. */
function sharesName(names: readonly string[], text: string): boolean {
  const words = foldWords(text);
  return (
    sharesWord(names.join(" "), text) ||
    names.some((name) => /\p{Nd}/u.test(name) && words.includes(name))
  );
}
