import type { Constraint } from "../state/constraint.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { wordDay } from "../state/calendar.ts";
import { CHANGE_WORDS } from "../text/change-words.ts";
import { oneLine } from "../text/fence.ts";
import { listWishTexts, nameSameWish } from "./constraints.ts";
import { readEndDay } from "./read-end-day.ts";
import { findOneMeant, sharesWord } from "./shared-words.ts";
import { clip } from "./shorten.ts";

type WishUpdate = UnderstandAnswer["constraints"][number];

/** The wishes that hold, and the day. */
interface HoldingWishes {
  readonly constraints: readonly Constraint[];
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Something about a wish that could not be read. */
export type WishDoubt =
  /** No wish is known by these words. */
  | { readonly kind: "unknown"; readonly wish: string }
  /** The wish holds until something else is said. */
  | { readonly kind: "end"; readonly wish: string; readonly until: string }
  /** A rule holds on: the message does not speak of it. */
  | { readonly kind: "kept"; readonly wish: string };

/** Wishes that a problem names. */
const NAMED = 8;
const WISH_CHARACTERS = 120;

/**
 * Returns the problems of a turn's wishes, as sentences that go back to the model: an end that is no
 * day to come, and words of an older wish that nobody has said. Pure.
 */
export function checkWishes(updates: readonly WishUpdate[], holding: HoldingWishes): string[] {
  const known = listWishTexts(holding.constraints);
  const named = known.slice(-NAMED).map((text) => `"${shorten(text)}"`);
  return updates.flatMap((update, index) => {
    const { until, replaces } = update;
    const place = `constraints.${index}`;
    const end = readEnd(update, holding);
    return [
      ...(until === null || end.kind !== "unclear"
        ? []
        : [`${place}.until: "${shorten(until)}" is no day to come as YYYY-MM-DD`]),
      ...(replaces === null || !isUnknown(replaces, updates, known)
        ? []
        : [
            `${place}.replaces: "${shorten(replaces)}" is no wish that holds; ${named.length === 0 ? "there is none: leave it null" : `copy the words of one: ${named.join(", ")}`}`,
          ]),
    ];
  });
}

interface FitOptions extends HoldingWishes {
  /** The message that says the wishes; null for one that answers a question or takes something back: it may end any of them. */
  readonly message: string | null;
}

/**
 * Returns a turn's wishes as they can be kept, and what of them could not be read. An end becomes a day;
 * a wish without one holds until something else is said. Words of an older wish become its own where they
 * can only mean that one. A rule of which the message has no word is neither replaced nor forgotten, nor
 * given an end that the message does not name. Pure.
 */
export function fitWishes(
  updates: readonly WishUpdate[],
  holding: FitOptions,
): { readonly updates: readonly WishUpdate[]; readonly doubts: readonly WishDoubt[] } {
  const known = listWishTexts(holding.constraints);
  const doubts: WishDoubt[] = [];
  const fitted = updates.flatMap((given) => {
    const update = fitReplaced(fitEnd(given, holding, doubts), { updates, known, doubts });
    const { until } = update;
    const ends = until !== null && (until < holding.today || !namesDay(until, holding));
    const gone = ends ? update.text : update.replaces;
    if (gone === null || !isUnspokenRule(gone, holding)) return [update];
    doubts.push({ kind: "kept", wish: shorten(gone) });
    return ends ? [] : [{ ...update, replaces: null }];
  });
  return { updates: fitted, doubts };
}

interface ReplacedOptions {
  readonly updates: readonly WishUpdate[];
  /** The texts of the wishes that hold. */
  readonly known: readonly string[];
  readonly doubts: WishDoubt[];
}

/** A wish with the words of the older one that it replaces; with none where they can mean several, or nothing. */
function fitReplaced(update: WishUpdate, { updates, known, doubts }: ReplacedOptions): WishUpdate {
  const { replaces } = update;
  if (replaces === null || !isUnknown(replaces, updates, known)) return update;
  const meant = findOneMeant(replaces, known, (text) => text);
  if (meant === null) doubts.push({ kind: "unknown", wish: shorten(replaces) });
  return { ...update, replaces: meant };
}

/** A wish with its end as a day. One that is said to be over, in other words than before, is forgotten. */
function fitEnd(update: WishUpdate, holding: HoldingWishes, doubts: WishDoubt[]): WishUpdate {
  const end = readEnd(update, holding);
  switch (end.kind) {
    case "none":
      return update;
    case "day":
      return { ...update, until: end.day };
    case "over":
      return { ...update, text: "", replaces: end.wish, until: null };
    case "unclear":
      doubts.push({ kind: "end", wish: shorten(update.text), until: shorten(update.until ?? "") });
      return { ...update, until: null };
    default:
      return end satisfies never;
  }
}

type WishEnd =
  | { readonly kind: "none" | "unclear" }
  | { readonly kind: "day"; readonly day: string }
  /** The end of the one known wish that is meant. */
  | { readonly kind: "over"; readonly wish: string };

/** A day that is past ends a wish that holds; of one that nobody knows it says nothing. */
function readEnd({ until, text }: WishUpdate, { constraints, today }: HoldingWishes): WishEnd {
  if (until === null || until.trim() === "") return { kind: "none" };
  const day = readEndDay(until, today);
  if (day === null) return { kind: "unclear" };
  const known = listWishTexts(constraints);
  if (day >= today || known.some((one) => nameSameWish(one, text))) return { kind: "day", day };
  const meant = findOneMeant(text, known, (one) => one);
  return meant === null ? { kind: "unclear" } : { kind: "over", wish: meant };
}

/** Returns true where the message may say a day: with a number, or by a name in a language of the table. */
function namesDay(day: string, { message, today }: FitOptions): boolean {
  if (message === null || /\p{N}/u.test(message)) return true;
  return Object.keys(CHANGE_WORDS).some((language) =>
    sharesWord(wordDay(day, { today, language }), message),
  );
}

/** Returns true for a rule that holds and that the message has no word of. */
function isUnspokenRule(text: string, { constraints, message }: FitOptions): boolean {
  const rules = listWishTexts(constraints.filter(({ kind }) => kind === "hard"));
  const rule = rules.find((one) => nameSameWish(one, text));
  return rule !== undefined && message !== null && !sharesWord(rule, message);
}

/** Returns true for words that no earlier wish has, and none of the same answer. */
function isUnknown(
  words: string,
  updates: readonly WishUpdate[],
  known: readonly string[],
): boolean {
  return ![...known, ...updates.map(({ text }) => text)].some((text) => nameSameWish(text, words));
}

function shorten(text: string): string {
  return clip(oneLine(text), WISH_CHARACTERS);
}
