import type { TurnState } from "../state/turn.ts";

/** Where a turn goes after Understand. Named paths: the drawing shows them. */
export function routeAfterUnderstand(state: TurnState): "reply" | "act" | "think" {
  const route = state.understanding?.route ?? "task";
  switch (route) {
    case "clarify":
    case "meta":
      return "reply";
    case "quick":
    case "accept":
      return "act";
    case "task":
    case "concierge":
      return "think";
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

function isAnyOpen(state: TurnState): boolean {
  return state.stepResults.some(({ status }) => status === "open");
}

function wantsReplan(state: TurnState): boolean {
  return state.stepResults.some(({ status }) => status === "replan");
}
