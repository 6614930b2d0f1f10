import { foldQuoted } from "../text/holds-words.ts";

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
