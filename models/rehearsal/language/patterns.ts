/** How things are said, in plain words (see `plainText`). What they are said of comes from the prompt. */
export const PATTERNS = {
  earlier:
    /\b(?:what|remind|tell|which)\b.{0,60}\b(?:i|we|you)\b.{0,60}\b(?:ask|asked|said|say|talk|talked|do|did|start|started|want|wanted|begin|began|request|requested)\b.{0,60}\b(?:first|beginning|very start|start of (?:this|our)|at the start|a while ago)\b|\bwhat was the first thing\b|\bhow did (?:this|we|it) (?:start|begin)\b/,
  recap:
    /\bwhat (?:did|have) (?:you|we|i) (?:just )?(?:saved?|do|done|did|changed?|deleted?|removed?|add(?:ed)?|stored?)\b|\bwhat (?:was|has been) (?:saved|changed|deleted|added|stored|done)\b|\brecap\b|\bsum (?:it |that |everything )?up\b/,
  move: /\b(?:move|shift|reschedule|postpone|bring forward|push)\b/,
  recall:
    /\b(?:what|anything) (?:did|have|had) (?:we|i|you) (?:say|said|decide|decided|talk|talked|agree|agreed|discuss|discussed|plan|planned) (?:about|on|of|for) (.+)$/,
  repeat:
    /\b(?:say|tell me) (?:that|it|this) again\b|\brepeat (?:that|it|this|yourself|what|your|the last)|^(?:come again|pardon|repeat)$|\bwhat did you (?:just )?say\b|\bonce more please$|\bmissed (?:that|what you said)\b/,
  meta: /\b(?:who|what) are you\b|\bhow do you (?:know|work|remember)\b|\bhow did you know\b|\bwhat (?:can|could) you (?:do|help)\b|\bwhat do you (?:know|remember) about me\b|\bare you (?:a|an|human|real|chatgpt)\b|^help$|\bwhat can i (?:ask|say)\b/,
  why: /^(?:but )?why\b|^how come\b|\bwhat is wrong with\b|\bfor what reason\b|\bexplain why\b/,
  verify:
    /^(?:is|are|was|were|has|have|did|really|check|double|verify|confirm|make sure|any|nothing)\b|\b(?:really|truly|double check|sure|verify|confirm|check|actually)\b/,
  empty:
    /\b(?:empty|nothing|gone|cleared|clear|deleted|left|still (?:something|anything|there)|anything)\b/,
  standing:
    /\bhow (?:do|are) things\b|\bhow does (?:it|everything) (?:stand|look)\b|\b(?:an )?overview\b|\bwhat is (?:coming up|next|up next|going on)\b|\bnext (?:one|meal|thing)\b|\b(?:goes?|going|went) (?:off|bad)\b|\bexpir\w+\b|\buse (?:up )?(?:first|soon)\b|\bwhere do (?:i|we) stand\b/,
  collect:
    /\b(?:everything|all|ingredients?|whatever|what (?:do )?(?:i|we) (?:need|have to)|need for|needed|missing|make|build|create|generate|write|prepare|put together|draw up|compile|turn|give me|produce|need a|want a)\b/,
  clear: /\b(?:clear|empty|wipe|clean out|erase|reset|purge|flush|blank)\b/,
  remove:
    /\b(?:remove|delete|discard|toss|trash|undo|uninstall|erase|cancel)\b|\btake\b.{0,60}\b(?:out|off|away|back)\b|\b(?:take|get) (?:out|off)\b|\bget rid of\b|\bthrow\b.{0,60}\b(?:away|out)\b|\bcross\b.{0,60}\boff\b|\bput\b.{0,60}\bback out\b|\b(?:drop|scrap|lose)\b/,
  welcome:
    /\bafter all\b|\bchanged? my mind about\b|\bbring\b.{0,60}\bback\b|\b(?:put|add|take|have|want|get|let)\b.{0,60}\bback (?:in|on)\b|\bput\b.{0,60}\bback\b|\b(?:is|are) (?:back|fine|ok|okay|good|welcome)\b(?: again)?|\brestore\b|\breconsider\b|\b(?:include|allow|consider) .{0,60} again\b|\bback on the (?:table|menu|list)\b|\bwould be (?:nice|fine|good|ok|okay|great)\b|\bdo want\b|\bfine with\b|\bnot (?:so |that |too )?bad\b|\bdo not mind\b|\bup for\b/,
  undoExclusion:
    /\b(?:do not|not|no need to|stop|never mind) (?:exclud\w+|skip\w*|leav\w+ out|drop\w*|rul\w+ out|remov\w+|avoid\w*)\b/,
  recount:
    /\binstead\b|\benough\b|\brather (?:than|have)?\b|\bonly \d+\b|\bnot \d+\b|\bmake (?:it|that|them) \d+\b|\b(?:go (?:with|for)|down to|up to) \d+\b|\bchange (?:it|that) to \d+\b|\bjust \d+\b/,
  size: /\b(?:for|serves?|serving|feeds?) \d+\b|\b\d+ (?:people|persons|servings|portions|of us|minutes|cans?|g|kg|ml|l)\b/,
  finish:
    /\b(?:mark|tick|check|set|cross)\b.{0,60}\b(?:off|done|complete|completed|bought|purchased|finished)\b|\b(?:i|we) (?:have )?(?:already )?(?:bought|did|done|finished|completed)\b(?! not)|\b(?:is|are) (?:done|bought|finished|purchased)\b/,
  save: /\b(?:save|saved|keep|store|saving|keeping)\b|\bretry\b|\btry\b.{0,60}\bagain\b|\bhang on to\b|\bput (?:it|that|them|this) (?:away|in (?:my|the) box)\b/,
  draft:
    /\b(?:come up with|came up with|draft|invent|make up|create|compose|dream up|think up|cook up|whip up|improvise|design|devise|write|generate|sketch|think of)\b/,
  draftVerbs:
    /\b(?:come up with|draft|invent|make up|create|compose|dream up|think up|cook up|whip up|improvise|design|devise|write|generate|sketch|think of|suggest|recommend|give|make|cook|want|need|fancy|love|propose|show|find)\b/g,
  change:
    /\bon top\b|\btop (?:it|that|this|them|off)\b|\btopped\b|\bsprinkle\b|\bgarnish\b|\bfinish (?:it |that |this )?(?:off )?with\b|\breplace\b|\bswap\b|\bsubstitute\b|\binstead of\b|\bleave out\b|\bwithout\b|\brename\b|\bcall it\b|\bspicier\b|\bmilder\b|\bdouble (?:it|that|the)\b|\bhalve\b|\bmake (?:it|that|this) (?:for )?\d+\b|\bfor \d+(?: people| persons| servings| of us)?$|\bmake (?:it|that|this)\b/,
  changeDraft:
    /^(?:and |also )?(?:add|put|include|throw in|mix in|stir in|with|more|less|no|skip|drop|remove|extra|use)\b/,
  add: /\b(?:add|put|buy|get|write|note|stick|place|throw|pop|chuck|include|need|bought|got|have|stock|jot|drop|remind)\b/,
  exclude:
    /\b(?:not|no|never|without|skip|avoid|exclude|omit|ditch|scrap|lose|pass on|rule out|cut|hate|dislike|except|besides|drop|forget|remove|leave|minus|veto|nope|nix)\b|\banything but\b|\bnothing (?:with|that|made|containing|using|from)\b|\bapart from\b|\btake\b.{0,60}\b(?:off|out|away)\b|\b(?:sick|tired|bored) of\b|\bfed up\b|\brather have something\b|\binstead of\b|\b(?:is|are) out\b|\boff the (?:table|menu|list)\b|\benough of\b|\btoo much\b|\bget rid of\b|\bcan live without\b|\bstay away\b/,
  excludePronoun:
    /\b(?:not|no|skip|drop|exclude|without|ditch)\b.{0,60}\b(?:that one|this one|the first|the second|the third|the last|number \d+|those|these)\b/,
  options:
    /\b(?:help|surprise me|hungry|assist\w*|advice|advise|ideas?|inspiration|inspire|suggest\w*|recommend\w*|options?|propose|brainstorm|possibilit\w+|choices)\b|\bplan(?:ning)?\b|\b(?:do not|no idea|not sure|wondering|unsure|clueless)\b/,
  number:
    /\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|[1-9](?:st|nd|rd|th)|number \d+|last one)\b/,
  elliptic: /^(?:and|what about|how about|same|now|also|or)\b|\b(?:too|as well|also)$/,
  verb: /\b(?:show|see|list|tell|add|put|remove|delete|clear|save|keep|draft|make|plan|look|open|check|skip|drop|leave|is|are|do|want|need|give|find|get|take|have|mark)\b/,
  look: /\b(?:what|show|list|see|tell|look|display|view|contents?|check|open|give|read|which|anything|any|how)\b/,
  show: /\b(?:show|see|look|display|read|open|view|details?|full|again|how (?:do|does|did|to)|what (?:was|is|are|were)|tell|remind|give)\b/,
  gap: /\b(?:empty|blank|free|open|off|takeout|takeaway|eat(?:ing)? out|go(?:ing)? out|skip|leave|keep|except|not|no|without|nothing)\b/,
  forgetAll:
    /\b(?:forget everything|start over|start from scratch|from the beginning again|clean slate)\b/,
  thanks: /\b(?:thanks|thank you|cheers|appreciate|much obliged)\b/,
  yes: /^(?:yes|yeah|yep|yup|sure|ok|okay|fine|go ahead|do it|please do|go on|absolutely|of course|definitely|sounds? good|looks? good|great|perfect|lovely|nice|right|correct|agreed|that is fine|all right|alright)\b/,
  no: /^(?:no|nope|nah|not (?:now|yet|really)|never mind|do not|stop|cancel|leave it|rather not)\b/,
  greet: /^(?:hey|hi|hello|good (?:morning|evening|afternoon)|greetings|morning|evening)\b/,
  pronoun: /\b(?:it|that|this|them|those|these)\b/,
} as const satisfies Record<string, RegExp>;

/** Every word that a pattern holds: words that are right as they stand. */
export const PATTERN_WORDS: readonly string[] = Object.values(PATTERNS).flatMap(
  ({ source }) => source.replaceAll(/\\[a-z]/g, " ").match(/[a-z]{3,}/g) ?? [],
);
