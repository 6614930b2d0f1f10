import { readBlocks } from "./gate.ts";
import type { BlockKind } from "./markers.ts";
import type { SignalBlock } from "./scan.ts";
import { unfoldJson } from "./unfold-json.ts";

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

/** Blocks that can be chosen. */
export interface BlockChoice extends SignalOptions {
  readonly kind: BlockKind;
  /** Returns true for a body that only repeats the template. */
  readonly isEcho: (body: string) => boolean;
}

/** Chooses the block of a kind that counts in an answer. */
export function chooseBlock(text: string, choice: BlockChoice): ChosenBlock {
  const { userResponse, blocks } = readBlocks(text);
  const own = keepKind(blocks, choice.kind);
  const typed = bodiesTyped(choice.typed ?? [], choice.kind);
  const untyped = own.filter((block) => !typed.has(normalise(block.body)));
  const meant = untyped.filter((block) => !block.closed || !choice.isEcho(block.body));
  const last = meant.findLast((block) => block.closed);
  if (last !== undefined) return { userResponse, body: last.body, problem: null };
  const remaining = own.length > 0 ? "typed by the user" : null;
  const problem = untyped.length > 0 ? "placeholders" : remaining;
  return { userResponse, body: null, problem: meant.length > 0 ? "not closed" : problem };
}

function bodiesTyped(texts: readonly string[], kind: BlockKind): ReadonlySet<string> {
  // Prompts show the user's "<<<" as "‹‹‹".
  const blocks = texts.flatMap((text) => readBlocks(text.replaceAll("‹", "<")).blocks);
  return new Set(keepKind(blocks, kind).map((block) => normalise(block.body)));
}

function keepKind(blocks: readonly SignalBlock[], kind: BlockKind): readonly SignalBlock[] {
  return blocks
    .filter((block) => block.kind === kind)
    .map(({ closed, body }) => ({ kind, closed, body: unfoldJson(body) }));
}

function normalise(body: string): string {
  return body.replaceAll("‹", "<").replace(/\s+/g, " ").trim().toLowerCase();
}
