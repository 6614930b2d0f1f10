import { readBlocks } from "./gate.ts";
import type { BlockKind } from "./markers.ts";
import type { SignalBlock } from "./scan.ts";

export interface SignalOptions {
  /** Texts the user typed: a block that stands in one of them is no signal. */
  readonly typed?: readonly string[];
}

/** Why there is no signal though a block was begun. */
export type SignalProblem =
  | "not closed"
  | "no TYPE"
  | "unknown TYPE"
  | "no PROMPT"
  | "no goal"
  | "placeholders"
  | "typed by the user";

/** The result of choosing among an answer's blocks of one kind. */
export interface ChosenBlock {
  readonly userResponse: string;
  /** The block that counts: the last closed one that the user did not type. */
  readonly body: string | null;
  /** Why there is none; null when there is one, or no block of the kind at all. */
  readonly problem: SignalProblem | null;
}

/** Chooses the block of a kind that counts in an answer. */
export function chooseBlock(
  text: string,
  choice: SignalOptions & { readonly kind: BlockKind; readonly isEcho: (body: string) => boolean },
): ChosenBlock {
  const { userResponse, blocks } = readBlocks(text);
  const own = blocks.filter((block) => block.kind === choice.kind);
  const typed = bodiesTyped(choice.typed ?? [], choice.kind);
  const untyped = own.filter((block) => !typed.has(normalise(block.body)));
  const meant = untyped.filter((block) => !block.closed || !choice.isEcho(block.body));
  const last = meant.findLast((block) => block.closed);
  if (last !== undefined) return { userResponse, body: last.body, problem: null };
  return { userResponse, body: null, problem: describeProblem({ own, untyped, meant }) };
}

interface RemainingBlocks {
  readonly own: readonly SignalBlock[];
  readonly untyped: readonly SignalBlock[];
  readonly meant: readonly SignalBlock[];
}

function describeProblem(left: RemainingBlocks): SignalProblem | null {
  if (left.meant.length > 0) return "not closed";
  if (left.untyped.length > 0) return "placeholders";
  return left.own.length > 0 ? "typed by the user" : null;
}

function bodiesTyped(texts: readonly string[], kind: BlockKind): ReadonlySet<string> {
  // Prompts show the user's "<<<" as "‹‹‹".
  const blocks = texts.flatMap((text) => readBlocks(text.replaceAll("‹", "<")).blocks);
  return new Set(
    blocks.filter((block) => block.kind === kind).map((block) => normalise(block.body)),
  );
}

function normalise(body: string): string {
  return body.replaceAll("‹", "<").replace(/\s+/g, " ").trim().toLowerCase();
}
