import { CHANGE_WORDS } from "../text/change-words.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import { TICKS_OFF } from "../text/plan-change-words.ts";
import { splitSentences } from "../text/split-sentences.ts";
import { foldQuoted, holdsWords } from "../text/holds-words.ts";
import { beginsAsQuestion, dropAnswer, foldAnswer } from "../text/read-yes-no.ts";

/** Patterns of clauses that ask, await, hope for or deny something, and so confirm nothing. */
const NOT_CONFIRMED =
  /\b(?:not|never|cannot|nearly|almost|half|until|if|when|once|is step|are we|[a-z]+n['’]t|will|would|should|hop(?:es?|ing|efully)|wish|soon|tomorrow|says?|told (?:me|us)|thinks?|guess)\b|[?？吗嗎]|(?<!\p{L})m[ıiuü](?!\p{L})/iu;
/** Words that deny in other languages, a form of the verb in Turkish. */
const DENIALS = String.raw`nicht|nie|kein\S*|nunca|non|pas|niet|nao|не|degil|\p{L}{2,}m[ae]d[ıi]\S*`;
/** The same as above in other languages, signs in Chinese. */
const DENIED_ELSEWHERE = new RegExp(
  String.raw`(?<!\S)(?:${DENIALS}|fast|no (?:est\S+|he|ha|hemos|han)|nest|bald|demnachst|morgen|manana|demain|domani|amanha|hoff\S*|ojala|oxala|espero\S*|esper\S+|hoop)(?!\S)|[没沒未不别別]`,
  "u",
);
/** Words that await what follows in their clause. */
const AWAITED =
  /^\s*(?:after|before|as soon as|nach|sobald|bevor|wenn|falls|cuando|quand|als|quando)\b/iu;
/** Words of somebody else, or of doubt, in a clause before it. */
const UNSURE = /\b(?:not (?:so |really )?sure|don['’]t think so)\b/iu;

/** Lists the clauses of a message that ask, await and deny nothing. Linear, total. */
export function listConfirmingClauses(message: string): readonly string[] {
  if (UNSURE.test(message.replaceAll(/not sure about/giu, ""))) return [];
  return listClauses(message).filter(
    (clause) =>
      !NOT_CONFIRMED.test(clause) &&
      !AWAITED.test(clause) &&
      !DENIED_ELSEWHERE.test(foldAnswer(clause)),
  );
}

/** Words behind which something is said against what stands before them; to grant something ("though") takes nothing back. */
const CONTRASTS =
  /(?<!\p{L})(?:but|however|aber|jedoch|allerdings|pero|mais|ma|però|maar|echter|mas|porém|ama|fakat|но)(?!\p{L})|但|可是|不过/iu;
/** Words that deny, wherever they stand. */
const DENIAL = new RegExp(
  String.raw`(?<!\S)(?:${DENIALS}|not|never|no|nothing|cannot|(?:did|do|does|is|was|were|has|have|had|ca|could|wo|would)nt|fail\S*|nichts|nada|rien|jamais|niente|mai|niets|geen)(?!\S)|[没沒未不]`,
  "u",
);

/** Returns what a sentence says before a "but", and what it denies behind it; empty where it denies nothing there. Linear, total. */
export function splitAtContrast(sentence: string): readonly [before: string, denied: string] {
  const [before = "", ...rest] = sentence.split(CONTRASTS);
  const behind = rest.join(" ");
  return [before, deniesSomething(behind) ? behind : ""];
}

/** Returns true for a text with a word that denies. Linear, total. */
export function deniesSomething(text: string): boolean {
  return DENIAL.test(foldAnswer(text));
}

/** Ends of clauses: what is denied or asked on one side of them says nothing of the other. "2. adım" is one. */
const BREAK =
  /(?<=[!?;\n。！？；])|(?<=\.)(?<!\d\.(?= ad[ıi]m))|(?=¿)|[,，、]| [-–—] | (?=what (?:now|next|then)\b)|\b(?:but|though|although|because)\b| and (?=(?:it|that|this|i|we) )/iu;

/** Lists the clauses of a message, in their order. */
export function listClauses(message: string): readonly string[] {
  return message.split(BREAK).filter((clause) => /\p{L}/u.test(clause));
}

/** Words that deny what follows in their clause, in several languages; those of Chinese stand without spaces. */
const DENIES = String.raw`(?:dont|do not|does not|not|never|cannot|wont|nicht|nie|niemals|nunca|jamas|jamais|ne|non|mai|niet|nooit|nao|не)(?!\S)|不要|不用|别|別`;
const ORDERS = Object.values(CHANGE_WORDS)
  .flatMap(({ orders }) => `${orders.there} ${orders.gone}`.split(" "))
  .concat("skip", "swap", "shorten")
  .join("|");
/** A denial with an order behind it, or behind its order. */
const FORBIDDEN = new RegExp(
  String.raw`(?<!\S)(?:${DENIES})(?: \S+){0,6}? ?(?:(?<!\S)(?:${ORDERS})(?!\S)|[删刪去移跳])|(?<!\S)(?:${ORDERS}) (?:\S+ ){0,20}(?:nicht|niet|ikke|inte|pas)(?: mehr)?$|(?<!\S)ad[ıi]m\S* (?:\S+ ){0,20}\S+m[ae](?:y[ıi]n)?$|(?<!\S)n[oa]o? (?:\S+ )?(?:quit|borr|elimin|sac|saqu|salt|tach|tir|apagu)es?(?!\S)`,
  "u",
);
/** The same, where the words that it denies follow. */
const DENIED_BEFORE = new RegExp(String.raw`(?<!\S)(?:${DENIES})(?: \S+){0,20} ?$`, "u");
/** A denial that is none but directly before what it denies: "no quites el paso 2". */
const DENIED_DIRECTLY = /(?<!\S)(?:no|nie)(?: \S+)?$/u;
const DENIED_AFTER = /^ (?:\S+ ){0,2}(?:nicht|niet|ikke|inte|pas)(?!\S)/u;
/** Words that suppose, or weigh, what follows in their clause. */
const SUPPOSES =
  /(?<!\S)(?:if(?! (?:you|it|that|thats|its|possible))|whether|suppose|supposing|imagine|(?:thinking|thought) (?:about|of)|wondering|considering|(?:tell|show|ask) (?:me |us )?(?:what|how)|falls|wenn|ob)(?!\S)|如果/u;

/** Words of a sentence that hopes, weighs or repeats somebody's words, and a condition that begins a clause. */
const WEIGHS =
  /(?<!\S)(?:maybe|perhaps|might|hopefully|says|thinks|(?<!(?:i|we) )(?:said|wrote)|told (?:me|us)|vielleicht|hoffentlich|ich hoffe|quizas?|ojala|tal vez|peut etre|jespere|forse|spero|misschien|hopelijk|talvez|oxala)(?!\S)/u;
const CONDITION =
  /^(?:if|unless|once|when|wenn|falls|sobald|cuando|quand|quando|zodra)(?! (?:you|it|that|thats|its|possible|moglich|again|more)(?!\S)) /u;

/** The test for a clause that names what its action is about. */
export type NamesTarget = (clause: string) => boolean;

/**
 * Lists the clauses of a message that share in the words, without courtesy: those that name what the action is
 * about, where any does. What the others deny or grant is of something else ("not yet, sorry"). Linear, total.
 */
export function listMeantClauses(
  message: string,
  words: string,
  namesTarget: NamesTarget = () => false,
): readonly string[] {
  const clauses = listClauses(message).filter(
    (clause) => dropAnswer(clause).trim() !== "" && sharesWords(clause, words),
  );
  const naming = clauses.filter(namesTarget);
  return naming.length === 0 ? clauses : naming;
}

/** The doubt that a message leaves of words in it. */
export type Doubt = "denied" | "supposed";

/**
 * Returns `denied` where a clause of a message that shares in the words forbids or denies them, `supposed` where
 * all of them only suppose or ask: "don't drop step 5" does not ask for "drop step 5", whatever of it the words
 * hold, nor does "if I drop step 5", or a sentence that hopes, weighs or sets a condition; null for neither.
 * Linear, total.
 */
export function readDoubt(message: string, words: string, namesTarget?: NamesTarget): Doubt | null {
  const clauses = listMeantClauses(message, words, namesTarget).flatMap((clause) => {
    const parts = clause.split(":").filter((part) => sharesWords(part, words));
    return parts.length === 0 ? [clause] : parts;
  });
  if (clauses.length === 0) return null;
  if (clauses.some((clause) => deniesWithin(clause, words))) return "denied";
  const isSupposed =
    clauses.every((clause) => isDoubtful(clause, words)) ||
    splitSentences(message).some((part) => weighs(part) && sharesWords(part, words));
  return isSupposed ? "supposed" : null;
}

function weighs(sentence: string): boolean {
  return (
    WEIGHS.test(foldAnswer(sentence)) ||
    listClauses(sentence).some((clause) => CONDITION.test(foldAnswer(clause)))
  );
}

/** Splits a clause at the words, folded; without them all of it is before. */
function splitAt(clause: string, words: string) {
  const [whole, part] = [foldAnswer(clause), foldAnswer(words)];
  const at = whole.indexOf(part);
  const before = at > 0 ? whole.slice(0, at).trim() : "";
  return { whole, part, at, before, after: at >= 0 ? whole.slice(at + part.length) : "" };
}

function deniesWithin(clause: string, words: string): boolean {
  const { whole, before, after } = splitAt(clause, words);
  return (
    FORBIDDEN.test(whole) ||
    DENIED_BEFORE.test(before) ||
    DENIED_DIRECTLY.test(before) ||
    DENIED_AFTER.test(after)
  );
}

function isDoubtful(clause: string, words: string): boolean {
  const { part, at, before } = splitAt(clause, words);
  return (
    SUPPOSES.test(before) ||
    (at < 0 ? beginsAsQuestion(clause) : SUPPOSES.test(part.split(" ", 2).join(" ")))
  );
}

/** Words that put a request as a question, in several languages. */
const ASKS_POLITELY = new RegExp(
  String.raw`(?<!\p{L})(?:${[
    "(?:can|could|will|would|wont) (?:you|u)|(?:can|could) we",
    "(?:kannst|könntest|willst|würdest|magst) du|(?:können|könnten|würden) sie",
    "(?:peux|pourrais|veux)[ -]tu|tu (?:peux|pourrais)|(?:pouvez|pourriez|voulez)[ -]vous|vous (?:pouvez|pourriez)",
    "puedes?|podrías?|podéis|puoi|può|potresti|potrebbe|podes?|poderias?",
    "(?:kun|kan|kunt|wil|wilt|zou) (?:je|jij|u)",
  ].join("|")})(?!\p{L})`,
  "u",
);

/** Returns true for a clause that asks the assistant to tick something off. Pure. */
export function asksToTickOff(clause: string): boolean {
  const words = foldAnswer(clause);
  const isAsked = ASKS_POLITELY.test(foldQuoted(clause)) || /^(?:so )?you should /u.test(words);
  return (
    isAsked &&
    TICKS_OFF.test(words) &&
    !DENIED_ELSEWHERE.test(words) &&
    !/n['’]t|\bnot\b/u.test(clause)
  );
}

/**
 * Returns true where every sentence of a message that shares in the words is a question, and none that
 * puts a request: "should I drop step 5?" does not ask for "drop step 5", "could you drop step 5?" does.
 * A sentence whose end alone asks ("drop step 5, or is it needed?") is a question too: nothing is changed
 * that may not be meant.
 * Linear, total.
 */
export function asksWhether(message: string, words: string): boolean {
  const shared = splitSentences(message).filter((part) => sharesWords(part, words));
  return (
    shared.length > 0 &&
    shared.every((part) => endsAsQuestion(dropTag(part)) && !ASKS_POLITELY.test(foldQuoted(part)))
  );
}

/** Leaves out an end that asks for no more than a yes: "let's drop step 5, ok?". */
function dropTag(sentence: string): string {
  const at = sentence.lastIndexOf(",");
  return at > 0 && dropAnswer(sentence.slice(at)).trim() === "" ? sentence.slice(0, at) : sentence;
}

/** Returns true where words lie within a part of a message, or one of their own clauses is its end or beginning. */
export function sharesWords(part: string, words: string): boolean {
  if (holdsWords(part, words) || holdsWords(words, part)) return true;
  const whole = foldQuoted(part);
  return listClauses(words)
    .map(foldQuoted)
    .some((clause) => whole.startsWith(clause) || whole.endsWith(clause));
}

const QUOTED = /["“„”«»]([^"“„”«»]*)["“”»«]/gu;

/** Leaves out what a message quotes, but for names: "my sister wrote: “drop step 4”" asks for nothing. Pure. */
export function dropQuotations(message: string, isName: (quoted: string) => boolean): string {
  return message.replaceAll(QUOTED, (whole, quoted: string) => (isName(quoted) ? whole : " "));
}
