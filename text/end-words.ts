import { foldAnswer } from "./read-yes-no.ts";

/** Beginnings of words of the shipped languages by which something ends, is wrong or gives way to something else. */
const BEGINNINGS =
  "untick uncheck unmark unset remov delet cancel clear eras scrap ditch withdr revok expir stop mistak incorrect wrong replac swap " +
  "entfern losch streich storn abgesagt abgelaufen beend falsch irrtum versehent zuruckgezogen entzog verlor verkauf ersetz tausch austausch " +
  "quit borr elimin cancel anul termin caduc desmarc equivoc perdi reemplaz sustitu " +
  "enlev retir supprim annul efface decoch fauss erreur perdu remplac " +
  "togli tolto tolta rimuov rimoss annull scadut sbagliat persa errore sostitu " +
  "verwijder schrap annul verkeerd verlopen verloren vervang " +
  "remov apag expir errad engano perdeu substitu";
/** Whole words and phrases of the same; the forms of a denial stand elsewhere. */
const PHRASES =
  "without|false|ends?|ended|off|gone|lost|loses|used to|instead of|rather than|anymore|nobody|none|(?:is|are|was|s) out|(?:else|other|different|anything) (?:than|from|but)|" +
  "ohne|weg|raus|statt|anstatt|anstelle|andere?s? als|" +
  "sin|fuera|falso|error|en vez de|en lugar de|dejo de|deja de|ya no|otr[ao] (?:\\S+ )?que|" +
  String.raw`sans|faux|aucune?|n\S* (?:\S+ ){0,2}plus|(?:veut|veux|veulent|peut|peuvent|faut|recoit) plus(?! (?:de|d|que))|au lieu \S+|plutot qu\S*|autre (?:\S+ )?qu\S*|` +
  "senza|invece|nessun[oa]?|non piu|altro che|" +
  "zonder|fout|weg|af|in plaats van|anders dan|" +
  "sem|em vez de|nenhuma?|ja nao|deixou de|outr[ao] (?:\\S+ )?que";
const ENDS = new RegExp(
  String.raw`(?<!\S)(?:(?:${BEGINNINGS.replaceAll(" ", "|")})\S*|${PHRASES})(?!\S)`,
  "u",
);
/** "Check it off" ends nothing. */
const CHECKED_OFF = /(?<!\S)(?:tick|check)(?:ed)?(?= .*(?<!\S)off(?!\S))/u;

/**
 * Returns true for a text that says, in a shipped language, that something ends, is wrong or gives way, but for
 * plain denials. Pure.
 *
 * @example
 * endsSomething("take the note off"); // true
 * endsSomething("check the note off"); // false
 */
export function endsSomething(text: string): boolean {
  const words = foldAnswer(text);
  return ENDS.test(CHECKED_OFF.test(words) ? words.replace(/(?<!\S)off(?!\S)/u, "") : words);
}

/** "For good", in the shipped languages. */
export const FOREVER =
  /(?<!\p{L})(?:for (?:good|ever)|forever|für immer|endgültig|definitivamente|para siempre|pour (?:de bon|toujours)|définitivement|per sempre|definitivamente|voorgoed|de vez|para sempre)(?!\p{L})/giu;
