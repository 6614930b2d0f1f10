import { withoutDays } from "./calendar.ts";
import { PATTERNS } from "./patterns.ts";
import type { Segment } from "./segment.ts";
import { partsIn, surePartsIn, type Vocabulary } from "./vocabulary.ts";
import type { Wish } from "./wish.ts";
import { stem } from "./stem.ts";
import { tidyWords } from "./words.ts";
import { worldThings } from "./world-things.ts";

/** Drafts are to be saved. */
export function readSave({ text, hasDay, hasTime }: Segment): Wish | null {
  const boxed =
    /\b(?:add|put) (?:it|that|this|them|those|both|all \d+|everything) (?:in|into|to) (?:my |the |our )?(?:\w+ )?(?:box|collection|recipes?)\b/;
  const isGap = hasDay && hasTime && PATTERNS.gap.test(text);
  const saves = PATTERNS.save.test(text) && !/\bsave (?:me )?(?:some )?(?:time|money)\b/.test(text);
  const refuses = /\b(?:do not|not|never) (?:save|keep|store)\b/.test(text);
  return (saves || boxed.test(text)) && !isGap && !refuses ? { kind: "save", phrase: text } : null;
}

/** Something is to be made up. */
export function readDraft(segment: Segment, vocabulary: Vocabulary): Wish | null {
  const { text } = segment;
  if (!asksToMakeUp(segment, vocabulary)) return null;
  const what = draftedThing(text, vocabulary);
  if (
    what === "" ||
    surePartsIn(what, vocabulary).length > 0 ||
    partsIn(what, vocabulary).length > 0
  )
    return null;
  const size =
    /\b(?:for|serves|serving|feeds) (\d+)\b|\b(\d+) (?:servings|portions|people|persons)\b/.exec(
      text,
    );
  const count = /\b(\d+)\b(?! (?:servings|portions|people|persons|minutes?))/.exec(
    text.replace(/\b(?:for|serves|serving|feeds) \d+\b/g, ""),
  )?.[1];
  const sized = size?.[1] ?? size?.[2];
  return {
    kind: "draft",
    phrase: text,
    what,
    count: count === undefined ? 1 : Math.min(Number(count), 8),
    size: sized === undefined ? null : Number(sized),
  };
}

/** Asked for as such ("come up with"), by its kind ("a quick pasta recipe"), or just named ("simple shakshuka for 2"). */
function asksToMakeUp(segment: Segment, vocabulary: Vocabulary): boolean {
  const { text } = segment;
  const kind = vocabulary.world.choiceWords.join("|");
  const byKind = new RegExp(`\\b(?:a|an|another|\\d+) (?:\\w+ ){1,4}(?:${kind})(?:e?s)?\\b`).test(
    text,
  );
  const wants =
    /\b(?:want|like|fancy|love|how about|what about|suggest|recommend|give me|make me|make|need)\b/;
  const onlyNamed =
    !PATTERNS.verb.test(text) &&
    segment.parts.length === 0 &&
    !segment.choices.some(({ by }) => by === "whole") &&
    /\b(?:for|serves) \d+\b|^(?:an? )?(?:simple|quick|easy|nice|fast)\b/.test(text) &&
    worldThings(text, vocabulary).length > 0;
  return (
    PATTERNS.draft.test(text) ||
    (byKind && wants.test(text)) ||
    /\bideas?\b/.test(text) ||
    /^(?:make|cook)(?: me| us)? (?:a|an|\d)/.test(text) ||
    onlyNamed
  );
}

/** What is to be made up, without the words that only ask for it. */
function draftedThing(text: string, { world }: Vocabulary): string {
  const bare = withoutDays(text)
    .replace(PATTERNS.draftVerbs, " ")
    .replace(
      /\b(?:for|serves|serving|feeds) \d+(?: people| persons| of us)?\b|\b\d+ (?:servings|portions|people|persons)\b/g,
      " ",
    )
    .replace(/\b(?:that|which) (?:serves|feeds)\b/g, " ")
    .replace(/\bas (?:a )?drafts?\b/g, " ");
  const kinds = new Set(world.choiceWords.map(stem));
  return tidyWords(bare, ASKING)
    .split(" ")
    .filter((word) => !kinds.has(stem(word)))
    .join(" ");
}

const ASKING =
  "a an the some any of me us my our i we want like would have idea ideas new for with help please kind what how about them it one ones those these that \\d+";

/** A draft is to be changed. */
export function readChange(segment: Segment): Wish | null {
  const { text } = segment;
  const wants =
    PATTERNS.change.test(text) || (segment.aboutDraft && PATTERNS.changeDraft.test(text));
  return wants && (segment.aboutDraft || segment.choices.some(({ thing }) => thing.draft))
    ? { kind: "change", phrase: text }
    : null;
}
