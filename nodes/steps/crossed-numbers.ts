import { sharesWord } from "../../registry/shared-words.ts";
import { holdsNumbers } from "../../state/entity.ts";
import type { WrittenNumber } from "../../text/read-numbers.ts";
import { nameColumn } from "./row-words.ts";
import { dropSpanWords } from "./spoken-days.ts";
import { isSame, toNumber } from "./spoken-numbers.ts";
import type { SetValue } from "./spoken-values.ts";

/** A message, and its numbers. */
interface Written {
  readonly message: string;
  readonly numbers: readonly WrittenNumber[];
}

/**
 * Returns those of the numbers that a row is given which the words around them tie to another column that is set,
 * and not to their own: a name ("length 90, rate 2"), or a unit that counts one thing ("make it 4, twelve each",
 * of a quantity and a price). Pure.
 */
export function selectCrossed(
  values: readonly SetValue[],
  { message, numbers }: Written,
): readonly SetValue[] {
  const set = values.flatMap((value) => {
    const number = holdsNumbers(value.column) ? toNumber(value.after) : null;
    return number === null ? [] : [{ value, places: findPlaces(number, numbers) }];
  });
  if (set.length < 2) return [];
  const parts = numbers.map((_, at) => readAround({ message, numbers }, at));
  return set
    .filter(({ value, places }) =>
      set.some(
        (other) =>
          other.value !== value &&
          places.length > 0 &&
          places.every(
            (at) =>
              !other.places.includes(at) &&
              isTied(other.value, value, parts[at]) &&
              !isTied(value, other.value, parts[at]),
          ),
      ),
    )
    .map(({ value }) => value);
}

function findPlaces(number: number, numbers: readonly WrittenNumber[]): readonly number[] {
  return numbers.flatMap(({ readings }, at) =>
    readings.some((one) => isSame(one, number)) ? [at] : [],
  );
}

/** Words around a number. */
interface Around {
  readonly words: string;
  readonly behind: string;
}

/** Ends of what is said of a number. */
const BREAK = /[,;.!?\n](?!\d)|(?<!\p{L})(?:and|und|y|et|e|en)(?!\p{L})/u;

function readAround({ message, numbers }: Written, at: number): Around {
  const [own, last, next] = [numbers[at], numbers[at - 1], numbers[at + 1]];
  const before = message.slice(last?.end ?? 0, own?.at ?? 0);
  const behind = message.slice(own?.end ?? 0, next?.at ?? message.length);
  const near = behind.split(BREAK)[0] ?? "";
  return { words: `${before.split(BREAK).at(-1) ?? ""} ${near}`, behind: near };
}

/** "12 each", "12 € a kilo", "4 pro Stück": for one of what another column counts. */
const FOR_ONE =
  /^\s*(?:\p{Sc}|euros?|dollars?|pounds?)?\s*(?:(?:each|apiece|per|pro|je|jeweils|a piece|cada|por|chacune?|par|ciascun[oa]?|l uno|stuk|per stuk)(?!\p{L})|\/)/iu;

/** Returns true where words around a number name a column, or it is for one of what the other column counts. */
function isTied(
  { column }: SetValue,
  { column: other }: SetValue,
  around: Around | undefined,
): boolean {
  const { words, behind } = around ?? { words: "", behind: "" };
  const isPrice = column.kind === "number" && other.kind === "integer" && FOR_ONE.test(behind);
  return isPrice || sharesWord(dropSpanWords(nameColumn(column)), words);
}
