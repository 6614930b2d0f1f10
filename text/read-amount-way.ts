import { foldWords } from "./fold-words.ts";

/** The way in which an amount changes. */
export type AmountWay = "more" | "less";

/** Words of the shipped languages for either way. French "plus" is left out: it also denies. */
const WORDS: Readonly<Record<AmountWay, ReadonlySet<string>>> = {
  more: new Set(
    (
      "more additional extra raise increase increased higher add another plus " +
      "mehr zusatzlich weitere weiteren erhohe erhohen erhoht hoher steigere teurer dazu hinzu " +
      "mas aumenta aumentar sube subir incrementa anade agrega suma " +
      "ajoute augmente augmenter augmentez monte " +
      "piu aumenta aumentare alza incrementa aggiungi " +
      "meer extra verhoog verhogen hoger duurder erbij " +
      "mais aumente aumentar suba adicione adiciona junta acrescenta"
    ).split(" "),
  ),
  less: new Set(
    (
      "less fewer lower reduce decrease cut halve halved subtract deduct minus take took taken remove used ate eaten knock discount cheaper " +
      "weniger senke senken reduziere reduzieren verringere verringern kurze niedriger abziehen halbiere halbieren halfte nimm nehme entferne verbraucht gegessen rabatt nachlass billiger gunstiger " +
      "menos mitad reduce reducir baja bajar disminuye resta quita saca usado comido descuenta descuento rebaja " +
      "moins moitie reduis reduire diminue diminuer baisse baisser enleve retire utilise mange remise rabais " +
      "meno meta dimezza riduci ridurre diminuisci abbassa togli tolto usato mangiato sconto " +
      "minder helft halveer verlaag verlagen verminder lager haal gebruikt opgegeten goedkoper korting " +
      "metade reduza reduzir diminua diminuir baixe tira retira usado comido desconta desconto"
    ).split(" "),
  ),
};

/** "10 % off". */
const OFF = /\d\s*(?:%|percent|\p{Sc}|euros?|dollars?|pounds?)?\s*off\b/iu;

/**
 * Returns the way in which a text changes amounts; null where it has words for neither, or for both. Pure.
 *
 * @example
 * readAmountWay("raise the price by 10 %"); // "more"
 * readAmountWay("2 less, and 3 more of the others"); // null
 */
export function readAmountWay(text: string): AmountWay | null {
  const words = foldWords(text);
  const [more, hasLess] = (["more", "less"] as const).map((way) =>
    words.some((word) => WORDS[way].has(word)),
  );
  const less = hasLess === true || OFF.test(text);
  return more === less ? null : more === true ? "more" : "less";
}

/** Words before a number, and behind it and one other word, that make it the distance of two. */
const DISTANCE: Readonly<Record<string, readonly [before: RegExp, behind: RegExp]>> = {
  en: nextTo(
    "add|take|knock|subtract|deduct|another|extra|additional|further",
    "more|less|fewer|extra|off",
  ),
  de: nextTo("weitere|weiteren|zusätzliche|zusätzlichen", "mehr|weniger|zusätzlich|dazu|hinzu"),
  es: nextTo("en|añade|agrega|suma|quita|resta|otros|otras", "más|mas|menos"),
  fr: nextTo("ajoute|ajoutez|enlève|retire|encore", "(?:de|en) (?:plus|moins)|supplémentaires?"),
  it: nextTo("aggiungi|togli|altri|altre", "(?:di|in) (?:più|piu|meno)"),
  nl: nextTo("extra", "meer|minder|extra|erbij"),
  pt: nextTo("adiciona|junta|acrescenta|tira|mais|menos|outros|outras", "(?:a )?(?:mais|menos)"),
};

function nextTo(before: string, behind: string): readonly [RegExp, RegExp] {
  return [
    new RegExp(`(?<!\\p{L})(?:${before})\\s+[€$£]?$`, "iu"),
    new RegExp(
      `^\\s*[€$£%]?\\s*(?:(?!and|or|und|oder)\\p{L}+\\s+)?(?:${behind})(?!\\p{L}| (?:than|als|dan|de|di|do|que))`,
      "iu",
    ),
  ];
}

const BY = /(?<!\p{L})(?:by|um|om)\s+[€$£]?$/iu;

/** Returns true for a number between two texts that is the distance of two numbers: "by 10", "10 guests more". Pure. */
export function isAmountMore(before: string, after: string, language: string): boolean {
  const [ahead, behind] = DISTANCE[language.slice(0, 2)] ?? [];
  const isAhead =
    (BY.test(before) || ahead?.test(before) === true) && !/^\s*(?:uhr|uur)/iu.test(after);
  return isAhead || behind?.test(after) === true;
}
