import { PATTERNS } from "./patterns.ts";
import { readAdd, readClear, readFinish, readMove, readRemove } from "./read-changes.ts";
import { readExclude, readOptions, readRule, readSearch, readWelcome } from "./read-choices.ts";
import { readChange, readDraft, readSave } from "./read-drafts.ts";
import { readCollect, readFill, readRecount, readSchedule } from "./read-plans.ts";
import { readHave, readLook, readQuestion, readShow } from "./read-questions.ts";
import { readImagined, unlessOnlySaid } from "./read-supposed.ts";
import {
  clausesOf,
  plainMessage,
  readSegment,
  type Segment,
  tidy,
  withoutPoliteness,
} from "./segment.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { Request, Wish } from "./wish.ts";
import { namesExcludable } from "./world-things.ts";
import { countedTimes } from "./world-words.ts";

/** What is known of the conversation that helps to read a message. */
interface ReadingContext {
  /** The last turns were about a draft that can be changed. */
  readonly aboutDraft: boolean;
}

/** Reads what a message wants. The same words with the same vocabulary give the same reading. */
export function readRequest(
  message: string,
  vocabulary: Vocabulary,
  context: ReadingContext,
): Request {
  const plain = plainMessage(message, vocabulary);
  const read = (text: string): Segment => readSegment(text, vocabulary, context);
  const clauses = clausesOf(withoutPoliteness(plain));
  const segments = joinClauses(clauses, {
    wants: (text) => wishOf(read(text), vocabulary) !== null,
    fills: (text) => countedTimes(text, vocabulary.world) !== null,
  });
  const wishes = segments.flatMap((text) => wishesOf(read(text), vocabulary));
  return { plain, wishes: wishes.length > 0 ? withoutAsides(wishes) : asideOf(plain) };
}

/** What has to be known of a clause to place it. */
interface ClauseReading {
  readonly wants: (text: string) => boolean;
  readonly fills: (text: string) => boolean;
}

/** Clauses that want nothing by themselves go with the one before, or with the one that follows. */
function joinClauses(clauses: readonly string[], reading: ClauseReading): string[] {
  const joined: string[] = [];
  let lead = "";
  for (const [index, clause] of clauses.entries()) {
    const before = joined.at(-1);
    // "fridge: add eggs" names the place first.
    const opens = joined.length === 0 && index < clauses.length - 1 && !PATTERNS.verb.test(clause);
    if (!opens && reading.wants(clause) && !isSupplement(clause, before ?? "", reading)) {
      joined.push(tidy(`${lead} , ${clause}`));
      lead = "";
    } else if (before === undefined) {
      lead = tidy(`${lead} , ${clause}`);
    } else {
      joined[joined.length - 1] = `${before} , ${clause}`;
    }
  }
  return lead === "" ? joined : [...joined, lead];
}

/** "leave wednesday dinner empty" says more about the days that are to be filled. */
function isSupplement(clause: string, before: string, { fills }: ClauseReading): boolean {
  if (before === "") return false;
  if (!PATTERNS.verb.test(clause)) return true;
  if (/^what (?:is|do i have|have i got) (?:in|on) (?:it|there)$/.test(clause)) return true;
  const planning = fills(before) || /\bplan\b/.test(before);
  return planning && (PATTERNS.gap.test(clause) || fills(clause));
}

function wishesOf(segment: Segment, vocabulary: Vocabulary): Wish[] {
  const wish = wishOf(segment, vocabulary);
  if (wish === null) return [];
  const besides = /\b(?:without|but no|but not|no|except|nothing with)\b.*$/.exec(
    segment.text,
  )?.[0];
  const narrows = wish.kind === "options" || wish.kind === "fill" || wish.kind === "search";
  if (!narrows || besides === undefined || PATTERNS.gap.test(besides)) return [wish];
  return namesExcludable(readSegment(besides, vocabulary, segment), vocabulary)
    ? [wish, { kind: "exclude", phrase: besides }]
    : [wish];
}

/** "Thanks" beside a request is no request of its own. */
function withoutAsides(wishes: readonly Wish[]): Wish[] {
  const asides = new Set<Wish["kind"]>(["thanks", "greet", "yes", "no"]);
  const collects = wishes.some(({ kind }) => kind === "collect");
  const real = wishes.filter(({ kind }) => !asides.has(kind) && !(collects && kind === "look"));
  return real.length > 0 ? real : wishes.slice(0, 1);
}

/** What is said when nothing is wanted: yes, no, thanks, hello. */
function asideOf(plain: string): Wish[] {
  const phrase = plain;
  if (PATTERNS.thanks.test(plain)) return [{ kind: "thanks", phrase }];
  if (PATTERNS.yes.test(plain)) return [{ kind: "yes", phrase }];
  if (PATTERNS.no.test(plain)) return [{ kind: "no", phrase }];
  if (PATTERNS.greet.test(plain)) return [{ kind: "greet", phrase }];
  return [];
}

/** The readers, tried in order: what is said most clearly comes first. */
function wishOf(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const readers = [
    readImagined,
    readQuestion,
    readHave,
    readCollect,
    readClear,
    readRule,
    readWelcome,
    readRecount,
    readFinish,
    readSave,
    readFill,
    readExclude,
    readSearch,
    readMove,
    readRemove,
    readAdd,
    readSchedule,
    readChange,
    readOptions,
    readDraft,
    readLook,
    readShow,
  ];
  for (const reader of readers) {
    const wish = reader(segment, vocabulary);
    if (wish !== null) return unlessOnlySaid(wish, segment, vocabulary);
  }
  return null;
}
