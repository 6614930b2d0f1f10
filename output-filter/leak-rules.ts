import { expandPattern, readPatternRows } from "./pattern-table.ts";

/** Words that stand in the rules as `{NAME}`. */
const WORDS = String.raw`
NUMBER: \d{1,2}|one|two|three|four|five|six|seven|eight|all|both|most|some|several|many|half|none
SOURCES: (?:(?:ai|language|other) )*(?:models|llms|experts|advisors)
ASK: asked|consulted|queried|polled
SAY: (?:all |also |both |mostly )?(?:agreed?|disagreed?|say|said|think|thought|recommend(?:ed)?|suggest(?:ed)?|conclude[ds]?|flag(?:ged)?|raised?|point(?:ed)? out|warn(?:ed)?|differ(?:ed)?|are split|were split|converged?|diverged?)
`;

/** Sentences that tell how an answer came about, in English; a row is `name: pattern`. */
const RULES = String.raw`
agreement: \b(?:the|my|these|{NUMBER} of (?:the )?{NUMBER}|(?:{NUMBER}|(?:only )?one) of (?:the|my)) {SOURCES} (?:i {ASK} )?(?:were |are )?{SAY}\b
agreement: \b(?:according to|(?:consensus|agreement|disagreement|split) (?:across|among|between|of)) (?:all |both |most of )?(?:the|my) {SOURCES}\b
count: \b{NUMBER} (?:out )?of (?:the |my )?(?:{NUMBER} )?(?:(?:ai|language) )*(?:models|llms|experts|answers) (?:i {ASK}|{SAY}|point to)\b
asked: \bi(?:'ve| have)? {ASK} (?:(?:the|my|several|multiple|many|different|some|{NUMBER}|other) )*(?:(?:ai|language) )*(?:models|llms|experts)\b(?! (?:at|in|from))
asked: \b(?:models|llms|experts) i(?:'ve| have)? {ASK}\b
number: \bexperts? \d{1,2}\b(?! (?:stars?|years|tips|ways|reviews))|\b(?:supported|backed|said) by (?:models?|experts?|answers?) \d{1,2}\b
model: \b(?:as|i am|i'm) an? (?:ai |large )?language model\b
mapper: \bthe mapper (?:found|sees|saw|says|said|flagged|noted|merged)\b
analysis: \b(?:the|my) structural (?:analysis|brief)\b(?! of)|\b(?:the|my) (?:claim|decision) (?:map|graph)\b|\bthe brief i was given\b
analysis: \b(?:conflict edge|keystone claim|leverage inversion|(?:intent|execution) handover|system prompt)\b
analysis: \b(?:(?:contested|contextual|dimensional|exploratory) shape|shape is (?:contested|contextual|keystone|settled|dimensional|exploratory)|my stance (?:\w+ ){0,3}is)\b
score: \b(?:support|leverage|alignment|tension|fragmentation) score\b|\b(?:support|fragmentation) ratio\b
`;

const words = new Map(readPatternRows(WORDS).map(({ key, text }) => [key, text]));

/** The patterns of `RULES`, for text in which apostrophes are plain. */
export const LEAK_PHRASES: readonly RegExp[] = readPatternRows(RULES).map(
  ({ text }) => new RegExp(expandPattern(text, words), "giu"),
);
