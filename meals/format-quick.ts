import { renderFacts } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import type { QuickResult, ReadScope } from "../state/domain.ts";
import type { RowCondition } from "../state/filter.ts";
import { amountWords } from "./amount-words.ts";
import { LOCATIONS, mealsEntityType } from "./entity-types.ts";
import { emptyText } from "./guidance.ts";
import { joinItems } from "../text/join-list.ts";
import { renderMealsSentence, type MealsSentenceId } from "./sentences.ts";
import {
  capital,
  dayWords,
  readNumberField,
  readTextField,
  readTextListField,
} from "./read-values.ts";

/** Rows of one table, and how many there are in all. */
interface TableRows {
  readonly table: string;
  readonly rows: readonly JsonObject[];
  readonly total: number;
  readonly scope: ReadScope;
}

/**
 * Words what a look-up found: the inventory by place, the plan by day, lists as lists. It says that
 * something is not there only as far as the look-up has read.
 *
 * @returns null where the form is not known, or the message does not seem to be English.
 */
export function formatQuick(result: QuickResult): string | null {
  if (!looksEnglish(result.message)) return null;
  const [read, ...others] = result.reads;
  if (read === undefined || others.length > 0) return null;
  const found: TableRows = {
    table: read.table,
    rows: read.rows.map((row) => row.values),
    total: read.total,
    scope: read.scope,
  };
  // Rows are missing where they were held and nobody put them back in.
  if (found.rows.length < read.ids.length) return null;
  // A table may have rows that its conditions have kept out.
  if (found.rows.length === 0 && !coversAll(read.scope)) return null;
  switch (read.table) {
    case "inventory":
      return formatInventory(found, placesIn(result));
    case "meal_plans":
      return formatPlan(found);
    case "shopping_list":
      return formatShopping(found);
    case "tasks":
      return formatTasks(found);
    case "recipes":
      return formatRecipes(found);
    case "members":
      return formatMembers(found);
    case "preferences":
      return formatPreferences(found);
    default:
      return null;
  }
}

const ENGLISH = new Set(
  (
    "a all am and any anything are can check could cook cooked do does eat eating for freezer fridge got have here how " +
    "i in is it left let list live lives many me meals my need now of on open our pantry plan planned please recipe recipes see " +
    "shopping show soon still task tasks tell that the there this to today tomorrow tonight we week what when which who with"
  ).split(" "),
);

/** Another language is answered by the model: half of the words or more have to be common English ones. */
function looksEnglish(message: string): boolean {
  const words = message.toLowerCase().match(/[\p{L}]+/gu) ?? [];
  const known = words.filter((word) => ENGLISH.has(word) || word === "s" || word === "counter");
  return known.length * 2 >= words.length;
}

type Place = (typeof LOCATIONS)[number];

function placesIn({ message, intent }: QuickResult): readonly Place[] {
  const asked = namedPlaces(message);
  return asked.length > 0 ? asked : namedPlaces(intent);
}

function namedPlaces(text: string): Place[] {
  return LOCATIONS.filter((place) => text.toLowerCase().includes(place));
}

const PLACE_WORDS = {
  pantry: "inPantry",
  fridge: "inFridge",
  freezer: "inFreezer",
  counter: "onCounter",
} as const satisfies Record<Place, MealsSentenceId>;

function namePlaces(places: readonly Place[]): string {
  const words = places.map((place) => renderMealsSentence(PLACE_WORDS[place]));
  return words.join(renderMealsSentence("orPlace"));
}

function renderEmptyPlaces(places: readonly Place[]): string {
  return renderMealsSentence("emptyPlaces", { places: namePlaces(places) });
}

/** Returns true for a read of the whole table. */
function coversAll({ refs, where, isComplete }: ReadScope): boolean {
  return isComplete && refs.length === 0 && where.length === 0;
}

interface ColumnValue {
  readonly column: string;
  readonly value: string | boolean;
}

/** Returns true where every row with that value of the column was read: no other condition keeps one out. */
function coversValue(
  { refs, where, isComplete }: ReadScope,
  { column, value }: ColumnValue,
): boolean {
  return (
    isComplete &&
    refs.length === 0 &&
    where.every((condition) => condition.column === column && admits(condition, value))
  );
}

/** Returns true where a condition surely lets a value through. */
function admits({ op, value }: RowCondition, wanted: string | boolean): boolean {
  const alike = (other: unknown): boolean =>
    String(other).toLowerCase() === String(wanted).toLowerCase();
  switch (op) {
    case "=":
      return alike(value);
    case "!=":
      return !alike(value);
    case "in":
      return Array.isArray(value) && value.some(alike);
    case "not_in":
      return Array.isArray(value) && !value.some(alike);
    case "is_not_null":
      return true;
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "ilike":
    case "contains":
    case "is_null":
      return false;
    default:
      return op satisfies never;
  }
}

/** Returns true where the conditions on places let this one through: something in it may have been kept out by another. */
function looksIn(place: Place, { where }: ReadScope): boolean {
  return where
    .filter(({ column }) => column === "location")
    .every((condition) => admits(condition, place));
}

/** Returns the name that a read looks for, in words; null where it looks for none. */
function readSoughtName({ where }: ReadScope): string | null {
  const sought = where.filter(({ column }) => column === "name");
  const [value] = sought.map(({ op, value: words }) =>
    (op === "ilike" || op === "=") && typeof words === "string" ? words : "",
  );
  const name = value?.replaceAll(/[%_*]+/gu, " ").trim() ?? "";
  return sought.length === 1 && PLAIN_NAME.test(name) ? name : null;
}

/** A name that can stand in a sentence of code. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N}' -]{0,39}$/u;

/** The rows of the places that were asked for; where these have none, those that were found elsewhere. */
function formatInventory({ rows, total, scope }: TableRows, asked: readonly Place[]): string {
  const isIn = (place: Place, row: JsonObject): boolean => row["location"] === place;
  const places = asked.length === 0 ? LOCATIONS : asked;
  const empty = asked.filter((place) => !rows.some((row) => isIn(place, row)));
  const shown = empty.length === places.length && !coversAll(scope) ? LOCATIONS : places;
  const groups = shown.flatMap((place) => {
    const items = rows.filter((row) => isIn(place, row));
    if (items.length === 0) return [];
    return [
      [
        renderMealsSentence("placeHeading", { place: capital(place), count: items.length }),
        ...items.map((item) => `- ${itemText(item)}`),
      ].join("\n"),
    ];
  });
  const gaps = renderGaps(empty, scope);
  // What was asked for comes first.
  const texts = empty.length === places.length ? [...gaps, ...groups] : [...groups, ...gaps];
  if (texts.length === 0) return emptyText("inventory");
  return [...texts, ...moreText(rows.length, total)].join("\n\n");
}

/** Says of places without a row what the read tells: that they are empty, or that what was sought is not there. */
function renderGaps(empty: readonly Place[], scope: ReadScope): string[] {
  if (!scope.isComplete || scope.refs.length > 0) return [];
  const isRead = (place: Place): boolean =>
    coversValue(scope, { column: "location", value: place });
  const bare = empty.filter(isRead);
  const sought = empty.filter((place) => !isRead(place) && looksIn(place, scope));
  const name = readSoughtName(scope);
  return [
    ...(bare.length === 0 ? [] : [renderEmptyPlaces(bare)]),
    ...(sought.length === 0
      ? []
      : [
          name === null
            ? renderMealsSentence("nothingFoundThere", { places: namePlaces(sought) })
            : renderMealsSentence("notFoundThere", { name, places: namePlaces(sought) }),
        ]),
  ];
}

function itemText(item: JsonObject): string {
  const until = readTextField(item, "expires_on");
  if (until === "") return named(item);
  return renderMealsSentence("itemUntil", { item: named(item), day: dayWords(until) });
}

function formatPlan({ rows, total }: TableRows): string {
  if (rows.length === 0) return emptyText("meal_plans");
  const days = [...new Set(rows.map((row) => readTextField(row, "date")))];
  const texts = days.map((date) =>
    [
      renderMealsSentence("dayHeading", { day: dayWords(date) }),
      ...rows
        .filter((row) => readTextField(row, "date") === date)
        .map((row) => `- ${mealText(row)}`),
    ].join("\n"),
  );
  return [...texts, ...moreText(rows.length, total)].join("\n\n");
}

function mealText(meal: JsonObject): string {
  const servings = readNumberField(meal, "servings");
  const notes = [
    meal["leftovers"] === true ? renderMealsSentence("leftovers") : "",
    servings === null ? "" : renderMealsSentence("servings", { count: servings }),
  ].filter((note) => note !== "");
  const extra = notes.length === 0 ? "" : ` (${joinItems(notes)})`;
  const title = readTextField(meal, "title") || renderMealsSentence("aMeal");
  return `${capital(readTextField(meal, "slot"))}: ${title}${extra}`;
}

function formatShopping({ rows, total, scope }: TableRows): string {
  if (rows.length === 0) return renderMealsSentence("emptyShoppingList");
  const open = rows.filter((row) => row["purchased"] !== true);
  const bought = rows.filter((row) => row["purchased"] === true);
  const lines = open.map((row) => {
    const dishes = joinItems(readTextListField(row, "sources"));
    const item = named(row);
    return `- ${dishes === "" ? item : renderMealsSentence("itemForDishes", { item, dishes })}`;
  });
  const isAllBought =
    open.length === 0 && coversValue(scope, { column: "purchased", value: false });
  const head =
    open.length > 0
      ? [[renderMealsSentence("toBuyHeading"), ...lines].join("\n")]
      : isAllBought
        ? [renderMealsSentence("nothingToBuy")]
        : [];
  const tail =
    bought.length === 0
      ? []
      : [renderMealsSentence("bought", { items: joinItems(bought.map(named)) })];
  return [...head, ...tail, ...moreText(rows.length, total)].join("\n\n");
}

function formatTasks({ rows, total }: TableRows): string {
  if (rows.length === 0) return renderMealsSentence("noTasksToShow");
  const lines = rows.map((row) => {
    const due = readTextField(row, "due_on");
    const status = taskStatus(row["done"] === true, due);
    return `- ${readTextField(row, "title")}${status === "" ? "" : ` (${status})`}`;
  });
  const tasks = [renderMealsSentence("tasksHeading"), ...lines].join("\n");
  return [tasks, ...moreText(rows.length, total)].join("\n\n");
}

function taskStatus(isDone: boolean, due: string): string {
  if (isDone) return renderMealsSentence("taskDone");
  return due === "" ? "" : renderMealsSentence("taskDue", { day: dayWords(due) });
}

function formatRecipes({ rows, total }: TableRows): string {
  if (rows.length === 0) return emptyText("recipes");
  const type = mealsEntityType("recipe");
  const lines = rows.map((row, index) => {
    const about = renderFacts(type, row);
    return `${index + 1}. ${readTextField(row, "name")}${about === "" ? "" : `: ${about}`}`;
  });
  return [lines.join("\n"), ...moreText(rows.length, total)].join("\n\n");
}

const MEMBER_LISTS = ["diet", "allergies", "dislikes", "favourites"] as const;

function formatMembers({ rows, total }: TableRows): string {
  if (rows.length === 0) return emptyText("members");
  const lines = rows.map((row) => {
    const until = readTextField(row, "until");
    const about = [
      ...(until === "" ? [] : [renderMealsSentence("guestUntil", { day: dayWords(until) })]),
      ...MEMBER_LISTS.flatMap((column) => {
        const items = joinItems(readTextListField(row, column));
        return items === "" ? [] : [renderMealsSentence(column, { items })];
      }),
    ].join("; ");
    return `- ${readTextField(row, "name")}${about === "" ? "" : `: ${about}`}`;
  });
  const members = [renderMealsSentence("membersHeading"), ...lines].join("\n");
  return [members, ...moreText(rows.length, total)].join("\n\n");
}

function formatPreferences({ rows: [row = {}] }: TableRows): string {
  const size = readNumberField(row, "household_size");
  const equipment = joinItems(readTextListField(row, "equipment"));
  const skill = readTextField(row, "skill");
  const lines = [
    ...(size === null ? [] : [renderMealsSentence("household", { count: size })]),
    ...(equipment === "" ? [] : [renderMealsSentence("equipment", { items: equipment })]),
    ...(skill === "" ? [] : [renderMealsSentence("skill", { skill })]),
  ].map((line) => `- ${line}`);
  const preferences = [renderMealsSentence("preferencesHeading"), ...lines].join("\n");
  return [preferences, renderMealsSentence("whoLivesHere")].join("\n\n");
}

function named(row: JsonObject): string {
  const unit = readTextField(row, "unit");
  const amount = amountWords(readNumberField(row, "quantity"), unit === "" ? null : unit);
  return amount === "" ? readTextField(row, "name") : `${readTextField(row, "name")}: ${amount}`;
}

function moreText(shown: number, total: number): string[] {
  return total > shown ? [renderMealsSentence("moreRows", { shown, more: total - shown })] : [];
}
