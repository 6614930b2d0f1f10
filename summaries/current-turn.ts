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
  /** The refs that are left in the choice in focus; null where nothing is chosen from. */
  readonly remaining: readonly string[] | null;
  /** True where all that is left stands in the prompt, so that it need not be read again. */
  readonly held: boolean;
}

/** Describes what is left of the choice in focus, in order; "none" where everything was left out; empty without a choice. */
export function describeRemaining(remaining: CurrentTurn["remaining"]): string {
  if (remaining === null) return "";
  return remaining.length === 0 ? "none" : describeRefs(remaining);
}
