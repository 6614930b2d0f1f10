import { ADVICE } from "../advice/general.ts";
import { COMMON_WORDS } from "../language/common-words.ts";
import { createSpeller } from "../language/spelling.ts";
import { plainText } from "../language/words.ts";
import { FOODS } from "../world/food-words.ts";
import { clausesOf, inline } from "./sayings.ts";

/** A person's words without what they quote or typed in the form of a block: that wants nothing. */
export function unquoted(text: string): string {
  return text
    .replace(/(?:‹‹‹|<<<)(?:BATCH|HANDOVER)>>>[\s\S]*?(?:(?:‹‹‹|<<<)END>>>|$)/gi, " ")
    .replace(/(?:‹‹‹|<<<)[A-Z]*>*/g, " ")
    .replace(/["“„][^"“”„]*["”“]/g, " ")
    .trim();
}

/** Words of conversations that are about more than food. */
const EVERYDAY =
  `torn bus train child teacher money rent bank pay paid cost costs save saved deal deals ship shipping launch team goal goals learn teach
  neighbour neighbours neighbor noisy loud music married marry wedding divorce doctor pain sick walk bike drive sleep phone quit hire fire fair truth true trust
  sell sold offer offers lease loan stuck blocked struggle struggling overwhelmed stressed worried doubt doubts pros cons kit kits picky eater`.split(
    /\s+/,
  );

const KNOWN = new Set([
  ...COMMON_WORDS,
  ...EVERYDAY,
  ...ADVICE.topics.flatMap(({ words }) => words),
  ...FOODS.flatMap((food) => food.split(" ")),
  "hm",
  "hmm",
]);

/** Whether there is a word in it that is known, or a number. */
export function isUnderstood(text: string): boolean {
  const words = plainly(text).match(/[\p{L}\p{N}$€£]+/gu) ?? [];
  return words.some((word) => /\d/.test(word) || KNOWN.has(word));
}

const SPELL = createSpeller({
  likely: "plan plans steps stuck done finished complete ready start forget instead step".split(
    " ",
  ),
  common: [...COMMON_WORDS, ...ADVICE.topics.flatMap(({ words }) => words), ...EVERYDAY],
});

/** Lower case, short forms spelled out, spelling mended, quotes left out. */
export function plainly(text: string): string {
  return plainText(Array.from(unquoted(text)).slice(0, 2_000).join(""), SPELL);
}

const DATE =
  "(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|today|week|weekend|month|year|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|summer|\\d{1,2}(?:st|nd|rd|th)?(?: of)?)";

const LIMIT = new RegExp(
  [
    "[$€£]\\s?\\d|\\b\\d[\\d.,]*\\s?(?:dollars|euros?|bucks|pounds|k\\b)|\\bbudget\\b",
    "\\b(?:after|before|until|till|by|within|only|at most|no more than|less than|under|at least|maximum|max)\\s+(?:the |end of |this |next |about |around )*(?:\\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|noon|midnight)",
    `\\b(?:by|before|until|till|within|starting|start|from|on|this|next)\\s+(?:the |end of |beginning of |middle of |this |next )*${DATE}\\b`,
    "\\b\\d+\\s*(?:minutes?|mins?|hours?|days?|weeks?|months?|people|kids|children|evenings?|times)\\b",
    "\\b(?:has to|have to|must|can ?not|can't|cant|won't|never|deadline|allerg\\w*|no time|not allowed)\\b",
  ].join("|"),
  "i",
);

/** Whether a limit is taken back: "the budget does not matter any more". */
export function liftsLimit(text: string): boolean {
  return /\b(?:does not matter|no longer|not any ?more|forget (?:the|about)|never mind|is gone|ignore)\b/.test(
    plainly(text),
  );
}

/** What limits a person, in their words: amounts, times, days, musts. */
export function limitsOf(text: string): string[] {
  return clausesOf(unquoted(text))
    .filter((clause) => isLimit(clause) && !ASKS.test(clause) && !liftsLimit(clause))
    .map(inline);
}

/** Slips of the pen hide no limit. */
function isLimit(clause: string): boolean {
  return LIMIT.test(clause) || LIMIT.test(plainly(clause));
}

const ASKS =
  /^(?:(?:ok|okay|so|please|and|well|hm+|yes)[\s,]+)*(?:what|how|should|which|why|can|could|would|give|make|show|write|is|are|do|does)\b/i;

/** What a person tells of themselves and those around them, besides limits. */
export function revealsOf(text: string): string[] {
  const own =
    /\b(?:i|we|my|our|me|us|nobody|everybody|everyone|partner|wife|husband|kids?|son|daughter|boss|she|he|they|it)\b/i;
  return clausesOf(unquoted(text))
    .filter((clause) => own.test(clause) && !isLimit(clause) && !ASKS.test(clause))
    .filter((clause) => clause.split(/\s+/).length > 2)
    .map(inline);
}

/** What a person wants beneath it all: "mostly I want to save time" → "save time"; null where nothing says it. */
export function wishOf(text: string): string | null {
  const found =
    /\b(?:i|we)(?:'d| would)?(?: really| mostly| just| mainly)? (?:want|need|like|love|hope|wish|am trying|are trying|try)(?:ing)? to ([^.!?,;]{3,80})/i.exec(
      unquoted(text),
    );
  return found?.[1] === undefined ? null : inline(found[1]);
}

/** What matters most to a person, in their words. */
export function prioritiesOf(text: string): string[] {
  const matters =
    /\b(?:most(?:ly)?|mainly|important|priority|care about|matters|prefer|rather|save (?:time|money)|above all|first of all)\b/i;
  return clausesOf(unquoted(text))
    .filter((clause) => matters.test(clause) && !ASKS.test(clause))
    .map(inline);
}

/** What a person has settled on: "sunday prep could work", "we will skip fridays". */
export function decisionsOf(text: string): string[] {
  const settles =
    /\b(?:could work|would work|works for|let'?s|let us|we'?ll|i'?ll|will|decided|going to|go with|looks good|sounds good)\b/i;
  return clausesOf(unquoted(text))
    .filter((clause) => settles.test(clause) && !ASKS.test(clause))
    .filter((clause) => !/\b(?:let'?s|let us) (?:do it|go|start|begin|forget|drop)\b/i.test(clause))
    .map((clause) =>
      inline(
        clause.replace(
          /^(?:\s*(?:ok|okay|so|yes|i (?:think|guess|believe|suppose)|we (?:think|guess)|maybe)\b[\s,]*)+/i,
          "",
        ),
      ),
    )
    .filter((clause) => clause.split(/\s+/).length > 2);
}

const NOT_YET =
  /\b(?:not (?:ready|yet|sure)|no plan|do not (?:want|need|give|make|write)|without a plan|too (?:early|soon)|before (?:you|we|i) (?:make|write|plan)|not (?:a|the|any) plan|if (?:i|we|you))\b/;

const READY: readonly RegExp[] = [
  /\b(?:give|make|write|show|draw|build|create|draft|send|get|have|need|want|like|prepare|put together|work out|come up with) (?:me |us |up )*(?:(?:a|an|the|that|your|some|one|my|our|whole|full|simple|concrete|real|good|step by step|detailed|weekly|\d+ day) ?)*(?:(?!meal\b)\w+ ){0,2}plan\b/,
  /^(?:(?:ok|okay|yes|please|so|now|great|and|then|alright|,|\.) )*(?:a |the |your )?plan(?: please| now| for| to|$)/,
  /\bplan it\b/,
  /\bwhat (?:are|would be) the (?:next |first |exact |concrete )?steps\b|\b(?:steps|plan) please\b|\bstep by step\b/,
  /\blet us (?:do|go|start|begin|try) ?(?:it|this|that|for it|with it|with that|now)?(?: \.|$| ,)/,
  /\b(?:let us do|go for|going with|go with|i will do|we will do|do) (?:it|this|that)\b(?! not)/,
  /\b(?:i am|we are|i feel) (?:ready|in|sold|convinced|decided)\b/,
  /\bhow do (?:i|we) (?:start|begin|get started)\b/,
  /\b(?:i|we) (?:need|have|am going|are going|want) to (?:start|begin|finish|ship|be done|have|get|deliver|launch)\b.*\b(?:by|before|until|this|next|on|from|tomorrow|today)\b/,
];

/** Whether a person shows that they are ready for a plan. */
export function isReady(text: string): boolean {
  const plain = plainly(text);
  return !NOT_YET.test(plain) && READY.some((pattern) => pattern.test(plain));
}

/** "step 1", "step one", "steps 1 , 2 and 3". */
const STEP_NUMBERS = /\bsteps? (?:\d+|one)(?:(?: ,| and| to){1,2} \d+){0,8}/g;
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];

/** Numbers of the steps that a person says are done; 0 for one that they do not number. */
export function doneSteps(text: string): number[] {
  return [...new Set(plainly(text).split(CLAUSE_END).flatMap(doneIn))];
}

/** A question that follows is no part of what was said before it. */
const CLAUSE_END =
  / \. | ?, ?(?=(?:and |so )?(?:how|what|where|when|which|can|could|should|shall|do|does) )/;

function doneIn(plain: string): number[] {
  if (
    /\b(?:not|never|almost|nearly|half|when|once|if|until|before|after|as soon as)\b[^.]*\b(?:done|finished|complete|completed)\b/.test(
      plain,
    )
  ) {
    return [];
  }
  const said =
    /\b(?:done|finished|complete|completed|did|ticked off|through with|behind (?:me|us))\b/;
  if (!said.test(plain)) return [];
  if (/^(?:is|are|was|what|how|when|did (?:i|we|you))\b/.test(plain)) return [];
  if (/\b(?:what|how|when|where) (?:did|have|had) (?:i|we|you)\b/.test(plain)) return [];
  const numbers = [...plain.matchAll(STEP_NUMBERS)].flatMap(([said = ""]) =>
    (said.replace(/\bone\b/, "1").match(/\d+/g) ?? []).map(Number),
  );
  const named = ORDINALS.flatMap((word, index) =>
    new RegExp(`\\b${word} (?:step|one|thing)\\b`).test(plain) ? [index + 1] : [],
  );
  const found = [...new Set([...numbers, ...named])];
  return found.length > 0 ? found : [0];
}

/** Numbers of the steps that a person takes up again. */
export function reopenedSteps(text: string): number[] {
  const plain = plainly(text);
  const again =
    /\b(?:not (?:really |quite )?(?:done|finished|complete)|reopen|do (?:it )?again|redo|back to|undo|was not done|start over)\b/;
  if (!again.test(plain)) return [];
  return [...plain.matchAll(/\bstep (\d+|one)\b/g)].map(([, number = ""]) =>
    number === "one" ? 1 : Number(number),
  );
}

/** What holds a person up, in their words; null where nothing does. */
export function blockerOf(text: string): string | null {
  const stuck =
    /\b(?:stuck|struggl\w+|blocked|blocker|can ?not|can't|cant|not working|doesn'?t work|does not work|fails?|failing|failed|hopeless|keeps? (?:going|failing|happening|\w+ing))\b/i;
  const said = unquoted(text);
  if (!stuck.test(said)) return null;
  if (/^(?:\w+ ){0,2}(?:can'?t|can ?not|couldn'?t) we\b/i.test(said)) return null;
  return inline(said);
}
