import type { Advice } from "./advice.ts";
import { stepNamed } from "./consult.ts";

/** Whether a phrase means what a step of the plan needs: "what I need for step 1". */
export function speaksOfStep(phrase: string): boolean {
  return /\bsteps? (?:\d+|one)\b|\b(?:first|second|third|next|current|this) step\b/.test(phrase);
}

/** What has to be got for the plan's current step; empty without a plan. */
export function needsOf(activePlan: string, advice: Advice): readonly string[] {
  const current = /^Current step, .*$/m.exec(activePlan)?.[0];
  if (current === undefined) return [];
  return stepNamed(current, advice)?.needs ?? ANYWAY;
}

/** What is written down is done. */
const ANYWAY = ["notebook", "pen"];
