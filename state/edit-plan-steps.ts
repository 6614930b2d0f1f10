import type { JourneyPlan, JourneyStep, PlanDecision, PlannedStep } from "./journey-plan.ts";
import type { PlanAction, PlanRefused } from "./plan-action.ts";
import { editPlan, findStep, listOnce, replaceStep, type PlanEdit } from "./plan-edit.ts";
import { nameStep, refuseChange, refuseClosedStep, refuseUnknownStep } from "./plan-refusal.ts";
import { boundStep, hasSameWords, titleKey } from "./plan-words.ts";
import type { PlanLimits } from "./start-plan.ts";

/** New steps behind `after`. */
export function addSteps(
  plan: JourneyPlan,
  { after, parts }: PlanAction,
  { planSteps }: PlanLimits,
): PlanEdit | PlanRefused {
  const place = findPlace(plan.steps, after);
  if (place === null) return refuseUnknownStep(after);
  if (!areNamed(parts)) return refuseChange("planNoTitle");
  const double = findDouble(plan, parts);
  if (double !== null) return double;
  if (plan.steps.length + parts.length > planSteps)
    return refuseChange("planTooManySteps", { limit: planSteps });

  const fresh = makeSteps(plan, parts, plan.steps[place - 1]?.phase ?? "");
  const steps = plan.steps.toSpliced(place, 0, ...fresh);
  if (hasCycle(steps)) return refuseChange("planCycle");
  return editPlan(plan, { steps, ...takeNumbers(plan, fresh), targets: listIds(fresh) });
}

/** The step goes; what rested on it rests on what it rested on. */
export function removeStep(plan: JourneyPlan, { target }: PlanAction): PlanEdit | PlanRefused {
  const gone = findStep(plan, target);
  if (gone === null) return refuseUnknownStep(target);
  if (plan.steps.length === 1) return refuseChange("planWouldBeEmpty");
  const at = plan.steps.indexOf(gone);
  const neighbour = plan.steps[at + 1] ?? plan.steps[at - 1];
  return editPlan(plan, {
    steps: restInstead(
      plan.steps.filter((step) => step !== gone),
      gone.id,
      gone.restsOn,
    ),
    decisions: takeInstead(plan.decisions, gone.id, neighbour?.id ?? null),
    focus: plan.focus === gone.id ? null : plan.focus,
    targets: [gone.id],
  });
}

/** New words for a step, which keeps its id and its mark. */
export function rewordStep(
  plan: JourneyPlan,
  { target, parts }: PlanAction,
): PlanEdit | PlanRefused {
  const old = findStep(plan, target);
  if (old === null) return refuseUnknownStep(target);
  if (old.mark === "done") return refuseClosedStep(plan, old);
  const [part] = parts;
  if (part === undefined) return refuseChange("planNoNewWords");
  if (parts.length > 1) return refuseChange("planOneInstead");
  const words = fillWords(boundStep(part), old);
  const restsOn = part.restsOn === null ? old.restsOn : keepKnown(plan, part.restsOn);
  const isSame = hasSameWords(words, old);
  if (isSame && isSameList(restsOn, old.restsOn)) return refuseChange("planLikeThat");

  const since = isSame ? old.since : plan.version + 1;
  const steps = replaceStep(plan, { ...old, ...words, restsOn, since });
  if (hasCycle(steps)) return refuseChange("planCycle");
  return editPlan(plan, { steps, targets: [old.id] });
}

/** Another place for a step. */
export function moveStep(plan: JourneyPlan, { target, after }: PlanAction): PlanEdit | PlanRefused {
  const moved = findStep(plan, target);
  if (moved === null) return refuseUnknownStep(target);
  if (after === moved.id) return refuseChange("planLikeThat");
  const others = plan.steps.filter((step) => step !== moved);
  const place = findPlace(others, after);
  if (place === null) return refuseUnknownStep(after);
  if (plan.steps[place] === moved) return refuseChange("planLikeThat");
  return editPlan(plan, { steps: others.toSpliced(place, 0, moved), targets: [moved.id] });
}

/** Two or more steps in the place of one: each rests on the one before, what rested on it on the last. */
export function splitStep(
  plan: JourneyPlan,
  { target, parts }: PlanAction,
  { planSteps }: PlanLimits,
): PlanEdit | PlanRefused {
  const old = findStep(plan, target);
  if (old === null) return refuseUnknownStep(target);
  if (old.mark === "done") return refuseClosedStep(plan, old);
  if (parts.length < 2) return refuseChange("planSplitTooFew");
  if (!areNamed(parts)) return refuseChange("planNoTitle");
  if (plan.steps.length - 1 + parts.length > planSteps)
    return refuseChange("planTooManySteps", { limit: planSteps });

  const fresh = makeSteps(plan, parts, old.phase);
  const [first, last] = [fresh[0]?.id ?? old.id, fresh.at(-1)?.id ?? old.id];
  const chain = fresh.map((step, index): JourneyStep => {
    const [given, before] = [parts[index]?.restsOn ?? null, fresh[index - 1]];
    const own = step.restsOn.filter((id) => id !== old.id);
    return {
      ...step,
      mark: old.mark,
      // What the person found out is not lost with the step.
      notes: index === 0 ? old.notes : [],
      restsOn:
        before === undefined ? (given === null ? old.restsOn : own) : listOnce([before.id, ...own]),
    };
  });
  const steps = restInstead(
    plan.steps.flatMap((step) => (step === old ? chain : [step])),
    old.id,
    [last],
  );
  if (hasCycle(steps)) return refuseChange("planCycle");
  return editPlan(plan, {
    steps,
    decisions: takeInstead(plan.decisions, old.id, first),
    focus: plan.focus === old.id ? first : plan.focus,
    ...takeNumbers(plan, fresh),
    targets: [old.id, ...listIds(fresh)],
  });
}

type Part = PlanAction["parts"][number];

function areNamed(parts: readonly Part[]): boolean {
  return parts.length > 0 && parts.every(({ title }) => title.trim() !== "");
}

function findDouble(plan: JourneyPlan, parts: readonly Part[]): PlanRefused | null {
  const keys = parts.map(({ title }) => titleKey(title));
  const double = plan.steps.find(
    ({ mark, title }) => mark === "open" && keys.includes(titleKey(title)),
  );
  if (double !== undefined) return refuseChange("planStepThere", nameStep(plan, double));
  return new Set(keys).size === keys.length ? null : refuseChange("planTitleTwice");
}

/** Returns the index at which what stands behind `after` begins; null where no step has that id. */
function findPlace(steps: readonly JourneyStep[], after: string | null): number | null {
  if (after === null) return steps.length;
  if (after === "start") return 0;
  const index = steps.findIndex(({ id }) => id === after);
  return index < 0 ? null : index + 1;
}

function makeSteps(plan: JourneyPlan, parts: readonly Part[], phase: string): JourneyStep[] {
  const ids = parts.map((_, index) => `step_${plan.nextNumber + index}`);
  return parts.map((part, index) => {
    const words = boundStep(part);
    return {
      ...words,
      phase: words.phase || phase,
      id: ids[index] ?? "",
      restsOn: keepKnown(plan, part.restsOn ?? [], ids),
      mark: "open",
      since: plan.version + 1,
      notes: [],
    };
  });
}

function takeNumbers(
  { nextNumber }: JourneyPlan,
  fresh: readonly JourneyStep[],
): Pick<PlanEdit, "nextNumber"> {
  return { nextNumber: nextNumber + fresh.length };
}

function listIds(steps: readonly JourneyStep[]): string[] {
  return steps.map(({ id }) => id);
}

/** Relations are a model's reading: what the plan does not have is left out of them. */
function keepKnown(
  { steps, decisions }: JourneyPlan,
  ids: readonly string[],
  fresh: readonly string[] = [],
): string[] {
  const known = new Set([...steps.map(({ id }) => id), ...decisions.map(({ id }) => id), ...fresh]);
  return listOnce(ids).filter((id) => known.has(id));
}

/** Puts other ids in the place of one, in all that rests on it. */
function restInstead(
  steps: readonly JourneyStep[],
  id: string,
  instead: readonly string[],
): JourneyStep[] {
  return steps.map((step) =>
    step.restsOn.includes(id)
      ? {
          ...step,
          restsOn: listOnce(step.restsOn.flatMap((other) => (other === id ? instead : [other]))),
        }
      : step,
  );
}

/** Lets decisions that were to be taken at a step be taken at another. */
function takeInstead(
  decisions: readonly PlanDecision[],
  id: string,
  instead: string | null,
): PlanDecision[] {
  return decisions.map((decision) =>
    decision.at === id ? { ...decision, at: instead } : decision,
  );
}

/** The new words, with the old ones where a field is empty. */
function fillWords(words: PlannedStep, old: PlannedStep): PlannedStep {
  return {
    title: words.title || old.title,
    description: words.description || old.description,
    doneWhen: words.doneWhen || old.doneWhen,
    phase: words.phase || old.phase,
    time: words.time || old.time,
    pitfall: words.pitfall || old.pitfall,
  };
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

/** Returns true where a step rests on itself, directly or through others: some step then never becomes free. */
function hasCycle(steps: readonly JourneyStep[]): boolean {
  let waiting = steps;
  for (;;) {
    const ids = new Set(waiting.map(({ id }) => id));
    const next = waiting.filter(({ restsOn }) => restsOn.some((id) => ids.has(id)));
    if (next.length === waiting.length) return next.length > 0;
    waiting = next;
  }
}
