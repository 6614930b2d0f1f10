import { findOrder } from "../../output-filter/asked-change.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import { listNouns, type EntityType } from "../../state/entity.ts";
import type { Registry } from "../../state/registry.ts";
import type { Understanding } from "../../state/understanding.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { dropAnswer, isCourtesy, readPersonsAnswer } from "../../text/read-yes-no.ts";
import { listNamedIn } from "./named-in-text.ts";
import { findPicked } from "./picked-row.ts";

/** A message, the reply before it, and the rows that both may speak of. */
export interface LastExchange {
  readonly message: string;
  readonly lastReply: string;
  readonly registry: {
    readonly entries: readonly Pick<Entry, "ref" | "type" | "label" | "facts">[];
  };
  readonly entityTypes: readonly Pick<EntityType, "type" | "words">[];
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
  const canMean = !isQuestion && dropAnswer(message).trim() !== "";
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
      hasWords(one) || (canMean && one.ref !== null && (isOpen(one.ref) || canGoOn(one.ref))),
  );
}

/** Returns true for a message that speaks of no row but the topic, and of no type but its own. */
function goesOn({ message, registry, entityTypes, topic }: LastExchange): boolean {
  const type = registry.entries.find(({ ref }) => ref === topic)?.type;
  const named = listNamedIn(message, registry.entries, entityTypes);
  const isOfOther = entityTypes.some(
    (one) => one.type !== type && listNouns(one).some((noun) => sharesWord(noun, message)),
  );
  return !isOfOther && named.every(({ ref }) => ref === topic);
}

/** Measures how much of a label a text has: 1 where it has every word. */
function measureShare(label: string, text: string): number {
  const words = foldWords(label);
  return words.filter((word) => sharesWord(word, text)).length / Math.max(words.length, 1);
}
