import { Send } from "@langchain/langgraph";
import { wantsPlanChange } from "../nodes/change-plan.ts";
import { asksForPlan, nextConciergeStep } from "../nodes/concierge/concierge-step.ts";
import { buildExpertTasks } from "../nodes/expert.ts";
import type { TurnState } from "../state/turn.ts";

/** A node that serves a message once it is understood, and the plan is changed by it. */
type ServingNode =
  | "reply"
  | "act"
  | "tools"
  | "think"
  | "convene"
  | "starter"
  | "explorer"
  | "executor";

/** Returns the node after Understand: the plan is changed before anybody speaks. */
export function routeAfterUnderstand(state: TurnState): ServingNode | "changePlan" {
  // Of a message with two parts the task's comes first; the plan is the concierge's.
  return wantsPlanChange(state) && !isForBoth(state) ? "changePlan" : routeToService(state);
}

/** Returns the node that serves the message. The paths are named, so that the drawing of the graph shows them. */
export function routeToService(state: TurnState): ServingNode {
  if (state.journeyNews?.isReply === true) return "reply";
  const route = isConciergesTurn(state) ? "concierge" : (state.understanding?.route ?? "task");
  switch (route) {
    case "clarify":
    case "meta":
    case "talk":
      return "reply";
    case "look":
    case "accept":
      return "act";
    case "confirm":
    case "undo":
      return "tools";
    case "task":
      return "think";
    case "concierge": {
      const step = nextConciergeStep(state);
      return step === "open" ? "convene" : step;
    }
    default:
      return route satisfies never;
  }
}

/** Returns the node after Think: a plan is carried out, every other decision goes to the reply. */
export function routeAfterThink(state: TurnState): "act" | "reply" {
  return state.plan?.decision === "plan" && isAnyOpen(state) ? "act" : "reply";
}

/** Returns the node after Act: tools carry out pending calls; without any, the plan continues. */
export function routeAfterAct(state: TurnState): "tools" | "act" | "think" | "reply" {
  return state.pendingCalls.length > 0 ? "tools" : routeAfterTools(state);
}

/** Returns the node after the tools: open steps first, then a step that asks for another plan, then the reply. */
export function routeAfterTools(state: TurnState): "act" | "think" | "reply" {
  if (isAnyOpen(state)) return "act";
  return wantsReplan(state) ? "think" : "reply";
}

/** Returns the node after the reply: a batch that it has asked for, the message's other part, else the turn's summary. */
export function routeAfterReply(
  state: TurnState,
): "convene" | "changePlan" | "starter" | "explorer" | "executor" | "summarize" {
  if (state.signal !== null) return "convene";
  if (!isConciergesTurn(state)) return "summarize";
  if (wantsPlanChange(state)) return "changePlan";
  const step = nextConciergeStep(state);
  if (step === "reply") return "summarize";
  return step === "open" ? "convene" : step;
}

function isForBoth({ understanding }: TurnState): boolean {
  return understanding?.lane === "both";
}

/** Returns true where the task's part of a message is served, and the concierge's is not. */
function isConciergesTurn(state: TurnState): boolean {
  const { lanesServed } = state;
  return isForBoth(state) && lanesServed.includes("task") && !lanesServed.includes("concierge");
}

/** Returns the nodes after Convene: one task for each expert, and the turn's summary beside them while they help with a step. */
export function routeAfterConvene(state: TurnState): ("summarize" | "mapper" | Send)[] {
  const beside = isStepHelp(state) ? (["summarize"] as const) : [];
  const experts = buildExpertTasks(state).map((task) => new Send("expert", task));
  if (experts.length > 0) return [...beside, ...experts];
  return beside.length > 0 ? [...beside] : ["mapper"];
}

/** Returns the node that uses the batch's analysis. */
export function routeAfterStructure(
  state: TurnState,
): "starter" | "explorer" | "executor" | "finish" {
  const purpose = state.batchInfo?.purpose ?? "step-help";
  switch (purpose) {
    case "opening":
      return asksForPlan(state.understanding) ? "explorer" : "starter";
    case "workflow":
      return "executor";
    case "step-help":
      return "finish";
    default:
      return purpose satisfies never;
  }
}

/** Returns the node after the summary: a batch that runs beside it is awaited. */
export function routeAfterSummarize(state: TurnState): "mapper" | "finish" {
  return isStepHelp(state) ? "mapper" : "finish";
}

function isStepHelp(state: TurnState): boolean {
  return state.batchInfo?.purpose === "step-help";
}

function isAnyOpen(state: TurnState): boolean {
  return state.stepResults.some(({ status }) => status === "open");
}

function wantsReplan(state: TurnState): boolean {
  return state.stepResults.some(({ status }) => status === "replan");
}
