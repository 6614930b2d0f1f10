import { readAskedParts } from "../output-filter/read-asked-parts.ts";
import type { JourneyPlan } from "../state/journey-plan.ts";
import type { PlanAction } from "../state/plan-action.ts";
import { listMeantClauses, sharesWords } from "../summaries/confirming-clauses.ts";
import type { HoldReason } from "../summaries/is-asked-for.ts";
import { CHANGE_WORDS } from "../text/change-words.ts";
import { foldWords } from "../text/fold-words.ts";
import { hasKnownWords, saysEnd } from "../text/plan-change-words.ts";
import { foldAnswer, readYesNo } from "../text/read-yes-no.ts";

interface ActionRead {
  readonly message: string;
  readonly plan: JourneyPlan;
}

/**
 * Returns why a clause that has a word for an action may mean something else all the same: the word denies it, tells
 * or supposes something, or is of other people's things; or the step would move the other way. Null for none. Pure.
 */
export function findPlanDoubt(
  action: PlanAction,
  { message, plan }: ActionRead,
): HoldReason | null {
  if (readYesNo(message) === "yes") return null;
  const clauses = listMeantClauses(message, action.words);
  if (action.mark === "done" && clauses.some((clause) => OTHERS_OWN.test(foldAnswer(clause))))
    return "planHeldMixed";
  if (action.kind === "move")
    return movesOtherWay(action, { message, plan }) ? "planHeldUnclear" : null;
  const isRemoval = action.kind === "remove" || action.mark === "skipped";
  if (!isRemoval || clauses.length === 0) return null;
  const parts = clauses.flatMap(splitOrders).filter((part) => sharesWords(part, action.words));
  const read = parts.length === 0 ? clauses : parts;
  if (read.every((part) => KEEPS.test(foldAnswer(part)))) return "planHeldDenied";
  return read.some(mayRemove) ? null : "planHeldUnclear";
}

/** Splits a clause before words that join it to a word for a removal: names alone go on with what is before them. */
function splitOrders(clause: string): readonly string[] {
  const parts: string[] = [];
  for (const part of clause.split(JOINS)) {
    const isOrder = parts.length === 0 || saysEnd(part, "gone");
    parts.push(isOrder ? part : `${parts.pop() ?? ""}${part}`);
  }
  return parts;
}

/**
 * Returns true for a clause that orders a removal or may do so in other words, none of which keep or deny. One that
 * begins or ends with a word for it is an order of plans: "scrap step 2", "Transporter raus", but "dropping it".
 */
function mayRemove(clause: string): boolean {
  const words = foldAnswer(clause);
  if (KEEPS.test(words)) return false;
  if (!hasKnownWords(clause) || saysEnd(readAskedParts(clause, "gone").asked, "gone")) return true;
  const [first = "", ...rest] = words.replace(LEAD, "").split(" ");
  return (!first.endsWith("ing") && saysEnd(first, "gone")) || saysEnd(rest.at(-1) ?? "", "gone");
}

/** Returns true where words say that a step comes earlier, and its place would be later, or the contrary. */
function movesOtherWay(
  { target, after, words }: PlanAction,
  { plan: { steps } }: ActionRead,
): boolean {
  const from = steps.findIndex(({ id }) => id === target);
  const title = foldWords(steps[from]?.title ?? "");
  const text = foldAnswer(words)
    .split(" ")
    .filter((word) => !title.includes(word))
    .join(" ");
  const behind = after === "start" ? -1 : steps.findIndex(({ id }) => id === after);
  const isLater = after === null || behind > from;
  return (isLater ? EARLIER : LATER).test(text) && !(isLater ? LATER : EARLIER).test(text);
}

const JOINS = /(?<=\s)(?=(?:and|und|et|y|e|en)\s)/iu;
/** Words before an order. */
const LEAD = new RegExp(
  String.raw`^(?:(?:just|we|wir|${Object.values(CHANGE_WORDS)
    .flatMap(({ lead, requests }) => `${lead} ${requests}`.split(" "))
    .filter((phrase) => phrase !== "")
    .toSorted((one, other) => other.length - one.length)
    .join("|")
    .replaceAll("_", " ")}) )+`,
  "u",
);
/** Words that leave a step where it is; in languages whose words join, its parts as they are folded. */
const KEEPS = new RegExp(
  [
    String.raw`(?<!\S)(?:leav\S+ (?:\S+ )*(?:in|alone|there|untouched|as \S+ (?:is|are))|lass\S* (?:\S+ )*(?:drin|drinnen|stehen|dabei|wie \S+ (?:ist|sind))|laiss\S* (?:\S+ )*(?:dedans|en place|tranquille|comme \S+)|dej\S+ (?:\S+ )*(?:dentro|ahi|en paz|como \S+)|lasci\S* (?:\S+ )*(?:dentro|in pace|com e)|laat (?:\S+ )*(?:staan|erin|met rust)|deix\S* (?:\S+ )*(?:ficar|dentro|em paz|como \S+))$`,
    String.raw`(?<!\S)(?:(?:\S*(?:sil|cıkar|kaldır|at|atla|elle|dokun)|iptal et)m[ae](?:y[ıi]n\S*)?|kalsın|dursun|не (?:надо )?(?:удал|убира|вычерк|пропуск|трога)\S*|остав\S+)(?!\S)`,
    ...["残し", "残す", "そのまま", "ないで", "留着", "保留", "留下"].map(foldAnswer),
  ].join("|"),
  "u",
);
/** Words for what belongs to somebody else. */
const OTHERS_OWN =
  /(?<!\S)(?:(?:his|her|their|someone elses|somebody elses) own|(?:ihr|sein|deren)\S* eigen\S*|su propi\S+|(?:son|sa|ses|leur|leurs) propres?|(?:suo|sua|loro) propri\S+|(?:zijn|haar|hun) eigen|(?:seu|sua) propri\S+)(?!\S)/u;
const EARLIER =
  /(?<!\S)(?:up|earlier|sooner|higher|hoch|hoher|fruher|vorziehen|(?:nach|weiter) (?:oben|vorne?)|(?:re)?mont\S+|plus (?:tot|haut)|sub[aei]\S*|arriba|piu (?:su|in alto)|anticip\S+|omhoog|eerder|sob[ae]|para cima|mais cedo)(?!\S)/u;
const LATER =
  /(?<!\S)(?:down|later|lower|runter|tiefer|spater|(?:nach|weiter) (?:unten|hinten)|descend\S*|plus (?:tard|bas)|baj[ae]\S*|abajo|mas tarde|piu (?:giu|in basso)|posticip\S+|omlaag|desc[ae]|para baixo|mais tarde)(?!\S)/u;
