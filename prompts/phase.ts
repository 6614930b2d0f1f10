import { clip } from "../registry/shorten.ts";
import { oneLine } from "../text/fence.ts";
import type { CountTokens } from "../state/model.ts";
import type { TurnState } from "../state/turn.ts";
import { isPlanOver, viewPlan } from "../state/view-plan.ts";
import { renderPlan } from "./render-plan.ts";

const TEXT_CHARACTERS = 240;

/** Renders the state of the journey: phase and turn, the opening question, the plan's steps with ids and marks. */
export function renderPhase(
  { concierge, journeyPlan, opening }: Pick<TurnState, "concierge" | "journeyPlan" | "opening">,
  countTokens: CountTokens,
): string {
  if (opening === null) return "";
  const { currentPhase, turnInPhase } = concierge;
  const question = clip(oneLine(opening.question), TEXT_CHARACTERS);
  const lines = [`${currentPhase}, turn ${turnInPhase}; opened by "${question}"`];
  if (journeyPlan === null) return lines.join("\n");
  const plan = renderPlan(viewPlan(journeyPlan), { detail: "line", ids: true, countTokens });
  const over = isPlanOver(journeyPlan)
    ? ["The plan is complete: a further open question is a new journey."]
    : [];
  return [...lines, plan, ...over].join("\n");
}
