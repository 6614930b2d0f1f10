import { PATTERNS } from "./patterns.ts";
import type { Segment } from "./segment.ts";
import { namesChoice, partsIn, type Vocabulary } from "./vocabulary.ts";
import type { Wish } from "./wish.ts";
import { tidyWords } from "./words.ts";
import { worldThings } from "./world-things.ts";

/** A question about the conversation, about numbers, or whether something is really so. */
export function readQuestion({ text, parts }: Segment, vocabulary: Vocabulary): Wish | null {
  const phrase = text;
  if (PATTERNS.earlier.test(text)) return { kind: "earlier", phrase };
  const about = PATTERNS.recall.exec(text)?.[1];
  if (about !== undefined) return { kind: "recall", phrase, about: withoutArticle(about) };
  if (PATTERNS.recap.test(text)) return { kind: "recap", phrase };
  if (PATTERNS.repeat.test(text)) return { kind: "repeat", phrase };
  if (PATTERNS.meta.test(text)) return { kind: "meta", phrase };
  if (PATTERNS.why.test(text)) return { kind: "why", phrase };
  const [part = null] = parts;
  const counted = part ?? choicePart(text, vocabulary);
  // "How many eggs do I have" asks for a thing, and not for a part of the data.
  const thing = counted === null && worldThings(text, vocabulary).length > 0;
  if (/\bhow many\b/.test(text) && !thing) {
    return { kind: "count", phrase, part: counted };
  }
  if (part !== null && PATTERNS.verify.test(text) && PATTERNS.empty.test(text)) {
    return { kind: "verify", phrase, part };
  }
  return PATTERNS.standing.test(text) ? { kind: "standing", phrase } : null;
}

function withoutArticle(text: string): string {
  return text.replace(/^(?:the|that|this|my|our|a|an) /, "");
}

/** Whether something is there: "do I have eggs", "are there any eggs left". */
export function readHave(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const { text } = segment;
  const asks =
    /^(?:do (?:i|we) (?:still )?have|is there|are there|have (?:i|we) got|how (?:many|much)|any)\b/;
  if (!asks.test(text) || segment.hasChoiceWord || segment.parts.length > 0) return null;
  if (vocabulary.world.parts.stock === null) return null;
  const [thing] = worldThings(text, vocabulary);
  return thing === undefined ? null : { kind: "have", phrase: text, thing };
}

/** The words that are neither filling nor the name of a part. */
export function contentWords(text: string, vocabulary: Vocabulary): string[] {
  return tidyWords(text, ELLIPTIC_FILLING)
    .split(" ")
    .filter((word) => word !== "" && partsIn(word, vocabulary).length === 0);
}

/** A look at one or more parts of the data. */
export function readLook(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const { text, parts } = segment;
  if (parts.length === 0) return null;
  const elliptic = isElliptic(segment, vocabulary);
  const asks = PATTERNS.look.test(text) || segment.isQuestion;
  if (!elliptic && !asks && contentWords(text, vocabulary).length > 1) return null;
  // "Let me see the shakshuka recipe" asks for the thing, not for its part of the data.
  const { choices } = vocabulary.world.parts;
  if (segment.choices.length > 0 && parts.every((part) => part === choices)) return null;
  return {
    kind: "look",
    phrase: text,
    parts: looksAtMany(text) ? parts : parts.slice(0, 1),
    elliptic,
  };
}

function looksAtMany(text: string): boolean {
  return /\band\b|,/.test(text.replace(/^and /, ""));
}

/** "and the freezer", "freezer too": says what, but not what about it. */
export function isElliptic({ text, parts }: Segment, vocabulary: Vocabulary): boolean {
  return (
    parts.length > 0 &&
    PATTERNS.elliptic.test(text) &&
    !PATTERNS.verb.test(text) &&
    contentWords(text, vocabulary).length === 0
  );
}

const ELLIPTIC_FILLING =
  "and what how about same now also or the in on my our too as well for of a thing please with there goes is it content contents list overview current all everything stuff items whole";

/** Something that is named is to be shown. */
export function readShow(segment: Segment): Wish | null {
  const { text } = segment;
  const named = segment.choices.length > 0 || segment.hasOrdinal || segment.hasPronoun;
  return named && PATTERNS.show.test(text) ? { kind: "show", phrase: text } : null;
}

function choicePart(text: string, vocabulary: Vocabulary): string | null {
  return namesChoice(text, vocabulary)
    ? vocabulary.world.parts.choices
    : (partsIn(text, vocabulary)[0] ?? null);
}
