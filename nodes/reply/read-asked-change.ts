import { readOrder, type AskedChange } from "../../output-filter/asked-change.ts";
import { isDay, wordDay } from "../../state/calendar.ts";
import { listNouns, type EntityType } from "../../state/entity.ts";
import type { Receipt } from "../../state/receipt.ts";
import type { Registry } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import { CHANGE_WORDS, type ChangeEnd } from "../../text/change-words.ts";
import { foldWords } from "../../text/fold-words.ts";

/** The parts of a turn that say what was asked for, and what earlier turns have done. */
type AskingTurn = Pick<TurnState, "input" | "understanding" | "turnExecutionSummaries">;

/** The things that a conversation knows, and the day. */
export interface KnownThings {
  readonly entries: readonly Pick<
    Registry["entries"][number],
    "id" | "label" | "facts" | "row" | "action"
  >[];
  readonly entityTypes: readonly Pick<EntityType, "words">[];
  readonly today: string;
}

/** A row that a turn has stored. */
type StoredRow = Pick<Receipt, "kind" | "label" | "facts">;

/** Reads what a turn knows of the change that its message asks for; null where it asks for none and makes none. Pure. */
export function readAskedChange(
  { input, understanding, turnExecutionSummaries }: AskingTurn,
  { entries, entityTypes, today }: KnownThings,
  changes: readonly StoredRow[] = [],
): AskedChange | null {
  const message = input?.text ?? "";
  const end = readOrder(message);
  const isAsked = end !== null || understanding?.needs === "change";
  if (!isAsked && changes.length === 0) return null;
  const stored = entries.filter(({ id }) => id !== null);
  const effects = turnExecutionSummaries
    .flatMap((summary) => summary.effects)
    .map(({ action, label }) => ({ end: readEnd(action), words: foldWords(label) }));
  const done = changes.map(({ kind, label, facts }) => ({
    end: readEnd(kind),
    words: () => foldWords(nameDays(`${label} ${facts}`, today)),
  }));
  return {
    end,
    readNames: () => [message, ...stored.map(({ label }) => nameDays(label, today))].join(" "),
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
      ) || effects.findLast((effect) => coversAll(effect.words, words))?.end === claimed,
    touches:
      changes.length === 0
        ? null
        : (words) => done.some((row) => words.some((word) => coversAll(row.words(), [word]))),
  };
}

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
