import type { ConversationView } from "../../prompts/view.ts";
import { isActive } from "../../registry/window.ts";
import { renderRows } from "../../registry/render-rows.ts";
import type { PlanStep } from "../../state/plan.ts";
import type { TurnState } from "../../state/turn.ts";
import { listNamedRefs } from "./named-rows.ts";
import type { NodeServices } from "../node.ts";

/** Tokens that the rows always get. */
const LEAST_TOKENS = 600;

interface RowsForStepOptions {
  readonly state: TurnState;
  readonly view: ConversationView;
  readonly services: NodeServices;
  /** Tokens of all else that the step's model is sent. */
  readonly beside: number;
}

/**
 * The rows a step may use, rendered: for judging and making, the rows of all active refs, first the
 * step's own; for reading and writing, only what the step names. What the message names comes first
 * where not all have room.
 */
export function rowsForStep(step: PlanStep, facts: RowsForStepOptions): string {
  const { state, view, services, beside } = facts;
  const { limits, domain, toolbox, countTokens } = services;
  const works = step.stepType === "analyze" || step.stepType === "generate";
  const window = { turn: state.turn, window: limits.recordTurns };
  const active = view.registry.entries
    .filter(
      (entry) => entry.demotion === null && entry.action !== "deleted" && isActive(entry, window),
    )
    .map(({ ref }) => ref);
  const refs = works ? [...new Set([...step.refs, ...active])] : step.refs;
  if (refs.length === 0) return "";
  return renderRows(view.registry, {
    refs,
    named: [...listNamedRefs(view.registry, state), ...(works ? step.refs : [])],
    findReader: (type) => toolbox.findReader(step, type),
    types: domain.entityTypes,
    budget: Math.min(limits.rowsTokens, Math.max(LEAST_TOKENS, limits.stepPromptTokens - beside)),
    countTokens,
  }).text;
}
