import { distance } from "fastest-levenshtein";
import { Temporal } from "temporal-polyfill";

/** Words that any wish may have: they do not tell one from another. */
export const PLAIN_WORDS = [
  "no",
  "never",
  "with",
  "the",
  "nicht",
  "die",
  "my",
  "rule",
  "about",
  "only",
] as const;

/** Returns a text with its moments as they are in a time zone. */
export function writeMoments(text: string, timeZone: string): string {
  return text.replaceAll(MOMENT, (moment) => {
    const there = Temporal.Instant.from(moment).toZonedDateTimeISO(timeZone);
    const day = `${DAYS[there.dayOfWeek - 1]} ${there.day} ${MONTHS[there.month - 1]} ${there.year}`;
    return `${day}, ${there.toPlainTime().toString({ smallestUnit: "minute" })}`;
  });
}

/** A moment as the database writes it. */
export const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/gu;
const DAYS = "Mon Tue Wed Thu Fri Sat Sun".split(" ");
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec".split(" ");

/** Returns the words of a text in small letters, without accents and punctuation. */
export function splitIntoWords(text: string): readonly string[] {
  const plain = text.toLowerCase().replaceAll("\u00E9", "e");
  return plain.split(/[^a-z0-9]+/u).filter((word) => word !== "");
}

/** Returns the words that tell a text from others, each once; all of them where none does. */
export function expectDistinctive(text: string): readonly string[] {
  const words = listWords(text);
  const distinctive = words.filter((word) => !isPlain(word));
  return distinctive.length > 0 ? distinctive : words;
}

/** Returns true where a message has a distinctive word of a text, in any form. */
export function expectShared(text: string, message: string): boolean {
  const own = listWords(text);
  const distinctive = own.filter((word) => word.length >= 3 && !isPlain(word));
  return (distinctive.length > 0 ? distinctive : own).some((word) =>
    splitIntoWords(message).some((other) => isForm(word, other)),
  );
}

/** Returns for each text the sum of what its words share with a message, a word the less the more texts hold it. */
export function expectScores(texts: readonly string[], message: string): readonly number[] {
  const wanted = new Set(listWords(message).filter((word) => !isPlain(word)));
  const holding = (word: string): number =>
    texts.filter((text) => splitIntoWords(text).includes(word)).length;
  return texts.map((text) => {
    const shared = listWords(text).filter((word) => wanted.has(word));
    return shared.reduce((sum, word) => sum + 1 / holding(word), 0);
  });
}

/** Returns the one text that other words can only mean; null where they mean several, or none. */
export function expectMeant(meant: string, texts: readonly string[]): string | null {
  const wanted = expectDistinctive(meant);
  const shares = texts.map((text) => {
    const own = expectDistinctive(text);
    const shared = own.filter((word) => wanted.includes(word)).length;
    const isWhole = shared > 0 && (shared === own.length || shared === wanted.length);
    return isWhole ? shared / Math.max(own.length, wanted.length) : 0;
  });
  const best = Math.max(...shares);
  const first = shares.indexOf(best);
  return best === 0 || shares.lastIndexOf(best) !== first ? null : (texts[first] ?? null);
}

function listWords(text: string): readonly string[] {
  return [...new Set(splitIntoWords(text))];
}

function isPlain(word: string): boolean {
  return PLAIN_WORDS.some((one) => one === word);
}

/** Returns true for two forms of a word, or one of them mistyped. */
function isForm(one: string, other: string): boolean {
  const [short = "", long = ""] = [one, other].toSorted((a, b) => a.length - b.length);
  if (short === long) return true;
  if (short.length < 3 || long.length > short.length + 2) return false;
  const isPlural = short.endsWith("y") && long === `${short.slice(0, -1)}ies`;
  const ending = long.startsWith(short) ? long.slice(short.length) : null;
  if (isPlural || (ending !== null && short.length > 3)) return true;
  if (ending !== null) return ["s", "es", "e", "n", "en", "er", "x"].includes(ending);
  const slips = short.length < 5 ? 0 : short.length < 8 ? 1 : 2;
  return !/\d/u.test(one + other) && distance(one, other) <= slips;
}
