import { z } from "zod";

/**
 * One part of what a node may be shown. A part without a source does not exist.
 *
 * Sections are rendered in order: what never changes first, then what only grows, volatile parts last.
 */
export interface EnvelopePart {
  /** Stable name of the section: `rules`, `registry`, `last-turn-summary`. */
  readonly kind: string;
  /** The source of the text: `record:turn-3`, `registry:recipe_5`, `domain:meals`, `input:turn-4`. */
  readonly source: string;
  /** `system` parts are the same bytes every turn; `user` parts are this conversation's. */
  readonly role: "system" | "user";
  /** The way it changes: never, by appending, or freely. */
  readonly change: "stable" | "grows" | "volatile";
  readonly text: string;
}

/** The source and cost of one part of a prompt. */
export const ManifestSectionSchema = z.object({
  kind: z.string(),
  source: z.string(),
  role: z.enum(["system", "user"]),
  tokens: z.number().int().nonnegative(),
});
/** The prompt of one model call, part by part, in order. `schema` counts answer schema and tools, `thread` earlier tool calls of the step. */
export const ManifestSchema = z.object({
  node: z.string(),
  sections: z.array(ManifestSectionSchema),
  schemaTokens: z.number().int().nonnegative(),
  threadTokens: z.number().int().nonnegative(),
  tokens: z.number().int().nonnegative(),
});
export type Manifest = z.infer<typeof ManifestSchema>;
