import { belongsTo } from "../prompt/read-entities.ts";
import { PATTERNS } from "./patterns.ts";
import { contentWords, isElliptic } from "./read-questions.ts";
import type { Segment } from "./segment.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { Wish } from "./wish.ts";

/** Everything in a part of the data is to go. */
export function readClear({ text, parts, hasDay, hasTime }: Segment): Wish | null {
  if (parts.length === 0 || (hasDay && hasTime)) return null;
  const all = /\b(?:all|everything|every|whole|entire|entirely|completely|complete)\b/.test(text);
  const cleared =
    PATTERNS.clear.test(text) ||
    (all && PATTERNS.remove.test(text)) ||
    /\b(?:want|make|get|leave|should be|to be) .*\b(?:empty|emptied|cleared|gone|wiped)\b/.test(
      text,
    );
  return cleared && !/^(?:is|are|did|has|was|what|which)\b/.test(text)
    ? { kind: "clear", phrase: text, parts: clearedParts(text, parts) }
    : null;
}

/** "Clear my shopping list and my tasks" names two parts; "the list of tasks" one. */
function clearedParts(text: string, parts: readonly string[]): readonly string[] {
  return /\band\b|,/.test(text) ? parts : parts.slice(0, 1);
}

/** Something is done or bought. */
export function readFinish({ text, parts, others }: Segment, { world }: Vocabulary): Wish | null {
  const [part = null] = parts;
  const { stock, choices } = world.parts;
  const things = others.filter(({ thing }) => !belongsTo(thing.ref, stock));
  const place = part !== null && part !== stock && part !== choices;
  const named = things.length > 0 || place || PATTERNS.pronoun.test(text);
  return named && PATTERNS.finish.test(text) ? { kind: "finish", phrase: text, part } : null;
}

/** What is on one day is to be on another. */
export function readMove({ text, hasDay }: Segment): Wish | null {
  return hasDay && PATTERNS.move.test(text) ? { kind: "move", phrase: text } : null;
}

/** What was stored last is to be taken back: "undo that", and no name of anything. */
export function isUndo(phrase: string): boolean {
  return /^(?:undo|take (?:it|that|this|them|those|everything) back)(?: (?:it|that|this|them|those|again|the last (?:one|thing|change|step)|what you (?:just )?did|everything))*$/.test(
    phrase,
  );
}

/** Something that is named is to go. */
export function readRemove(segment: Segment): Wish | null {
  const { text, parts, others, choices, hasOrdinal } = segment;
  const [part = null] = parts;
  if (/^(?:remove|delete|erase) (?:all|everything|both)(?: of)?$/.test(text)) {
    return { kind: "remove", phrase: text, part };
  }
  const gone =
    /\b(?:used up|ran out of|run out of|is gone|are gone|is finished|threw|ate up)\b/.test(text);
  if (!(PATTERNS.remove.test(text) || gone)) return null;
  const named =
    part !== null || others.length > 0 || choices.length > 0 || segment.hasPronoun || hasOrdinal;
  return named || /\bundo\b/.test(text) ? { kind: "remove", phrase: text, part } : null;
}

/** Something is to be added to a part of the data. */
export function readAdd(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const { text, parts } = segment;
  const { schedule, choices, wanted } = vocabulary.world.parts;
  const place = parts.find((part) => part !== schedule && part !== choices) ?? null;
  if (/^(?:what|which|is|are|do|does|did|how|why|show|list|tell|check)\b/.test(text)) return null;
  if (place !== null && isElliptic(segment, vocabulary)) return null;
  // "Hm what is in my fridge": what an unknown word stands before is still a look.
  if (/\bwhat (?:is|are|was|do|did|have|has)\b/.test(text) && !STARTS_TO_ADD.test(text))
    return null;
  if (place !== null && (PATTERNS.add.test(text) || hasItems(segment, vocabulary))) {
    return { kind: "add", phrase: text, part: place };
  }
  const buys =
    /\b(?:buy|run out of|ran out of|out of|pick up|get some|need to get|need some)\b/.test(text);
  if (buys && wanted !== null) return { kind: "add", phrase: text, part: wanted };
  return null;
}

const STARTS_TO_ADD = /^(?:add|put|buy|get|write|note|include)\b/;

/** Whether something stands beside the name of the place: "peanuts on my shopping list". */
function hasItems(segment: Segment, vocabulary: Vocabulary): boolean {
  const { text } = segment;
  if (/^(?:and )?(?:show|see|look|list|open|check|give|read|view|let)\b/.test(text)) return false;
  return /\b(?:on|to|in|into|onto|for)\b/.test(text) && contentWords(text, vocabulary).length > 0;
}
