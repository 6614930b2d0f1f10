import type { EntityView } from "../../prompts/view.ts";
import { activeEntries, hiddenRefs } from "../../registry/window.ts";
import { findFocus } from "../../registry/working-set.ts";
import { renderRows } from "../../registry/render-rows.ts";
import { judgesRows, type PlanStep } from "../../state/plan.ts";
import type { TurnState } from "../../state/turn.ts";
import { listNamedRefs } from "./named-rows.ts";
import type { NodeServices } from "../node.ts";

/** Tokens that the rows always get. */
const LEAST_TOKENS = 600;

interface RowsForStepOptions {
  readonly state: TurnState;
  readonly view: EntityView;
  readonly services: NodeServices;
  /** Tokens of all else that the step's model is sent. */
  readonly beside: number;
}

/**
 * Renders the rows a step may use: for judging and making, those of `listStepRefs` and of all active
 * refs; for reading and writing, only what the step names. What the message names comes first where
 * not all have room.
 */
export function renderStepRows(step: PlanStep, facts: RowsForStepOptions): string {
  const { state, view, services, beside } = facts;
  const { limits, domain, toolbox, tier = "full", countTokens } = services;
  const window = { turn: state.turn, window: limits.recordTurns };
  const active = judgesRows(step) ? activeEntries(view.registry, window).map(({ ref }) => ref) : [];
  const refs = [...new Set([...listStepRefs(step, facts), ...active])];
  if (refs.length === 0) return "";
  return renderRows(view.registry, {
    refs,
    named: [...listNamedRefs(view.registry, state), ...(judgesRows(step) ? step.refs : [])],
    findReader: (type) => toolbox.findReader({ ...step, tier }, type),
    types: domain.entityTypes,
    budget: Math.min(limits.rowsTokens, Math.max(LEAST_TOKENS, limits.stepPromptTokens - beside)),
    countTokens,
  }).text;
}

/**
 * Lists the refs whose rows a step needs, whether they are held or not: what it names, and for
 * judging and making what this turn has found and what is left of the choice in focus.
 */
export function listStepRefs(
  step: PlanStep,
  { state, view }: Pick<RowsForStepOptions, "state" | "view">,
): string[] {
  if (!judgesRows(step)) return step.refs;
  const excluded = new Set(hiddenRefs(view.registry));
  const found = state.stepResults.flatMap(({ refs }) => refs).filter((ref) => !excluded.has(ref));
  const left = findFocus(view.workingSet)?.left.map(({ ref }) => ref) ?? [];
  return [...new Set([...step.refs, ...found, ...left])];
}
