import { listNames } from "../../output-filter/asked-change.ts";
import { isContentWord, sharesWord } from "../../registry/shared-words.ts";
import { CHANGE_FIELDS } from "../../text/change-words.ts";
import { foldWords } from "../../text/fold-words.ts";
import { splitParts } from "./ended-values.ts";
import { leaveOutNames } from "./row-words.ts";
import { SpokenValues, type SetValue, type SpokenWords } from "./spoken-values.ts";

const LANGUAGES = [...CHANGE_FIELDS.values()];

/** Forms of "is" in the shipped languages, and words before a state that something is to be put in: "den Generator auf gebucht". */
const IS_OR_TO = new Set(
  "is are ist sind es esta estan est sont sono zijn sao auf als as como comme come op".split(" "),
);

/** A row, by its names, and the other values that it is given. */
interface StatedRow {
  readonly labels: readonly string[];
  readonly beside: readonly SetValue[];
  /** Words that stand for no state: of columns, types and the row's values. */
  readonly known: string;
}

/**
 * Returns true where a clause of a message says of a row by its name what it is, or is to be, in words that no
 * language of code knows, and gives none of the values beside: "Walkies sind gebucht, aber nur acht Stück". Pure.
 */
export function saysState(words: SpokenWords, { labels, beside, known }: StatedRow): boolean {
  return splitParts(words.message).some((part) => {
    const rest = leaveOutNames(part, labels);
    const spoken = new SpokenValues({ ...words, message: rest });
    return (
      givesState(part, labels) &&
      hasOpenWord(rest, known) &&
      !spoken.hasNumbers() &&
      !beside.some((value) => spoken.gives(value))
    );
  });
}

/** Returns true where a state follows the last word of a name, behind small words alone: "the van, please, as booked". */
function givesState(part: string, labels: readonly string[]): boolean {
  const words = foldWords(part);
  const name = labels.join(" ");
  const last = words.findLastIndex((word) => isContentWord(word) && sharesWord(name, word));
  const next = words
    .slice(last + 1)
    .find(
      (word) =>
        IS_OR_TO.has(word) ||
        !LANGUAGES.some((language) => language.has(word, "lead", "requests", "little")),
    );
  return last !== -1 && next !== undefined && IS_OR_TO.has(next);
}

/** Returns true for a text with a word that nobody knows, or the finished form of a verb. */
function hasOpenWord(text: string, known: string): boolean {
  const done = LANGUAGES.flatMap((language) =>
    language.split(text).filter((word) => language.has(word, "done there", "done gone")),
  );
  return [...listNames(text), ...done].some(
    (word) => /\p{L}{2}/u.test(word) && !foldWords(word).some((each) => sharesWord(known, each)),
  );
}
