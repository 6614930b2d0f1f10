import type { StanceName } from "../state/analysis.ts";

/** A way of speaking that asks for a stance. All patterns read text as `readableMessage` leaves it. */
export interface StanceSignal {
  readonly stance: Exclude<StanceName, "default">;
  /** From 1 (a hint) to 3 (asked for in so many words). */
  readonly weight: number;
  readonly pattern: RegExp;
}

/** Things that can be tested in thought; attacking a debt, a hill or a server means something else. */
const THOUGHT =
  "(?:business plans?|plans?|ideas?|reasoning|thinking|thoughts?|arguments?|assumptions?|decisions?|proposals?|pitch|theory|theories|thesis|hypothesis|logic|strateg(?:y|ies)|approach|conclusions?|beliefs?|opinions?|views?|position|case|choices?|rationale|premises?|business model|concept|analysis|roadmap|forecast|estimates?|schedule|budget|stance|judge?ment|intuition|gut feeling|take|design|architecture)(?! (?:deficit|cuts?|airline|flight|hotel|debt))";
const OWN = "(?:my|our|this|that|the|these|those)";
/** The person's own thought: "my plan", "our whole rollout plan", or a pronoun for it. */
const MINE = `(?:(?:${OWN} (?:[\\w-]{1,30} ){0,3}${THOUGHT}|everything|(?:this|it|that|me|what i(?:'ve)?)(?=$|[ .?!,;:)]))\\b)`;
const IT_FAILS =
  "(?:fail|fall apart|backfire|not work|go wrong|be wrong|be a mistake|be a (?:bad|terrible|stupid) idea|blow up|collapse)";
const WAYS =
  "(?:options|choices|possibilities|alternatives|ideas|ways|approaches|paths|directions|angles|avenues|routes|perspectives|viewpoints|scenarios|trade-?offs|questions?)";

/** The position of a request: at the start of a clause, or after a phrase that introduces it. */
const ASKED =
  "(?<=^|[.?!,;:\\n(] ?|- |— ?|\\b(?:please|you|just|simply|kindly|could|would|will|and|then|now|really|also|or|first|should|let's|let us|me|gonna|but|so|mind|(?<!\\b(?:wants|likes|loves|tries|tried|wanted|going|has|had|me|us|him|her|them|someone|he|she|they|people|supposed) )to|i want (?:some|any)one to|need (?:some|any)one to|like (?:some|any)one to|want you to|i need you to|like you to) )";

function signal(
  stance: StanceSignal["stance"],
  weight: number,
  ...patterns: readonly string[]
): StanceSignal {
  return { stance, weight, pattern: new RegExp(`(?:${patterns.join("|")})`, "gu") };
}

/** Asked in so many words, so that nothing else in the message outweighs it. */
export const EXPLICIT = 2.5;

export const STANCE_SIGNALS: readonly StanceSignal[] = [
  signal(
    "challenge",
    3,
    `${ASKED}(?:help me )?(?:stress|pressure|sanity)[- ]?(?:test|check) ${MINE}`,
    `${ASKED}(?:attack|challenge|question|critique|critici[sz]e|scrutini[sz]e|rip into|roast|demolish|shred|dissect|interrogate|debunk|refute|rebut|red[- ]?team|test|doubt|argue with|argue against|disagree with|disprove|push against) ${MINE}(?! to a| at | in (?:chess|tennis))`,
    `\\b(?:poke|punch|pick|find|see|spot) (?:some |any |all |the |as many |every |a few )*holes?(?= in ${MINE}| in(?:$|[.?!,;])|[.?!,;]|$| and | or | before )`,
    "\\b(?:play|playing|be|act as|as) (?:the |a |my )?devil'?s advocate\\b(?! (?:in|on|at) )",
    `\\bpush(?:ing)? back(?= (?:hard )?on (?:${MINE}|anything|whatever|any )|[.?!,;]|$| (?:if|where|when|hard|as)\\b)(?<!how (?:do|can|should) (?:i|we) push back)`,
    "\\b(?:you to|try to|try and|please|can you|could you|come on,?|go ahead,?) (?:change my mind|convince me|prove me wrong|talk me out)",
    "(?:^|[.?!,;:\\n] ?)(?:change my mind|convince me|prove me wrong|talk me out)\\b",
    "\\b(?:tell|show) me (?:why|where|how) (?:i'm|i am|i might be|i could be|this is|it is|it's|that's|my [\\w -]{1,30} is) (?:\\w+ )?(?:wrong|flawed|a bad|a terrible|a stupid|stupid|naive|mistaken|going to fail)",
    `\\btell me (?:why|how|where) (?:this|it|that|${MINE}) (?:will|would|won't|might|could|is going to|doesn't|falls)`,
    `\\b(?:tear|pick|rip|take) ${MINE} (?:apart|to (?:shreds|pieces|bits))`,
    `\\b(?:tear|pick|rip) apart ${MINE}`,
    `${ASKED}(?:critique|critici[sz]e|roast|rip into|tear into) ${OWN} (?:[\\w-]{1,30} ){0,3}(?:resume|résumé|cv|cover letter|essay|draft|deck|landing page|website|portfolio|manuscript|novel|story|poem|code|outline|speech|talk)\\b`,
    `\\b(?:shoot|tear) ${OWN} (?:[\\w-]{1,30} ){0,3}${THOUGHT} down`,
  ),
  signal(
    "challenge",
    2.5,
    "\\bwhat (?:am i|are we|have i|might i be|could i be|else am i) (?:missing|overlooking|overlooked|missed|not seeing|forgetting|getting wrong|blind to|failing to see|ignoring|underestimating)(?! from my (?:fridge|pantry|cart|toolbox|list))",
    "\\bwhere (?:am i|are we|might i be|could i be) (?:\\w+ )?(?:wrong|fooling|kidding|mistaken|going wrong)",
    "\\bhow (?:am i|might i be|could i be|are we) wrong",
    `\\b(?:blind ?spots?|flaws?|weak(?:nesses|ness| ?spots?| ?points?| ?links?)|holes?|loopholes?|problems?|fallac(?:y|ies)|cracks|risks) (?:are there |do you see |you see |can you find )?(?:in|of|with) ${MINE}`,
    "\\b(?:find|see|show|point out|expose|call out|what are|where are|name) (?:me )?(?:my|our) blind ?spots?\\b",
    "\\b(?:argue|make|build|give|present|what's|what is) (?:me |us )?(?:a|the|your|the best|the strongest|your best|your strongest|a strong) (?:\\w+ )?case against",
    "\\bargue (?:against (?:me|it|this)|the (?:other|opposite|opposing) (?:side|view))|\\btake the (?:other|opposite|opposing) (?:side|view)",
    "\\bsteel-?man (?:the )?(?:other|opposite|opposing|case against)",
    "\\b(?:the )?(?:best|strongest|strong|good) (?:counter-?)?arguments? against (?:me|my|this|it|our)\\b|\\bcounter-?arguments? (?:to|against) (?:me|my|this|it|our)\\b",
    "\\bam i (?:just |totally |completely |being |really )*(?:crazy|nuts|insane|kidding myself|fooling myself|deluding myself|lying to myself|delusional|naive|unrealistic|irrational|in denial|out of my mind|rationalizing|wrong (?:to|about|that|in|here|on))",
    `\\b(?:sanity|reality|gut|logic)[- ]check\\b(?= (?:on |of |for )?${MINE}|[.?!,;]|$)`,
    `\\b(?:brutally|brutal|ruthlessly|ruthless|merciless|mercilessly|harshly|harsh) (?:honest(?:ly)?|critique|criticism|critici[sz]e|feedback|with (?:me|it|this|my))`,
    "\\b(?:be|being) (?:as )?(?:brutal|ruthless|merciless|harsh|savage|tough on|hard on|my harshest|a harsh|a tough|a ruthless|a skeptic|a sceptic|skeptical|sceptical)\\b",
    "\\bdon't (?:go easy|hold back|spare my feelings|sugar-?coat|be nice|just agree|be polite|let me off)",
    "\\bno sugar-?coating\\b",
    `\\bwhy (?:would|might|could|will|won't|wouldn't) (?:this|it|that|${MINE}) (?:${IT_FAILS}|work)`,
    `\\bwhy (?:is|are) (?:this|it|that|${MINE}) (?:a |such a )?(?:bad|terrible|stupid|wrong|mistake|flawed)`,
  ),
  signal(
    "challenge",
    2.5,
    "\\bwhat (?:would|might|will|could) (?:a|an|the|my|our|your) (?:[\\w-]{1,30} )?(?:hostile|harsh|harshest|skeptical|sceptical|tough|toughest|critical|ruthless|cynical|unfriendly|hard-nosed|worst|strongest|smart|skeptic|sceptic|critics?|opponents?|detractors?|cynic|enemy|enemies)(?: [\\w-]{1,30}){0,2} (?:say|think|ask|object|attack|argue|point out|criticize|criticise)",
  ),
  signal(
    "challenge",
    2,
    `\\bwhat(?:'s| is| could be| would be| might be)? wrong with ${MINE}`,
    "\\bwhat (?:could|can|might|would|will) (?:possibly )?go wrong\\b(?! with (?:a|the) (?:fridge|car|engine))",
    `\\b(?:how|where) (?:could|might|would|can|will) (?:this|it|that|${MINE}) ${IT_FAILS}`,
    `\\b(?:where|how) does (?:this|it|that|${MINE}) (?:fail|break|break down|fall apart|fall down)`,
    `\\b(?:honest|candid|tough|critical|hard) (?:feedback|criticism|critique|look|questions?) (?:on|of|about|at) ${MINE}`,
    `\\bdoes (?:${MINE}) (?:actually |really |even )?(?:hold up|hold water|make sense|stand up)`,
    `\\bis (?:${MINE}) (?:actually |really |even )?(?:sound|flawed|realistic|naive|valid|solid|feasible|any good|too risky|crazy|stupid)\\b`,
    "\\bask me (?:the )?(?:hard|tough|difficult|uncomfortable) questions\\b|\\bgrill me\\b|\\bworst[- ]case\\b",
  ),
  signal(
    "decide",
    2.5,
    `${ASKED}(?:help (?:me|us) (?:to )?)?(?:pick|choose|decide) (?:one|for (?:me|us)|between|among|which|whether|now|today|on one)\\b`,
    `${ASKED}(?:help (?:me|us) (?:to )?)(?:pick|choose|decide)\\b`,
    "\\b(?:pick|choose|decide) (?:one )?for (?:me|us)\\b",
    "\\bwhich (?:[\\w-]{1,30} ){0,3}(?:do|should|shall|would|can) (?:i|we|you) (?:\\w+ )?(?:go|pick|choose|take|buy|use|do|get|keep|start|recommend|prefer|advise)\\b",
    "\\b(?:just )?one (?:answer|word|name|pick|recommendation)(?:,)? (?:please|only|is enough)",
    "\\b(?:don't|do not) (?:\\w+ )?(?:need|want|give me) (?:another|a|any|more|yet another) (?:\\w+ )?(?:lists?|options|comparisons?|alternatives|overview)",
    "\\bmake (?:the|a|this) (?:call|decision|choice) for (?:me|us)\\b|\\bmake the call\\b",
    "\\bjust tell (?:me|us)(?=[:;,.!?]|$| (?:which|what to|whether|if|what i|what you|the (?:answer|best|winner|one)|yes|one)\\b)",
    `${ASKED}(?:pick|choose|decide)(?=[.!?]|$)`,
    "\\bwhich is it\\b",
    "\\btell (?:me|us) (?:which|what to (?:do|pick|choose|buy|get|go with)|whether|what i should|what you'd|what you would|the (?:answer|winner|best))",
    "\\bgive (?:me|us) (?:just )?(?:a|an|one|your|the) (?:\\w+ )?(?:single |straight |clear |definite |definitive |final |honest )?(?:answer|recommendation|verdict|pick|decision|winner|yes or no)\\b",
    "\\bhelp (?:me|us) (?:to )?(?:make|reach|come to|finali[sz]e) (?:a|the|this|my|our|up my mind) ?(?:decision|choice|call)?",
    "\\bwhat would you (?:\\w+ )?(?:do|pick|choose|go with|recommend|buy|take)\\b|\\bwhich would you\\b",
    `\\bwhich (?:one(?! of the (?:\\w+ ){1,3}(?:is|was|were|has|had|did|does|wrote|won|made|\\w+ed)\\b)|of (?:these|those|the|them|my|our)|option|way|should (?:i|we)|is (?:better|best|right|smarter|the)|do you recommend|(?:[\\w-]{1,30} ){1,3}(?:should (?:i|we)|is (?:better|best)|do you recommend|would you|to (?:choose|pick|buy|take)))`,
    "\\b(?:should|shall) (?:i|we) [^.?!;\\n]{1,90}? or (?!so\\b|else\\b)",
    "\\byes or no\\b",
    "\\b(?:what's|what is|give me) your (?:\\w+ )?(?:recommendation|verdict|pick|call|vote|choice|final answer)",
    "\\b(?:i|we) (?:really |just |still |finally )*(?:need|have|must|want|got|gotta|would like|'d like) (?:to |help )*(?:decide|choose|choosing|deciding|picking|pick|commit|make (?:a|the|this|up) (?:\\w+ )?(?:decision|choice|call|mind))",
    "\\b(?:need|want) (?:a|an|your|the) (?:clear |final |quick |straight |definite |firm )?(?:decision|recommendation|verdict|answer|yes or no)\\b",
    "\\b(?:do|would) you recommend\\b|\\brecommend (?:one|me one|the best|just one)\\b",
    "\\b(?:can't|cannot|can not|couldn't) (?:decide|choose|make up my mind|pick)\\b",
    "\\b(?:the deadline|i have to answer|they need (?:an|my) answer) (?:is|by)\\b",
    "\\bbottom[- ]line\\b[,:]? (?:it|me|should|what|is|which|for me)\\b",
  ),
  signal(
    "decide",
    1.5,
    "(?<!\\b(?:what|how|where|when|why|who|whom|much|many|often|long) )\\b(?:should|shall) (?:i|we)\\b",
    "\\b(?:what's|what is|which is|who's|who is) the (?:single )?(?:best|better|right|smartest|wisest|smarter|safest) (?:option|choice|way|move|pick|call|one|decision|bet|course|of these|thing to do)\\b",
    "\\b(?:is|are|would) (?:it|that|this) (?:be )?(?:better|smarter|wiser|worth it|worth|a good idea|a bad idea|wise|smart) (?:to|for)\\b",
    "\\btorn between\\b",
    "(?:^|[.?!:\\n] ?)(?!(?:what|how|why|where|who|when|can|could|does|do|did|is there|are there|have|has|any|i|we|my|if) )[\\w',-]{1,30}(?: [\\w',-]{1,30}){0,7} or [\\w',-]{1,30}(?: [\\w',-]{1,30}){0,7}\\?",
    "\\b[\\w'-]{1,30} (?:vs\\.?|versus) [\\w'-]{1,30}\\?",
    "\\bis it (?:time|worth)\\b",
    "\\bbetter (?:to|off) [^.?!;\\n]{1,60} or ",
  ),
  signal(
    "explore",
    3,
    "\\b(?:don't|do not) (?:yet )?(?:tell me what to do|decide for me|recommend (?:anything|one|yet)|pick (?:one|for me)|choose for me|give me (?:an|the) answer|(?:want|need|look for|looking for) (?:a|an|the|one|any) (?:\\w+ )?(?:answer|decision|recommendation|verdict)|want (?:you )?to (?:decide|choose|pick|commit)|want to be told)",
    "\\bno (?:need|rush|hurry|pressure) to (?:decide|choose|commit)\\b",
    "\\bnot (?:yet )?(?:ready|trying|looking|asking you|here) to (?:decide|commit|choose|pick|be told)",
    "\\bnot (?:looking for|asking for|after) (?:a|an|the|any) (?:\\w+ )?(?:answer|decision|recommendation|verdict)",
  ),
  signal(
    "explore",
    2.5,
    `\\bwhat (?:are|other|kinds? of|sorts? of) (?:(?:my|our|the|some|all|different|other|various|possible|a few) ){0,3}${WAYS}`,
    `\\b(?:explor(?:e|ing)|brainstorm(?:ing)?|consider(?:ing)?|map out|lay out|list|show me|walk me through|run through|open up|look at|looking at|weigh(?:ing)?|discuss) (?:(?!stock\\b)[\\w-]{1,30} ){0,4}${WAYS}\\b`,
    `${ASKED}explore (?:this|it|that)(?= (?:with|further|more|a bit|a little|together|question|idea|topic|first|before|from|for)|[.?!,;]|$)`,
    `${ASKED}(?:help (?:me|us) (?:to )?)?brainstorm\\b`,
    `${ASKED}explore (?:what|how|whether|why|where)\\b`,
    "\\b(?:before|until) (?:i|we) (?:decide|commit|choose|make (?:a|the|any|up)|pick|settle)",
    "\\bhow (?:should|might|could|can|do|would) (?:i|we|one|you) (?:best |even |start to |begin to )?(?:think about|approach thinking|make sense of|frame|look at)\\b",
    "\\bhelp (?:me|us) (?:to )?(?:think|reflect|see (?:the|what|all|more)|get clarity|get clear|map|sort (?:through|out)|make sense|untangle|figure out (?:what|how|where|why|whether)|wrap my head)\\b",
    "\\b(?:think|talk|reason|work) (?:(?:this|it|things|that|my options|something|some things) )?(?:through|out loud|over together)\\b",
    "\\b(?:talk|walk|think) through (?:this|it|my|the|what|some|how)\\b",
    "\\bbounce (?:\\w+ ){0,3}(?:ideas?|thoughts?|things|something) off",
  ),
  signal(
    "explore",
    1.5,
    "\\b(?:want|need|give me|show me|see|suggest) (?:me )?(?:some |more |a few |all |my |several |different )*(?:options|alternatives|choices)(?=[.?!,;]|$| (?:for|to|and|here)\\b)",
    "\\bpros and cons\\b|\\b(?:upsides|advantages|benefits) and (?:downsides|disadvantages|drawbacks)\\b",
    "\\bwhat else (?:could|can|is|might|should|would)\\b",
    `\\b(?:different|other|alternative|various|possible|new|more) (?:ways|angles|perspectives|approaches|viewpoints|possibilities|options|paths|directions)\\b`,
    "\\b(?:i'm|i am|we're|we are|i've been|we've been|been) (?:\\w+ )?(?:curious|exploring|undecided|on the fence|thinking (?:about|of)|toying with|considering|mulling|weighing|in two minds|wondering (?:about|if|whether|what|how)|playing with the idea)",
    "\\bi wonder\\b",
    "\\bwhere (?:do|should|can|would|could|to) (?:i |we )?(?:even )?(?:start|begin)\\b",
    "\\b(?:don't|do not) (?:really |even |quite |yet )*know (?:where to|what i|what to|how to|what we|if|whether|which way)",
    "\\b(?:not|never|isn't|un)[ -]?(?:really |entirely |quite |yet |even |at all |so )*(?:sure|certain) (?:what|where|how|if|whether|which|why|about|yet)",
    "\\b(?:any|some|give me|more|need|want|looking for) (?:\\w+ )?ideas\\b(?! of)",
    "\\bpossibilit(?:y|ies)\\b|\\bopen-ended\\b|\\bwhat might (?:i|we|it|this)\\b|\\bwhat if (?:i|we)\\b",
    "\\b(?:broaden|widen|open up) (?:my|our|the|this)\\b|\\bwhat could (?:this|it|life|my) (?:look|be)\\b",
    "\\bhelp (?:me|us) (?:to )?understand (?:my|our|what (?:i|we)|why (?:i|we)|whether|the (?:\\w+ )?(?:options|choices|tradeoffs|landscape))",
  ),
];
