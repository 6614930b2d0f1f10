import { z } from "zod";

export const ClaimTypeSchema = z.enum([
  "factual",
  "prescriptive",
  "conditional",
  "contested",
  "speculative",
]);
export type ClaimType = z.infer<typeof ClaimTypeSchema>;

/** One thing that at least one expert said. */
export const ClaimSchema = z.object({
  /** Names it within its map; never shown to a person or a concierge. */
  id: z.string(),
  /** A few words. */
  label: z.string(),
  text: z.string(),
  /** Numbers of the answers that say it, from 1, each once. */
  supporters: z.array(z.number().int().positive()),
  type: ClaimTypeSchema,
});
export type Claim = z.infer<typeof ClaimSchema>;

export const EdgeTypeSchema = z.enum(["supports", "conflicts", "tradeoff", "prerequisite"]);
export type EdgeType = z.infer<typeof EdgeTypeSchema>;

/** A relation between two claims. In a `prerequisite`, `to` needs `from`. */
export const ClaimEdgeSchema = z.object({
  from: z.string(),
  to: z.string(),
  type: EdgeTypeSchema,
  reason: z.string(),
});
export type ClaimEdge = z.infer<typeof ClaimEdgeSchema>;

/** The experts' answers as claims and relations. Every edge joins two claims of the map. */
export const ClaimMapSchema = z.object({
  claims: z.array(ClaimSchema),
  edges: z.array(ClaimEdgeSchema),
  /** Questions that no expert answered. */
  gaps: z.array(z.string()),
});
export type ClaimMap = z.infer<typeof ClaimMapSchema>;

/** The mapper's answer as it comes: ids, supporters and types are checked by code. Strict for endpoints. */
export const MapperAnswerSchema = z.object({
  claims: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      text: z.string(),
      supporters: z.array(z.number().int()),
      type: z.string(),
    }),
  ),
  edges: z.array(
    z.object({ from: z.string(), to: z.string(), type: z.string(), reason: z.string() }),
  ),
  gaps: z.array(z.string()),
});
export type MapperAnswer = z.infer<typeof MapperAnswerSchema>;
