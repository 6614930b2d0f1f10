import { expandPattern, readPatternRows } from "./pattern-table.ts";

/** Words that stand in the questions as `{NAME}`: how a person refers to the answer, and to who was asked. */
const WORDS = String.raw`
THAT: this|that|it|these|those|all (?:this|that|of this|of that)|any of (?:this|that)|your (?:\w+ )?(?:answers?|advice|recommendations?|suggestions?|plan|claims?|information|info|knowledge|numbers|conclusions?|opinion|reasoning|reply|response|facts)|the (?:answer|advice|recommendation|suggestion|plan|information|info|conclusion)(?: you (?:gave|made|just gave))?|what you(?:'re| are|'ve| have)? (?:just )?(?:said|saying|told|wrote|recommend\w*|suggest\w*)
ASKED_OF: (?:ai |language |different |other |several |multiple |many |more than one |various |some |a few |any |real |human |actual |any real |llm |the )*(?:models?|ais|llms?|chatbots|experts?|sources|perspectives|people|specialists|professionals|advisors|advisers|viewpoints|anyone|anybody|someone|somebody|others)
`;

const SOURCES = String.raw`
\bhow (?:do|can|did|could|would) you (?:even |actually |really |possibly |be so )?(?:know|get to know|sure|certain|come up with|arrive at|come to|work out|reach|get|find|figure|tell)(?: out)?(?: all)? {THAT}\b(?! (?:works|open|out of|off|to work|started|fixed|clean|done))
\bhow (?:do|can) you (?:even |actually |really )?know\b(?= ?(?:[?!.]|$|that\?|so much|all))
\bhow can you be (?:so |that )?(?:sure|certain|confident)\b
\bwhere (?:does|do|did|is|are) {THAT} (?:\w+ )?(?:come from|coming from|taken from|originate|from)\b(?! (?:originally|in (?:italy|france)))
\bwhere (?:do|did|have) you (?:\w+ )?(?:get|got|gotten|take|taken|find|found|learn|learned|hear|read|have|pull) {THAT}\b(?: information| info| idea| advice| from)?(?= ?(?:[?!.,]|$|from| information| info| idea| advice| data| number))
\bwhat (?:is|was|are|were|do you|did you|'s)? ?(?:{THAT} )?(?:based on|base (?:{THAT}|your \w+) on|basing)\b
\bwhat (?:do|did|are) you bas(?:e|ed|ing) {THAT} on\b
\bon what (?:basis|grounds)\b(?= ?(?:[?!.]|$|do you|did you|are you| ?is (?:this|that)))
\b(?:did|do|have|are|were) you (?:just |actually |really |ever |also |maybe |only )?(?:ask|asked|asking|consult|consulted|consulting|query|queried|poll|polled|check(?:ed)? with|use|using|talk(?:ing)? to|speak(?:ing)? (?:to|with)|compare|compared|combine|combining|draw on|drawing on) {ASKED_OF}\b(?! (?:of|like|from|to repair|for a quote))
\b(?:who|whom|which (?:ai |language )?(?:models?|experts?|ais?|llms?|sources)|what (?:ai |language )?(?:models?|experts?|ais?|llms?|sources)|how many (?:ai |language |different )?(?:models?|experts?|ais?|llms?|sources|perspectives|opinions)) (?:did|do|have|are|were) you (?:just |actually |really )?(?:ask|asked|consult|consulted|query|poll|use|used|using|talk(?:ed)? to|check|speak to|base|running|rely|relying|draw|get|hear)\b
\b(?:who|how many (?:models?|experts?|people|perspectives|ais?|sources)|which (?:models?|experts?)|what (?:models?|experts?)) (?:\w+ )?(?:(?:dis)?agreed?(?=[?!. ]*$| (?:on|with|about) (?:this|that|it|you)\b)|said (?:so|that|this)|supported (?:this|that)|answered|(?:is|are|were|was) behind (?:this|that|your|it|the answer))\b(?! (?:no|yes|on the (?:treaty|deal)))
\bwho (?:told you|says so|did you (?:ask|hear|get))\b
\bwhat (?:are|were|is) your sources?\b|\b(?:can|could|do|will|would) you (?:\w+ )?(?:cite|name|give|show|share|list|reveal|have) (?:me |us )?(?:your |a |any |the |some )(?:\w+ )?sources?\b(?! of (?:protein|iron|income|vitamin|light))|\byour sources\?
\b(?:are|is) you(?:r)? (?:\w+ )?(?:one|several|multiple|many|a single|just one|more than one|made of|built on|running on|powered by|using) ?(?:\w+ ){0,3}(?:models?|ais?|llms?|chatbot|gpt[\w.-]*|claude|gemini|llama)\b
\b(?:what|which) (?:ai |language |kind of |sort of |type of )*(?:model|ai|llm|chatbot) (?:are you|is this|am i (?:talking|speaking|chatting) (?:to|with)|(?:do you|does this) (?:use|run))
\bare you (?:really |actually |just )?(?:an? )?(?:ai|bot|robot|human|chatbot|language model|llm|real person|chatgpt|gpt[\w.-]*|claude|gemini|machine)\b(?! (?:engineer|developer|person who))
\bhow (?:do|does|did) (?:you|this|it) (?:actually |really )?(?:work|function|think|decide|generate|produce|make up|come up with)\b(?= ?(?:[?!.]|$|behind|internally|under the hood|your answers?|these answers?|this answer|what to (?:say|answer)|answers|responses))
\bhow (?:reliable|trustworthy|accurate|certain|solid|sure|confident|well[- ]founded) (?:is|are) (?:you(?= (?:about|that|of|with)|[?!. ]*$)|you(?:r)? (?:answers?|advice|information|information|sources|claims?|recommendations?)|(?:this|that)(?= (?:answer|advice|information|recommendation)|[?!. ]*$))
\b(?:why|how (?:much )?) ?(?:should|can|could|would) (?:i|we|anyone) (?:trust|believe|rely on) (?:you|{THAT})\b(?! (?:\w+ )?(?:brand|guy|company|seller|man|woman))
\bare you (?:really |actually |quite |absolutely |so |100% )?(?:sure|certain|confident)\b(?= ?(?:[?!.,]|$|about (?:this|that|it)|of (?:this|that|it)|that'?s? (?:right|correct|true)))
\b(?:did|are) you (?:just )?(?:make|making|made|invent|inventing|hallucinat\w+) (?:{THAT} )?(?:up)?\b(?= ?(?:[?!.]|$|{THAT}|this|that))
\b(?:is|was|are) (?:this|that|it) (?:just |only |really |all |actually )*(?:your (?:own )?(?:opinion|guess|idea|view)|made up|a guess|general knowledge|from (?:the internet|your training|experts?|a model|an ai|one model|several models)|(?:from )?(?:one|several|multiple|a single) (?:models?|sources?|experts?)|ai[- ]generated)
\b(?:do|did) (?:they|the experts|(?:all |both |most )?(?:of )?(?:them|(?:the|your|these|those) (?:experts|models|sources|ais|answers|advisors|advisers|perspectives|specialists))|everyone|everybody) (?:\w+ )?(?:all |really |actually )*(?:agree|disagree|say (?:so|that|this|the same)|think (?:so|that|the same))\b(?= ?(?:[?!.]|$|on (?:this|that|it)|about (?:this|that|it)|with (?:this|that|you|each other)))
\bwhere (?:did|do) (?:they|the experts|the models|your sources|your experts) (?:\w+ )?(?:disagree|differ|agree)\b
\bhow you (?:came|come|got|get|arrived|arrive|reached|know|knew|found|worked out|figured out|decided on|made)(?: (?:up with|to|at|out))? (?:all )?{THAT}\b
\bwhat makes you (?:so |even |actually )*(?:sure|certain|confident|(?:think|say|believe|claim|conclude)(?: so| that| this)?(?=[?!. ]*$))
\b(?:reasoning|sources?|evidence|thinking|basis|method|grounds) (?:behind|for|underlying|of|under) (?:your\b|what you|{THAT}(?=[?!. ]*$))
\bhow (?:do|does) (?:this|the|your) (?:assistant|chat|chatbot|bot|app|system|ai|service|concierge) (?:actually |really )?(?:work|function|think|decide|know|answer|come up with)\b
\bwhat (?:went|goes) on behind the scenes\b|\b(?:show|tell) me (?:how you (?:got|came|arrived|know|reached)|where (?:you (?:got|have)|{THAT} (?:comes|came) from)|what {THAT} (?:is|was) based on|your (?:sources|reasoning process))
\bhow (?:was|were|is|are) {THAT} (?:\w+ )?(?:made|generated|produced|created|derived|put together|arrived at)\b(?= ?(?:[?!.]|$|by you|by an ai))(?<!how (?:is|are|was|were) (?:it|this|that|these|those) (?:made|produced|created))
\bwhy (?:do|did|would) you (?:even |actually |really )?(?:say|think|believe|recommend|suggest) {THAT}(?=[?!. ]*$)
\bwho (?:are|were) (?:these|the|your|those|all these) (?:ai )?(?:experts|advisors|advisers|sources|specialists)\b(?=[?!. ]*$)
\b(?:is|are) (?:this|it|you|that) (?:all |just |only |really |actually )*(?:an? )?(?:chatgpt|gpt[\w.-]*|claude|gemini|llm|language model)\b
\bwhat(?:'s| is) your (?:level of )?(?:confidence|certainty)\b
`;

const words = new Map(readPatternRows(WORDS).map(({ key, text }) => [key, text]));

const QUESTIONS: readonly RegExp[] = SOURCES.trim()
  .split("\n")
  .map((source) => new RegExp(expandPattern(source, words), "u"));

/** In characters: a question about the machinery is short; a long message asks for something else. */
const SHORT = 280;

/**
 * Returns true when a message asks where the assistant's knowledge comes from, whom it asked, or what it is.
 * Total; "what models of Toyota are there" is no such question, and neither is a longer message.
 *
 * @example
 * isMetaQuery("which models did you ask?"); // true
 * isMetaQuery("what models of Toyota are there?"); // false
 */
export function isMetaQuery(text: string): boolean {
  if (text.length > SHORT) return false;
  const plain = text
    .replace(/[‘’]/gu, "'")
    .replace(/\s+/gu, " ")
    .trim()
    .toLowerCase()
    .replace(/\bu\b/gu, "you")
    .replace(/\bur\b/gu, "your");
  return QUESTIONS.some((question) => question.test(plain));
}
