import { renderParts } from "../../prompts/part.ts";
import type { EnvelopePart, Manifest } from "../../state/envelope.ts";
import {
  pickSentParts,
  type CountTokens,
  type NamedSchema,
  type PromptMessage,
} from "../../state/model.ts";

/** The prompt of one call. */
export interface ShownPrompt {
  /** The node that asks. */
  readonly node: string;
  /** In order. */
  readonly parts: readonly EnvelopePart[];
  /** The rendered messages: the parts, the earlier messages of an instance, tool calls and repairs. */
  readonly messages: readonly PromptMessage[];
  /** The answer's schema, or the tools. */
  readonly schemas: readonly NamedSchema[];
}

/** Records each part's source and order, and what all of it costs in tokens. */
export function buildManifest(shown: ShownPrompt, countTokens: CountTokens): Manifest {
  const sections = shown.parts.map(({ kind, source, role, text }) => ({
    kind,
    source,
    role,
    tokens: countTokens(text),
  }));
  const cost = (values: readonly unknown[]): number =>
    values.reduce<number>((sum, value) => sum + countTokens(JSON.stringify(value)), 0);
  const schemaTokens = cost(shown.schemas.map(pickSentParts));
  const threadTokens = cost(shown.messages) - cost(renderParts(shown.parts));
  const partTokens = sections.reduce((sum, { tokens }) => sum + tokens, 0);
  const tokens = partTokens + schemaTokens + threadTokens;
  return { node: shown.node, sections, schemaTokens, threadTokens, tokens };
}
