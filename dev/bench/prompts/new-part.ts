import { countTokens } from "../../../models/tokens.ts";
import type { RecordedTurn } from "../conversation/record-conversation.ts";
import { promptTextOf, sharedCharacters, wholeText } from "./prompt-text.ts";

/** How much of one prompt the same node's previous prompt does not begin with. */
export interface NewPart {
  readonly node: string;
  readonly turn: number;
  /** Tokens after the longest beginning that both share. */
  readonly tokens: number;
  /** The heading under which the prompts begin to differ. */
  readonly from: string;
  /** Whether a fold rewrote the history between the two prompts. */
  readonly afterFold: boolean;
}

/**
 * Compares each prompt of a conversation with the one before it of the same node, the first ones
 * left out.
 *
 * With `sameTools` it is the one before it that was sent with the same schema and tools: a step of
 * another type offers others, and they stand before everything else.
 */
export function newParts(
  turns: readonly RecordedTurn[],
  { sameTools }: { readonly sameTools: boolean },
): readonly NewPart[] {
  const before = new Map<string, { readonly text: string; readonly folds: number }>();
  const parts: NewPart[] = [];
  let folds = 0;
  for (const { turn, calls } of turns) {
    for (const { node, request } of calls) {
      const prompt = promptTextOf(request);
      const text = wholeText(prompt);
      const key = sameTools ? `${node}\n${prompt.schemas}` : node;
      const previous = before.get(key);
      if (previous !== undefined) {
        const shared = sharedCharacters(previous.text, text);
        parts.push({
          node,
          turn,
          tokens: countTokens(text.slice(shared)),
          from: shared < prompt.schemas.length ? "schema and tools" : headingAt(text, shared),
          afterFold: previous.folds < folds,
        });
      }
      before.set(key, { text, folds });
      if (node === "fold") folds += 1;
    }
  }
  return parts;
}

/** A message begins with its role: `user: ## Profile`. */
const HEADINGS = /^(?:user: )?## (.+)$|^(?:user: )?<(conversation_history)>$/gmu;

/** The last heading before a place in a prompt; the beginning has none. */
function headingAt(text: string, at: number): string {
  const lineEnd = text.indexOf("\n", at);
  const before = text.slice(0, lineEnd === -1 ? text.length : lineEnd);
  const last = [...before.matchAll(HEADINGS)].at(-1);
  return last?.[1] ?? last?.[2] ?? "beginning";
}
