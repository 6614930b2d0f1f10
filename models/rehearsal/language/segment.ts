import { namesDays } from "./calendar.ts";
import {
  type Mention,
  mentionsIn,
  namesChoice,
  partsIn,
  surePartsIn,
  thingsOf,
  type Vocabulary,
} from "./vocabulary.ts";
import { indexOfWords, plainText, stems } from "./words.ts";

/** A piece of a message that wants one thing, with what it names. */
export interface Segment {
  /** Plain words, politeness left out. */
  readonly text: string;
  /** Parts of the data that it names, the most clearly named first. */
  readonly parts: readonly string[];
  /** Those that it names in the prompt's own words. */
  readonly sureParts: readonly string[];
  /** Things that are chosen among, drafts included. */
  readonly choices: readonly Mention[];
  /** Things of all other kinds. */
  readonly others: readonly Mention[];
  readonly hasOrdinal: boolean;
  readonly hasPronoun: boolean;
  readonly hasDay: boolean;
  /** Names a time of day or another value of a choice column. */
  readonly hasTime: boolean;
  readonly hasChoiceWord: boolean;
  readonly isQuestion: boolean;
  /** The draft that the conversation is about, where there is one. */
  readonly aboutDraft: boolean;
}

/** Words that only make a message friendlier. */
const POLITE = [
  /\b(?:if|as long as) (?:it|that) (?:is|would be) (?:ok|okay|alright|all right|fine|possible|not too much(?: trouble)?)(?: (?:with|by|for) (?:you|me))?\b/g,
  /\bi am afraid\b/g,
  /\b(?:do not|never) (?:you )?forget to\b/g,
  /\b(?:please|kindly|cheers|thank you|thanks|for me|if you can|if possible|if you do not mind|when you can|when you get a chance|real quick|right now|for now|by the way|while you are at it|to be honest|honestly)\b/g,
  /\b(?:hey|hi|hello|um|uh|hmm|oh|ah|okay|ok|alright|well|just|simply|maybe|perhaps|then|so|you know what|actually|sorry|oops|hold on|one more thing)\b(?= \S)/g,
  /(?<=^|[,.] |\b(?:and|but|also) )(?:would|will|could|can|may|might) (?:you|i|we) (?:be so kind as to |do me a favou?r and |go ahead and )?/g,
  /\b(?:do|would) you mind\b/g,
  /\b(?:would|is) it (?:be )?possible to\b/g,
  /(?<=^|[,.] |\b(?:and|but|also) )i (?:(?:would|will) (?:like|love)|want|need) (?:you )?to\b/g,
];

/** What a message says before it comes to the point. */
const LEAD =
  /^(?:(?:no|wait|stop|yes|yeah|yep|sure|right|now|also|and|but|great|perfect|lovely|nice|cool|good|excellent|awesome|fine|scratch that|never mind|on second thought|looks? good|sounds? good|looks? great|sounds? great|that is great|love it|i love it|like it)(?: (?:no|wait|,|\.)| ?(?=[,.]|$)) ?[,.]? ?)+/;

/** Takes politeness out of plain words. */
export function withoutPoliteness(plain: string): string {
  return POLITE.reduce((text, polite) => tidy(text.replace(polite, " ")), tidy(plain));
}

/** Removes what is said before the point: "no wait ,", "great ,". */
function withoutLead(text: string): string {
  return tidy(text.replace(LEAD, ""));
}

/** Spaces and marks in order. */
export function tidy(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/(?: ?[,.] ?)+(?=[,.])/g, " ")
    .replace(/^[\s,.]+|[\s,.]+$/g, "")
    .trim();
}

/** Characters of a message that are read: rules take longer the longer a text is. */
const MOST_READ = 1_000;

/** Plain words of a message's beginning, spelling mended with the vocabulary. */
export function plainMessage(message: string, vocabulary: Vocabulary): string {
  const beginning = Array.from(message).slice(0, MOST_READ).join("");
  return tidy(plainText(beginning, vocabulary.spell))
    .replace(/\b(any|every)thing but\b/g, "$1thing except")
    .replace(/\bnever mind (?=the|those|that|about|these)\b/g, "undo ");
}

const STARTS =
  "add|put|remove|delete|clear|empty|wipe|save|keep|store|show|list|tell|plan|schedule|draft|create|skip|drop|leave|exclude|bring|find|mark|check|help|undo|i|we|do|let|also|what|which|how|is|are|it|they|throw|get rid|no";

const CLAUSES = new RegExp(
  ` (?:,|but|however|though|although) (?:and |but |also |or )*| and (?:also |then )?(?=(?:${STARTS}) )|(?<! i| we| you) also (?=(?:${STARTS}) )`,
);

/** The clauses of plain words, in order. */
export function clausesOf(plain: string): string[] {
  return plain
    .split(" . ")
    .flatMap((sentence) => withoutLead(` ${sentence} `.trim()).split(CLAUSES))
    .map((clause) => tidy(clause))
    .filter((clause) => clause !== "" && !/^(?:and|but|also|or|then|so)$/.test(clause));
}

const ORDINAL =
  /\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|1st|2nd|3rd|[4-9]th|number \d+|both|all of them|all (?:2|3|4|5|6|7|8|9|10)|(?:recipe|option|dish|item|one|game) \d+)\b/;

const PRONOUN =
  /\b(?:it|that|this|them|those|these|they|that one|this one|the one|the ones|the rest|the missing|the other|everything)\b/;

const QUESTION =
  /^(?:what|which|when|where|who|how|is|are|was|were|have|has|any|anything|got|why|(?:do|does|did) (?:i|we|you|they|it))\b/;

/** What a piece of a message names. */
export function readSegment(
  text: string,
  vocabulary: Vocabulary,
  context: { readonly aboutDraft: boolean },
): Segment {
  const { world, things } = vocabulary;
  const words = stems(text);
  const times = [...Object.keys(world.values), ...Object.values(world.values)];
  const choices = new Set(thingsOf(world.parts.choices, things));
  return {
    text,
    parts: partsIn(text, vocabulary),
    sureParts: surePartsIn(text, vocabulary),
    choices: mentionsIn(text, [...choices], vocabulary.pale),
    others: mentionsIn(
      text,
      things.filter((thing) => !choices.has(thing)),
      vocabulary.pale,
    ),
    hasOrdinal: ORDINAL.test(text),
    hasPronoun: PRONOUN.test(text),
    hasDay: namesDays(text),
    hasTime: times.some((time) => indexOfWords(words, stems(time)) !== -1),
    hasChoiceWord: namesChoice(text, vocabulary),
    isQuestion: QUESTION.test(text),
    aboutDraft: context.aboutDraft,
  };
}
