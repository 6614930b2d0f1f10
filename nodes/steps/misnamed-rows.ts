import { foldWords } from "../../text/fold-words.ts";
import { measureDistance } from "../../text/nearest.ts";

/** Most letters by which a name and another spelling of it differ; they are less than half of the longer one. */
const SLIPS = 2;
/** Most letters of an ending: "orange" of "oranges". */
const ENDING = 2;
const SHORTEST = 3;

/** Returns true for a name in whose place a message has another, or the same in another spelling. Pure. */
export function isMisnamed(name: string, message: string): boolean {
  return isRespelt(name, message) || isRenamed(name, message);
}

/**
 * Returns true for a name that a message spells otherwise: "Danny Whitlock" of "add Dani Whitlock". Words that are
 * no names, in small letters, may be mistyped: "tomatos". Pure.
 */
function isRespelt(name: string, message: string): boolean {
  const own = splitNames(name);
  const written = splitNames(message);
  // The names of people stand in small letters, too.
  const isProper = own.length > 1 && own.every(({ isCapital }) => isCapital);
  const missing = own.filter(({ folded }) => !standsIn(written, folded));
  const left = written.filter(
    ({ folded, isCapital }) => (isCapital || isProper) && !standsIn(own, folded),
  );
  return missing.some(({ folded }) => left.some((other) => isNear(folded, other.folded)));
}

/**
 * Returns true for a name that has another word before one that it shares with a message: "Agnès Moreau" of "add
 * Inès Moreau". A word in small letters before a name may be none of it: "some olive oil". Pure.
 */
function isRenamed(name: string, message: string): boolean {
  const [own, written] = [splitNames(name), splitNames(message)];
  return own.some(({ folded }, at) => {
    const before = own[at - 1]?.folded;
    if (before === undefined || standsIn(written, before)) return false;
    return written.some((other, place) => {
      const ahead = written[place - 1];
      // The first word of all has its capital from that.
      const isName = place > 1 && ahead?.isCapital === true && !standsIn(own, ahead.folded);
      return other.folded === folded && isName;
    });
  });
}

/** A word of a name or a message. */
interface NameWord {
  readonly folded: string;
  readonly isCapital: boolean;
}

function splitNames(text: string): readonly NameWord[] {
  return [...text.matchAll(/[\p{L}\p{M}]+/gu)].flatMap(({ 0: word }) => {
    const [folded = ""] = foldWords(word);
    return folded.length < SHORTEST ? [] : [{ folded, isCapital: /^\p{Lu}/u.test(word) }];
  });
}

function standsIn(words: readonly NameWord[], word: string): boolean {
  return words.some(({ folded }) => isForm(folded, word));
}

/** Returns true for two words of which one is the other with an ending. */
function isForm(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && long.length - short.length <= ENDING;
}

function isNear(one: string, other: string): boolean {
  const slips = measureDistance(one, other);
  return one[0] === other[0] && slips <= SLIPS && slips * 2 < Math.max(one.length, other.length);
}
