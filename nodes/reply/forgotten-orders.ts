import { findOrder, listNames } from "../../output-filter/asked-change.ts";
import { listOrdered } from "../../output-filter/read-asked-parts.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import type { Domain } from "../../state/domain.ts";
import { listNouns } from "../../state/entity.ts";
import type { Receipt } from "../../state/receipt.ts";
import type { Registry } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import { foldWords } from "../../text/fold-words.ts";
import { readAmountWay } from "../../text/read-amount-way.ts";
import { isCourtesy } from "../../text/read-yes-no.ts";
import { changesPlanLater } from "./word-missing-answer.ts";

/** All that came of a turn, in words. */
interface CameAbout {
  /** Each changed row, with what is known of it. */
  readonly rows: readonly string[];
  /** All else: what was refused, asked, read, noted. */
  readonly others: string;
}

/**
 * Returns true for a message that orders several things of which some have a word in what came of the
 * turn, and others none: a model has forgotten them. A changed row that no order names may be one of
 * those, under another name: "spuds". Where no order is named, the words are not those of the data, and
 * nothing is known. Pure.
 *
 * @example
 * forgetsOrder("Add rice and delete the milk", { rows: ["Rice"], others: "" }); // true
 * forgetsOrder("Add rice and delete the milk", { rows: ["Rice", "Milk"], others: "" }); // false
 */
export function forgetsOrder(message: string, { rows, others }: CameAbout): boolean {
  const orders = listOrdered(message)
    .filter((clause) => !isCourtesy(clause) && !HEADING.test(clause))
    .filter((clause) => findOrder(clause)?.pointsBack !== true)
    .map((clause) => listNames(clause).filter((word) => !onlyCompares(word)))
    .filter((names) => names.length > 0);
  const isNamed = (row: string): boolean => orders.some((names) => sharesName(names, row));
  const came = [...rows, others];
  const forgotten = orders.filter((names) => !came.some((text) => sharesName(names, text)));
  const isReadable = forgotten.length < orders.length;
  return isReadable && forgotten.length > rows.filter((row) => !isNamed(row)).length;
}

/** The end of a clause behind which the orders stand: "swap the two: Luna at 3, Biscuit at 10". */
const HEADING = /[:：]\s*$/u;

/** Endings of a comparative before what it describes. */
const ENDING = /e[mnrs]?$/u;
const STANDS_FOR_ONE = /^ones?$/u;

/** Returns true for a word that says how something is to be, compared with what is there, or stands for it: "cheaper ones". */
function onlyCompares(word: string): boolean {
  return (
    STANDS_FOR_ONE.test(word) ||
    [word, word.replace(ENDING, "")].some((form) => readAmountWay(form) !== null)
  );
}

/** Returns true for a text with one of some names, or with a figure of theirs. */
function sharesName(names: readonly string[], text: string): boolean {
  const words = foldWords(text);
  return (
    sharesWord(names.join(" "), text) ||
    names.some((name) => /\p{Nd}/u.test(name) && words.includes(name))
  );
}

type EndedTurn = Pick<
  TurnState,
  "plan" | "stepResults" | "effects" | "understanding" | "wishChanges"
> &
  Partial<Pick<TurnState, "input" | "planNews" | "lanesServed">>;

interface KnownData {
  readonly registry: Registry;
  readonly domain: Pick<Domain, "entityTypes">;
}

/** Returns true for a turn that has stored something, and whose message orders more than has come of it in any way. Pure. */
export function hasForgotten(
  state: EndedTurn,
  changed: readonly Receipt[],
  known: KnownData,
): boolean {
  const isStored = state.effects.length > 0 && !changed.some(({ kind }) => kind === "nothing");
  if (!isStored || changesPlanLater(state)) return false;
  // The concierge's part is served behind this one.
  const message = (state.input?.text ?? "").replace(state.understanding?.conciergePart ?? "", "");
  const came = { rows: describeRows(changed, known), others: collectWords(state, changed) };
  return forgetsOrder(message, came);
}

/** The words for each changed row: its label, values and type. */
function describeRows(
  changed: readonly Receipt[],
  { registry, domain }: KnownData,
): readonly string[] {
  return changed
    .filter(({ effect }) => effect !== null)
    .map(({ ref, type, label, facts }) => {
      const entry = registry.entries.find((each) => each.ref === ref);
      const nouns = domain.entityTypes.filter((each) => each.type === type).flatMap(listNouns);
      return JSON.stringify([label, facts, entry?.facts, entry?.row, nouns]);
    });
}

/** The words for all else that came of a turn: refusals, questions, calls, reads, wishes, choices. */
function collectWords(
  { stepResults, understanding, wishChanges, planNews, plan }: EndedTurn,
  changed: readonly Receipt[],
): string {
  const { curation, constraints, clarification } = understanding ?? {};
  return JSON.stringify([
    changed.filter(({ effect }) => effect === null),
    stepResults.map(({ question, unconfirmed, calls }) => [
      question,
      unconfirmed.map(({ wording }) => wording),
      calls.filter(({ ok }) => ok).map(({ args, summary }) => [args, summary]),
    ]),
    plan?.steps.filter(({ stepType }) => stepType !== "write"),
    [curation, constraints, clarification, wishChanges, planNews?.report],
  ]);
}
