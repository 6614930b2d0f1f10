import { endsAsQuestion } from "../text/ends-as-question.ts";
import { splitSentences } from "../text/split-sentences.ts";
import { foldQuoted, holdsWords } from "../text/holds-words.ts";

/** Patterns of clauses that ask, await or deny, and so confirm nothing. */
const NOT_CONFIRMED =
  /\b(?:not|never|cannot|nearly|almost|until|if|when|once|is step|are we|[a-z]+n['’]t)\b|\?/iu;

/** Lists the clauses of a message that ask, await and deny nothing. Linear, total, English. */
export function listConfirmingClauses(message: string): readonly string[] {
  return listClauses(message).filter((clause) => !NOT_CONFIRMED.test(clause));
}

/** Ends of clauses: what is denied or asked on one side of them says nothing of the other. */
const BREAK = /(?<=[.!?;\n])|(?=¿)|,| [-–—] |\b(?:but|though|although|because)\b/iu;

/** Lists the clauses of a message, in their order. */
export function listClauses(message: string): readonly string[] {
  return message.split(BREAK).filter((clause) => clause.trim() !== "");
}

/** Words that deny what stands directly behind them, and directly before them, in several languages. */
const DENIED_BY_BEFORE =
  /(?:^|[^\p{L}])(?:dont|do not|never|not to|no|não|non|nie|ne)(?: \p{L}+)? $/u;
const DENIED_BY_AFTER = /^ (?:nicht|niet|ikke|inte|pas)(?![\p{L}])/u;

/**
 * Returns true where every place of a message that has the words denies them: "don't drop step 5" does not
 * ask for "drop step 5". Says rather too little than too much. Linear, total.
 */
export function deniesWords(message: string, words: string): boolean {
  const [whole, part] = [foldQuoted(message), foldQuoted(words)];
  if (part === "") return false;
  const places = whole.split(part);
  return (
    places.length > 1 &&
    places.every(
      (before, index) =>
        index === places.length - 1 ||
        DENIED_BY_BEFORE.test(before) ||
        DENIED_BY_AFTER.test(places[index + 1] ?? ""),
    )
  );
}

/** Words that put a request as a question, in several languages. */
const ASKS_POLITELY = new RegExp(
  String.raw`(?<!\p{L})(?:${[
    "(?:can|could|will|would|wont) (?:you|u)",
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
    shared.every((part) => endsAsQuestion(part) && !ASKS_POLITELY.test(foldQuoted(part)))
  );
}

/** Returns true where words lie within a part of a message, or one of their own clauses is its end or beginning. */
export function sharesWords(part: string, words: string): boolean {
  if (holdsWords(part, words) || holdsWords(words, part)) return true;
  const whole = foldQuoted(part);
  return listClauses(words)
    .map(foldQuoted)
    .some((clause) => whole.startsWith(clause) || whole.endsWith(clause));
}
