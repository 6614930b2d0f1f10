import { CHANGE_WORDS } from "./change-words.ts";
import { foldAnswer } from "./read-yes-no.ts";

/** Words and beginnings of words (`*`) by which people want a step gone or left out, by language, beside the orders. */
const GONE: Readonly<Record<string, string>> = {
  en: "scrap* skip* los* cut* ax* ditch* bin* kill* toss* chuck* kick* strik* trash* dump* forget* leav* off out gone away without bother* needless unnecessary dropp* delet* remov* rid (?:not|dont|no|never)_(?:need|want|do|use|more|longer|mind) ^no_\\S+",
  de: "raus weg brauch* kein* spar* lass* streich* lösch* entfern* nehm* entfäll* fällt überspring* übersprung* auslass* weglass* rauswerf* verzicht* ohne",
  es: "quit* elimin* borr* tach* sac* suprim* fuera sin sobra* salt* omit* olvid* deja* no_(?:hace_falta|necesit\\S*|quer\\S*|quier\\S*)",
  fr: "enlèv* enlev* supprim* retir* vir* saut* laiss* oubli* effac* sans (?:plus|pas)_besoin",
  it: "togli* elimin* cancell* rimuov* leva* salt* lasci* via senza perdere non_(?:serv|vogl)\\S*",
  nl: "verwijder* schrap* haal* weg sla over laat zonder geen skip* niet_(?:meer_)?nodig",
  pt: "tir* remov* apag* elimin* cort* salt* pul* deix* sem fora não_(?:precis|quer)\\S*",
};

/** Those by which a step is put off. */
const PUT_OFF = "pass* paus* postpone* verschieb*";

/** The same for what is done: finished forms, and what is said of how things are now. */
const DONE: Readonly<Record<string, string>> = {
  en: "done did finish* complet* sort* chos* have had ive weve ready over ok okay check tick cross mark through behind \\S{3,}ed got went wrote written sent met found spoke held built began begun ran gave came paid sold cut set put made bought took taken read is are was were been thats theres its",
  de: "fertig erledigt abgehakt abhaken geschafft ist sind war waren habe hab haben wurde (?:ab|an|auf|aus|ein|um|vor|zu)?ge\\S+t (?:be|ver|ent|er)\\S+t \\S+iert ok",
  es: "listo lista hecho hecha marca* tachado termin* acab* complet* he hemos esta estan \\S{2,}(?:ad|id)[oa]s? ok",
  fr: "fait faite fini finie termin* coch* ai avons est sont cest choisi pris mis vu ecrit ok",
  it: "fatto fatta finito finita ho abbiamo e sono segna* \\S+(?:at|ut|it)[oaie] ok",
  nl: "klaar gedaan af afvinken is zijn heb hebben ge\\S+(?:d|t|en) ok",
  pt: "feito feita pronto pronta termin* acab* conclu* esta estao e sao marca* \\S{3,}ei ok",
};

/** Orders to tick something off, folded: "tick step 2 off" takes nothing away. */
export const TICKS_OFF =
  /(?<!\S)(?:tick|(?:cross|check) (?:\S+ ){0,4}off|mark (?:\S+ ){0,5}(?:done|complete\S*|finished|off)|abhaken|cocher|tachar|afvinken)(?!\S)/u;

/** Words of how things are, by which alone nobody says that something is done. */
const STATES =
  /^(?:have|had|ive|weve|is|are|was|were|been|thats|theres|its|ok|okay|over|on|ist|sind|war|waren|habe|haben|hab|he|hemos|esta|estan|ai|avons|est|sont|cest|ho|abbiamo|e|sono|zijn|heb|hebben|af|estao|sao)$/u;

/** An end of a step: it is out of the way, or done. */
export type PlanEnd = "gone" | "done";

/**
 * Returns true where a text has a word by which a step may be meant to have such an end, in any of the languages
 * that sentences are shipped in; true where none are known of its language. Pure.
 *
 * @example
 * mayMeanEnd("I like the dark room idea", { end: "gone", language: "en" }); // false
 */
export function mayMeanEnd(
  text: string,
  { end, language }: { readonly end: PlanEnd; readonly language: string },
): boolean {
  const words = foldAnswer(text);
  if (countKnown(text, language) === 0) return true;
  if (end === "gone") return GONE_WORD.test(words) && !TICKS_OFF.test(words);
  return /[✓✔✅☑]/u.test(text) || DONE_WORD.test(words) || TICKS_OFF.test(words);
}

/** Returns true for a text in a known language without a word by which anything may be meant to be gone. Pure. */
export function asksForNoEnd(text: string): boolean {
  const words = foldAnswer(text);
  const languages = listSpoken(text);
  return (
    languages.length > 0 &&
    !languages.some((language) => GONE_BY_LANGUAGE.get(language)?.test(words))
  );
}

/** Words by which a text is seen to be in a language. */
const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(CHANGE_WORDS).map(([language, { little, other, own, orders, lead }]) => [
    language,
    new Set([little, other, own, orders.there, orders.gone, lead].join(" ").split(" ")),
  ]),
);

function countKnown(text: string, language: string): number {
  const known = KNOWN.get(language);
  return foldAnswer(text)
    .split(" ")
    .filter((word) => known?.has(word) === true).length;
}

/** Lists the languages of which a text has the most words; none where it has none of any. */
function listSpoken(text: string): readonly string[] {
  const counts = [...KNOWN.keys()].map((language) => ({
    language,
    count: countKnown(text, language),
  }));
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return counts.filter(({ count }) => count === most).map(({ language }) => language);
}

/** Returns true for a text with a word that is known of any of the languages. Pure. */
export function hasKnownWords(text: string): boolean {
  return listSpoken(text).length > 0;
}

/** Returns false for two texts whose known words are of different languages. Pure. */
export function mayBeOneLanguage(one: string, other: string): boolean {
  const [first, second] = [listSpoken(one), listSpoken(other)];
  return first.length === 0 || second.length === 0 || first.some((each) => second.includes(each));
}

/** Returns true for a text with a word that says such an end outright, in any of the languages. Pure. */
export function saysEnd(text: string, end: PlanEnd): boolean {
  const pattern = end === "gone" ? GONE_WORD : DONE_WORD;
  const found = foldAnswer(text).match(new RegExp(pattern, "gu")) ?? [];
  return (
    found.some((word) => !STATES.test(word)) || (end === "done" && TICKS_OFF.test(foldAnswer(text)))
  );
}

const GONE_WORD = toPattern([...Object.values(GONE), PUT_OFF, ...listChanges("orders")]);
const GONE_BY_LANGUAGE: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(CHANGE_WORDS).map(([language, { orders }]) => [
    language,
    toPattern([GONE[language] ?? "", orders.gone]),
  ]),
);
const DONE_WORD = toPattern([...Object.values(DONE), ...listChanges("done")]);

function listChanges(field: "orders" | "done"): readonly string[] {
  return Object.values(CHANGE_WORDS).map((words) =>
    field === "orders" ? words.orders.gone : `${words.done.there} ${words.done.gone}`,
  );
}

function toPattern(lists: readonly string[]): RegExp {
  const words = lists
    .join(" ")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(" ")
    .map((word) => word.replaceAll("*", "\\S*").replaceAll("_", " "));
  return new RegExp(`(?<!\\S)(?:${words.join("|")})(?!\\S)`, "u");
}
