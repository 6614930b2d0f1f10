import { countTokens } from "../../../models/tokens.ts";
import type { Manifest } from "../../../state/envelope.ts";
import type { RecordedTurn } from "../conversation/record-conversation.ts";
import { promptTextOf, promptTokens } from "./prompt-text.ts";

/** One prompt as an endpoint read it, in tokens. */
export interface ShownPrompt extends Pick<Manifest, "sections" | "schemaTokens" | "threadTokens"> {
  readonly node: string;
  readonly turn: number;
  /** All of it. */
  readonly tokens: number;
}

/** The prompts of a conversation, in order. */
export function shownPrompts(turns: readonly RecordedTurn[]): readonly ShownPrompt[] {
  return turns.flatMap(({ turn, calls }) =>
    calls.map(({ node, request, sections }) => {
      const prompt = promptTextOf(request);
      const schemaTokens = countTokens(prompt.schemas);
      const tokens = promptTokens(prompt);
      const partTokens = sections.reduce((sum, section) => sum + section.tokens, 0);
      const threadTokens = Math.max(0, tokens - schemaTokens - partTokens);
      return { node, turn, sections, schemaTokens, threadTokens, tokens };
    }),
  );
}
