import { sharesMostWords, sharesWord } from "../registry/shared-words.ts";
import type { JourneyPlan } from "../state/journey-plan.ts";
import type { PlanAction } from "../state/plan-action.ts";
import { mayAskForUndo } from "../text/count-undo-words.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import { holdsWords, sharesHalf } from "../text/holds-words.ts";
import { mayBeOneLanguage, mayMeanEnd, type PlanEnd } from "../text/plan-change-words.ts";
import { asksForNothing, dropAnswer, readPersonsAnswer, readYesNo } from "../text/read-yes-no.ts";
import { segmentWords } from "../text/segment-words.ts";
import { splitSentences } from "../text/split-sentences.ts";
import { BASE_LANGUAGE } from "../text/spoken-language.ts";
import {
  asksToTickOff,
  asksWhether,
  dropQuotations,
  listConfirmingClauses,
  listMeantClauses,
  readDoubt,
  splitAtContrast,
  type Doubt,
} from "./confirming-clauses.ts";
import { listNamedSteps, type NamedSteps } from "./named-steps.ts";

/** The concierge's last question. */
export interface LastQuestion {
  /** The question itself. */
  readonly question: string;
  /** The answer that ended with it. */
  readonly answer: string;
}

/** The message and the plan that an action is held against. */
interface AskedOf {
  readonly message: string;
  /** Default: English. */
  readonly language?: string | undefined;
  /** Left out where there is none. */
  readonly plan?: JourneyPlan | undefined;
  readonly question?: LastQuestion | undefined;
}

/** An action, or the part of one that a message is read for. */
type ReadAction = Pick<PlanAction, "kind" | "mark" | "words"> & Partial<PlanAction>;

/** Why a message does not ask for an action, named as the sentence that says it. */
export type HoldReason =
  | "planHeldDenied"
  | "planHeldSupposed"
  | "planHeldQuestion"
  | "planHeldOpen"
  /** It is no longer done: it may be opened again. */
  | "planHeldTicked"
  /** It was done, but not so that it is done. */
  | "planHeldMixed"
  | "planHeldElsewhere"
  | "planHeldUnclear"
  | "planHeldUnnamed"
  | "planHeldAnswer"
  /** It asks for nothing, and nothing is said of it. */
  | "nothing";

/** Returns true where nothing stands against an action. Pure. */
export function isAskedFor(action: ReadAction, of: AskedOf): boolean {
  return findHoldReason(action, of) === null;
}

/**
 * Returns why a message does not ask for an action; null where it does: it has its words, neither denies nor only
 * asks about them, names no other step there, and speaks of what the action brings. A yes asks for what was asked
 * last. Courtesy and what is quoted ask for nothing, and an undo needs a word for it (`mayAskForUndo`). Pure.
 */
export function findHoldReason(action: ReadAction, of: AskedOf): HoldReason | null {
  const { message, language = BASE_LANGUAGE, plan, question } = of;
  const { kind, words, target = null } = action;
  if (!holdsWords(message, words)) {
    if (!sharesHalf(message, words)) return "nothing";
    return endsAsQuestion(message) ? "planHeldQuestion" : "planHeldUnclear";
  }
  if (readYesNo(message) === "yes") {
    if (isOffered(action, { language, plan, question })) return null;
    return (question?.question ?? "") === "" ? "nothing" : "planHeldUnnamed";
  }
  if (asksForNothing(message)) return "nothing";
  // A yes that is taken back ("yes, later") asks for nothing by itself.
  if (!REMARKS.has(kind) && dropAnswer(words).trim() === "") return "planHeldUnclear";
  // What the plan does not have is refused with that reason.
  if (plan !== undefined && target !== null && !hasItem(plan, target)) return null;
  const names = [...(plan?.steps ?? []).map(({ title }) => title), ...listActionTexts(action)];
  const own = dropQuotations(message, (quoted) => names.some((name) => holdsWords(name, quoted)));
  const namesTarget = (clause: string): boolean =>
    plan !== undefined && target !== null && listNamedSteps(clause, plan).ids.has(target);
  const clauses = listMeantClauses(own, words, namesTarget);
  // The words are quoted.
  if (own !== message && clauses.length === 0) return "planHeldUnclear";
  const end = readEnd(action);
  const isAsked = asksWhether(own, words);
  if (end === "done") {
    const unconfirmed =
      findUnconfirmed(own, { clauses, language }) ??
      (isTakenBack(own, { ...of, ids: new Set([target]) }) ? "planHeldMixed" : null);
    return unconfirmed !== null && isAsked
      ? "planHeldQuestion"
      : (unconfirmed ?? findTie(action, of));
  }
  const isRead = !REMARKS.has(kind) && action.mark !== "open";
  const doubt = isRead ? readDoubt(own, words, namesTarget) : null;
  if (doubt !== null) return HOLD_REASONS[doubt];
  if (isAsked) return "planHeldQuestion";
  const isMeant =
    (kind !== "undo" || mayAskForUndo(own, language)) &&
    (end !== "gone" || mayMeanEnd(clauses.join(", "), { end, language }));
  return isMeant ? findTie(action, of) : "planHeldUnclear";
}

/** The reasons by which words are held back that a message leaves in doubt. */
export const HOLD_REASONS = {
  denied: "planHeldDenied",
  supposed: "planHeldSupposed",
} as const satisfies Readonly<Record<Doubt, HoldReason>>;

function hasItem({ steps, decisions }: JourneyPlan, id: string): boolean {
  return [...steps, ...decisions].some((item) => item.id === id);
}

/** Returns the end that an action brings a step to; null for none. */
function readEnd({ kind, mark }: ReadAction): PlanEnd | null {
  if (kind === "remove" || mark === "skipped") return "gone";
  return mark === "done" ? "done" : null;
}

/** Changes whose words may deny: what was found out, and what was chosen. */
const REMARKS: ReadonlySet<PlanAction["kind"]> = new Set(["annotate", "decide"]);

interface ClausesRead {
  readonly clauses: readonly string[];
  readonly language: string;
}

/** Returns null where clauses say that something is done, and none of them asks, awaits or denies it. */
function findUnconfirmed(message: string, { clauses, language }: ClausesRead): HoldReason | null {
  const confirming = new Set(listConfirmingClauses(message));
  const affirming = clauses.filter((clause) => mayMeanEnd(clause, { end: "done", language }));
  if (affirming.length === 0) {
    const isDenied = clauses.length > 0 && !clauses.some((clause) => confirming.has(clause));
    return isDenied ? "planHeldOpen" : "planHeldUnclear";
  }
  const isConfirmed = affirming.every((clause) => confirming.has(clause) || asksToTickOff(clause));
  return isConfirmed ? null : "planHeldOpen";
}

interface TakenBack extends Pick<AskedOf, "language" | "plan"> {
  readonly ids: ReadonlySet<string | null>;
}

/** Returns true where a sentence says that a step is done and denies something of it behind a "but". */
function isTakenBack(message: string, { language = BASE_LANGUAGE, plan, ids }: TakenBack): boolean {
  return splitSentences(message).some((sentence) => {
    const [before, denied] = splitAtContrast(sentence);
    const isOther = plan !== undefined && isAnyOther(listNamedSteps(denied, plan), ids);
    return denied !== "" && mayMeanEnd(before, { end: "done", language }) && !isOther;
  });
}

/** Returns true where a step is named, and none of these. */
function isAnyOther({ ids: named, isAny }: NamedSteps, ids: ReadonlySet<string | null>): boolean {
  return isAny && ![...named].some((id) => ids.has(id));
}

/** Lists the words that a model brings for a title, a note or a choice. */
export function listActionTexts({ kind, text, parts }: ReadAction): readonly string[] {
  const titles = kind === "add" ? (parts ?? []).map(({ title }) => title) : [];
  return [text ?? "", ...titles].filter((each) => each !== "");
}

/** Returns null where an action is about a step that its words name, or they name none, and its texts are of the message. */
function findTie(action: ReadAction, { message, plan }: AskedOf): HoldReason | null {
  const { words, target = null } = action;
  if (!listActionTexts(action).every((text) => isDenial(text) || mayShare(text, message)))
    return "planHeldUnclear";
  if (action.kind === "decide" && !isOwnText(action, { message, plan })) return "planHeldUnclear";
  if (plan === undefined || plan.decisions.some(({ id }) => id === target)) return null;
  const text = listMeantClauses(message, words)
    .map((clause) => clause.trim())
    .join(", ");
  return isAboutNamed(action, { text, plan }) ? null : "planHeldElsewhere";
}

/** Returns true for a choice of nothing: "none", "no coffee". */
function isDenial(text: string): boolean {
  return readPersonsAnswer(text) !== null;
}

/**
 * Returns true for a note or a choice most of whose content words the message has, or the question or the step that
 * it is about; in another language than the message's, nothing stands against it. Pure.
 */
export function isOwnText(
  { text = null, target = null }: ReadAction,
  { message, plan }: Pick<AskedOf, "message" | "plan">,
): boolean {
  if (text === null || !isAlike(text, message)) return true;
  const item =
    plan?.steps.find(({ id }) => id === target)?.title ??
    plan?.decisions.find(({ id }) => id === target)?.question ??
    "";
  const isNone = segmentWords(text).length === 1 && isDenial(text);
  return isNone || sharesMostWords(text, `${message} ${item}`);
}

interface NamingText {
  readonly text: string;
  readonly plan: JourneyPlan;
}

/**
 * Returns true where an action changes a step that a text names, puts it behind one, or words it anew by the
 * text; any step where the text names none. Pure.
 */
export function isAboutNamed(
  { target = null, after = null, parts = [] }: Partial<PlanAction>,
  { text, plan }: NamingText,
): boolean {
  const { ids, isAny } = listNamedSteps(text, plan);
  return (
    target === null ||
    !isAny ||
    ids.has(target) ||
    (after !== null && ids.has(after)) ||
    parts.some(({ title }) => sharesWord(title, text))
  );
}

const LATIN = /\p{Script=Latin}{2}/u;

/** Returns true where two texts share a word, or are in scripts or languages that have none in common. */
function mayShare(text: string, message: string): boolean {
  return !isAlike(text, message) || sharesWord(text, message);
}

function isAlike(text: string, message: string): boolean {
  return LATIN.test(text) === LATIN.test(message) && mayBeOneLanguage(text, message);
}

/** Returns true where the last question names what an action is about, and speaks of what it brings. Pure. */
export function isOffered(
  action: ReadAction,
  { language = BASE_LANGUAGE, plan, question }: Omit<AskedOf, "message">,
): boolean {
  if (question === undefined || question.question === "") return false;
  const { target = null, kind } = action;
  const end = readEnd(action);
  const named = plan === undefined ? null : listNamedSteps(question.question, plan);
  const isDecision = plan?.decisions.some(({ id }) => id === target) === true;
  return (
    (target === null || isDecision || named?.ids.has(target) === true) &&
    (end === null || mayMeanEnd(question.question, { end, language })) &&
    (kind !== "undo" || mayAskForUndo(question.question, language)) &&
    listActionTexts(action).every((text) => sharesWord(text, question.answer))
  );
}
