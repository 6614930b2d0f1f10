import { measureDistance } from "../text/nearest.ts";

/** Words that say that something is a wish or a rule, in the languages that sentences are shipped in: they do not tell one from another. */
const RULE_WORDS = listWords(
  "a about again all always and any anymore are be but can cannot do don dont eat eating ever fine for from have i in is it like longer lets " +
    "must m my never no not of off ok okay on only or our please rule rules s should t the their them there to us want we wish with without won you your " +
    "did does had has how that these this those was were what when where which who why will would " +
    "aber alle auch bitte das dem den der die ein eine einen essen esse ich immer in kein keine keinen man mehr mein meine mit nicht nie niemals " +
    "nur ohne regel und wieder wir auf für ist sind von wann war was welche wer wie zum zur " +
    "aucun avec ce de des du et je jamais la le les ma mange mes mon ne nous pas plus que règle sans toujours une un " +
    "como con de el la las lo los me mi mis ni ningún no nunca para por que regla siempre sin un una y yo " +
    "che con di e gli il io lo mai mangio mia mio nessun non per più regola sempre senza " +
    "altijd de een eten geen het ik met mijn niet nooit regel zonder " +
    "as com e eu minha meu não nunca o os regra sem sempre",
);

/** Returns the words of a text in small letters without accents, each once; scripts without spaces give their characters. Pure. */
function listWords(text: string): ReadonlySet<string> {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return new Set(
    plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu),
  );
}

/** Returns the words of a wish that tell it from others; all of its words where none do. Pure. */
export function splitDistinctiveWords(text: string): ReadonlySet<string> {
  const words = listWords(text);
  const distinctive = new Set([...words].filter((word) => !RULE_WORDS.has(word)));
  return distinctive.size === 0 ? words : distinctive;
}

/** Shortest distinctive word, where a text has others. */
const SHORTEST = 3;

/**
 * Returns true where a message has a distinctive word of a text, in this form or another ("eggs",
 * "egg"), or mistyped. A text without such a word has to stand there as it is. Pure.
 */
export function sharesWord(text: string, message: string): boolean {
  const own = [...listWords(text)];
  const distinctive = own.filter(isContentWord);
  const written = [...listWords(message)];
  return (distinctive.length === 0 ? own : distinctive).some((word) =>
    written.some((other) => isSameWord(word, other)),
  );
}

/** Returns true for a folded word that says something by itself. */
export function isContentWord(word: string): boolean {
  return word.length >= SHORTEST && !RULE_WORDS.has(word);
}

/** A word that stands for another: "the northern one". */
const PRONOUN = /^ones?$/u;

/** Returns true where a message has more than half of the distinctive words of a text, in some form, or the text has none. Pure. */
export function sharesMostWords(text: string, message: string): boolean {
  const written = [...listWords(message)];
  const own = [...listWords(text)].filter((word) => isContentWord(word) && !PRONOUN.test(word));
  const shared = own.filter((word) => written.some((other) => isSameWord(word, other)));
  return own.length === 0 || shared.length * 2 > own.length;
}

/** Most letters by which two forms of a word differ: "egg" and "eggs", "dish" and "dishes". */
const ENDING = 2;
/** Endings of the shortest words: with other letters behind it, "bus" is "busy" and "pea" is "pear". */
const SHORT_WORD_ENDINGS = /^(?:s|es|e|n|en|er|x)$/u;
/** Letters for which a word may have one that is wrong, and the shortest word that may have any. */
const LETTERS_A_SLIP = 4;
const SHORTEST_WITH_SLIP = 5;

function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < SHORTEST || long.length - short.length > ENDING) return false;
  if (long === short.replace(/y$/u, "ies")) return true;
  if (long.startsWith(short)) {
    return short.length > SHORTEST || SHORT_WORD_ENDINGS.test(long.slice(SHORTEST));
  }
  if (short.length < SHORTEST_WITH_SLIP || /\p{N}/u.test(one + other)) return false;
  const slips = Math.min(Math.floor(short.length / LETTERS_A_SLIP), 2);
  return measureDistance(short, long) <= slips;
}

/**
 * Returns for each text how much of a message it touches: the sum of the words that both hold, a word
 * the more the fewer texts hold it (inverse document frequency). 0 where it touches nothing. Pure.
 */
export function scoreSharedWords(texts: readonly string[], message: string): number[] {
  const wanted = listWords(message);
  const held = texts.map((text) => [...listWords(text)].filter(isDistinctive(wanted)));
  const counts = new Map<string, number>();
  for (const word of held.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return held.map((words) => words.reduce((sum, word) => sum + 1 / (counts.get(word) ?? 1), 0));
}

function isDistinctive(wanted: ReadonlySet<string>): (word: string) => boolean {
  return (word) => wanted.has(word) && !RULE_WORDS.has(word);
}

/**
 * Returns the one text that other words can only mean: all distinctive words of the one stand in the other.
 * Of several the one that has the most in common; null where two have as much, or none anything. Pure.
 */
export function findOneMeant<T>(
  words: string,
  candidates: readonly T[],
  readText: (candidate: T) => string,
): T | null {
  const wanted = splitDistinctiveWords(words);
  const fitting = candidates.flatMap((candidate) => {
    const own = splitDistinctiveWords(readText(candidate));
    const shared = [...own].filter((word) => wanted.has(word)).length;
    const isMeant = shared > 0 && shared === Math.min(own.size, wanted.size);
    return isMeant ? [{ candidate, share: shared / Math.max(own.size, wanted.size) }] : [];
  });
  const best = Math.max(...fitting.map(({ share }) => share));
  const [first, ...others] = fitting.filter(({ share }) => share === best);
  return first === undefined || others.length > 0 ? null : first.candidate;
}
