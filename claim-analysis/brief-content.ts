import type { AnalyzedClaim } from "../state/analysis.ts";
import { StakesSchema } from "../state/claims.ts";
import { compareTexts } from "../registry/refs.ts";

/** `brief`: sections by weight. `sheet`: sections by what has to come first. */
export type BriefForm = "brief" | "sheet";

/**
 * Steps of what is shown of a claim, each with all before it: its label alone; its text, short, then
 * full; the claims it is tied to; its reason.
 */
export const CLAIM_DETAIL = {
  none: 0,
  label: 1,
  short: 2,
  full: 3,
  linked: 4,
  reasoned: 5,
} as const;
export type ClaimDetail = (typeof CLAIM_DETAIL)[keyof typeof CLAIM_DETAIL];

/** The lines of a brief. */
export interface BriefContent {
  /** By claim id. */
  readonly details: ReadonlyMap<string, ClaimDetail>;
  readonly tensions: number;
  readonly gaps: number;
  readonly risk: boolean;
  readonly transfer: boolean;
  readonly flow: boolean;
  readonly friction: boolean;
  readonly remarks: boolean;
}

/** Orders claims by what ignoring them costs, then by weight. */
export function gravestFirst(a: AnalyzedClaim, b: AnalyzedClaim): number {
  const { options } = StakesSchema;
  return options.indexOf(a.stakes) - options.indexOf(b.stakes) || weightiestFirst(a, b);
}

/** Orders claims by support, then by what hangs on them. */
export function weightiestFirst(a: AnalyzedClaim, b: AnalyzedClaim): number {
  return (
    b.support - a.support ||
    b.leverage - a.leverage ||
    compareTexts(a.text, b.text) ||
    compareTexts(a.id, b.id)
  );
}
