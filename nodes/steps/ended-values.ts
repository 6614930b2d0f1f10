import { sharesWord } from "../../registry/shared-words.ts";
import { deniesSomething } from "../../summaries/confirming-clauses.ts";
import { endsSomething } from "../../text/end-words.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { splitClauses, splitSentences } from "../../text/split-sentences.ts";

/**
 * Returns true where a clause of a message that has a word of a text says that this ends, is wrong, or is what
 * something is changed from: "no longer insured", "from confirmed to declined". Pure.
 */
export function endsValue(message: string, text: string): boolean {
  return splitParts(message).some((part) => {
    const words = foldWords(part.replaceAll(/['’]/gu, ""));
    const rest = words.map((word) => (sharesWord(text, word) ? PLACE : word)).join(" ");
    return rest.includes(PLACE) && (endsAnything(rest.replaceAll(PLACE, " ")) || FROM.test(rest));
  });
}

/** Returns true where a text says that something ends, whatever that is. Pure. */
export function endsAnything(text: string): boolean {
  return (deniesSomething(text) || endsSomething(text)) && !FORGET.test(foldText(text));
}

/** Stands for the words whose end is looked for. */
const PLACE = "#";

/** "From confirmed to declined", "von heute auf morgen"; in English also "from confirmed" alone. */
const FROM =
  /(?<!\S)(?:from (?:\S+ )?#|(?:von|vom|de|del|da|dal|desde|du|van|do) (?:\S+ )?#(?: \S+){0,2} (?:auf|zu|nach|a|al|para|naar|au|em)(?!\S))/u;

/** "Don't forget to mark it as paid" denies nothing. */
export const FORGET = /forget|vergiss|vergess|vergeet|olvid|oubli|dimentic|esque/u;

/** Words that join two clauses. */
const JOINS = /(?<!\p{L})(?:and|but|und|aber|y|pero|et|mais|ma|maar|mas)(?!\p{L})/iu;

/** Splits a message where a sentence or a clause ends, and at "and" and "but". Pure. */
export function splitParts(message: string): readonly string[] {
  return splitSentences(message)
    .flatMap(splitClauses)
    .flatMap((clause) => clause.split(JOINS));
}
