import type { ViableRefs } from "../registry/candidates.ts";
import { describeRefs } from "../registry/refs.ts";

/** An entity as a summary names it. */
export interface NamedRef {
  readonly ref: string;
  readonly label: string;
}

/** What this turn has come to so far, for the nodes after Understand. */
export interface CurrentTurn {
  readonly turn: number;
  readonly userMessage: string;
  /** What Understand decided in this turn. */
  readonly curated: {
    readonly demoted: readonly NamedRef[];
    readonly restored: readonly NamedRef[];
    readonly retained: readonly NamedRef[];
  };
  /** What of the message meant which ref, apart from what was curated. */
  readonly references: readonly (NamedRef & { readonly text: string })[];
  /** What still can be chosen, per type (`viableByType`). */
  readonly viable: readonly ViableRefs[];
  /** Whether rows are held, so that nothing of it need be read again. */
  readonly held: boolean;
}

/**
 * What still can be chosen, refs of all types in order of appearance; "none" where everything was
 * taken out; empty where nothing was ever judged or taken out.
 */
export function describeViable(viable: readonly ViableRefs[]): string {
  if (viable.length === 0) return "";
  const refs = viable.flatMap((one) => one.refs);
  return refs.length === 0 ? "none" : describeRefs(refs);
}
