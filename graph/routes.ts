import { Send } from "@langchain/langgraph";
import { conciergeStepOf } from "../nodes/concierge/concierge-step.ts";
import { expertTasksOf } from "../nodes/expert.ts";
import type { TurnState } from "../state/turn.ts";

/** Where a turn goes after Understand. Named paths: the drawing shows them. */
export function routeAfterUnderstand(
  state: TurnState,
): "reply" | "act" | "think" | "convene" | "starter" | "explorer" | "executor" {
  const route = state.understanding?.route ?? "task";
  switch (route) {
    case "clarify":
    case "meta":
      return "reply";
    case "quick":
    case "accept":
      return "act";
    case "task":
      return "think";
    case "concierge": {
      const step = conciergeStepOf(state);
      return step === "open" ? "convene" : step;
    }
    default:
      return route satisfies never;
  }
}

/** A plan is carried out; everything else Think decides is said. */
export function routeAfterThink(state: TurnState): "act" | "reply" {
  return state.plan?.decision === "plan" && isAnyOpen(state) ? "act" : "reply";
}

/** Decisions are carried out; else the plan goes on as far as it is. */
export function routeAfterAct(state: TurnState): "tools" | "act" | "think" | "reply" {
  return state.pendingCalls.length > 0 ? "tools" : routeAfterTools(state);
}

/** Open steps go on; then a step that asks for another plan gets one; a plan that is over is spoken of. */
export function routeAfterTools(state: TurnState): "act" | "think" | "reply" {
  if (isAnyOpen(state)) return "act";
  return wantsReplan(state) ? "think" : "reply";
}

/** What was said may have asked for a batch; else the turn is recorded. */
export function routeAfterReply(state: TurnState): "convene" | "summarize" {
  return state.signal === null ? "summarize" : "convene";
}

/** Every expert is asked at once; while they help with a step, the turn is recorded beside them. */
export function routeAfterConvene(state: TurnState): ("summarize" | "mapper" | Send)[] {
  const beside = isStepHelp(state) ? (["summarize"] as const) : [];
  const experts = expertTasksOf(state).map((task) => new Send("expert", task));
  if (experts.length > 0) return [...beside, ...experts];
  return beside.length > 0 ? [...beside] : ["mapper"];
}

/** What a batch was asked for goes on with it. */
export function routeAfterStructure(state: TurnState): "starter" | "executor" | "finish" {
  const purpose = state.batchInfo?.purpose ?? "step-help";
  switch (purpose) {
    case "opening":
      return "starter";
    case "workflow":
      return "executor";
    case "step-help":
      return "finish";
    default:
      return purpose satisfies never;
  }
}

/** A batch that runs beside the record is waited for. */
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
