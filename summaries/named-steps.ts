import { sharesWord, splitDistinctiveWords } from "../registry/shared-words.ts";
import type { JourneyPlan } from "../state/journey-plan.ts";
import type { ShortPlanAction } from "../state/plan-action.ts";
import { CHANGE_WORDS } from "../text/change-words.ts";
import { foldWords } from "../text/fold-words.ts";
import { foldQuoted, holdsWords } from "../text/holds-words.ts";
import { COUNT_WORDS, readCardinal, readOrdinal } from "../text/count-words.ts";

/** The steps and decisions that a text names. */
export interface NamedSteps {
  readonly ids: ReadonlySet<string>;
  /** True where it names any, also one that the plan does not have: "step 9". */
  readonly isAny: boolean;
}

/** The numbers behind a word for a step, before one in Turkish, and the one within it in Chinese. */
const NUMBERED =
  /(?<!\p{L})(?:steps?|schritte?|pasos?|[ée]tapes?|pass[oi]s?|stap(?:pen)?) #?(\d{1,2}(?:(?:, ?| ?(?:&|and|und|y|et|e|en) )\d{1,2})*)(?!\d)|(\d{1,2})\. ad[ıi]m|第([一二三四五六七八九]|\d{1,2})步/giu;
const CHINESE = "一二三四五六七八九";
const STEP_WORD = /^(?:step|schritt|paso|etape|passo|stap)$/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Words that ask for a change name no step, though its title may have them: "Drop the late nap". */
const ORDERS = new Set(
  Object.values(CHANGE_WORDS).flatMap(({ orders }) => `${orders.there} ${orders.gone}`.split(" ")),
);

type NamedPlan = Pick<JourneyPlan, "steps" | "decisions">;

function listItems({ steps, decisions }: NamedPlan) {
  return [
    ...steps.map(({ id, title: name }) => ({ id, name })),
    ...decisions.map(({ id, question: name }) => ({ id, name })),
  ];
}

/**
 * Returns an action with the id of the step or decision that it names by something else: its name, its id in
 * other letters, or its number where the person's words have that too; else the one that these words name. Where
 * a step is not clear, its action stays as it is. Pure.
 */
export function findNamedStep(action: ShortPlanAction, plan: NamedPlan): ShortPlanAction {
  const { step, words } = action;
  const items = listItems(plan);
  if (step === null || items.some(({ id }) => id === step)) return action;
  const folded = foldQuoted(step);
  const [number = ""] = /\d+/u.exec(folded) ?? [];
  const exact = items.filter(({ id, name }) => id === folded || foldQuoted(name) === folded);
  const text = holdsWords(words, number) ? `step ${number}` : words;
  const [only, ...others] =
    exact.length > 0 ? exact.map(({ id }) => id) : listNamedSteps(text, plan).ids;
  return only === undefined || others.length > 0 ? action : { ...action, step: only };
}

/** Lists what a text names by number or by a word of its title, in any form. Pure, total. */
export function listNamedSteps(text: string, plan: NamedPlan): NamedSteps {
  const { steps } = plan;
  const given = [...text.matchAll(NUMBERED)].flatMap(([, many = "", one = "", sign = ""]) => {
    const digits = (`${many} ${one} ${sign}`.match(/\d+/gu) ?? []).map(Number);
    return digits.concat(sign === "" || digits.length > 0 ? [] : CHINESE.indexOf(sign) + 1);
  });
  const folded = foldWords(text);
  const counted = folded.flatMap((word, at) => {
    const before = STEP_WORD.test(folded[at + 1] ?? "") ? readOrdinal(word, steps.length) : null;
    return before ?? (STEP_WORD.test(folded[at - 1] ?? "") ? readCardinal(word) : null) ?? [];
  });
  // Words that count name no step, though its title may have them: "in one session".
  const words = folded.filter((word) => !ORDERS.has(word) && !COUNT_WORDS.has(word));
  const isNamed = (name: string): boolean =>
    holdsWords(text, name) || (!UNSPACED.test(name) && sharesStem(name, words));
  const ids = [
    ...[...given, ...counted].flatMap((number) => steps[number - 1]?.id ?? []),
    ...listItems(plan).flatMap(({ id, name }) => (isNamed(name) ? id : [])),
  ];
  return { ids: new Set(ids), isAny: given.length + counted.length > 0 || ids.length > 0 };
}

/** Letters that two forms of a word have in common at its beginning, and a part of a compound at its end. */
const STEM = 4;
const PART = 5;

/** Returns true where a name and words share one, mistyped, in another form, or as the end of a compound. */
function sharesStem(name: string, words: readonly string[]): boolean {
  if (sharesWord(name, words.join(" "))) return true;
  const own = [...splitDistinctiveWords(name)].filter((word) => !ORDERS.has(word));
  return own.some((one) => words.some((other) => isAlike(one, other)));
}

function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const differs = [...short].findIndex((letter, at) => letter !== long[at]);
  const common = differs < 0 ? short.length : differs;
  const isForm = common >= STEM && (common >= short.length - 1 || common > PART);
  return isForm || (short.length >= PART && long.endsWith(short));
}
