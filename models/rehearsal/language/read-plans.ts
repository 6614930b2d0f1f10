import { PATTERNS } from "./patterns.ts";
import type { Segment } from "./segment.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { Wish } from "./wish.ts";
import { worldThings } from "./world-things.ts";
import { countedTimes } from "./world-words.ts";

/** What is needed for something is to be got together. */
export function readCollect(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const { world } = vocabulary;
  const { text, parts, choices } = segment;
  const { wanted, schedule } = world.parts;
  const names = (part: string | null): boolean => part !== null && parts.includes(part);
  if (wanted === null || !(names(wanted) || /\bbuy\b/.test(text))) return null;
  // What a step of the plan needs stands in no recipe.
  if (/\bsteps? (?:\d+|one)\b|\bfirst step\b/.test(text)) return null;
  if (meansIngredients(text)) return { kind: "collect", phrase: text };
  const forWhat =
    names(schedule) ||
    choices.length > 0 ||
    segment.hasChoiceWord ||
    segment.hasOrdinal ||
    (segment.hasDay && !/\d/.test(text)) ||
    /\b(?:for|from) (?:it|that|this|them|those|these)\b/.test(text) ||
    worldThings(/\b(?:for|from) (.+)$/.exec(text)?.[1] ?? "", vocabulary).length > 0;
  const all =
    PATTERNS.collect.test(text) || /\blist (?:for|from|of|based on|out of|covering)\b/.test(text);
  return forWhat && all && !/\bwhat is (?:left )?on\b/.test(text)
    ? { kind: "collect", phrase: text }
    : null;
}

/** "Add it all to the list", "put everything I need on it": what a dish needs, and no thing of that name. */
export function meansIngredients(text: string): boolean {
  return /^(?:(?:add|put|get|write|note|stick|place|throw|pop|buy) )(?:(?:it|that|this|them|those|these) all|all of (?:it|that|this|them|those|these)|(?:everything|all|whatever|all that|what)(?: that)? (?:i|we|you|it|they) (?:need|will need|have to|must|require)s?(?: for (?:it|that|this|them|those|these))?|(?:everything|all)(?: for (?:it|that|this|them|those|these))?|(?:all )?(?:the |its |their )?ingredients)(?: (?:to|on|onto|in|into)\b.*)?$/.test(
    text,
  );
}

/** Another number than before: "make it 6 instead". */
export function readRecount({ text }: Segment): Wish | null {
  const count = /\b(\d+)\b/.exec(text)?.[1];
  return count !== undefined && PATTERNS.recount.test(text) && !PATTERNS.size.test(text)
    ? { kind: "recount", phrase: text, count: Number(count) }
    : null;
}

/** Days and times are to be filled. */
export function readFill(segment: Segment, { world }: Vocabulary): Wish | null {
  const { text } = segment;
  if (PATTERNS.draft.test(text) || segment.choices.some(({ by }) => by === "whole")) return null;
  if (/^(?:what|which|is|are|how|why|did)\b/.test(text) || /\bhelp\b/.test(text)) return null;
  if (PATTERNS.number.test(text)) return null;
  const count = countedTimes(text, world);
  if (count === null && segment.choices.length > 0) return null;
  const plans =
    /(?<!\bthe |\bmy |\bour )\b(?:plan|planned|schedule|organi[sz]e|fill|need|want|sort out|set up|arrange)\b/.test(
      text,
    );
  const when = segment.hasDay && segment.hasTime;
  if (world.parts.schedule === null) return null;
  const asked = count === null ? plans && when : plans || segment.hasDay;
  return asked ? { kind: "fill", phrase: text, count } : null;
}

/** Something that is named is to be put on a day. */
export function readSchedule(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const { text } = segment;
  const { choices, schedule } = vocabulary.world.parts;
  if (schedule === null || segment.isQuestion) return null;
  const elsewhere = segment.sureParts.some((part) => part !== choices && part !== schedule);
  const what =
    segment.choices.length > 0 ||
    segment.hasOrdinal ||
    segment.hasPronoun ||
    (!elsewhere && worldThings(text, vocabulary).length > 0);
  const verb = /\b(?:put|schedule|plan|set|book|assign|have|cook|make|eat|do|add)\b/.test(text);
  const day = /\b(?:today|tonight|tomorrow|\w+day|\d{4}-\d{2}-\d{2})s?\b/.test(text);
  const when = day || (segment.hasTime && verb);
  return what && when && !/\b(?:draft|come up|invent)\b/.test(text)
    ? { kind: "schedule", phrase: text }
    : null;
}
