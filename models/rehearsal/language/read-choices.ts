import { PATTERNS } from "./patterns.ts";
import { type Segment, tidy } from "./segment.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { Wish } from "./wish.ts";
import { stems, tidyWords } from "./words.ts";
import { namesExcludable, worldThings } from "./world-things.ts";

/** A rule that always holds: an allergy, a diet. */
export function readRule(segment: Segment, { world }: Vocabulary): Wish | null {
  const { text } = segment;
  if (segment.isQuestion || segment.hasChoiceWord) return null;
  const allergen =
    /\ballergic to (?:the |any )?([^,.]+)/.exec(text)?.[1] ??
    /\b(?:have|has|got) an? ([a-z ]+?) allergy\b/.exec(text)?.[1] ??
    /\b(?:intolerant to|can not (?:eat|have)) (?:the |any )?([^,.]+)/.exec(text)?.[1];
  if (allergen !== undefined) {
    const what = tidy(allergen.replace(/\b(?:anymore|any more|at all|now|either)\b/g, ""));
    return { kind: "rule", phrase: text, text: `allergic to ${what}`, allergen: what };
  }
  const diet = Object.keys(world.diets).find((name) =>
    new RegExp(
      `\\b(?:am|are|is|go|going|eat|eats|turned|became) (?:a |an |now |only |strictly )?${name}\\b`,
    ).test(text),
  );
  return diet === undefined ? null : { kind: "rule", phrase: text, text: diet, allergen: null };
}

/** Something that was left out is welcome again. */
export function readWelcome({ text, parts, choices, hasPronoun }: Segment): Wish | null {
  if (choices.length === 0 && !(hasPronoun && /\bback\b/.test(text))) return null;
  if (!PATTERNS.welcome.test(text) && !PATTERNS.undoExclusion.test(text)) return null;
  return parts.length > 0 && PATTERNS.add.test(text) ? null : { kind: "welcome", phrase: text };
}

/** Options are looked for by what they use or how long they take. */
export function readSearch(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const { world } = vocabulary;
  const { text } = segment;
  const asksFor =
    segment.hasChoiceWord ||
    /\b(?:something|anything|what|one|ones|which)\b/.test(text) ||
    world.uses.some((use) => stems(text).includes(use));
  if (!asksFor || PATTERNS.draft.test(text)) return null;
  const { choices, schedule } = world.parts;
  if (segment.sureParts.some((part) => part !== choices && part !== schedule)) return null;
  const minutes = minutesIn(text);
  if (
    minutes !== null &&
    /\b(?:those|these|them|which|ones?|options|remaining|that are left)\b/.test(text)
  ) {
    return { kind: "narrow", phrase: text, minutes };
  }
  const terms = termsIn(text, vocabulary);
  const tags = world.tags.filter((tag) => stems(text).includes(tag));
  if (terms.length === 0 && tags.length === 0 && minutes === null) return null;
  return { kind: "search", phrase: text, terms, tags, minutes };
}

/** Minutes that are named as the most something may take. */
function minutesIn(text: string): number | null {
  const found =
    /\b(?:under|within|below|at most|less than|max(?:imum)?|no more than|up to|in|than|only) (\d+) minutes?\b/.exec(
      text,
    ) ?? /\b(\d+) minutes? (?:or less|at most|max|tops|or under|or faster)\b/.exec(text);
  return found?.[1] === undefined ? null : Number(found[1]);
}

/** What comes after "that use", "with", "containing": the words that are looked for. */
function termsIn(text: string, vocabulary: Vocabulary): string[] {
  const { choiceWords } = vocabulary.world;
  const found =
    /\b(?:that|which|who) (?:use|uses|have|has|contain|contains|include|includes|need|needs|call for|calls for|are made with|are made from)s? (.+)$/.exec(
      text,
    ) ??
    /\b(?:using|containing|including|featuring|made (?:with|from|of)|based on|that go with|calling for) (.+)$/.exec(
      text,
    ) ??
    /\b(?:uses?|contains?|includes?) (.+)$/.exec(text) ??
    new RegExp(
      `\\b(?:something|anything|ideas?|make|cook|do|have|${choiceWords.join("|")})(?:e?s)? (?:\\w+ ){0,2}(?:with|from|out of) (.+)$`,
    ).exec(text) ??
    new RegExp(
      `\\b(?:which|what) (?:one|${choiceWords.join("|")})(?:e?s)? (?:have|has|got) (.+)$`,
    ).exec(text);
  const list = found?.[1];
  if (list === undefined) return [];
  const named = worldThings(list, vocabulary);
  if (named.length > 0) return named;
  // "Chickpeas or eggs: which recipes use them" names them before.
  if (/^(?:it|them|those|these|that)\b/.test(list)) return worldThings(text, vocabulary);
  return list
    .split(/\s*(?:,|\.|\bor\b|\band\b)\s*/)
    .map((term) => tidyWords(term, TERM_FILLING))
    .filter((term) => term !== "" && !/\b(?:what|i|we|have|there)\b/.test(term))
    .filter((term) => !choiceWords.includes(term));
}

const TERM_FILLING =
  "a an the some any in them it either maybe at all please my our of inside as ingredient ingredients main for me this that show list tell find give";

function isWhole({ by }: { readonly by: string }): boolean {
  return by === "whole";
}

/** Something is not wanted. */
export function readExclude(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const { text, others, sureParts } = segment;
  if (!PATTERNS.exclude.test(text)) return null;
  if (segment.isQuestion && !/^(?:any|every)thing except\b/.test(text)) return null;
  if (segment.aboutDraft && PATTERNS.change.test(text)) return null;
  if (PATTERNS.remove.test(text) && !/\boptions?\b/.test(text)) {
    const { choices, schedule } = vocabulary.world.parts;
    const named = segment.choices.some(isWhole);
    // "Take the eggs out of the fridge" and "delete the recipe" change the data.
    if (!named && sureParts.some((part) => part !== choices && part !== schedule)) return null;
    if (/\b(?:delete|erase|undo)\b/.test(text)) return null;
    const meansOther = others.some(isWhole) && !named;
    if (meansOther || (segment.choices.length === 0 && segment.hasPronoun)) return null;
  }
  if (/\b(?:draft|drafts)\b/.test(text)) return { kind: "exclude", phrase: text };
  return namesExcludable(segment, vocabulary) || PATTERNS.excludePronoun.test(text)
    ? { kind: "exclude", phrase: text }
    : null;
}

/** What there is to choose from. */
export function readOptions(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const { text } = segment;
  const { world } = vocabulary;
  if (PATTERNS.draft.test(text) || namesExcludable(segment, vocabulary)) return null;
  const uses = world.uses.map((use) => `${use}(?:ing)?`).join("|");
  const could = new RegExp(
    `\\b(?:what|which|anything|something|everything|all|stuff|things?|ideas?|${vocabulary.world.choiceWords.join("|")})(?:e?s)?\\b.{0,60}\\b(?:can|could|should|shall|might|may|would|to|suggest) .{0,60}\\b(?:${uses})\\b`,
  );
  const topic =
    segment.hasChoiceWord ||
    segment.hasTime ||
    new RegExp(`\\b(?:${uses})\\b`).test(text) ||
    (world.parts.schedule !== null && segment.parts.includes(world.parts.schedule));
  const asks = (PATTERNS.options.test(text) && topic) || could.test(text);
  return asks && !/^(?:what|which) (?:is|are|was) (?:on |in )?(?:the |my |our )?plan/.test(text)
    ? { kind: "options", phrase: text }
    : null;
}
