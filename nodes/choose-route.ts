import { PlanSchema, type Plan } from "../state/plan.ts";
import type { PendingQuestion } from "../state/step.ts";
import type { Route, UnderstandAnswer, Understanding } from "../state/understanding.ts";
import type { Lanes } from "./node.ts";

interface ChooseRouteOptions {
  readonly lanes: Lanes;
  readonly pending: PendingQuestion | null;
  /** True where the message asks how the assistant knows something. */
  readonly asksAboutUs: boolean;
}

/**
 * Chooses the route of the turn. Code decides: a reply to a pending question is never answered with
 * another question, an accepted proposal runs without Think, and a single lane takes every message.
 */
export function chooseRoute(
  answer: UnderstandAnswer,
  { lanes, pending, asksAboutUs }: ChooseRouteOptions,
): { readonly route: Route; readonly waived: string[] } {
  const accepted = pending !== null && answer.answersPending === "accept";
  const waived = accepted ? [...pending.waives] : [];
  const answersSomething = pending !== null && answer.answersPending !== null;
  if (accepted && pending.plan !== null) return { route: "accept", waived };
  if (answer.clarification !== null && !answersSomething) return { route: "clarify", waived };
  if (answer.meta || asksAboutUs) return { route: "meta", waived };
  const task = lanes.task && (answer.lane === "task" || !lanes.concierge);
  if (!task) return { route: "concierge", waived };
  return { route: answer.quick === null ? "task" : "quick", waived };
}

/** Returns the plan of a turn that needs no Think: a quick lookup, or the proposal that was accepted. */
export function planWithoutThink(
  understanding: Understanding,
  pending: PendingQuestion | null,
): Plan | null {
  switch (understanding.route) {
    case "accept":
      return PlanSchema.parse({
        ...pending?.plan,
        decision: "plan",
        origin: "proposal",
        replans: 0,
      });
    case "quick":
      return understanding.quick === null
        ? null
        : quickPlan(understanding.quick, understanding.reasoning);
    case "clarify":
    case "meta":
    case "task":
    case "concierge":
      return null;
    default:
      return understanding.route satisfies never;
  }
}

interface QuickLookup {
  readonly subdomain: string;
  readonly intent: string;
}

function quickPlan(quick: QuickLookup, reasoning: string): Plan {
  return {
    reasoning,
    goal: quick.intent,
    decision: "plan",
    steps: [
      {
        description: quick.intent,
        stepType: "read",
        subdomain: quick.subdomain,
        group: 1,
        refs: [],
      },
    ],
    proposal: null,
    questions: [],
    origin: "quick",
    replans: 0,
    failure: null,
  };
}
