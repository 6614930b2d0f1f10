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

/** Decisions are carried out; open steps decide again; a step that asks for another plan gets one. */
export function routeAfterAct(state: TurnState): "tools" | "act" | "think" | "reply" {
  if (state.pendingCalls.length > 0) return "tools";
  if (wantsReplan(state)) return "think";
  return isAnyOpen(state) ? "act" : "reply";
}

/** Open steps go on; a plan that is over is spoken of. */
export function routeAfterTools(state: TurnState): "act" | "reply" {
  return isAnyOpen(state) ? "act" : "reply";
}

function isAnyOpen(state: TurnState): boolean {
  return state.stepResults.some(({ status }) => status === "open");
}

/** The cursor moves on unless the plan is to be made anew, so a blocked step in its group says so. */
function wantsReplan(state: TurnState): boolean {
  return state.stepResults.some(({ status }) => status === "replan");
}
