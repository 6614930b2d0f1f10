import { applyPlanAction } from "../state/apply-plan-action.ts";
import {
  findRedoableChange,
  findUndoableChange,
  type UndoMeant,
} from "../state/edit-plan-state.ts";
import type { JourneyPlan, PlanChange } from "../state/journey-plan.ts";
import { DEFAULT_LIMITS } from "../state/limits.ts";
import type { PlanAction, PlanOutcome, PlanRefused } from "../state/plan-action.ts";
import { refuseChange } from "../state/plan-refusal.ts";
import type { PlanLimits } from "../state/start-plan.ts";
import { holdsWords } from "../text/holds-words.ts";
import { countUndoWords } from "../text/count-undo-words.ts";
import { asksForNothing, readYesNo } from "../text/read-yes-no.ts";
import {
  findHoldReason,
  isAboutNamed,
  isOffered,
  isOwnText,
  type LastQuestion,
  type HoldReason,
} from "./is-asked-for.ts";
import { listNamedSteps } from "./named-steps.ts";

/** An action with its outcome. */
export interface PlanActionResult {
  readonly action: PlanAction;
  readonly outcome: PlanOutcome;
}

/** The outcome of a message's actions. */
export interface AppliedPlanActions {
  /** The plan after all of them; the same object where none changed it. */
  readonly plan: JourneyPlan;
  /** In the order in which they were applied; an undo that takes back several changes has as many. */
  readonly results: readonly PlanActionResult[];
  /** Actions that the message does not ask for, or not clearly. */
  readonly dropped: readonly PlanAction[];
  /** Those of them that are spoken of: the message may ask for them, or asks for the contrary. */
  readonly held: readonly HeldAction[];
}

/** An action that is not carried out, since the message does not ask for it. */
export interface HeldAction {
  readonly action: PlanAction;
  readonly holdReason: Exclude<HoldReason, "nothing">;
}

export interface PlanMessage {
  /** As typed, before it is shortened for a prompt. */
  readonly message: string;
  readonly turn: number;
  /** The language of the conversation. Default: English. */
  readonly language?: string;
  /** The question that a yes answers; left out where there is none. */
  readonly question?: LastQuestion | undefined;
  readonly limits?: PlanLimits;
  /** True for actions that the message agrees to, whatever its words are. Default: false. */
  readonly isAgreed?: boolean;
  /** Returns why an action is but an answer to code's question; null where it is none, or none waits. */
  readonly readAnswer?: (action: PlanAction) => HoldReason | null;
  /** Returns what is in doubt of an action that nothing else stands against. */
  readonly findDoubt?: (action: PlanAction) => HoldReason | null;
}

/**
 * Applies what a person asked for in one message, one action after the other, each by itself.
 *
 * Contract: what is asked for twice is done once. An action whose words the message does not hold is dropped, and so is one that they only ask
 * about or deny, or `mark: done` that they await. At most `planChangesHeld` are applied, and the rest
 * refused. How many steps and decisions a plan may have counts after the last action; then the last ones
 * that add give way. Where no step would be left, none is removed. `after` may name a step that an earlier
 * action of the message removed or split; what is put behind the same step stands there in the order of the
 * actions. Pure, total.
 *
 * Source: living-plan.md §1, "Where actions come from".
 */
export function applyPlanActions(
  plan: JourneyPlan,
  asking: readonly PlanAction[],
  given: PlanMessage,
): AppliedPlanActions {
  const { message, turn, limits = DEFAULT_LIMITS, isAgreed = false, readAnswer, findDoubt } = given;
  const wanted = dropRepeated(asking);
  const actions = isAgreed ? wanted : wanted.map((action) => keepNote(action, { message, plan }));
  const read = actions.map((action) => {
    const reason = isAgreed ? null : findHoldReason(action, { ...given, plan });
    const answer = isAgreed || reason === "nothing" ? null : (readAnswer?.(action) ?? null);
    const doubt = isAgreed ? null : (findDoubt?.(action) ?? null);
    return { action, holdReason: answer ?? reason ?? doubt };
  });
  const asked = read.flatMap(({ action, holdReason }) => (holdReason === null ? action : []));
  const dropped = actions.filter((action) => !asked.includes(action));
  const own = isAgreed ? actions.map(({ words }) => words).join(" ") : message;
  const isRedo = countUndoWords(own) > 1;
  const run = { who: "person", turn, why: null, limits, isRedo } as const;
  const done = runActions(plan, asked, run);
  const held = read.flatMap(({ action, holdReason }) =>
    holdReason === null || holdReason === "nothing" || isServed(action, done.results)
      ? []
      : turnAround({ action, holdReason }, plan),
  );
  return { ...done, dropped, held };
}

/** Leaves out what is asked for again of the same step; an undo may be asked for twice. */
function dropRepeated(actions: readonly PlanAction[]): readonly PlanAction[] {
  return actions.filter((action, at) => {
    const { kind, target } = action;
    const before = actions.slice(0, at).filter((other) => other.target === target);
    const last = target === null ? before : before.slice(-1);
    return kind === "undo" || !last.some((other) => isSameChange(other, action));
  });
}

/** Returns true for actions that differ in no more than the words that ask for them. Pure. */
export function isSameChange(one: PlanAction, other: PlanAction): boolean {
  return JSON.stringify({ ...one, words: "" }) === JSON.stringify({ ...other, words: "" });
}

/** Returns true where the words of an action have made a change of another kind: they ask for that. */
function isServed({ kind, words }: PlanAction, results: readonly PlanActionResult[]): boolean {
  return results.some(
    ({ action, outcome }) =>
      outcome.kind === "changed" && action.words === words && action.kind !== kind,
  );
}

/** A note is kept in the person's words where a model's have more than theirs. */
function keepNote(
  action: PlanAction,
  { message, plan }: { readonly message: string; readonly plan: JourneyPlan },
): PlanAction {
  const isTheirs = action.kind !== "annotate" || isOwnText(action, { message, plan });
  if (isTheirs || !holdsWords(message, action.words)) return action;
  const [lead, ...rest] = action.words.split(/[:：]/u);
  return { ...action, text: rest.join(":").trim() || (lead ?? "") };
}

/** Returns what is held back; of a step that is ticked off and said not to be done, that it is opened again. */
function turnAround(held: HeldAction, plan: JourneyPlan): HeldAction {
  const { action, holdReason } = held;
  const isDone = plan.steps.some(({ id, mark }) => id === action.target && mark === "done");
  return action.mark === "done" && holdReason === "planHeldOpen" && isDone
    ? { action: { ...action, mark: "open" }, holdReason: "planHeldTicked" }
    : held;
}

/** The outcome of a rework: the changed plan, or why it stays as it was. */
export type PlanReworked =
  | {
      readonly kind: "changed";
      readonly plan: JourneyPlan;
      readonly results: readonly PlanActionResult[];
    }
  | {
      readonly kind: "refused";
      /** Those refused alone, with the reasons that send an answer back. */
      readonly refusals: readonly {
        readonly action: PlanAction;
        readonly outcome: PlanRefused;
      }[];
    };

export interface PlanWish {
  /** The person's wish, verbatim: the reason of every change. */
  readonly wish: string;
  readonly turn: number;
  /** The question that a yes answers; left out where there is none. */
  readonly question?: LastQuestion | undefined;
  readonly limits?: PlanLimits;
}

/**
 * Applies a concierge's rework of a plan: all of its actions, or none where one is refused. No action
 * changes nothing. Pure, total.
 *
 * Source: living-plan.md §1, "Where actions come from".
 */
export function applyRework(
  plan: JourneyPlan,
  actions: readonly PlanAction[],
  { wish, turn, question, limits = DEFAULT_LIMITS }: PlanWish,
): PlanReworked {
  const run = {
    who: "concierge",
    turn,
    why: wish,
    limits,
    refuse: refuseBeyond(plan, { wish, question }),
  } as const;
  const { plan: reworked, results } = runActions(plan, actions, run);
  const refusals = results.flatMap(({ action, outcome }) =>
    outcome.kind === "refused" ? [{ action, outcome }] : [],
  );
  return refusals.length === 0
    ? { kind: "changed", plan: reworked, results }
    : { kind: "refused", refusals };
}

/**
 * Nobody but the person ticks a step off or chooses, and of a wish that names steps no other step changes; those of
 * a yes are named by the question, or by the answer that ends with it.
 */
function refuseBeyond(plan: JourneyPlan, { wish, question }: Pick<PlanWish, "wish" | "question">) {
  const isYes = readYesNo(wish) === "yes" || asksForNothing(wish);
  const asked = question?.question ?? "";
  const offer = listNamedSteps(asked, plan).isAny ? asked : (question?.answer ?? "");
  const text = isYes ? offer : wish;
  return (action: PlanAction): PlanRefused | null => {
    const isOutright = action.kind === "decide" || action.mark === "done";
    if (isOutright && !(isYes && isOffered(action, { plan, question }))) {
      return refuseChange("planNotOutright");
    }
    return isAboutNamed(action, { text, plan }) ? null : refuseChange("planOtherSteps");
  };
}

interface ActionRun extends Pick<PlanChange, "who" | "turn"> {
  /** Null: the words of each action. */
  readonly why: string | null;
  readonly limits: PlanLimits;
  /** Returns why an action is refused whatever the plan; null for one that is not. */
  readonly refuse?: (action: PlanAction) => PlanRefused | null;
  /** True where an undo takes back the newest undo. Default: false. */
  readonly isRedo?: boolean;
}

type ActionsRun = Omit<AppliedPlanActions, "dropped" | "held">;

/**
 * Applies actions until the plan that they leave is within its limits: of those that add too much, the
 * last give way, and those that would leave no step, all.
 */
function runActions(plan: JourneyPlan, given: readonly PlanAction[], run: ActionRun): ActionsRun {
  const most = run.limits.planChangesHeld;
  const tooMany = refuseChange("planTooManyChanges", { limit: most });
  const actions = orderActions(plan, given);
  const refused = new Map<number, PlanRefused>();
  for (const [index, action] of actions.entries()) {
    const refusal = run.refuse?.(action) ?? null;
    if (refusal !== null) refused.set(index, refusal);
  }
  for (let index = most; index < actions.length; index += 1) refused.set(index, tooMany);
  for (;;) {
    const done = runOnce(plan, actions, { ...run, refused });
    const excess = findExcess(plan, done, run.limits).filter(([index]) => !refused.has(index));
    if (excess.length === 0) return done;
    for (const [index, refusal] of excess) refused.set(index, refusal);
  }
}

/** Moves the last removal of a message that removes every step to its end: others may be added in their place. */
function orderActions(plan: JourneyPlan, actions: readonly PlanAction[]): readonly PlanAction[] {
  const removals = actions.filter(({ kind }) => kind === "remove");
  const removed = new Set(removals.map(({ target }) => target));
  const last = removals.at(-1);
  return last === undefined || plan.steps.some(({ id }) => !removed.has(id))
    ? actions
    : [...actions.filter((action) => action !== last), last];
}

interface BoundedRun extends ActionRun {
  /** Positions of actions that are refused whatever they ask for. */
  readonly refused: ReadonlyMap<number, PlanRefused>;
}

/** A result with the position of its action, which has several where an undo takes back several changes. */
interface PlacedResult extends PlanActionResult {
  readonly index: number;
}

function runOnce(
  plan: JourneyPlan,
  actions: readonly PlanAction[],
  { who, turn, why, limits, refused, isRedo = false }: BoundedRun,
) {
  const unbounded = { ...limits, planSteps: Infinity, planDecisions: Infinity };
  const results: PlacedResult[] = [];
  const changes: PlanChange[] = [];
  let current = plan;
  for (const [index, action] of actions.entries()) {
    const after = findPlace(action, { plan: current, changes, results });
    const placed = { ...action, after };
    const undo = action.kind === "undo" ? findUndoMeant(current, { action, isRedo }) : undefined;
    const context = {
      who,
      turn,
      why: why ?? action.words,
      limits: unbounded,
      ...(undo && { undo }),
    };
    // A person takes back what a message has done, not the last of its changes.
    const find = undo === undefined ? findUndoableChange : findRedoableChange;
    const undone = action.kind === "undo" && undo?.kind !== "step" ? find(current) : null;
    do {
      const outcome = refused.get(index) ?? applyPlanAction(current, placed, context);
      results.push({ action, outcome, index });
      if (outcome.kind === "refused") break;
      current = outcome.plan;
      changes.push(outcome.change);
    } while (isNextOfMessage(undone, { next: find(current), turn }));
  }
  return { plan: current, results };
}

interface UndoneRead {
  readonly action: PlanAction;
  readonly isRedo: boolean;
}

/** Returns what an undo takes back where that is not the newest change: the newest undo, or the step whose title its words have. */
function findUndoMeant(
  plan: JourneyPlan,
  { action: { words }, isRedo }: UndoneRead,
): UndoMeant | undefined {
  if (isRedo) return { kind: "undo" };
  const present = new Set(plan.steps.map(({ id }) => id));
  const gone = plan.changes
    .flatMap(({ before }) => before.steps)
    .findLast(({ id, title }) => !present.has(id) && holdsWords(words, title));
  const newest = findUndoableChange(plan);
  const isNewest = plan.changes.some(
    ({ turn, before }) => turn === newest?.turn && before.steps.some(({ id }) => id === gone?.id),
  );
  return gone === undefined || isNewest ? undefined : { kind: "step", id: gone.id };
}

interface UndoRun {
  /** The change that the same words would take back next. */
  readonly next: PlanChange | null;
  /** The turn that takes back: of its own changes, an undo takes back the last one. */
  readonly turn: number;
}

/** Returns true where the change before the undone one is of the same message. */
function isNextOfMessage(undone: PlanChange | null, { next, turn }: UndoRun): boolean {
  return undone !== null && undone.turn !== turn && next?.turn === undone.turn;
}

interface PlacesLeft {
  readonly plan: JourneyPlan;
  /** The changes made before in the same message. */
  readonly changes: readonly PlanChange[];
}

interface PlacesTaken extends PlacesLeft {
  readonly results: readonly PlanActionResult[];
}

/**
 * Returns the place that an action means: what one message puts behind the same step stands there in the
 * order in which it was said.
 */
function findPlace(
  { after, target }: PlanAction,
  { plan, changes, results }: PlacesTaken,
): string | null {
  const place = followPlace(after, { plan, changes });
  if (place === null || place === target) return place;
  const alike = results.filter(({ action }) => action.after === after);
  const taken = new Set(alike.flatMap(listPlaced));
  const { steps } = plan;
  const first = place === "start" ? 0 : steps.findIndex(({ id }) => id === place) + 1;
  const behind = steps.slice(first);
  const free = behind.findIndex(({ id }) => id === target || !taken.has(id));
  return behind[(free < 0 ? behind.length : free) - 1]?.id ?? place;
}

/** Lists the steps that an action has put into a place, or has found there. */
function listPlaced({ action, outcome }: PlanActionResult): readonly string[] {
  if (action.kind !== "add" && action.kind !== "move") return [];
  if (outcome.kind === "changed") return outcome.change.targets;
  return outcome.code === "no-change" && action.target !== null ? [action.target] : [];
}

/** Returns the step that now stands where a step stood that the same message removed or split. */
function followPlace(after: string | null, { plan, changes }: PlacesLeft): string | null {
  if (after === null || plan.steps.some(({ id }) => id === after)) return after;
  const gone = changes.findLast(
    ({ kind, targets: [target] }) => (kind === "remove" || kind === "split") && target === after,
  );
  if (gone === undefined) return after;
  if (gone.kind === "split") return followPlace(gone.targets.at(-1) ?? null, { plan, changes });
  const { order } = gone.before;
  const left = order[order.indexOf(after) - 1];
  return left === undefined ? "start" : followPlace(left, { plan, changes });
}

/** An action that has to give way, by its position. */
type Excess = readonly [index: number, refusal: PlanRefused];

interface PlacedRun {
  readonly plan: JourneyPlan;
  readonly results: readonly PlacedResult[];
}

/** Finds the actions that have to give way: all removals of an emptied plan, and the last one that added too much. */
function findExcess(
  before: JourneyPlan,
  { plan, results }: PlacedRun,
  { planSteps, planDecisions }: PlanLimits,
): readonly Excess[] {
  const isEmptied = results.some(
    ({ outcome }) => outcome.kind === "refused" && outcome.code === "last-step",
  );
  const removals = results.filter(({ action }) => isEmptied && action.kind === "remove");
  const addition = exceeds(plan.steps.length, before.steps.length, planSteps)
    ? results.findLast(({ outcome }) => adds(outcome, ["add", "split", "undo"]))
    : undefined;
  const decision = exceeds(plan.decisions.length, before.decisions.length, planDecisions)
    ? results.findLast(({ action, outcome }) => action.target === null && adds(outcome, ["decide"]))
    : undefined;
  return [
    ...removals.map(({ index }): Excess => [index, refuseChange("planWouldBeEmpty")]),
    ...listExcess(addition, refuseChange("planTooManySteps", { limit: planSteps })),
    ...listExcess(decision, refuseChange("planTooManyDecisions", { limit: planDecisions })),
  ];
}

function listExcess(last: PlacedResult | undefined, refusal: PlanRefused): readonly Excess[] {
  return last === undefined ? [] : [[last.index, refusal]];
}

/** A plan that was over a limit before may stay as long as it is. */
function exceeds(size: number, before: number, most: number): boolean {
  return size > Math.max(most, before);
}

function adds(outcome: PlanOutcome, kinds: readonly PlanChange["kind"][]): boolean {
  return outcome.kind === "changed" && kinds.includes(outcome.change.kind);
}
