import { foldText } from "../../text/fold-words.ts";
import { SpokenDays, type SpokenMessage } from "./spoken-days.ts";

/** Words of the shipped languages for what was done last, of another row: "the same applies to". */
const SAME = new RegExp(
  String.raw` (?:${[
    "same (?:for|to|with|there|again|thing|day|date|applies|goes|as)|likewise|ditto",
    "(?:gleiche|selbe|dasselbe)n? (?:gilt|fur|bei|mit|tag|datum)",
    "mismo (?:para|con|dia|vale)|misma (?:fecha|cosa)",
    "meme (?:chose|jour|date)|pareil pour",
    "stesso (?:per|vale|giorno)|stessa (?:cosa|data)",
    "(?:het)?zelfde (?:geldt|voor|dag|datum)",
    "mesmo (?:para|vale|dia)|mesma (?:coisa|data)",
  ].join("|")}) `,
  "u",
);
/** Words of the same for how something was before: "back where it was". */
const BACK = new RegExp(
  String.raw` (?:${[
    "(?:where|when|what|how|as|the way) (?:it|they|he|she) (?:was|were)( before)?|back to before",
    "wie (?:vorher|zuvor)|(?:wo|wie) (?:er|sie|es) war",
    "(?:como|donde) (?:estaba|estaban|antes)|comme avant|comme (?:c|il|elle) etait|ou (?:il|elle) etait",
    "come prima|(?:come|dov) era|zoals (?:eerst|het was)|waar (?:het|hij|ze) was|(?:como|onde) estava",
  ].join("|")}) `,
  "u",
);

/** The value before in a receipt, and the one after it: "Thu 15 Jan 2026 → Fri 16 Jan 2026". */
const WAS = /([^→:;(\n]*)→/gu;
const IS = /→([^→;)\n]*)/gu;

/**
 * Returns true where a message that names no day asks for what was done last, or for what was there before, and
 * the reply before it has stored a day, or taken it away: "the same applies to the farewell". Pure.
 */
export function repeatsDay(day: string, spoken: SpokenMessage, lastReply: string): boolean {
  const text = foldText(spoken.message);
  const stored = [...(SAME.test(text) ? [IS] : []), ...(BACK.test(text) ? [WAS] : [])];
  return stored
    .flatMap((form) => [...lastReply.matchAll(form)].map(([, words = ""]) => words))
    .some((words) => new SpokenDays({ ...spoken, message: words }).holdsDate(day));
}
