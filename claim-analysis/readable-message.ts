/** Quoted text. Quotes that name a role ("play "devil's advocate"") are kept. */
const QUOTED = /(?<!\b(?:play|be|as|act as|playing) (?:the )?)"[^"\n]{1,300}"/gu;
const CODE = /```[^`]*```|`[^`\n]*`/gu;
/** `choose-your-own-adventure`: three words in one are a name, not a wish. */
const COMPOUND = /(?<![\w-])\w{1,30}(?:-\w{1,30}){2,6}(?![\w-])/gu;

/** Things whose names contain words that would ask for a stance. */
const THINGS = [
  "best (?:man|men|woman|friends?|buy|western|sellers?|selling|before|picture|actor|actress|supporting)",
  "(?:heart|panic|anxiety|shark|terrorist|asthma|cyber|dos|ddos|brute force|wing|counter|snack|bug|angle of) ?attacks?",
  "attack (?:on titan|helicopter|ads?|surface|vectors?|dogs?)",
  "(?:\\w+ )?decision (?:trees?|tables?|fatigue|theory|matrix|boundary|boundaries|paralysis|support|day|makers?|making)(?: \\w+)?",
  "(?:choose|pick) your own (?:\\w+)(?: \\w+)?",
  "(?:cardiac|nuclear|treadmill|exercise|bank|a|an|the|heart|thyroid) (?:\\w+ )?stress[- ]tests?",
  "stress[- ]test(?:s|ing)? (?:results?|appointment|machine|equipment|scenario|regulations?|software|framework)",
  "(?:internet|file|windows|dora the|ford|young|polar|space|famous|antarctic|arctic) explorers?",
  "(?:stock|call|put|share|employee stock|seat|menu|settings?|default|command[- ]line|cli|compiler) options?",
  "options? (?:trading|contracts?|chains?|market|menu|key|pricing)",
  "(?:\\w+ )?(?:day|ice bucket|coding|fitness|reading|spelling|escape room|plank|push-?up|legal|court|squat|cooking|weekly|dance) challenges?",
  "challenge (?:coins?|cup|mode|question|problem|response)",
  "(?:cherry|apple|berry|strawberry|nit|tooth|guitar|ice|lock)[- ]?pick(?:s|ing|ed|ers?)?",
  "(?:multiple|pro|school|people's|editor'?s|player's|single|rational|public)[- ]choice(?: \\w+)?",
  "should i stay or should i go",
  "(?:truth or dare|trick or treat|deal or no deal|would you rather)",
  "(?:buttonholes?|black holes?|pot ?holes?|sink ?holes?|worm ?holes?|rabbit holes?)",
  "compare the market|critique group|roast (?:beef|chicken|potatoes|pork|lamb|turkey|dinner|duck)",
];
const NAMED_THING = new RegExp(`\\b(?:${THINGS.join("|")})\\b`, "gu");

/** Something to be produced or explained: the words up to the next request describe that thing. */
const PRODUCED =
  /(?<=^|[.?!;:,\n] ?|\b(?:please|you|to|me|and|then) )(?:write|rewrite|draft|compose|translate|proofread|define|paraphrase|summari[sz]e|spell|program|draw|paint|rhyme)\b(?! down\b)[^.?!;\n]{0,200}?(?=[.?!;\n]|$|,? (?:and|then|but)(?: then| also)? (?:tell|help|pick|choose|decide|give|poke|challenge|stress|push|attack|which|should|let|explore|recommend|critique)\b)/gu;
const MEANING =
  /\b(?:what does|what do|meaning of|definition of|what is meant by|explain the (?:term|word|phrase|concept)|the (?:word|phrase|term|saying|expression))\b[^.?!;\n]{0,120}/gu;

/**
 * A message in lower case with plain quotation marks, without what it only names, quotes or wants
 * written: what is left is what the person says of their own wish.
 *
 * Linear: every pattern has bounded gaps.
 */
export function readableMessage(message: string): string {
  const plain = message
    .replace(/[‘’ʼ]/gu, "'")
    .replace(/[“”„«»]/gu, '"')
    .replace(/[ \t]+/gu, " ")
    .trim()
    .toLowerCase();
  const bare = plain.length > 1 && /^"[^"]*"$/u.test(plain) ? plain.slice(1, -1) : plain;
  return bare
    .replace(CODE, "…")
    .replace(QUOTED, "…")
    .replace(COMPOUND, (name) => (/^(?:devil's|pros-and-cons|worst-case)/u.test(name) ? name : "…"))
    .replace(PRODUCED, "…")
    .replace(MEANING, (about) => (/\b(?:for me|my|i'm|i am)\b/u.test(about) ? about : "…"))
    .replace(NAMED_THING, "…")
    .replaceAll('"', "");
}
