/** What of the machinery a text shows. */
export type LeakKind =
  | "claim-id"
  | "metric"
  | "models"
  | "consensus"
  | "experts"
  | "analysis"
  | "mapper";

/** One place where a text shows the machinery. */
export interface Leak {
  readonly kind: LeakKind;
  /** What was found, as it stands. */
  readonly text: string;
}

const PATTERNS: readonly { readonly kind: LeakKind; readonly pattern: RegExp }[] = [
  { kind: "claim-id", pattern: /\bclaim_\d+\b|\[c\d+\]/giu },
  { kind: "metric", pattern: /\b(?:support ratio|leverage score)\b/giu },
  { kind: "models", pattern: /\baccording to the models\b/giu },
];

/** Finds where a text shows how it came about, in the order of kinds; empty for a clean text. */
export function detectMachineryLeakage(text: string): readonly Leak[] {
  return PATTERNS.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map(([found]) => ({ kind, text: found })),
  );
}
