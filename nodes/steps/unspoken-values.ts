import type { Change } from "../../state/change.ts";
import {
  holdsNumbers,
  listInlineLists,
  listNouns,
  listVisibleColumns,
  renderFacts,
  rowKey,
  type EntityType,
} from "../../state/entity.ts";
import { foldWords } from "../../text/fold-words.ts";
import { holdsWords } from "../../text/holds-words.ts";
import { readCodes } from "../../text/read-codes.ts";
import { splitByRow, type LabelledRow } from "./row-clauses.ts";
import { isMisnamed } from "./misnamed-rows.ts";
import { joinValues, leaveOutNames, nameColumn } from "./row-words.ts";
import { saysState } from "./state-clauses.ts";
import { SpokenValues, type SetValue, type SpokenWords } from "./spoken-values.ts";

/**
 * Returns true for an update that sets what the message cannot mean: a number that none of its numbers makes,
 * another name, day or choice than it gives, a number that another column has used up or that the message gives
 * another column, a flag that it denies; or, beside another value, one that it speaks of neither by itself
 * nor by its column. Pure.
 */
export function setsUnspoken(update: Change, type: EntityType, words: SpokenWords): boolean {
  const values = listSet(update, type);
  const [old = "", now = ""] = [update.before, update.after].map((row) => type.label(row ?? {}));
  const named = new SpokenValues(words);
  const apart = new SpokenValues({
    ...words,
    message: leaveOutNames(words.message, [old, update.label]),
  });
  if (apart.selectUsedUp(values).length > 0 || apart.selectCrossed(values).length > 0) return true;
  const facts = listNewFacts(update, type, named.listWords(values));
  return values.some((value) => {
    const { column, after } = value;
    const { kind } = column;
    const isLabel =
      kind === "text" && typeof after === "string" && now.includes(after) && !old.includes(after);
    // A new name may share words with the old one.
    const spoken = isLabel ? named : apart;
    if (spoken.namesOtherNumber(value) || spoken.namesOtherChoice(value)) return true;
    if (named.givesNoSuchText(value, isLabel)) return true;
    if (spoken.denies(value) || isForAnother(value, type, { values, spoken })) return true;
    if (apart.keepsOld(value)) return true;
    if (after === null) return false;
    // A new name stands beside the old one.
    if (spoken.holds(isLabel ? { ...value, before: null } : value)) return false;
    const beside = values.filter((other) => other !== value);
    if (beside.length === 0 && apart.repeats(value)) return false;
    const isOpen =
      beside.length === 0
        ? holdsNumbers(column) || spoken.isOpen(update, type)
        : kind === "choice" &&
          beside.every((other) => apart.gives(other)) &&
          saysState(words, { labels: [old, update.label], beside, known: listKnown(update, type) });
    const isState = kind === "boolean" || kind === "choice";
    return isLabel || kind === "date" || !(isOpen || (isState && spoken.has(facts)));
  });
}

/**
 * Returns those of the new rows with a value in whose place the message gives another: another choice, a flag
 * that it denies, or a number, a day or a code that it does not have, where one of the message is in none of the
 * rows, nor in the text of what else the turn has changed. What the database gives by itself is no value of the
 * call's. Pure.
 */
export function selectOtherwise(
  created: readonly Change[],
  entityTypes: readonly EntityType[],
  { words, beside }: WordsAndChanges,
): readonly Change[] {
  // Most calls make no new rows.
  if (created.length === 0) return [];
  const reading = new NewRowWords(words);
  const spoken = reading.whole;
  const rows = created.map((change) => {
    const type = entityTypes.find((one) => one.type === change.type);
    return type === undefined
      ? { change, values: [], text: "", apart: spoken }
      : {
          change,
          values: listSet(change, type),
          text: joinValues(change.after, type),
          apart: reading.readApart(change, type),
        };
  });
  const whole = [...rows.map(({ text }) => text), beside].join(" ");
  const isOpen = spoken.hasNumberBeside(whole);
  const isDayOpen = isOpen || spoken.hasDayBeside(whole);
  const isCodeOpen = spoken.hasCodeBeside(whole);
  const set = new Set(rows.flatMap(({ values }) => values.map(({ after }) => after)));
  return rows
    .filter(({ change: { given, label }, values, apart }) => {
      const own = values.filter(({ column }) => given?.includes(column.name) !== false);
      if (apart.selectCrossed(own).length > 0) return true;
      return values.some((value) => {
        if (apart.namesOtherChoice(value, set)) return true;
        if (!own.includes(value)) return false;
        if (isNameIn(label, value) && isMisnamed(value.after, words.message)) return true;
        // A denial of one of several rows is none of the others.
        if (rows.length === 1 && spoken.denies(value)) return true;
        if (isOpen && spoken.namesOtherNumber(value)) return true;
        const isDay = isDayOpen && value.column.kind === "date" && value.after !== null;
        const isOtherCode = isCodeOpen && isCode(value);
        return (isDay || isOtherCode || isFigures(value)) && !spoken.holds(value);
      });
    })
    .map(({ change }) => change);
}

interface WordsAndChanges {
  readonly words: SpokenWords;
  /** The rows that were changed beside the new ones, with their values. */
  readonly beside: string;
}

/** A message, and the rows that it may name beside those that are changed. */
interface RowsOfMessage {
  readonly words: SpokenWords;
  readonly others: readonly LabelledRow[];
}

/**
 * Returns those of the changes that give a row a value which the message gives another row that it names, in
 * whose place it has another for this one: "Kim 370 pages, Tom 120 pages" stored the other way round. Pure.
 */
export function selectSwapped(
  changes: readonly Change[],
  entityTypes: readonly EntityType[],
  { words, others }: RowsOfMessage,
): readonly Change[] {
  const written = changes.flatMap((change) => {
    const type = entityTypes.find((one) => one.type === change.type);
    if (type === undefined) return [];
    const labels = [change.label, type.label(change.before ?? {}), type.label(change.after ?? {})];
    return [{ change, type, key: rowKey(change.type, change.id), labels }];
  });
  const parts = splitByRow(words.message, [...written, ...others]);
  const labels = [...written, ...others].flatMap((row) => row.labels);
  const spoken = new Map(
    [...parts].map(([key, part]) => {
      const message = leaveOutNames(part, labels);
      return [key, new SpokenValues({ ...words, message })] as const;
    }),
  );
  return written
    .filter(({ change, type, key }) => {
      const own = spoken.get(key);
      const rest = [...spoken].flatMap(([other, each]) => (other === key ? [] : [each]));
      return (
        own !== undefined &&
        listSet(change, type).some(
          (value) => own.givesOther(value) && rest.some((each) => each.gives(value)),
        )
      );
    })
    .map(({ change }) => change);
}

/**
 * Returns the names of those columns and lists of a new row that its call has given values which the message
 * has no word for. Pure.
 */
export function listUnspoken(
  change: Change,
  type: EntityType,
  words: NewRowWords,
): readonly string[] {
  const { changed, given = changed, after } = change;
  const apart = words.readApart(change, type);
  const values = listVisibleColumns(type)
    .filter(({ name }) => given.includes(name))
    .map((column) => ({ column, before: null, after: after?.[column.name] ?? null }));
  const usedUp = new Set(apart.selectUsedUp(values));
  const columns = values.filter(
    (value) => usedUp.has(value) || !(isOfWords(value) ? words.whole : apart).gives(value),
  );
  const lists = listInlineLists(type).filter(({ name }) => given.includes(name));
  return [...columns.map(({ column }) => column.name), ...lists.map(({ name }) => name)];
}

/** A message, held against new rows: read once for all rows of a call. */
export class NewRowWords {
  readonly whole: SpokenValues;
  readonly #words: SpokenWords;
  /** The names of known rows that the message has. */
  readonly #known: readonly string[];

  constructor(words: SpokenWords) {
    this.#words = words;
    this.whole = new SpokenValues(words);
    // Each row has its label by its ref and by its id.
    const labels = [...new Set(words.labels.values())];
    this.#known = labels.filter((label) => holdsWords(words.message, label));
  }

  /**
   * Reads what the message says of a new row beside names: the "7" of "Chapter 7" is no day and no amount, nor
   * is "Locke" a locked shelf, and what it says of a known row is of that one.
   */
  readApart({ label, after }: Change, type: EntityType): SpokenValues {
    const names = listVisibleColumns(type)
      .filter(({ kind, references }) => kind === "text" && references === undefined)
      .flatMap(({ name }) => after?.[name] ?? [])
      .filter((text) => typeof text === "string")
      .filter((text) => text !== "" && label.includes(text));
    const known = this.#known.filter((other) => !names.includes(other));
    const others = known.map((other) => ({ key: other, labels: [other] }));
    const { message } = this.#words;
    const part = splitByRow(message, [{ key: "", labels: names }, ...others]).get("") ?? message;
    const rest = leaveOutNames(part, [...names, ...known]);
    return rest === message ? this.whole : new SpokenValues({ ...this.#words, message: rest });
  }
}

/** The words of a row's values and of its type: they stand for no state of it. */
function listKnown({ before, after }: Change, type: EntityType): string {
  const values = [before, after].map((row) => joinValues(row, type));
  return [...values, ...listNouns(type), ...type.columns.map(nameColumn)].join(" ");
}

/** Returns true for a value that may be a name itself, or point at one. */
function isOfWords({ column: { kind, references } }: SetValue): boolean {
  return kind === "text" || kind === "tags" || references !== undefined;
}

/** The values of a change, and the message that they are held against. */
interface SetTogether {
  readonly values: readonly SetValue[];
  readonly spoken: SpokenValues;
}

/** Returns true for a number whose column the message does not name, where it names another that is not set: "set the price to 50". */
function isForAnother(
  { column }: SetValue,
  { columns }: EntityType,
  { values, spoken }: SetTogether,
): boolean {
  const set = new Set(values.map((value) => value.column.name));
  return (
    holdsNumbers(column) &&
    !spoken.hasColumn(column) &&
    columns.some((other) => holdsNumbers(other) && !set.has(other.name) && spoken.hasColumn(other))
  );
}

/** Lists the values that a change sets by columns that calls may set. */
export function listSet({ changed, before, after }: Change, type: EntityType): readonly SetValue[] {
  return listVisibleColumns(type)
    .filter(({ name, set = "never" }) => changed.includes(name) && set !== "never")
    .map((column) => ({
      column,
      before: before?.[column.name] ?? null,
      after: after?.[column.name] ?? null,
    }));
}

/** The words of the facts that a row did not have before and that are no values: "bought" of a line that is ticked off. */
function listNewFacts(
  { before, after }: Change,
  type: EntityType,
  values: readonly string[],
): string {
  const [was = [], is = []] = [before, after].map((row) => foldWords(renderFacts(type, row ?? {})));
  return is.filter((word) => !was.includes(word) && !values.includes(word)).join(" ");
}

/** Returns true for a text that stands in the label of its row. */
function isNameIn(label: string, value: SetValue): value is SetValue & { readonly after: string } {
  const { column, after } = value;
  const isText = column.kind === "text" && column.references === undefined;
  return isText && typeof after === "string" && after !== "" && label.includes(after);
}

/** Returns true for a text of figures alone, such as a phone number or a time: nobody makes up what it is. */
function isFigures({ column, after }: SetValue): boolean {
  const isText = column.kind === "text" && typeof after === "string";
  return isText && /^(?=(?:\P{Nd}*\p{Nd}){4})\P{L}+$/u.test(after);
}

/** Returns true for a text that is one word of letters and figures. */
function isCode({ column, after }: SetValue): boolean {
  const isText = column.kind === "text" && column.references === undefined;
  return isText && typeof after === "string" && readCodes(after).join("") === after.trim();
}
