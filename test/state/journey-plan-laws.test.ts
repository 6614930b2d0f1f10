import { fc, test as law } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { applyPlanAction } from "../../state/apply-plan-action.ts";
import { findAffected } from "../../state/find-affected.ts";
import {
  JourneyPlanSchema,
  type Affected,
  type JourneyPlan,
  type JourneyStep,
} from "../../state/journey-plan.ts";
import type { PlanAction, PlanChanged } from "../../state/plan-action.ts";
import { isPlanOver, PlanViewSchema, toActiveWorkflow, viewPlan } from "../../state/view-plan.ts";
import { ActiveWorkflowSchema } from "../../state/workflow.ts";
import { anyPlanAction, anyStartedPlan, planAction } from "../support/journey-plans.ts";

/** `PLAN_CASES=100000 npm test -- test/state/journey-plan-laws.test.ts` is living-plan.md's proof. */
const numRuns = Number(process.env["PLAN_CASES"] ?? 300);
const LAW = { numRuns };
const TIMEOUT = 30_000 + numRuns * 20;

const VIEW = PlanViewSchema.strict();
const WORKFLOW = ActiveWorkflowSchema.strict();

const sequences = fc.tuple(anyStartedPlan, fc.array(anyPlanAction, { maxLength: 14 }));

/** One action that was applied within a sequence. */
interface Played {
  readonly before: JourneyPlan;
  readonly action: PlanAction;
  /** Null where the action was refused. */
  readonly changed: PlanChanged | null;
}

/** Applies each action to what the one before left. A plan that changes its input breaks here. */
function play([plan, actions]: readonly [JourneyPlan, readonly PlanAction[]]): Played[] {
  let current = plan;
  return actions.map((action, turn) => {
    const before = current;
    const outcome = applyPlanAction(freeze(before), freeze(action), {
      who: "person",
      why: action.words,
      turn,
    });
    const changed = outcome.kind === "changed" ? outcome : null;
    current = changed?.plan ?? current;
    return { before, action, changed };
  });
}

/** Makes a value that throws where it is changed. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}

function listIds(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id);
}

/** The state that an undo brings back. */
function stateToRestore({ steps, decisions, focus }: JourneyPlan): unknown {
  return { steps, decisions, focus };
}

function pop(stack: JourneyPlan[]): JourneyPlan {
  const plan = stack.pop();
  if (plan === undefined) throw new Error("More was taken back than had been changed");
  return plan;
}

/** The bytes of a step but for its relations. */
function withoutRelations(step: JourneyStep): string {
  return JSON.stringify({ ...step, restsOn: [] });
}

describe("applyPlanAction()", () => {
  law.prop([sequences], LAW)(
    "makes the next version or refuses",
    (sequence) => {
      for (const { before, changed } of play(sequence)) {
        if (changed === null) continue;
        expect(changed.plan.version).toBe(before.version + 1);
        expect(changed.change.version).toBe(changed.plan.version);
        expect(changed.plan.changes.at(-1)).toEqual(changed.change);
        expect(JourneyPlanSchema.parse(changed.plan)).toEqual(changed.plan);
      }
    },
    TIMEOUT,
  );

  law.prop([sequences], LAW)(
    "gives each id once, and none again",
    (sequence) => {
      const known = new Set(listIds([...sequence[0].steps, ...sequence[0].decisions]));
      for (const { before, changed } of play(sequence)) {
        if (changed === null) continue;
        const { plan, change } = changed;
        const ids = listIds([...plan.steps, ...plan.decisions]);
        expect(new Set(ids).size).toBe(ids.length);
        const present = new Set(listIds([...before.steps, ...before.decisions]));
        const fresh = ids.filter((id) => !present.has(id));
        if (change.undoes === null) for (const id of fresh) expect(known).not.toContain(id);
        for (const id of fresh) known.add(id);
      }
    },
    TIMEOUT,
  );

  law.prop([sequences], LAW)(
    "keeps every step, or has it as it was in `before`",
    (sequence) => {
      for (const { before, changed } of play(sequence)) {
        if (changed === null) continue;
        const { plan, change } = changed;
        const kept = [plan.steps, change.before.steps, plan.decisions, change.before.decisions];
        const known = new Set(kept.flat().map((each) => JSON.stringify(each)));
        const lost = [...before.steps, ...before.decisions].filter(
          (each) => !known.has(JSON.stringify(each)),
        );
        expect(lost).toEqual([]);
      }
    },
    TIMEOUT,
  );

  law.prop([sequences], LAW)(
    "leaves steps that it does not name as they are, but for their relations",
    (sequence) => {
      for (const { before, changed } of play(sequence)) {
        if (changed === null) continue;
        const { plan, change } = changed;
        const now = new Map(plan.steps.map((step) => [step.id, withoutRelations(step)]));
        const touched = before.steps
          .filter(({ id }) => !change.targets.includes(id))
          .filter((step) => now.get(step.id) !== withoutRelations(step));
        expect(touched).toEqual([]);
      }
    },
    TIMEOUT,
  );

  law.prop([sequences], LAW)(
    "lets steps rest on what the plan has, without cycles",
    (sequence) => {
      for (const plan of [
        sequence[0],
        ...play(sequence).flatMap(({ changed }) => changed?.plan ?? []),
      ]) {
        const ids = new Set(listIds([...plan.steps, ...plan.decisions]));
        const steps = listIds(plan.steps);
        const wrong = plan.steps.filter(
          ({ id, restsOn }) =>
            restsOn.some((each) => !ids.has(each)) ||
            new Set(restsOn).size !== restsOn.length ||
            listBelow(plan, id).has(id),
        );
        expect(wrong).toEqual([]);
        for (const { at } of plan.decisions) expect([null, ...steps]).toContain(at);
        expect([null, ...steps]).toContain(plan.focus);
      }
    },
    TIMEOUT,
  );

  law.prop([sequences], LAW)(
    "is taken back by an undo, change by change down to the first",
    (sequence) => {
      const played = play(sequence);
      const undo = planAction({ kind: "undo", words: "undo" });
      const stack: JourneyPlan[] = [];
      for (const { before, changed } of played) {
        if (changed === null) continue;
        const { plan, change } = changed;
        if (change.undoes === null) stack.push(before);
        else expect(stateToRestore(plan)).toEqual(stateToRestore(pop(stack)));
      }
      let current = played.at(-1)?.changed?.plan ?? played.at(-1)?.before ?? sequence[0];
      while (stack.length > 0) {
        const outcome = applyPlanAction(current, undo, { who: "person", why: "", turn: 99 });
        // Of many changes the oldest are no longer held.
        if (outcome.kind === "refused") break;
        expect(stateToRestore(outcome.plan)).toEqual(stateToRestore(pop(stack)));
        current = outcome.plan;
      }
      expect(current.changes.length).toBeLessThanOrEqual(12);
    },
    TIMEOUT,
  );
});

/** Everything that a step rests on, itself too where it does. */
function listBelow({ steps }: JourneyPlan, id: string): Set<string> {
  const below = new Set<string>();
  const visit = (at: string): void => {
    for (const next of steps.find((step) => step.id === at)?.restsOn ?? []) {
      if (below.has(next)) continue;
      below.add(next);
      visit(next);
    }
  };
  visit(id);
  return below;
}

law.prop([sequences], LAW)(
  "viewPlan() has at most one active step, an open one, and the index on it",
  (sequence) => {
    for (const plan of play(sequence).flatMap(({ changed }) => changed?.plan ?? [])) {
      const view = viewPlan(plan);
      const active = view.steps.flatMap(({ status }, index) =>
        status === "active" ? [index] : [],
      );
      expect(active).toEqual(isPlanOver(plan) ? [] : [view.currentStepIndex]);
      for (const index of active) expect(plan.steps[index]?.mark).toBe("open");
      if (isPlanOver(plan)) expect(view.currentStepIndex).toBe(plan.steps.length);
      expect(VIEW.parse(view)).toEqual(view);
      const workflow = toActiveWorkflow(plan);
      expect(WORKFLOW.parse(workflow)).toEqual(workflow);
      expect(workflow.currentStepIndex).toBe(view.currentStepIndex);
    }
  },
  TIMEOUT,
);

law.prop([sequences], LAW)(
  "findAffected() finds what a naive search finds",
  (sequence) => {
    const played = play(sequence);
    const last = played.findLast(({ changed }) => changed !== null)?.changed?.plan;
    for (const { before, changed } of played) {
      if (changed === null || last === undefined) continue;
      expect(changed.affected).toEqual(searchNaively(before, changed.plan));
      expect(findAffected(before, last)).toEqual(searchNaively(before, last));
    }
  },
  TIMEOUT,
);

function joinWords(step: JourneyStep): string {
  return [step.title, step.description, step.doneWhen, step.phase, step.time, step.pitfall].join(
    "\0",
  );
}

function has({ steps, decisions }: JourneyPlan, id: string): boolean {
  return [...steps, ...decisions].some((each) => each.id === id);
}

/** A relation path from a source to a step, as naively as can be: all paths, shortest and first source wins. */
function searchNaively(before: JourneyPlan, after: JourneyPlan): Affected[] {
  const sources: [id: string, why: Affected["why"]][] = [];
  for (const old of before.steps) {
    const now = after.steps.find(({ id }) => id === old.id);
    if (now === undefined) sources.push([old.id, "gone"]);
    else if (joinWords(now) !== joinWords(old)) sources.push([old.id, "changed"]);
    else if (old.mark !== "open" && now.mark === "open") sources.push([old.id, "reopened"]);
    else if (old.mark !== "skipped" && now.mark === "skipped") sources.push([old.id, "skipped"]);
  }
  for (const old of before.decisions) {
    const now = after.decisions.find(({ id }) => id === old.id);
    if (now?.chosen !== old.chosen) sources.push([old.id, "decided"]);
  }
  const changed = new Set(sources.map(([id]) => id));
  const restsOn = (upper: string, lower: string): boolean =>
    (has(after, lower) ? after : before).steps
      .find(({ id }) => id === upper)
      ?.restsOn.includes(lower) ?? false;

  const everyStep = [...new Set([...before.steps, ...after.steps].map(({ id }) => id))];
  const distance = new Map<string, number>();
  const origin = new Map<string, [id: string, why: Affected["why"]]>();
  for (const source of sources) {
    distance.set(source[0], 0);
    origin.set(source[0], source);
  }
  // Relaxed until nothing gets nearer; of equally near ones, the one whose way comes first stays.
  const rank = (id: string) => {
    const index = after.steps.findIndex((step) => step.id === id);
    const source = sources.findIndex(([each]) => each === id);
    return distance.get(id) === 0 ? source : index;
  };
  for (let far = 1; far <= everyStep.length; far += 1) {
    const nearer = [...distance].filter(([, value]) => value === far - 1).map(([id]) => id);
    nearer.sort((one, other) => rank(one) - rank(other));
    for (const step of everyStep) {
      if (distance.has(step)) continue;
      const lower = nearer.find((id) => restsOn(step, id));
      const from = lower === undefined ? undefined : origin.get(lower);
      if (from === undefined) continue;
      distance.set(step, far);
      origin.set(step, from);
    }
  }
  const position = (id: string) => after.steps.findIndex((step) => step.id === id);
  const was = (id: string) => before.steps.findIndex((step) => step.id === id);
  const found = after.steps
    .filter(({ id }) => !changed.has(id) && distance.has(id) && has(before, id))
    .map(({ id }) => ({ id, far: distance.get(id) ?? 0, from: origin.get(id) }));
  const overtaken = after.steps.flatMap(({ id, restsOn: needed }) => {
    const via = needed.find(
      (each) => was(each) >= 0 && was(each) < was(id) && position(each) > position(id),
    );
    return via === undefined ? [] : [{ step: id, via, why: "comes-before" as const }];
  });
  const list: Affected[] = [];
  const add = (affected: Affected): void => {
    if (list.every(({ step }) => step !== affected.step)) list.push(affected);
  };
  for (let far = 1; far <= everyStep.length; far += 1) {
    for (const each of found.filter((step) => step.far === far)) {
      if (each.from) add({ step: each.id, via: each.from[0], why: each.from[1] });
    }
    if (far === 1) overtaken.forEach(add);
  }
  return list;
}
