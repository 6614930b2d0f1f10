import { keyText } from "../../domain/changes/key-text.ts";
import { listNames, meansGone, readOrder } from "../../output-filter/asked-change.ts";
import { isContentWord, sharesWord } from "../../registry/shared-words.ts";
import type { Change } from "../../state/change.ts";
import { holdsNumbers, rowKey, type Column, type EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import { deniesSomething } from "../../summaries/confirming-clauses.ts";
import { countsOne } from "../../text/count-words.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { holdsWords } from "../../text/holds-words.ts";
import { readAmountWay, type AmountWay } from "../../text/read-amount-way.ts";
import { readCodes } from "../../text/read-codes.ts";
import { readNumbers, type WrittenNumber } from "../../text/read-numbers.ts";
import { splitClauses, splitSentences } from "../../text/split-sentences.ts";
import { BASE_LANGUAGE } from "../../text/spoken-language.ts";
import { selectCrossed } from "./crossed-numbers.ts";
import { FORGET, endsValue, endsAnything } from "./ended-values.ts";
import { repeatsDay } from "./repeated-days.ts";
import { joinValues, leaveOutNames, nameColumn, wordValue } from "./row-words.ts";
import { dropSpanWords, SpokenDays, type SpokenMessage } from "./spoken-days.ts";
import { isClock, SpokenTimes } from "./spoken-times.ts";
import {
  goesOtherWay,
  haveOneFactor,
  isOtherNumber,
  isSame,
  makesNumber,
  matchNumbers,
  scaleReadings,
  toNumber,
} from "./spoken-numbers.ts";

/** A message, the day on which it was sent, and the labels of the rows that the conversation knows. */
export interface SpokenWords extends SpokenMessage {
  /** By `rowKey`. */
  readonly labels: ReadonlyMap<string, string>;
  /** The words for all types. */
  readonly nouns: string;
  /** The times of day of known rows, by column. Default: none is known. */
  readonly times?: ReadonlyMap<string, readonly string[]>;
  /** The labels of all rows that the call updates: "2 and 3 are done". Default: none beside the update's. */
  readonly together?: readonly string[];
  /** The assistant's words before the message: "the same goes for the other". Default: none. */
  readonly lastReply?: string;
}

/** A column that a change gives a value. */
export interface SetValue {
  readonly column: Column;
  readonly before: Json;
  readonly after: Json;
}

/** A message, held against the values that changes set. */
export class SpokenValues {
  readonly #words: SpokenWords;
  readonly #numbers: readonly WrittenNumber[];
  readonly #way: AmountWay | null;
  readonly #days: SpokenDays;
  /** Few changes set a time. */
  #times: SpokenTimes | null = null;
  readonly #figures: string;

  constructor(words: SpokenWords) {
    this.#words = words;
    const { message, language } = words;
    this.#numbers = readNumbers(message, language);
    this.#way = readAmountWay(message);
    this.#days = new SpokenDays(words);
    this.#figures = words.message.replaceAll(/\P{Nd}/gu, "");
  }

  /** Returns true where the message has one of the words of a text. */
  has(text: string): boolean {
    return text !== "" && sharesWord(text, this.#words.message);
  }

  hasNumbers(): boolean {
    return this.#numbers.length > 0;
  }

  /** Lists the words of values that are set. */
  listWords(values: readonly SetValue[]): readonly string[] {
    return values.flatMap(({ column, after }) =>
      wordValue(after, column, this.#words).flatMap(foldWords),
    );
  }

  /** Returns true for a number that no number of the message makes, where there is any. */
  namesOtherNumber(value: SetValue): boolean {
    if (!holdsNumbers(value.column)) return false;
    const spoken = { written: this.#numbers, way: this.#way };
    return this.#countsOne(value) ? goesOtherWay(value, spoken) : isOtherNumber(value, spoken);
  }

  /**
   * Returns those of the numbers that a row is given for which the message has none of its own: one that
   * another column has used up stands for no second one, unless the message has that column's name, or all
   * are raised by one factor. Pure.
   */
  selectUsedUp(values: readonly SetValue[]): readonly SetValue[] {
    const numbers = values.filter(({ column, after }) => holdsNumbers(column) && after !== null);
    if (numbers.length < 2 || this.#numbers.length === 0 || haveOneFactor(numbers)) return [];
    const isNamed = ({ column }: SetValue): boolean => this.#namesColumn(column);
    const inOrder = [...numbers.filter(isNamed), ...numbers.filter((value) => !isNamed(value))];
    const spoken = { written: this.#numbers, way: this.#way };
    const users = matchNumbers(
      inOrder.map((value) =>
        this.#numbers.flatMap((_, at) => (makesNumber(value, at, spoken) ? [at] : [])),
      ),
    );
    return inOrder.filter(
      (value, at) => !users.has(at) && !isNamed(value) && !this.#countsOne(value),
    );
  }

  /** Returns those of the numbers that a row is given which the message gives another column of them. Pure. */
  selectCrossed(values: readonly SetValue[]): readonly SetValue[] {
    return selectCrossed(values, { message: this.#words.message, numbers: this.#numbers });
  }

  #countsOne({ after }: SetValue): boolean {
    return Number(after) === 1 && foldWords(this.#words.message).some(countsOne);
  }

  /**
   * Returns true where the message has the value that a change takes away, no word for the new one, and does not
   * say that the old one ends: "mark Mara confirmed" of a change from confirmed, "the van is insured" of one to
   * not insured.
   */
  keepsOld({ column, before, after }: SetValue): boolean {
    const { message } = this.#words;
    const name = nameColumn(column);
    const isEmptied = after === null || after === "";
    if (column.kind === "boolean") {
      const isTicked = foldWords(message).some(isTick) || CHECK_OFF.test(message);
      return after === false && (this.has(name) || isTicked) && !endsValue(message, name);
    }
    if (Array.isArray(before) && Array.isArray(after)) {
      const [lost, gained] = [listBeside(before, after), listBeside(after, before)];
      return this.has(lost) && !this.has(gained) && !endsValue(message, lost);
    }
    if (column.kind === "choice" && typeof before === "string") {
      const isOld = this.has(before) || this.#means({ column, before: null, after: before });
      return isOld && !this.#speaksOf(after, { column, before }) && !endsValue(message, before);
    }
    const isValue = column.references === undefined && before !== null && before !== "";
    return isValue && isEmptied && this.#givesOld({ column, before });
  }

  /** Returns true where the message gives the value that a column is rid of, and nothing in it says that anything ends. */
  #givesOld({ column, before }: Omit<SetValue, "after">): boolean {
    return (
      this.gives({ column, before: null, after: before }) && !endsAnything(this.#words.message)
    );
  }

  /** Returns true where the message has a choice, which it has as it stands where the old one is of the same words: "unpaid" and "paid". */
  #speaksOf(choice: Json, { column, before }: Omit<SetValue, "after">): boolean {
    if (typeof choice !== "string" || typeof before !== "string") return false;
    const isAlike = sharesWord(choice, before) || readStem(choice) === readStem(before);
    const [isNew, isOld] = [choice, before].map((each) => holdsWords(this.#words.message, each));
    if (isAlike && isNew !== isOld) return isNew === true;
    return this.has(choice) || this.#means({ column, before: null, after: choice });
  }

  /** Returns true where the message has the word for another choice, and none of the one that is set. */
  namesOtherChoice({ column, before, after }: SetValue, set?: ReadonlySet<Json>): boolean {
    const { values = [] } = column;
    if (typeof after !== "string" || this.has(after)) return false;
    return values.some((value) => value !== before && set?.has(value) !== true && this.has(value));
  }

  /** Returns true where the message gives another number, day or choice, and not this one. */
  givesOther(value: SetValue): boolean {
    if (this.gives(value)) return false;
    if (value.column.kind === "date") return this.#days.namesClearly();
    const hasNumber = holdsNumbers(value.column) && this.#numbers.length > 0;
    return hasNumber ? this.namesOtherNumber(value) : this.namesOtherChoice(value);
  }

  /** Returns true where the message has a number that a text has in no unit, in no moment and in no name of a known row. */
  hasNumberBeside(text: string): boolean {
    const { message, labels, language } = this.#words;
    const others = (text.match(/\d+(?:\.\d+)?/gu) ?? []).map(Number);
    const named = [...labels.values()].filter((label) => holdsWords(message, label));
    const rest = leaveOutNames(message, named).replaceAll(MOMENT, " ");
    // A number in words may count the rows: "three dinners".
    return readNumbers(rest, language).some(
      (number) =>
        number.isInFigures &&
        !scaleReadings(number).some((one) => others.some((other) => isSame(one, other))),
    );
  }

  /** Returns true where the message names a day that is none of those in a text. */
  hasDayBeside(text: string): boolean {
    const days = text.match(/\d{4}-\d\d-\d\d/gu) ?? [];
    return (
      this.#days.namesClearly() &&
      !days.some((day) => this.#days.holds(day, null)) &&
      !this.#days.sharesDate(text)
    );
  }

  /** Returns true where the message has a code, of letters and figures, that a text has not. */
  hasCodeBeside(text: string): boolean {
    const own = foldText(text);
    return readCodes(this.#words.message).some((code) => !own.includes(foldText(code)));
  }

  /**
   * Returns true where the message may mean what an update sets by other words or by none: it has one that
   * nobody knows or orders nothing by itself ("and the oranges too"), and has no number that neither the row has
   * nor the label of one beside it.
   */
  isOpen({ label, before, after }: Change, type: EntityType): boolean {
    const { message, labels, nouns, together = [] } = this.#words;
    const row = [label, joinValues(before, type), joinValues(after, type)].join(" ");
    const known = [row, nouns, ...labels.values(), ...type.columns.map(nameColumn)].join(" ");
    const numbers = new Set(
      [row, ...together].flatMap((text) =>
        readNumbers(text, BASE_LANGUAGE).flatMap(({ readings }) => readings),
      ),
    );
    const hasOpenWord = listNames(message).some(
      (word) => /\p{L}/u.test(word) && !sharesWord(word, known),
    );
    return (
      (hasOpenWord || readOrder(message) === null) &&
      this.#numbers.every(({ readings }) => readings.some((number) => numbers.has(number)))
    );
  }

  /** Returns true where the message has a word of the column, or of the value that it has or had. */
  holds(value: SetValue): boolean {
    const { column, before, after } = value;
    const isNamed = this.#namesColumn(column);
    if (column.kind === "date" && typeof after === "string") {
      // Today needs no word.
      const isToday = after === this.#words.today && !this.#days.namesByWord();
      const isMeant = isToday || this.#days.holds(after, toText(before));
      return isMeant || (isNamed && !this.#days.names());
    }
    if (isNamed || this.#means(value) || this.#givesTime(value)) return true;
    if (holdsNumbers(column)) return this.#numbers.length > 0;
    const { labels } = this.#words;
    return [before, after].some((each) => {
      const label = labels.get(rowKey(column.references ?? "", keyText(each))) ?? "";
      const texts = [label, ...wordValue(each, column, this.#words)];
      return texts.some((text) => this.has(text) || this.#holdsFigures(text));
    });
  }

  /** Returns true for a day that the reply before the message has stored, or taken away, where it asks for that again. */
  repeats({ column, after }: SetValue): boolean {
    const isDate = column.kind === "date" && typeof after === "string" && !this.#days.names();
    return isDate && repeatsDay(after, this.#words, this.#words.lastReply ?? "");
  }

  /** Returns true where the message gives a value itself: its number, its day, all of its words, or the name of the row that it points at. */
  gives(value: SetValue): boolean {
    const { column, before, after } = value;
    if (column.kind === "date" && typeof after === "string") {
      return this.#days.holds(after, toText(before));
    }
    if (holdsNumbers(column)) {
      const number = toNumber(after) ?? NaN;
      return this.#numbers.some(({ readings }) => readings.some((one) => isSame(one, number)));
    }
    if (column.kind === "boolean") return this.has(nameColumn(column));
    const texts = wordValue(after, column, this.#words);
    return (
      this.#namesLinked(value) ||
      (texts.length > 0 && texts.every((text) => this.#holdsAll(text))) ||
      this.#means(value)
    );
  }

  /** Returns true where the message names the row that a value points at, and no other of its type, or one that has as many words in it where this one's name is not whole. */
  #namesLinked({ column: { references = "" }, after }: SetValue): boolean {
    const { labels } = this.#words;
    const key = rowKey(references, keyText(after));
    const label = labels.get(key) ?? "";
    if (!this.has(label)) return false;
    const own = foldWords(label);
    const held = own.filter((word) => this.has(word)).length;
    const isWhole = held === own.length;
    return ![...labels].some(([other, text]) => {
      if (other === key || !other.startsWith(rowKey(references, ""))) return false;
      const words = foldWords(text);
      const isAsNear = !isWhole && words.filter((word) => this.has(word)).length >= held;
      // "At Old Quarry, its queen comes from Linden Hill" leaves open which of the two is meant.
      const isPart = words.every((word) => own.includes(word));
      return isAsNear || (!isPart && words.every((word) => this.has(word)));
    });
  }

  /** Returns true for a flag that is raised, or a choice that is made, where a clause of the message says that it is not: "is not paid yet", "isn't done". */
  denies({ column, after }: SetValue): boolean {
    const { kind } = column;
    const isRaised = kind === "boolean" && after === true;
    const value = kind === "choice" && typeof after === "string" ? after : "";
    if (!isRaised && value === "") return false;
    const words = isRaised ? nameColumn(column) : value;
    const isEnd = isRaised || foldWords(value).some(isDone);
    return splitSentences(this.#words.message)
      .flatMap(splitClauses)
      .some((clause) => {
        const means =
          sharesWord(words, clause) ||
          (!isRaised && hasStem(value, clause)) ||
          (isEnd && foldWords(clause).some(isDone));
        return means && deniesSomething(clause) && !FORGET.test(foldText(clause));
      });
  }

  /**
   * Returns true for a text that the message does not give: a time that it does not mean, a figure, an address or a word of
   * a name that does not stand there as it is, or more than a quarter of new words that it has in no form. A long
   * text may be the model's own. Pure.
   */
  givesNoSuchText(value: SetValue, isName: boolean): boolean {
    const { column, before, after } = value;
    const isText = column.kind === "text" && column.references === undefined;
    if (!isText || typeof after !== "string") return false;
    if (isClock(after)) return !this.#givesTime(value);
    if (this.#holdsFigures(after) || this.#means(value)) return false;
    const old = new Set(splitRuns(typeof before === "string" ? before : ""));
    const fresh = splitRuns(after).filter((run) => !old.has(run));
    const isAddress = /^\S*[@\p{Nd}]\S*$/u.test(after.trim());
    const isExact = isName || isAddress;
    const counted = fresh.filter((run) => isExact || /\p{Nd}/u.test(run) || isContentWord(run));
    const missing = counted.filter((run) => !this.#hasRun(run, isExact));
    if (missing.some((run) => /\p{Nd}/u.test(run))) return true;
    if (counted.length > LONGEST_TEXT) return false;
    const isShort = isExact || counted.length < FEW_WORDS;
    return isShort ? missing.length > 0 : missing.length * FEW_WORDS > counted.length;
  }

  /** Returns true for a time that the message means by itself, or counts from the one before. */
  #givesTime({ column, before, after }: SetValue): boolean {
    const isTime = typeof after === "string" && isClock(after);
    return isTime && this.#meansTime(after, toText(before), this.#words.times?.get(column.name));
  }

  #meansTime(time: string, before: string | null, known: readonly string[] = []): boolean {
    this.#times ??= new SpokenTimes(this.#words);
    return this.#times.holds(time, before, known);
  }

  #hasRun(run: string, isExact: boolean): boolean {
    const { message, nouns } = this.#words;
    if (splitRuns(message).includes(run)) return true;
    if (/\p{Nd}/u.test(run)) {
      return this.#numbers.some(({ readings }) => readings.includes(Number(run)));
    }
    return !isExact && (this.has(run) || sharesWord(run, nouns));
  }

  /** Returns true where the message has a word of the name of a column: "a day earlier" names no "cost per day". */
  #namesColumn(column: Column): boolean {
    return this.has(dropSpanWords(nameColumn(column)));
  }

  /** Returns true where the message has all words of the name of a column; the unit of a rate is none: "13.20 a kilo". */
  hasColumn(column: Column): boolean {
    const rest = this.#words.message.replaceAll(RATE, "$<rate>");
    return foldWords(nameColumn(column)).every((word) => sharesWord(word, rest));
  }

  /** Returns true where the message has all words of a text, or the text in another form. */
  #holdsAll(text: string): boolean {
    return this.#holdsFigures(text) || foldWords(text).every((word) => this.has(word));
  }

  /** Returns true for a choice that the message has in another form or language, "pausiert", "reactivate", "storniere", "erledigt", and for a flag that it ticks off. */
  #means({ column, after }: SetValue): boolean {
    const { message } = this.#words;
    if (after === true) return foldWords(message).some(isTick) || CHECK_OFF.test(message);
    if (typeof after !== "string") return false;
    const isStem = column.kind === "choice" && hasStem(after, message);
    const isEnd = meansGone(after) && readOrder(message) === "gone";
    return isStem || isEnd || [after, message].every((text) => foldWords(text).some(isDone));
  }

  /** The figures of a text however they are set apart, its hour, or the letters of a unit. */
  #holdsFigures(text: string): boolean {
    const figures = text.replaceAll(/\P{Nd}/gu, "");
    if (figures.length >= FEWEST_FIGURES && this.#figures.includes(figures)) return true;
    return isClock(text) ? this.#meansTime(text, null) : this.#hasLonger(text);
  }

  /** Returns true where a word of the message has the letters of a short text, in their order: "kg" of "kilogram". */
  #hasLonger(text: string): boolean {
    const [letters = "", ...others] = foldWords(text);
    if (letters === "" || others.length > 0 || letters.length > LONGEST_UNIT) return false;
    const form = new RegExp(`^${Array.from(letters).join("\\p{L}*")}`, "u");
    return foldWords(this.#words.message).some((word) => form.test(word));
  }
}

/** A number, with or without its currency, and the unit that it holds for. */
const RATE =
  /(?<rate>\p{Nd}\s*(?:\p{Sc}|\p{L}+)?\s*(?:\/|(?<!\p{L})(?:a|an|per|each|je|pro|par|al|le|la|el|il|por)(?!\p{L})))\s*\p{L}+/giu;

/** A text in letters that languages write otherwise in words that they share: "aktiv", "pauze". */
function foldSounds(text: string): string {
  return foldText(text).replaceAll("k", "c").replaceAll("z", "s");
}

/** Returns true where a text has the letters by which forms of a word for a choice are known: "didn't cancel". */
function hasStem(choice: string, text: string): boolean {
  const stem = readStem(choice);
  return stem.length === STEM && foldSounds(text).includes(stem);
}

/** The letters by which forms of a word for a choice are known. */
function readStem(text: string): string {
  return foldSounds(text).trim().slice(0, STEM);
}

/** The words of a list that another does not have. */
function listBeside(list: readonly Json[], other: readonly Json[]): string {
  const texts = list.filter((item) => typeof item === "string");
  return texts.filter((text) => !other.includes(text)).join(" ");
}

/** Words of the shipped languages for what is done. */
const DONE = new Set(
  "done finished completed complete erledigt fertig abgeschlossen effectue effectuee fait faite termine terminee hecho hecha terminado terminada completado fatto fatta completato terminato gedaan klaar afgerond feito feita concluido concluida".split(
    " ",
  ),
);

/** Words of which each counts, in a text that has no more; of longer ones one of so many may be another. */
const FEW_WORDS = 4;
/** Most new words of a text that is held against the message word by word. */
const LONGEST_TEXT = 12;

/** The letters and the figures of a text, each run by itself, folded. */
function splitRuns(text: string): readonly string[] {
  return foldWords(text).flatMap((word) => word.match(/\p{Nd}+|\P{Nd}+/gu) ?? []);
}

function isDone(word: string): boolean {
  return DONE.has(word);
}

/** Words of the shipped languages for raising a flag, and "check it off". */
const TICK = new Set(
  "tick ticked abhaken abgehakt hake tacha tachar coche cocher spunta spuntare afvinken vink risca".split(
    " ",
  ),
);
const CHECK_OFF = /\bcheck(?:ed)?\b.*\boff\b/iu;

function isTick(word: string): boolean {
  return TICK.has(word);
}

/** "2026-03-20", "2026-03-20T10:00:00+00:00". */
const MOMENT = /\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/gu;

/** Letters that two forms of a word for a choice share. */
const STEM = 4;

/** Fewest figures that stand in no text by chance. */
const FEWEST_FIGURES = 4;

/** Most letters of a unit. */
const LONGEST_UNIT = 4;

function toText(value: Json): string | null {
  return typeof value === "string" ? value : null;
}
