import type { ViableRefs } from "../registry/candidates.ts";
import { describeRefs } from "../registry/refs.ts";

/** An entity as a summary names it. */
export interface NamedRef {
  readonly ref: string;
  readonly label: string;
}

/** The state of this turn, for the nodes after Understand. */
export interface CurrentTurn {
  readonly turn: number;
  readonly userMessage: string;
  /** The decisions of Understand in this turn. */
  readonly curated: {
    readonly demoted: readonly NamedRef[];
    readonly restored: readonly NamedRef[];
    readonly retained: readonly NamedRef[];
  };
  /** The words of the message with the refs they meant, apart from curated refs. */
  readonly references: readonly (NamedRef & { readonly text: string })[];
  /** The remaining choices for each type (`viableByType`). */
  readonly viable: readonly ViableRefs[];
  /** True where rows are held, so that they need not be read again. */
  readonly held: boolean;
}

/**
 * Describes the remaining choices, refs of all types in order of appearance; "none" where everything was
 * taken out; empty where nothing was ever judged or taken out.
 */
export function describeViable(viable: readonly ViableRefs[]): string {
  if (viable.length === 0) return "";
  const refs = viable.flatMap((one) => one.refs);
  return refs.length === 0 ? "none" : describeRefs(refs);
}
