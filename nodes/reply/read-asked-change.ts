import {
  listNames,
  meansGone,
  readOrder,
  type AskedChange,
  type UnaskedChange,
} from "../../output-filter/asked-change.ts";
import { isDay, wordDay } from "../../state/calendar.ts";
import { listNouns, type EntityType } from "../../state/entity.ts";
import type { Receipt } from "../../state/receipt.ts";
import type { Registry } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import { CHANGE_WORDS, type ChangeEnd } from "../../text/change-words.ts";
import { endsAsQuestion } from "../../text/ends-as-question.ts";
import { foldWords } from "../../text/fold-words.ts";
import { readCodes } from "../../text/read-codes.ts";

/** The parts of a turn that say what was asked for, and what earlier turns have done. */
type AskingTurn = Pick<TurnState, "input" | "understanding" | "turnExecutionSummaries">;

/** The things that a conversation knows, and the day. */
export interface KnownThings {
  readonly entries: readonly Pick<
    Registry["entries"][number],
    "id" | "type" | "label" | "facts" | "row" | "action"
  >[];
  readonly entityTypes: readonly Pick<EntityType, "type" | "words" | "columns">[];
  readonly today: string;
}

/** A row that a turn has stored. */
type StoredRow = Pick<Receipt, "kind" | "label" | "facts">;

/** Reads what a turn knows of the change that its message asks for, or of those that a reply may claim. Pure. */
export function readAskedChange(
  { input, understanding, turnExecutionSummaries }: AskingTurn,
  { entries, entityTypes, today }: KnownThings,
  changes: readonly StoredRow[] = [],
): AskedChange {
  const message = input?.text ?? "";
  const end = readOrder(message);
  const isAsked = end !== null || understanding?.needs === "change" || changes.length > 0;
  const stored = entries.filter(({ id }) => id !== null);
  const effects = turnExecutionSummaries
    .flatMap((summary) => summary.effects)
    .map(({ action, label }) => ({ end: readEnd(action), words: foldWords(label) }));
  const done = changes.map(({ kind, label, facts }) => ({
    end: readEnd(kind),
    words: () => foldWords(nameDays(`${label} ${facts}`, today)),
  }));
  const last = turnExecutionSummaries.at(-1)?.effects ?? [];
  const wasLastDone = (claimed: ChangeEnd): boolean =>
    last.some(({ action }) => readEnd(action) === claimed);
  // Of changes that no summary holds any more the rows themselves are known.
  const ever = [
    ...stored
      .filter(({ action }) => CHANGES.has(action))
      .map(({ action, label }) => ({ end: readEnd(action), words: foldWords(label) })),
    ...effects,
  ];
  const wasEverDone: UnaskedChange["wasEverDone"] = (words, claimed) =>
    words.length === 0
      ? wasLastDone(claimed)
      : ever.some(
          (change) =>
            change.end === claimed &&
            (coversAll(change.words, words) || containsAll(change.words, words)),
        );
  return {
    end,
    unasked: isAsked
      ? null
      : { ...readUnasked(message, stored, { entityTypes, today }), wasEverDone },
    readNames: () =>
      [isAsked ? message : "", ...stored.map(({ label }) => nameDays(label, today))].join(" "),
    types: entityTypes.flatMap(listNouns).join(" "),
    holds: (words, claimed) =>
      stored.some(
        ({ action, label, facts, row }) =>
          readEnd(action) === claimed &&
          coversAll(
            foldWords(nameDays(`${label} ${facts} ${JSON.stringify(row ?? {})}`, today)),
            words,
          ),
      ),
    // Words without a name, such as "done" and "it", are borne out by any change of the turn.
    wasDone: (words, claimed) =>
      done.some(
        (row) => row.end === claimed && (words.length === 0 || coversAll(row.words(), words)),
      ) ||
      // "It's booked" after a turn that has booked something.
      (!isAsked && words.length === 0 && wasLastDone(claimed)) ||
      (isAsked ? effects : ever).findLast((change) => coversAll(change.words, words))?.end ===
        claimed,
    namesPresent: (words) =>
      stored.some((row) => (hasCode(row, words) || hasName(row, words)) && !isGone(row, today)),
    touches:
      changes.length === 0
        ? null
        : (words) => done.some((row) => words.some((word) => coversAll(row.words(), [word]))),
  };
}

/** The changes among the last actions on a row. */
const CHANGES: ReadonlySet<string> = new Set(["created", "updated", "deleted"]);

type KnownRow = KnownThings["entries"][number];

/** Returns true for words that have the whole name of a row. */
function hasName({ label }: KnownRow, words: readonly string[]): boolean {
  return containsAll(foldWords(label), words);
}

/** Returns true for words that have the code in a row's name, or all of its figures. */
function hasCode({ label }: KnownRow, words: readonly string[]): boolean {
  const spoken = ` ${words.join(" ")} `;
  const figures = foldWords(label).filter((word) => /\d/u.test(word));
  return (
    containsAll(figures, words) ||
    readCodes(label).some((code) => spoken.includes(` ${foldWords(code).join(" ")} `))
  );
}

/** Returns true for a row that is deleted, or has a value that says that it is gone: "cancelled". */
function isGone(row: KnownRow, today: string): boolean {
  return row.action === "deleted" || listValueWords(row, today).some(meansGone);
}

/** Reads what known rows are called, and what bears out that something was done to them. */
function readUnasked(
  message: string,
  rows: readonly KnownRow[],
  { entityTypes, today }: Pick<KnownThings, "entityTypes" | "today">,
): Omit<UnaskedChange, "wasEverDone"> {
  const isAnswer = endsAsQuestion(message);
  const isAskedSo = isAnswer && foldWords(message).some((word) => CALLED_OFF.test(word));
  return {
    isAnswer,
    namesRow: (words, by) =>
      rows.some((row) => hasCode(row, words) || (by === "name" && hasName(row, words))),
    bearsOut: (words, end) => {
      const shares = ({ label }: KnownRow): boolean =>
        foldWords(label).some((word) => words.includes(word));
      const named = [rows.filter((row) => hasCode(row, words)), rows.filter(shares)];
      const meant = named.find((each) => each.length > 0) ?? rows;
      return meant.some((row) => {
        const shown = listValueWords(row, today);
        const isCalledOff =
          isAskedSo && words.some((word) => CALLED_OFF.test(word)) && mayBeOff(row, entityTypes);
        return (
          (end === "gone" && (isGone(row, today) || isCalledOff)) ||
          shown.some((word) => words.includes(word))
        );
      });
    },
  };
}

/** Forms by which something is said to be called off: what is deleted is gone otherwise, and in Italian, "cancellato" is deleted. */
const CALLED_OFF =
  /^(?:cancel(?!l[aoie]$|lat)|storn|anul|annul|geannul|disd[ei]|abgesagt|afgezegd)/u;

/** Returns true for a row with a choice in a word that code knows in no language, of a type that lists none for what is off: "declined". */
function mayBeOff(row: KnownRow, entityTypes: KnownThings["entityTypes"]): boolean {
  const columns = entityTypes.find(({ type }) => type === row.type)?.columns ?? [];
  const lists = columns.filter(({ values = [] }) => values.length > 0);
  return (
    !lists.some(({ values = [] }) => values.some(meansGone)) &&
    lists.some(({ name }) => {
      const value = row.row?.[name];
      return typeof value === "string" && listNames(value).length > 0;
    })
  );
}

/** Returns true for words of a name, one of them long enough, that all stand among others. */
function containsAll(own: readonly string[], words: readonly string[]): boolean {
  return own.some((word) => word.length >= LEAST) && own.every((word) => words.includes(word));
}

/** Lists the words of a row's facts and values that its label has not; a flag that is raised by its name. */
function listValueWords({ label, facts, row }: KnownRow, today: string): readonly string[] {
  const own = foldWords(label);
  const values = Object.entries(row ?? {}).map(([name, value]) =>
    value === true ? name : typeof value === "string" ? value : "",
  );
  return foldWords(nameDays([facts, ...values].join(" "), today)).filter(
    (word) => !own.includes(word) && word.length > 1 && word !== FULL_HOUR,
  );
}

/** The minutes of most times: they bear out none. */
const FULL_HOUR = "00";

function readEnd(action: string): ChangeEnd {
  return action === "deleted" ? "gone" : "there";
}

/** Returns true where each word is one of the known ones, or the beginning of one or its plural; no words are no thing. */
function coversAll(known: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => known.some((other) => isAlike(word, other)));
}

function isAlike(one: string, other: string): boolean {
  const isLong = Math.min(one.length, other.length) >= LEAST;
  return one === other || (isLong && (one.startsWith(other) || other.startsWith(one)));
}

/** Shortest word that stands for a longer one. */
const LEAST = 3;

/** The text, and the names of its days in every language of the table. */
function nameDays(text: string, today: string): string {
  const days = new Set(text.match(/\d{4}-\d{2}-\d{2}/gu)?.filter(isDay));
  const names = [...days].flatMap((day) =>
    Object.keys(CHANGE_WORDS).map((language) => wordDay(day, { today, language })),
  );
  return [text, ...names].join(" ");
}
