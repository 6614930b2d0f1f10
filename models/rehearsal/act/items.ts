import { withoutDays } from "../language/calendar.ts";
import { listItems, tidyWords } from "../language/words.ts";
import { columnOfKind, nameColumn, type ShownTable } from "../prompt/read-tables.ts";
import type { World } from "../world/world.ts";

/** A thing to be added, with its amount. */
interface Item {
  readonly name: string;
  readonly quantity: number | null;
  readonly unit: string | null;
}

const VERBS =
  /^(?:(?:and|also|then|i|we|am|you|have|need|needs|want|would|like|to|add|put|buy|get|got|bought|write|note|stick|place|throw|pop|chuck|include|jot|drop|down|down on|run|ran|out|of|pick|up|remind|me|there|is|are|down that|that|has|will|should) )+/;

/** What of a phrase is to be added, without verbs and the name of the place. */
export function itemsIn(phrase: string, table: ShownTable, world: World): Item[] {
  const said = withoutPlace(phrase.replace(/ all the same$/, ""), table, world);
  const bare = columnOfKind(table, "date") === null ? said : withoutDays(said);
  const counts = columnOfKind(table, "number") !== null;
  const pieces = counts ? listItems(bare) : [bare];
  const items = pieces
    .map((piece) => itemOf(piece, world, counts))
    .filter(({ name, quantity }) => name !== "" || quantity !== null);
  return joinLooseAmounts(items).filter(({ name }) => name !== "" && !IS_PRONOUN.test(name));
}

const IS_PRONOUN =
  /^(?:it|them|they|those|these|that|this|everything|some|ones?)(?: (?:are|is|too))?$/;

/** "eggs: 12" names thing and number apart. */
function joinLooseAmounts(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const before = joined.at(-1);
    if (item.name === "" && before !== undefined && before.quantity === null) {
      joined[joined.length - 1] = { ...before, quantity: item.quantity, unit: item.unit };
    } else if (before !== undefined && before.name === "" && item.quantity === null) {
      joined[joined.length - 1] = { ...before, name: item.name };
    } else {
      joined.push(item);
    }
  }
  return joined;
}

function itemOf(piece: string, world: World, counts: boolean): Item {
  const bare = piece.replace(VERBS, "").trim();
  if (!counts) return { name: withoutKind(tidyWords(bare, "please")), quantity: null, unit: null };
  const glued = bare.replace(/^(\d+(?:\.\d+)?)(g|kg|ml|l)\b/, "$1 $2");
  const [, number, rest] =
    /^(?:(\d+(?:\.\d+)?|an?|one) (?:more |x |new )?)?(.*)$/.exec(`${glued} `) ?? [];
  const words = (rest ?? "").trim().split(" ");
  const [first = ""] = words;
  const hasUnit = world.units.includes(first) && (words.length > 1 || /^\d/.test(number ?? ""));
  const name = tidyWords(
    (hasUnit ? words.slice(1) : words).join(" ").replace(/^of /, ""),
    "some a an the more another few bit please also too again fresh my our any x",
  ).replace(/ (?:for|because|since|as) .*$/, "");
  const counted = /^\d/.test(number ?? "")
    ? Number(number)
    : hasUnit && number !== undefined
      ? 1
      : null;
  if (/^\d+(?:\.\d+)?$/.test(glued.trim()))
    return { name: "", quantity: Number(glued), unit: null };
  return { name, quantity: counted, unit: hasUnit ? first : null };
}

/** "a task to clean the oven" is called "clean the oven". */
function withoutKind(name: string): string {
  return name.replace(/^(?:an? |the |new )+\w+ (?:to|that says|called|for) /, "");
}

function withoutPlace(phrase: string, table: ShownTable, world: World): string {
  const places = placeWords(table, world).join("|");
  const place = `(?:the |my |our |this )?(?:[a-z]+ )?(?:${places})s?(?: of (?:things|stuff)(?: to buy)?)?`;
  return phrase
    .replace(new RegExp(`\\b(?:they|it) (?:are|is) (?:in|on) ${place}\\b`, "g"), " ")
    .replace(new RegExp(`\\b(?:to|on|onto|in|into|at|for) ${place}\\b`, "g"), " ")
    .replace(new RegExp(`^${place}(?= [,.])`), " ")
    .replace(new RegExp(`^${place} (?:has|needs)\\b`), " ")
    .replace(/\bthings to buy\b/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^[ ,.]+|[ ,.]+$/g, "")
    .trim();
}

/** Words that name the table or a value of one of its choices. */
function placeWords(table: ShownTable, world: World): string[] {
  const own = table.table.split("_").map((word) => word.replace(/s$/, ""));
  const values = table.columns.flatMap(({ values }) => values);
  const others = Object.entries(world.values).flatMap(([word, value]) =>
    values.includes(value) ? [word] : [],
  );
  const nouns = Object.entries(world.nouns).flatMap(([word, part]) =>
    table.table.startsWith(part) || part.startsWith(own[0] ?? "?") ? [word] : [],
  );
  return [...new Set([...own, ...values, ...others, ...nouns])].filter((word) => word.length > 2);
}

/** A value of a choice column that a phrase names; null where it names none. */
export function choiceIn(phrase: string, values: readonly string[], world: World): string | null {
  return choicesIn(phrase, values, world)[0] ?? null;
}

/** The values of a choice column that a phrase names, in its order. */
export function choicesIn(phrase: string, values: readonly string[], world: World): string[] {
  const named = phrase
    .split(/[^\p{L}\p{N}-]+/u)
    .flatMap((word) => [word, word.replace(/e?s$/, "")])
    .flatMap((word) => {
      const value = values.includes(word) ? word : world.values[word];
      return value !== undefined && values.includes(value) ? [value] : [];
    });
  return [...new Set(named)];
}

/** The fields of a new row for an item. */
export function fieldsOfItem(
  item: Item,
  table: ShownTable,
  rest: { readonly phrase: string; readonly dates: readonly string[]; readonly world: World },
): { readonly name: string; readonly value: string | number }[] {
  const amount = columnOfKind(table, "number");
  const unit = table.columns.find(({ name }) => name === "unit");
  const date = columnOfKind(table, "date");
  const [day] = rest.dates;
  const chosen = table.columns
    .filter(({ kind }) => kind === "choice")
    .flatMap(({ name, values }) => {
      const value = choiceIn(rest.phrase, values, rest.world);
      return value === null ? [] : [{ name, value }];
    });
  return [
    { name: nameColumn(table), value: item.name },
    ...(amount !== null && item.quantity !== null
      ? [{ name: amount.name, value: item.quantity }]
      : []),
    ...(unit !== undefined && item.unit !== null ? [{ name: unit.name, value: item.unit }] : []),
    ...chosen,
    ...(date !== null && day !== undefined ? [{ name: date.name, value: day }] : []),
  ];
}
