import { PlanSchema, type Plan, type PlanStep } from "../state/plan.ts";
import type { Confirmation, Pending } from "../state/pending.ts";
import type { RowCall } from "../state/row-call.ts";
import type { PendingCall } from "../state/step.ts";
import { renderSentence } from "../text/sentences.ts";
import { mintEffectKey, type RunTurn } from "./steps/effect-key.ts";
import type { Route, UnderstandAnswer, Understanding } from "../state/understanding.ts";
import type { Lanes } from "./node.ts";

interface ChooseRouteOptions {
  readonly lanes: Lanes;
  readonly pending: Pending | null;
}

/**
 * Chooses the route of the turn. Code decides: a reply to a pending question is never answered with
 * another question, an accepted proposal runs without Think, and a single lane takes every message.
 */
export function chooseRoute(
  answer: UnderstandAnswer,
  { lanes, pending }: ChooseRouteOptions,
): { readonly route: Route; readonly waived: string[] } {
  const accepted = pending !== null && answer.answersPending === "accept";
  const waived = accepted && pending.kind === "question" ? [...pending.waives] : [];
  const answersSomething = pending !== null && answer.answersPending !== null;
  if (accepted && pending.kind === "confirmation") return { route: "confirm", waived };
  if (accepted && pending.kind === "proposal") return { route: "accept", waived };
  if (answer.undo !== null && lanes.task) return { route: "undo", waived };
  if (answer.clarification !== null && !answersSomething) return { route: "clarify", waived };
  if (answer.meta !== "none") return { route: "meta", waived };
  // The task's part of a message for both is served first.
  const task = lanes.task && (answer.lane !== "concierge" || !lanes.concierge);
  if (!task) return { route: "concierge", waived };
  return { route: accepted ? "task" : chooseWork(answer), waived };
}

/** Chooses the work that a message of the task lane needs. Only a plan changes anything. */
function chooseWork({ needs, look }: UnderstandAnswer): "talk" | "look" | "task" {
  if (needs === "talk") return "talk";
  return needs === "look" && look !== null ? "look" : "task";
}

interface PlanWithoutThinkOptions {
  readonly pending: Pending | null;
  readonly lookUp: LookUp | null;
}

/** Returns the plan of a turn that needs no Think: a look-up, an accepted proposal, confirmed changes, or an undo. */
export function planWithoutThink(
  understanding: Understanding,
  { pending, lookUp }: PlanWithoutThinkOptions,
): Plan | null {
  switch (understanding.route) {
    case "accept":
      return PlanSchema.parse({
        ...(pending?.kind === "proposal" ? { ...pending.plan, proposal: pending.text } : {}),
        decision: "plan",
        origin: "proposal",
        replans: 0,
      });
    case "confirm":
      return pending?.kind === "confirmation" ? planConfirmed(pending) : null;
    case "undo":
      return planUndo(understanding.reasoning);
    case "look":
      return lookUp === null ? null : planLookUp(lookUp, understanding.reasoning);
    case "talk":
    case "clarify":
    case "meta":
    case "task":
    case "concierge":
      return null;
    default:
      return understanding.route satisfies never;
  }
}

/** A plan that no model has made: what differs between them. */
type CodePlan = Pick<Plan, "reasoning" | "goal" | "origin" | "steps"> &
  Partial<Pick<Plan, "calls" | "proposal">>;

function makeCodePlan(plan: CodePlan): Plan {
  return {
    decision: "plan",
    calls: [],
    proposal: null,
    questions: [],
    replans: 0,
    failure: null,
    misfits: [],
    ...plan,
  };
}

/** One write step for each that had asked, with the calls that it had given. */
function planConfirmed({ calls, text }: Confirmation): Plan {
  return makeCodePlan({
    reasoning: "The person has confirmed these changes.",
    goal: "Store the confirmed changes",
    steps: listSteps(calls).map((step) => makeStep("write", step)),
    proposal: text,
    origin: "confirmation",
  });
}

function planUndo(reasoning: string): Plan {
  const goal = renderSentence("takeChangesBack");
  const steps = [makeStep("write", { description: goal, subdomain: "" })];
  return makeCodePlan({ reasoning, goal, steps, origin: "undo" });
}

function makeStep(
  stepType: "read" | "write",
  { description, subdomain }: ConfirmedStep,
  refs: string[] = [],
): PlanStep {
  return { description, stepType, subdomain, group: 1, refs, writes: [] };
}

type ConfirmedStep = Confirmation["calls"][number]["step"];

function listSteps(calls: Confirmation["calls"]): readonly ConfirmedStep[] {
  return [...new Map(calls.map(({ step }) => [stepKey(step), step])).values()];
}

function stepKey({ description, subdomain }: ConfirmedStep): string {
  return JSON.stringify([subdomain, description]);
}

/** The confirmed calls, decided by the person and not by a model. */
export function decideConfirmedCalls(
  { calls }: Pick<Confirmation, "calls">,
  { run, turn }: RunTurn,
): PendingCall[] {
  const steps = listSteps(calls).map(stepKey);
  return calls.map(({ step, tool, args }, index) => {
    const number = steps.indexOf(stepKey(step));
    return {
      step: number,
      call: index + 1,
      callId: `confirmed_${index + 1}`,
      tool,
      args,
      argsError: null,
      effectKey: mintEffectKey(run, { turn, step: `confirmed.${number}`, call: index + 1 }),
    };
  });
}

/** A read that answers a message, as one step. */
export interface LookUp {
  readonly call: RowCall;
  readonly subdomain: string;
  /** Its type and conditions: "Show inventory items (location = fridge)". */
  readonly description: string;
}

function planLookUp({ call, ...step }: LookUp, reasoning: string): Plan {
  return makeCodePlan({
    reasoning,
    goal: step.description,
    steps: [makeStep("read", step, call.refs)],
    calls: [{ ...call, step: 0 }],
    origin: "understand",
  });
}
