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
  claims: z
    .array(
      z.object({
        id: z.string().describe("c1, c2, c3 …"),
        label: z.string().describe("a few words"),
        text: z
          .string()
          .describe(
            "one short sentence, understood without the answers; amounts, dates and conditions as they stand",
          ),
        supporters: z
          .array(z.number().int())
          .describe("numbers of the answers that say it, in whatever words; silence is no support"),
        type: z
          .string()
          .describe(
            "factual: how things are; prescriptive: what to do; conditional: under its named condition; contested: answers disagree; speculative: a guess",
          ),
      }),
    )
    .describe("what the answers say, each once, the weightiest first"),
  edges: z
    .array(
      z.object({
        from: z.string().describe("id of a claim above"),
        to: z.string().describe("id of another"),
        type: z
          .string()
          .describe(
            "supports: from is a reason; conflicts: not both; tradeoff: more costs the other; prerequisite: from comes first",
          ),
        reason: z.string().describe("why, a few words"),
      }),
    )
    .describe("how claims hang together; [] for none"),
  gaps: z
    .array(z.string())
    .describe("what the request needs and no answer gives, a short sentence each; [] for none"),
});
export type MapperAnswer = z.infer<typeof MapperAnswerSchema>;
