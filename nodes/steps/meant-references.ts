import { findOrder, listNames, requestsSomething } from "../../output-filter/asked-change.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import { listNouns, listVisibleColumns, type EntityType } from "../../state/entity.ts";
import type { Registry } from "../../state/registry.ts";
import type { Understanding } from "../../state/understanding.ts";
import { CHANGE_FIELDS } from "../../text/change-words.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { readNumbers } from "../../text/read-numbers.ts";
import {
  asksForNothing,
  dropAnswer,
  isCourtesy,
  readPersonsAnswer,
} from "../../text/read-yes-no.ts";
import { splitClauses, splitSentences } from "../../text/split-sentences.ts";
import { listNamedIn } from "./named-in-text.ts";
import { isBesideName } from "./other-names.ts";
import { findPicked } from "./picked-row.ts";
import { listPlaced } from "./pointing-references.ts";
import { nameColumn } from "./row-words.ts";
import { listTimeWords } from "./time-words.ts";

/** A message, the reply before it, and the rows that both may speak of. */
export interface LastExchange {
  readonly message: string;
  readonly lastReply: string;
  readonly registry: {
    readonly entries: readonly Pick<Entry, "ref" | "type" | "label" | "facts">[];
    /** The refs of the list that was shown last, in its order. */
    readonly listed: readonly string[];
  };
  readonly entityTypes: readonly Pick<EntityType, "type" | "words" | "columns">[];
  readonly language: string;
  /** The ref of the one row that the conversation was about before the message; null for none. */
  readonly topic: string | null;
}

type Entry = Registry["entries"][number];
type Reference = Understanding["references"][number];

/**
 * Returns the references that count: none of a message that is nothing but thanks, a greeting or a question
 * that orders nothing. Of those without words of their own, which are empty, a yes, not in the message or
 * all of it ("finished"), the ones that can mean no other row: the last reply has to name the row as fully as any other
 * of its type, and the message has to be said of all rows of which that holds, and be more than a yes; or the
 * message picks it in answer to a question; or the conversation was about it alone, and the message names no other. Pure.
 */
export function selectMeant(
  references: readonly Reference[],
  exchange: LastExchange,
): readonly Reference[] {
  const { message, lastReply, registry } = exchange;
  const whole = foldText(message);
  const hasWords = ({ text }: Reference): boolean =>
    dropAnswer(text).trim() !== "" && foldText(text) !== whole && sharesWord(text, message);
  const leftOut = new Set(references.filter((one) => !hasWords(one)).map(({ ref }) => ref));
  const isQuestion = readPersonsAnswer(message) === "asks";
  if (isCourtesy(message) || (isQuestion && findOrder(message) === null)) return [];
  // "We do now" agrees to nothing; "great, thanks" does no more than that.
  const isPraise = asksForNothing(message) && listNames(message).length > 0;
  const canMean = !isQuestion && !isPraise && dropAnswer(message).trim() !== "";
  const isOpen = (ref: string): boolean => {
    const type = registry.entries.find((entry) => entry.ref === ref)?.type;
    const shares = registry.entries
      .filter((entry) => entry.type === type)
      .map((entry) => ({ ref: entry.ref, share: measureShare(entry.label, lastReply) }));
    const most = Math.max(...shares.map(({ share }) => share));
    const named = shares.filter(({ share }) => share > 0 && share === most);
    return named.some((one) => one.ref === ref) && named.every((one) => leftOut.has(one.ref));
  };
  const isAlone = references.every(({ ref }) => ref === references[0]?.ref);
  const canGoOn = (ref: string): boolean =>
    isAlone && (ref === findPicked(exchange) || (ref === exchange.topic && goesOn(exchange)));
  return references.filter(
    (one) =>
      (hasWords(one) && !isMisplaced(one, exchange)) ||
      (canMean && one.ref !== null && (isOpen(one.ref) || canGoOn(one.ref))),
  );
}

/** Returns true for a message that speaks of no row but the topic and of no type but its own, and goes on in few words or gives a value. */
function goesOn(exchange: LastExchange): boolean {
  const { message, registry, entityTypes, topic } = exchange;
  const row = registry.entries.find(({ ref }) => ref === topic);
  const type = entityTypes.find((one) => one.type === row?.type);
  if (row === undefined || type === undefined) return false;
  const isOfOther = entityTypes.some(
    (one) => one !== type && listNouns(one).some((noun) => sharesWord(noun, message)),
  );
  const named = listNamedIn(message, registry.entries, entityTypes);
  return (
    !isOfOther &&
    !speaksOfPeople(message) &&
    named.every(({ ref }) => ref === topic) &&
    (isElliptical(message) || givesValue(exchange, type, row.facts))
  );
}

/** Returns true for the place of another row in the list that was shown last: "the third one", of the fourth. */
function isMisplaced({ ref, text }: Reference, exchange: LastExchange): boolean {
  const placed = listPlaced(text, exchange);
  const isOther = placed.length > 0 && ref !== exchange.topic && !placed.includes(ref ?? "");
  return isOther && ref !== findPicked(exchange);
}

/** Returns true for a message that says of a person where or how they are, and orders nothing: "I am off on Friday", "see you on Monday". Pure. */
export function speaksOfPeople(message: string): boolean {
  if (findOrder(message) !== null || requestsSomething(message)) return false;
  return splitSentences(message)
    .flatMap(splitClauses)
    .some((clause) =>
      [...CHANGE_FIELDS.values()].some((language) => {
        const words = language.split(clause);
        const has = (field: Parameters<typeof language.find>[1]): boolean =>
          language.find(words, field) !== -1;
        return !has("things") && (has("you") || (has("own") && has("be")));
      }),
    );
}

/** Most words of "it is finished now". */
const FEW = 4;

/** Returns true for a message of one word, or with a clause that says nothing by itself: "we do now". */
function isElliptical(message: string): boolean {
  if (foldWords(message).length === 1) return true;
  return splitSentences(message)
    .flatMap(splitClauses)
    .some((clause) => {
      const words = foldWords(clause);
      if (dropAnswer(clause).trim() === "") return false;
      const open = listNames(clause).filter((word) => !isBesideName(word));
      return open.length === 0 || (open.length === 1 && words.length <= FEW && hasBe(clause));
    });
}

function hasBe(clause: string): boolean {
  return [...CHANGE_FIELDS.values()].some(
    (language) => language.find(language.split(clause), "be") !== -1,
  );
}

/** Returns true for a message with a number, a word for a time, or one of a type's columns, choices or shown values. */
function givesValue(
  { message, language }: LastExchange,
  type: Pick<EntityType, "columns">,
  facts: string,
): boolean {
  const columns = listVisibleColumns(type);
  const words = [...columns.map(nameColumn), ...columns.flatMap(({ values = [] }) => values)];
  return (
    readNumbers(message, language).length > 0 ||
    foldWords(message).some((word) => listTimeWords().has(word)) ||
    [...words, facts].some((text) => text !== "" && sharesWord(text, message))
  );
}

/** Measures how much of a label a text has: 1 where it has every word. */
function measureShare(label: string, text: string): number {
  const words = foldWords(label);
  return words.filter((word) => sharesWord(word, text)).length / Math.max(words.length, 1);
}
