import { foldWords } from "./fold-words.ts";

/** The way in which an amount changes. */
export type AmountWay = "more" | "less";

/** Words of the shipped languages for either way. French "plus" is left out: it also denies. */
const WORDS: Readonly<Record<AmountWay, ReadonlySet<string>>> = {
  more: new Set(
    (
      "more additional extra raise increase increased higher add another plus " +
      "mehr zusatzlich weitere weiteren erhohe erhohen erhoht hoher steigere teurer " +
      "mas aumenta aumentar sube subir incrementa anade " +
      "ajoute augmente augmenter augmentez monte " +
      "piu aumenta aumentare alza incrementa aggiungi " +
      "meer extra verhoog verhogen hoger duurder " +
      "mais aumente aumentar suba adicione"
    ).split(" "),
  ),
  less: new Set(
    (
      "less fewer lower reduce decrease cut subtract deduct minus take took taken remove used ate eaten knock discount cheaper " +
      "weniger senke senken reduziere reduzieren verringere verringern kurze niedriger abziehen nimm nehme entferne verbraucht gegessen rabatt billiger gunstiger " +
      "menos reduce reducir baja bajar disminuye resta quita saca usado comido descuenta descuento rebaja " +
      "moins reduis reduire diminue diminuer baisse baisser enleve retire utilise mange remise rabais " +
      "meno riduci ridurre diminuisci abbassa togli tolto usato mangiato sconto " +
      "minder verlaag verlagen verminder lager haal gebruikt opgegeten goedkoper korting " +
      "reduza reduzir diminua diminuir baixe tira retira usado comido desconta desconto"
    ).split(" "),
  ),
};

/**
 * Returns the way in which a text changes amounts; null where it has words for neither, or for both. Pure.
 *
 * @example
 * readAmountWay("raise the price by 10 %"); // "more"
 * readAmountWay("2 less, and 3 more of the others"); // null
 */
export function readAmountWay(text: string): AmountWay | null {
  const words = foldWords(text);
  const [more, less] = (["more", "less"] as const).map((way) =>
    words.some((word) => WORDS[way].has(word)),
  );
  return more === less ? null : more === true ? "more" : "less";
}
