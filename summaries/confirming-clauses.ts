import { CHANGE_WORDS } from "../text/change-words.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import { splitSentences } from "../text/split-sentences.ts";
import { foldQuoted, holdsWords } from "../text/holds-words.ts";
import { beginsAsQuestion, dropAnswer, foldAnswer } from "../text/read-yes-no.ts";

/** Patterns of clauses that ask, await, hope for or deny something, and so confirm nothing. */
const NOT_CONFIRMED =
  /\b(?:not|never|cannot|nearly|almost|half|until|if|when|once|is step|are we|[a-z]+n['’]t|will|would|should|hopes?|wish|soon|tomorrow|says?|thinks?|guess)\b|[?？吗嗎]|(?<!\p{L})m[ıiuü](?!\p{L})/iu;
/** The same in other languages: words, a form of the verb in Turkish, signs in Chinese. */
const DENIED_ELSEWHERE =
  /(?<!\S)(?:nicht|nie|kein\S*|fast|no (?:est\S+|he|ha|hemos|han)|nunca|non|pas|nest|niet|nao|не|degil|\p{L}{2,}m[ae]d[ıi]\S*)(?!\S)|[没沒未不别別]/u;
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

/** Ends of clauses: what is denied or asked on one side of them says nothing of the other. */
const BREAK =
  /(?<=[.!?;\n。！？；])|(?=¿)|[,，、]| [-–—] | (?=what (?:now|next|then)\b)|\b(?:but|though|although|because)\b| and (?=(?:it|that|this|i|we) )/iu;

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
  String.raw`(?<!\S)(?:${DENIES})(?: \S+){0,6}? ?(?:(?<!\S)(?:${ORDERS})(?!\S)|[删刪去移跳])|(?<!\S)(?:${ORDERS}) (?:\S+ ){0,20}(?:nicht|niet|ikke|inte|pas)(?: mehr)?$|(?<!\S)ad[ıi]m\S* (?:\S+ ){0,20}\S+m[ae](?:y[ıi]n)?$`,
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

/**
 * Returns true where every clause of a message that shares in the words forbids, denies, supposes or asks:
 * "don't drop step 5" does not ask for "drop step 5", whatever of it the words hold, nor does "if I drop step 5".
 * A clause of nothing but courtesy asks for nothing. Linear, total.
 */
export function deniesWords(message: string, words: string): boolean {
  const clauses = listClauses(message)
    .flatMap((clause) => clause.split(":"))
    .filter((clause) => dropAnswer(clause).trim() !== "" && sharesWords(clause, words));
  return clauses.length > 0 && clauses.every((clause) => isDoubtful(clause, words));
}

function isDoubtful(clause: string, words: string): boolean {
  const [whole, part] = [foldAnswer(clause), foldAnswer(words)];
  const at = whole.indexOf(part);
  const before = at > 0 ? whole.slice(0, at).trim() : "";
  const after = at >= 0 ? whole.slice(at + part.length) : "";
  return (
    FORBIDDEN.test(whole) ||
    DENIED_BEFORE.test(before) ||
    DENIED_DIRECTLY.test(before) ||
    DENIED_AFTER.test(after) ||
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
