import { z } from "zod";
import { expandPattern, readPatternRows } from "./pattern-table.ts";

const LeakKindSchema = z.enum([
  "claim-id",
  "metric",
  "models",
  "consensus",
  "experts",
  "analysis",
  "mapper",
  "shape",
  "signal",
]);

/** The kinds of internals that a text can reveal. */
export type LeakKind = z.infer<typeof LeakKindSchema>;

/** A way in which texts show the machinery. */
export interface LeakRule {
  readonly kind: LeakKind;
  readonly pattern: RegExp;
  /** A pattern in the same sentence showing that the words refer to the world; null for none. */
  readonly unless: RegExp | null;
}

/** Words that stand in the rules as `{NAME}`: first of the machinery, then of trades that use them too. */
const WORDS = String.raw`
NUMBER: \d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|all|both|most|none|some|several|many|half|the majority|a majority|a minority|each|every one|neither|only one|just one
SOURCES: (?:ai |language |large language |different |various |other |consulted |underlying |expert |separate |independent )*(?:models?|llms?|experts?|perspectives|voices|answers|responses|viewpoints|advisors|advisers|agents|assistants)
SAY: agree(?:d|s)?|disagree(?:d|s)?|concur(?:red|s)?|converged?|converges|diverged?|diverges|(?:were|was|are|is) (?:split|divided|in agreement|unanimous|aligned)|said|says?|think|thinks|thought|believed?|believes|argued?|argues|mentioned|mentions?|raised?|raises|flagged|flags?|noted|notes?|recommend(?:ed|s)?|suggest(?:ed|s)?|conclude[ds]?|propose[ds]?|support(?:ed|s)?|pointed out|points? (?:to|out)|warn(?:ed|s)?|caution(?:ed|s)?|told me|came back|weighed in|differ(?:ed|s)?|favou?r(?:ed|s)?|lean(?:ed|s)?|answered|responded|backed|endorsed?
ASK: ask(?:ed)?|consult(?:ed)?|quer(?:y|ied)|poll(?:ed)?|survey(?:ed)?|gather(?:ed)?|combin(?:e|ed)|synthesi[sz]e[d]?|compar(?:e|ed)|draw(?:n)? on|drew on|used|ran this (?:by|past)|heard from|spoke to|collected|aggregated?
SHOW: show(?:s|ed|n)?|suggest(?:s|ed)?|indicat(?:e|es|ed)|reveal(?:s|ed)?|find(?:s)?|found|say(?:s)?|said|point(?:s|ed)? (?:to|out|at)|identif(?:y|ies|ied)|surface(?:s|d)?|highlight(?:s|ed)?|flag(?:s|ged)?|mark(?:s|ed)?|put(?:s)?|places?|placed|group(?:s|ed)?|cluster(?:s|ed)?|extract(?:s|ed)?|merged?|rate[ds]?|list(?:s|ed)?|gave|gives|turned up|came (?:back|up)|detect(?:s|ed)?|lean(?:s|ed)?|classif(?:y|ies|ied)|confirm(?:s|ed)?|tells?|told|labell?ed|labels?|lacks?|has|had|contains|produced|returned|thinks?|treats?|calls?|supports?
SCORE: 0?\.\d{1,3}|[01]\.\d{1,3}|\d{1,3} ?%|\d{1,3} percent
MODEL: (?:chat)?gpt(?:-?\d[\w.]*)?|claude|gemini|llama|mistral|deepseek|grok|qwen

MODELS: climate|weather|forecasts?|forecasting|hurricane|storm|warming|temperatures?|epidemi\w+|fashion|runway|catwalk|photograph\w*|clothing|agency|artist|sculptor|painters?|nude|cars?|vehicles?|toyota|honda|ford|suvs?|sedans?|trucks?|engines?|hybrids?|phones?|laptops?|iphones?|printers?|washing machines?|dishwashers?|bikes?|bicycles?|guitars?|pricing|price|business|revenue|economic|economists?|financial|econometric|regression|statistical|statistics|scale|trains?|aircraft|planes?|role|dealers?|dealership|warranty|manufacturers?|trims?|rockets?|3d|simulations?|physics|atomic|particle|population|mathematical|growth|polling|election|valuation|actuarial|ocean|flood|data ?sets?|benchmarks?|kits?|showroom|catalogu?e|screen|battery|horsepower|mpg
PEOPLE: clinic|hospital|conference|court|trial|jury|univers\w+|museum|ministry|committee|commission|who|nasa|cdc|nhs|fda|un|ipcc|harvard|oxford|stanford|witness(?:es)?|testif\w+|prosecution|defen[cs]e|medical|legal|health|financial|industry|tax|wine|security|climate|public|sleep|nutrition|child|parenting|subject[- ]matter|economists?|doctors?|dentists?|scientists?|podcast|documentary|article|study|studies|book|newspaper|magazine|interview(?:ed)?|survey|garage|workshop|bank|store|shop|company|team|hotline|employees|customers|users|patients|voters|respondents|students|parents|neighbou?rs|questionnaire|choir|singers?|sopranos?|altos?|actors?
BUILDINGS: engineers?|engineering|bridges?|beams?|buildings?|trusses|truss|steel|concrete|load(?:s|-bearing)?|walls?|roofs?|house|foundations?|floors?|deck|balcony|timber|joists?|columns?|seismic|wind|proteins?|crystals?|molecul\w+|dna|poem|sonnet|novel|linguistics?|sentence|market|equity|tower|stadium|arch|dam|façade|facade|architects?|surveyors?|contractors?|course|software|wing|hull|chassis|frame|chassis|stairs?|staircase|extension|chimney|loft|garage|attic
CODE: hadoop|mapreduce|reducers?|orm|dto|objects?|class|function|java|kotlin|spring|mybatis|sql|database|keys?|device|typescript|c#|\.net|automapper|relational|entity|entities|fields?|city|caves?|land|ordnance|road|river|network|emulator|controller|keyboard|cartograph\w+|16th|century|explorers?|coast\w*|osm|openstreetmap|survey\w*|drone|linux|kernel|disk|lvm|rom|cartridge|nes|gene|cells?|brain
STATISTICS: regression|outliers?|statistic\w*|hat matrix|linear|residuals?|degrees?|wheels?|tyres?|tires?|text|sequences?|laser|spine|spinal|teeth|chiropract\w*|ropes?|strings?|belts?|surface|debt|equity|loans?|banks?|stocks?|trading|broker\w*|hard ?disk|disk|defrag\w*|memory|drive|market|habitat|forest|brand|confidence interval|column|css|staff|family|child|technical|customer|customers|tickets?|email|knitting|price
LAW: patents?|insur\w+|invention|court|lawsuit|filed|expenses|warranty|benefits|defendant|plaintiff|counts?|adjuster|policy|reimburse\w*|deductible|damages|filing|form|accident|refund|baggage|luggage|travel|tenant|tribunal|small claims|attorney|lawyer
`;

/**
 * A rule is `kind: pattern`, and below it the words of the world with which it does not hold. Patterns
 * ignore case, but for those "as written".
 */
const RULES = String.raw`
# Ids of claims. Lower case in parentheses or speaking: levels, vertebrae and connectors are written C1.
claim-id: \[(?:see )?(?:claims? ?)?(?:c|claim|node|edge|gap)[ _#-]?\d{1,3}(?: ?(?:,|;|&|\/|and|-|–) ?(?:c|claim|node|edge|gap)?[ _#-]?\d{1,3}){0,9}\](?!\()
claim-id: \b(?:c|claim|edge|gap|supporter|expert|claim_id|answer)_\d{1,3}\b
claim-id: \bclaim[-#]\d{1,3}\b|\bclaim (?:#|no\. ?|number )\d{1,2}\b|\bclaim id\b
  unless {LAW}
claim-id: \bclaims? \d{1,2}(?:(?:,| and| or| &) \d{1,2}){0,5}\b(?![\d,.]*\d| ?(?:%|percent|dollars|euros|people|million|days?|weeks?|months?|years?|victims|lives))
  unless {LAW}
claim-id as written: (?<![\w/])\(c\d{1,3}(?:(?:,| and| &|;) ?c\d{1,3}){0,9}\)
claim-id as written: \((?:[Cc]\d{1,3})(?:(?:,|;| and| &) ?[Cc]\d{1,3}){1,9}\)
  unless vertebra\w*|spin\w+|neck|cervical|cells?|connectors?|level|cefr|seats?|column
claim-id as written: (?<![\w./-])c\d{1,3}(?: (?:and|or|vs\.?|versus|conflicts with|supports|depends on) c\d{1,3}\b| (?:says?|argues|shows|conflicts|supports|claims|contradicts|states|needs|holds|suggests|is (?:contested|supported))\b)
  unless vertebra\w*|constants?|equation|capacitors?|cells?|variables?|formula|column
claim-id: \b(?:per|as|according to|see|from|by|in) c\d{1,3}\b(?=[ ,.;:)]|$)
  unless cefr|level|vertebra\w*|cells?|connector|column|gate|seat|speak|spine|english|french|german
# Names of metrics, and scores that only they have.
metric: \b(?:support|leverage|alignment|tension|fragmentation|consensus|inversion|cascade|agreement|contestation|dominance) (?:score|ratio|metric|index|count|value|level of 0?\.\d|depth)s?\b
  unless {STATISTICS}
metric: \b(?:leverage|support|alignment|tension|fragmentation|consensus|agreement) score[ds]?\b(?= (?:is|was|of|for|here|on this|:|at|comes|stands|puts|shows))
  unless regression|outliers?|hat matrix|sequences?|wheels?|customers?|tickets?|surveys?|kappa|raters?
metric: \b(?:support|leverage|alignment|tension|fragmentation|consensus|agreement|depth|confidence|centrality|inversion|cascade)(?: (?:score|ratio|value|is|was|of|at|level|here|comes out|stands|=|:|about|around|sits|is at|was at)){0,3}[ :=(]{1,3}{SCORE}(?! ?(?:degrees?|°|mm|cm|m\b|kg|x\b|v\b|interval|level|apr|interest))
  unless interval|significan\w+|p-value|margin|poll\w*|wheels?|sequences?|genome|laser|spring|debt|loans?|mortgage|broker|trading|margin|voters?|equity|crypto\w*|rope|water|snow|pool|tread|family|shareholders?|approval|elections?|parents|child|bank\w*|forex|staff|antibod\w+|statistic\w*|test
metric: \b(?:shape|mapping|structural) confidence\b|\b(?:hub dominance|support count|supporter count|leverage inversion|prerequisite (?:in|out)[- ]?degree|(?:in|out)[_-]degree|cascade (?:risk|depth|size)|transitive dependents|graph metrics?|articulation point|consensus ratio|support ratio)s?\b
  unless graph theory|graph algorithm|dijkstra|electrical|reactor|avalanche|ecolog\w+|trophic|networkx|adjacency
metric: \b(?:supporters?|support)\s?[:=]\s?\[?\d{1,3}\b(?:\s?(?:\/|of|out of)\s?\d{1,3})?
metric: \bsupport(?:ed)? (?:by|from|of) \d{1,2} ?(?:\/|out of|of) ?(?:the )?\d{1,2}\b
# Who was asked.
models: \baccording to (?:the|all|several|most|multiple|some|other|these|both|various|many|my|our|different)(?: of (?:the|my|our))?(?: ai| language| other| underlying| different)* (?:models|llms)\b(?! (?:of|used|from|that|published|at|on display|in|by|run|we (?:built|trained)|i (?:built|trained)))
  unless {MODELS}
models: \b(?:{NUMBER}(?: (?:of|out of)(?: the| my| our)?)?(?: {NUMBER})?|the|my|our|these|other) (?:(?:ai|language|large language|different|various|underlying|other|consulted) )*(?:models|llms) (?:(?:i|we) {ASK} )?(?:all |also |both |clearly |largely |mostly |strongly |generally |seem to |broadly )*{SAY}\b
  unless {MODELS}
models: \b(?:one|another|a second|a third|a single|each|every|no) (?:of the )?(?:ai |language )?models? {SAY}\b(?! (?:up to|a (?:top|range|maximum)))
  unless {MODELS}
models: \bmodels? (?:i|we) (?:have )?(?:asked|consulted|quer(?:y|ied)|polled)\b|\b(?:consulted|queried|polled|asked) (?:\w+ ){0,2}(?:(?:ai|language) )?(?:models|llms)\b
  unless {MODELS}
models: \b(?:i|we)(?:'ve| have)? {ASK} (?:{NUMBER} |multiple |a few |a number of |different |various |a panel of |a set of |a range of |the )*(?:ai |language |large language )+(?:models|systems|assistants)\b
models: \b(?:disagreement|agreement|split|divergence|convergence|differences|tension|overlap) (?:among|between|across) (?:the |my |all |several |different |various |multiple )*(?:ai |language )*(?:models|llms)\b
  unless {MODELS}
models: \b(?:across|from|by|of) (?:all |the |multiple |several |different |various )+(?:ai |language )+(?:models|llms)\b(?! (?:are|is|on the market|available|trained))
  unless benchmark\w*|market|trained|training|vendors?|compar\w+|licen[cs]\w+|regulat\w+|history|capabilit\w+|use of|adoption
models: \b(?:the |my )?(?:other |underlying |different )?models'? (?:answers|responses|outputs|consensus|views|opinions)\b(?! (?:variable|layer))
  unless {MODELS}
models: \bmodel (?:\d{1,2}|[a-f])(?:'s)? {SAY}\b
  unless {MODELS}
models: \b(?:as|i am|i'm) an? (?:ai|large)? ?language model\b|\bmulti-model (?:synthesis|consensus|analysis)\b
models: \b(?:supported|backed|said|raised|named|per|from|according to|by|see)(?: by)?,? (?:models?|answers?|responses?|perspectives?|sources?|voices?) #?\d{1,2}(?:(?:,| and|, and| or| &) ?#?\d{1,2}){0,9}\b(?! ?(?:%|percent|years|days))
  unless {MODELS}|quiz|exam|test|questions?|worksheet|textbook
models: \b{MODEL}(?:,? (?:and |or )?{MODEL}){1,5},? (?:all |both |each |also )*(?:{SAY}|prefer(?:red)?)\b
models: \b(?:(?:chat)?gpt(?:-?\d[\w.]*)?|claude (?:opus|sonnet|haiku)|gemini (?:pro|flash)) (?:{SAY}|prefer(?:red)?)\b|\baccording to {MODEL}\b
  unless horoscope|zodiac|astrolog\w+|monet|debussy|nasa|virgo|libra|moon
consensus: \b{NUMBER}(?:,? (?:of|out of|in) (?:the |my |our )?|\/){NUMBER} {SOURCES}\b
  unless {MODELS}|{PEOPLE}
consensus: \bconsensus (?:view |opinion |position |answer )?(?:across|among|between|of|from) (?:all |the |my |our |several |multiple |both |\d{1,2} |five |six |four |three )*(?:ai |language |consulted )*(?:models|llms|experts|perspectives|answers|responses|voices|sources)\b(?! (?:at|in|on|of|who|from|such))
  unless {MODELS}|{PEOPLE}
consensus: \b(?:model|expert|cross-model|cross-expert|multi-expert) consensus (?:is|was|here|on this|leans|points|score|strength|shows|suggests)\b
  unless {PEOPLE}
consensus: \b(?:majority|minority|{NUMBER}) of (?:the |my |our ){SOURCES} (?:i {ASK} )?{SAY}\b
  unless {MODELS}|{PEOPLE}
experts: \bexperts? ?(?:#|no\. ?|number )?\d{1,2}(?:(?:,| and| or| &) ?(?:expert )?#?\d{1,2}){0,5}\b(?! ?(?:stars?|years|level|points|%|percent|hours|tips|ways|reviews?|minutes))
experts: \bexpert [a-f](?:'s)? {SAY}\b
experts: \b(?:experts|perspectives|voices|advisors|advisers|viewpoints|panel)(?: that| whom| who| which)? (?:i|we)(?:'ve| have)? (?:just |have |had )?{ASK}\b
  unless {PEOPLE}
experts: \b(?:i|we)(?:'ve| have)? (?:just |also )?{ASK} (?:(?:{NUMBER}|multiple|a few|my|the|our|different|various|a panel of|a set of|a range of|a group of|other|independent|expert) )+(?:experts|perspectives|viewpoints|voices|advisors|advisers)\b
  unless garage|clinic|hospital|shop|store|university|conference|interview\w*|survey|podcast|article|study|book
experts: \b(?:the|my|our|all|both|those|these) (?:(?:other|consulted|{NUMBER}) )?experts (?:all |also |both |clearly |largely |mostly |strongly |generally |seem to |broadly |i asked |who answered |consulted )*{SAY}\b
  unless {PEOPLE}
experts: \b(?:the|my|our|all|both|these|{NUMBER}) (?:{NUMBER} )?(?:expert )?(?:perspectives|expert answers|expert responses) (?:all |also |both |clearly |largely |mostly |strongly |generally |seem to |broadly )*(?:agree(?:d)?|disagree(?:d)?|converged?|diverged?|concur(?:red)?|are split|were split|support(?:ed)?|flagged|raised)\b
  unless {PEOPLE}
experts: \b(?:one|another|a second|a third|a single|only one|each|no|the (?:first|second|third|fourth|fifth|last|dissenting)) expert(?:'s answer|'s response)? (?:who answered |i asked )?{SAY}\b
  unless {PEOPLE}
experts: \b(?:the|my) (?:expert panel|panel of experts|expert batch|expert fan-?out|expert answers|expert responses)\b
  unless {PEOPLE}
experts: \bsynthesi[sz]ed (?:from|out of) (?:multiple|several|many|different|various|\w+) (?:expert )?(?:perspectives|models|experts|answers|voices|responses)\b
# What was made of it.
analysis: \b(?:the|my|our|this|a|your) structural (?:analysis|brief|map|summary|picture)\b
  unless {BUILDINGS}
analysis: \bstructural(?:ly)?,? (?:analysis|brief)(?: (?:of (?:the )?(?:claims|answers|responses|map)|{SHOW}))\b
  unless {BUILDINGS}
analysis: \b(?:decision|claims?|argument) (?:map|graph|topology|network|cluster)s?\b
  unless insurance|lawsuit|software|draw|teach|class|lesson|students?|workshop|template|mining|land|prospect\w*|training|course|philosophy|debate club
analysis: \bmap of (?:the )?claims\b|\bgraph of claims\b
  unless mining|gold|land|insurance
analysis: \b(?:keystone|isolated|high-leverage|low-support|strongly supported|well-supported|orphaned|inverted|contested|leverage-inverted) (?:claim|node)s?\b
  unless {LAW}
analysis: \b(?:conflict|conflicts|prerequisite|tradeoff|trade-off|supports) edges?\b|\bedge types?\b
  unless directed graph|graph theory|networkx|mesh|cad|blender|dependency graph|lint\w*|knife|knives|wood|plank|pastry
analysis: \b(?:the|my) (?:mapped|mapping|claim|claims|consensus) (?:analysis|structure|step|stage|phase|data)\b
  unless {LAW}
analysis: \b(?:opening|workflow|step help|step-help|step 1|expert) batch\b
  unless dough|bread|cookies?|beer|brew\w*|soap|bak\w+|cook\w*|jam|mix|concrete
analysis: \b(?:the|my) (?:structural )?brief (?:i was given|i got|i have been given|{SHOW})\b
  unless clients?|lawyers?|court|legal|creative|design|agency|amicus|campaign|attorney|marketing|appeal|judge|architects?|illness|pause|visit|moment
mapper: \bthe mapper(?:'s)?\b
  unless {CODE}
mapper: \bmapper {SHOW}\b
  unless {CODE}
shape: \b(?:contested|tradeoff|contextual|keystone|settled|dimensional|exploratory|forked|convergent|sparse|constrained) (?:shape|topology)\b
  unless lightning|tail|tongue|road|tree|branch|river|maths?|algebra\w*|geometry|network|networking|mesh|hair
shape: \bmy (?:\w+ )?stance(?: \w+){0,4} is (?:set to |to )?(?:explore|decide|challenge|default)\b
shape: \b(?:shape|topology|stance) ?(?:is|was|:|=|here is|of this is) ?["'“\x60*]{0,2}(?:contested|tradeoff|contextual|keystone|settled|dimensional|exploratory|forked|convergent|sparse|explore|decide|challenge)\b
shape: \bin (?:explore|decide|challenge|challenger|decider) (?:stance|mode)\b|\bmy (?:effective )?stance is (?:set to )?(?:explore|decide|challenge)\b|\beffective[_ ]stance\b
shape: \b(?:dissent|keystone|fragile|orphaned|leverage inversion) pattern\b
  unless knit\w*|crochet|quilt\w*|brick\w*|design|software|paving|tiles?
# How it works inside.
signal as written: <{2,4}\/?[A-Z_]{3,20}>{2,4}
signal: \b(?:intent|execution) handover\b|\bSTEP_HELP\b|\bhandover (?:block|document|signal)\b|\bbatch prompt\b
  unless property|landlord|tenant|shift|nurse|ward|keys|estate agent|house|flat|apartment|police|military
signal: \b(?:my|the) (?:system|initial|hidden) (?:prompt|instructions)\b|\b(?:as|what) my (?:prompt|instructions) (?:says?|tells?|asks?|instructs?)\b|\bmy instructions (?:say|tell|are to)\b
  unless your|api|chatbot|developers?|engineer\w*|app|write|edit|craft\w*|surgeon|doctor|lawyer|bank
signal: \b(?:the|as the|i am the|i'm the) (?:starter|explorer|executor) (?:concierge|phase|instance|prompt)\b|\bconcierge (?:phase|instance|graph|lane)\b|\bfresh instance\b
  unless hotel|aws|cloud|kubernetes|docker|server|virtual machine
`;

const words = new Map(readPatternRows(WORDS).map(({ key, text }) => [key, text]));

export const LEAK_RULES: readonly LeakRule[] = readPatternRows(RULES).map(
  ({ key, text, unless }) => {
    const [kind = ""] = key.split(" ");
    const flags = key.endsWith(" as written") ? "gu" : "giu";
    const world = unless === null ? null : expandPattern(`\\b(?:${unless})\\b`, words);
    return {
      kind: LeakKindSchema.parse(kind),
      pattern: new RegExp(expandPattern(text, words), flags),
      unless: world === null ? null : new RegExp(world, "iu"),
    };
  },
);
