import { unfenced } from "../prompt/read-prompt.ts";
import type { UnderstandAnswer } from "../../../state/understanding.ts";
import { choiceOf } from "../advice/consult.ts";
import { blockerOf, doneSteps, isReady, plainly } from "../concierge/read-person.ts";
import { contentStems, sharedStems } from "../concierge/sayings.ts";
import { mentionsIn, partsIn, thingsOf } from "../language/vocabulary.ts";
import type { Wish } from "../language/wish.ts";
import type { Memory } from "./memory.ts";

const CHANGES = ["add", "remove", "clear", "collect", "schedule", "move"] as const;

type Way = Pick<UnderstandAnswer, "lane" | "journey">;

/** Which lane takes a message, and how it stands to the journey that is under way. */
export function wayOf(memory: Memory): Way {
  const always = /lane: always `(task|concierge)`/.exec(memory.rules)?.[1];
  if (always === "task") return { lane: "task", journey: "continue" };
  const journey = readJourney(memory);
  const lane = always === "concierge" || isForConcierge(memory, journey) ? "concierge" : "task";
  return { lane, journey: lane === "task" ? "continue" : journeyOf(memory, journey) };
}

/** Where the concierge's journey stands, as the prompt says it. */
interface Journey {
  /** Whether one is under way. */
  readonly open: boolean;
  readonly hasPlan: boolean;
  readonly isOver: boolean;
  /** Whether the concierge spoke last. */
  readonly spokeLast: boolean;
  /** Words of what the journey is about. */
  readonly about: ReadonlySet<string>;
}

/** A concierge that gave no answer waits for whatever is said next. */
const OWES = /\bwrite anything and I will try again\b/;

function readJourney({ phase, asked, recentTurns }: Memory): Journey {
  const lines = unfenced("data", phase).split("\n");
  const question = unfenced("data", asked).trim();
  const lastAnswer = recentTurns.slice(Math.max(0, recentTurns.lastIndexOf("\nAssistant: ")));
  return {
    open: lines[0]?.trim() !== "",
    hasPlan: lines.some((line) => /^- \[[ x>]\] /.test(line)),
    isOver: lines.some((line) => line.startsWith("The plan is complete")),
    spokeLast:
      (question !== "" && lastAnswer.includes(question.slice(-30))) || OWES.test(lastAnswer),
    about: contentStems(`${phase}\n${asked}\n${lastAnswer}`),
  };
}

/** Wishes that are for the data wherever they are heard, once they name it. */
const OF_DATA = new Set<Wish["kind"]>([
  ...CHANGES,
  "look",
  "verify",
  "have",
  "search",
  "draft",
  "fill",
  "finish",
  "save",
  "count",
]);

function isForConcierge(memory: Memory, journey: Journey): boolean {
  const { request, message } = memory;
  const plain = plainly(message);
  const kinds = request.wishes.map(({ kind }) => kind);
  const advice = asksAdvice(plain, memory);
  const data = !advice && kinds.some((kind) => OF_DATA.has(kind)) && namesData(memory);
  if (journey.open && dropsPlan(plain) && (journey.hasPlan || journey.spokeLast)) return true;
  // "Put what I need for step 1 on my shopping list" is about the list.
  const changes = CHANGES.some((kind) => kinds.includes(kind));
  const progress =
    journey.hasPlan && (blockerOf(message) !== null || /\bwhat (?:now|next)\b/.test(plain));
  if (data && (changes || !progress)) return false;
  if (advice || (journey.hasPlan && speaksOfPlan(message))) return true;
  if (!journey.open) return tellsOfTrouble(plain, kinds);
  if (journey.spokeLast || isReady(message)) return true;
  return kinds.length === 0 && contentStems(plain).size >= 2;
}

/** Whether a message names a part of the data or a thing in it; "plan" alone names none. */
function namesData({ request, vocabulary }: Memory): boolean {
  const text = request.plain.replace(/\b(?:(?:a|the) )?plan(?:s|ned|ning)?\b/g, " ");
  const choices = thingsOf(vocabulary.world.parts.choices, vocabulary.things);
  return (
    partsIn(text, vocabulary).length > 0 || mentionsIn(text, choices, vocabulary.pale).length > 0
  );
}

/** The ways in which an open question is asked. */
const OPEN_QUESTION: readonly RegExp[] = [
  /\bwhich (?:one |way )?should (?:i|we) do\b/,
  /\bhow (?:i|we) (?:might|can|could|should|would|may) (?!(?:cook|bake|fry|boil|prepare|freeze|store|roast|see|find|add|delete|remove)\b)\w+/,
  /\bwhat (?:i|we) (?:should|could|can|shall|must) do(?: about| against| now| here| then| if| when| \.|$| ,)/,
  /\bwhat (?:should|can|could|shall|would|do|must) (?:i|we|you|one) (?:even |best )?do(?: about| against| now| here| then| if| when| to | \.|$| ,)/,
  /(?:^|[.,] |\b(?:so|and|or|hello|hi|hey) )(?:should|shall) (?:i|we)\b/,
  /\bhow (?:do|can|should|could|would|might) (?:i|we|you|one|people) (?:best |even |ever |finally |possibly )?(?!(?:cook|bake|fry|boil|prepare|freeze|store|roast|know|work|remember|see|view|open|add|delete|remove|put|print|show|list|clear|undo|use)\b)\w+/,
  /\bhow to (?!(?:cook|bake|fry|boil|prepare|freeze|store|roast)\b)\w+/,
  /\b(?:any|some|your|need|want|like|have you|got) (?:good )?(?:advice|tips|guidance)\b|\badvise (?:me|us)\b|\badvice (?:on|about|for)\b/,
  /\b(?:i|we) (?:do not|can not|could not) (?:know|decide) (?:how|whether|what to do|if|between)\b/,
  /\b(?:am|are) (?:torn|undecided|unsure|not sure) (?:between|whether|if|about whether)\b/,
  /\bhelp (?:me|us) (?:to )?(?:decide|figure out|choose between|understand|think|make up my mind)\b/,
  /\bis it (?:worth|better|best|a good idea|a bad idea|wise|smart|right|sensible)\b/,
  /\bwhat is the (?:best|smartest|easiest|right|cheapest) (?:way|approach|thing) (?:to|for|of)\b/,
  /\b(?:do you think|would you say) (?:that )?(?:i|we|it)\b|\bwhat would you do\b|\bwhat do you think\b|\bwhat is your (?:advice|opinion|view)\b/,
  /\b(?:my|our) (?:\w+ )?(?:kids?|child|children|partner|boss|wife|husband|son|daughter|team|family|neighbou?rs?|friends?|mother|father|roommate|job)\b.*\bany (?:ideas|advice|thoughts|suggestions)\b/,
  /\bpros and cons\b|\bwhich (?:one )?is (?:better|best|smarter|wiser)\b/,
  /\b(?:why|how come) (?:do|can) (?:i|we|my|our)\b.*\b(?:always|never|keep)\b/,
];

/** What is chosen, made or looked up belongs to the data, whatever way it is asked for. */
const OF_THE_DATA =
  /\b(?:should|shall) (?:i|we) (?:cook|eat|make|have|buy|use) (?!.*\bor\b)|\bwhat (?:should|can|could|shall|do) (?:i|we) (?:cook|eat|make|have|buy|prepare)\b|\b(?:decide|choose|know|figure out) what to (?:cook|eat|make|have|buy|prepare)\b|\bwhat to (?:cook|eat|make|have)\b/;

function asksAdvice(plain: string, memory: Memory): boolean {
  const { vocabulary, request } = memory;
  if (OF_THE_DATA.test(plain) || !OPEN_QUESTION.some((pattern) => pattern.test(plain))) {
    return false;
  }
  const kinds = new Set<Wish["kind"]>(request.wishes.map(({ kind }) => kind));
  const past = ["meta", "earlier", "recap", "recall"] as const;
  if (past.some((kind) => kinds.has(kind))) return false;
  const chooses = choiceOf(plain) !== null;
  const asks = ["have", "suppose", "search"] as const;
  if (!chooses && asks.some((kind) => kinds.has(kind))) return false;
  if (!chooses && CHANGES.some((kind) => kinds.has(kind)) && namesData(memory)) return false;
  const choices = thingsOf(vocabulary.world.parts.choices, vocabulary.things);
  return mentionsIn(request.plain, choices, vocabulary.pale).length === 0;
}

/** "Step 1 is done", "I am stuck", "what is next on the plan". */
function speaksOfPlan(message: string): boolean {
  const plain = plainly(message);
  return (
    doneSteps(message).length > 0 ||
    blockerOf(message) !== null ||
    dropsPlan(plain) ||
    /\bsteps? (?:\d+|one)\b|\b(?:first|second|third|next|last) step\b|\b(?:the|this|that|our|your) plan\b/.test(
      plain,
    )
  );
}

const DROPS =
  /\b(?:forget|drop|scrap|ditch|abandon|throw out|give up|cancel|stop|leave)\b(?: \w+){0,3} (?:plan|that|it|this|prep|prepping|idea|approach|whole thing|all of it)\b|\b(?:changed|change) (?:my|our) mind\b|\bstart (?:all )?over\b|\b(?:different|another|new) (?:plan|approach|way|direction)\b|\bnot (?:that|this|the) plan\b/;
const INSTEAD =
  /\b(?:i|we) (?:want|would like|would rather|prefer|rather)\b.*\b(?:instead|rather)\b|\blet us (?:look at|try|do|talk about|consider|go with)\b.*\binstead\b|\bwhat about\b.*\binstead\b|\binstead\b.*\b(?:i|we) (?:want|would)\b|^(?:actually|wait|hm+)? ?,? ?(?:no|nope)\b.*\b(?:forget|look at|instead|rather)\b/;

function dropsPlan(plain: string): boolean {
  if (/\bstep (?:\d+|one)\b/.test(plain)) return false;
  if (/\b(?:do not|never) (?:forget|drop|scrap|change|give up)\b/.test(plain)) return false;
  return DROPS.test(plain) || INSTEAD.test(plain);
}

/** Somebody says what weighs on them, without asking. */
function tellsOfTrouble(plain: string, kinds: readonly Wish["kind"][]): boolean {
  const own = /\b(?:i|we|my|our)\b/.test(plain);
  const trouble =
    /\b(?:keep|keeps|always|never|struggle|struggling|overwhelmed|stressed|worried|hate|fed up|too much|too little|fortune|argue|arguing|fight|problem|trouble|hard time|can not|do not know|afraid|lonely|tired of|burned out|exhausted|thinking (?:of|about)|considering)\b/;
  return kinds.length === 0 && own && trouble.test(plain) && contentStems(plain).size >= 3;
}

function journeyOf(memory: Memory, journey: Journey): UnderstandAnswer["journey"] {
  const plain = plainly(memory.message);
  // Small talk opens nothing.
  if (!journey.open) {
    return asksAdvice(plain, memory) || contentStems(plain).size >= 2 ? "new" : "continue";
  }
  if (journey.hasPlan && !journey.isOver && dropsPlan(plain)) return "reopen";
  if (!asksAdvice(plain, memory)) return "continue";
  const stems = contentStems(plain);
  if (journey.isOver) return stems.size === 0 ? "continue" : "new";
  // A question that shares a word with the journey belongs to it; so does one that names nothing.
  return stems.size < 2 || sharedStems(stems, journey.about) > 0 ? "continue" : "new";
}
