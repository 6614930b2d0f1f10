import { CHANGE_WORDS } from "./change-words.ts";
import { foldAnswer } from "./read-yes-no.ts";

/** A joining word; the place before it splits an order. */
export const BEFORE_JOIN = /(?<=\s)(?=(?:and|und|et|y|e|en)\s)/iu;
/** Words before an order. */
export const BEFORE_ORDER = new RegExp(
  String.raw`^(?:(?:just|we|wir|${Object.values(CHANGE_WORDS)
    .flatMap(({ lead, requests }) => `${lead} ${requests}`.split(" "))
    .filter((phrase) => phrase !== "")
    .toSorted((one, other) => other.length - one.length)
    .join("|")
    .replaceAll("_", " ")}) )+`,
  "u",
);
/** Words that leave a step where it is; in languages whose words join, its parts as they are folded. */
export const LEAVES_STEP = new RegExp(
  [
    String.raw`(?<!\S)(?:leav\S+ (?:\S+ )*(?:in|alone|there|untouched|as \S+ (?:is|are))|lass\S* (?:\S+ )*(?:drin|drinnen|stehen|dabei|wie \S+ (?:ist|sind))|laiss\S* (?:\S+ )*(?:dedans|en place|tranquille|comme \S+)|dej\S+ (?:\S+ )*(?:dentro|ahi|en paz|como \S+)|lasci\S* (?:\S+ )*(?:dentro|in pace|com e)|laat (?:\S+ )*(?:staan|erin|met rust)|deix\S* (?:\S+ )*(?:ficar|dentro|em paz|como \S+))$`,
    String.raw`(?<!\S)(?:(?:\S*(?:sil|cıkar|kaldır|at|atla|elle|dokun)|iptal et)m[ae](?:y[ıi]n\S*)?|kalsın|dursun|не (?:надо )?(?:удал|убира|вычерк|пропуск|трога)\S*|остав\S+)(?!\S)`,
    ...["残し", "残す", "そのまま", "ないで", "留着", "保留", "留下"].map(foldAnswer),
  ].join("|"),
  "u",
);
/** Words for what belongs to somebody else. */
export const OTHERS_OWN =
  /(?<!\S)(?:(?:his|her|their|someone elses|somebody elses) own|(?:ihr|sein|deren)\S* eigen\S*|su propi\S+|(?:son|sa|ses|leur|leurs) propres?|(?:suo|sua|loro) propri\S+|(?:zijn|haar|hun) eigen|(?:seu|sua) propri\S+)(?!\S)/u;
/** Words by which a step comes earlier, folded. */
export const EARLIER =
  /(?<!\S)(?:up|earlier|sooner|higher|hoch|hoher|fruher|vorziehen|(?:nach|weiter) (?:oben|vorne?)|(?:re)?mont\S+|plus (?:tot|haut)|sub[aei]\S*|arriba|piu (?:su|in alto)|anticip\S+|omhoog|eerder|sob[ae]|para cima|mais cedo)(?!\S)/u;
/** Words by which a step comes later. */
export const LATER =
  /(?<!\S)(?:down|later|lower|runter|tiefer|spater|(?:nach|weiter) (?:unten|hinten)|descend\S*|plus (?:tard|bas)|baj[ae]\S*|abajo|mas tarde|piu (?:giu|in basso)|posticip\S+|omlaag|desc[ae]|para baixo|mais tarde)(?!\S)/u;
/** Words for a plan or its steps. */
export const OF_PLAN =
  /(?<!\S)(?:plan\S*|steps?|schritt\S*|etapes?|pasos?|pass[io]s?|stap|stappen\S*|adım\S*)(?!\S)|步|[计計][划劃]|フラン|ステッフ/u;
/** Words of a reply by which something is as it was. */
export const SAYS_UNCHANGED =
  /(?<!\S)(?:(?:i|we|ive|weve) (?:have )?(?:kept|left)|(?:i|we) (?:did not|didnt|have not|havent)|stays|remains|still|unchanged|untouched|behalten|gelassen|bleibt|unverandert|nicht (?:entfernt|geloscht|gestrichen|geandert|verschoben)|mantuve|mantengo|mantenido|dejado|sigue|garde|laisse|reste|pas (?:retire|supprime|change|enleve)|tenuto|lasciato|resta|rimane|gehouden|gelaten|blijft|niet (?:verwijderd|gewijzigd)|mantive|deixei|continua)(?!\S)/u;
