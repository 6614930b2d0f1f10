import { z } from "zod";

export const ClaimTypeSchema = z.enum([
  "factual",
  "prescriptive",
  "conditional",
  "contested",
  "speculative",
]);
export type ClaimType = z.infer<typeof ClaimTypeSchema>;

/**
 * The cost of ignoring a claim: somebody is hurt or the law broken; money, work or time is gone for
 * good; nothing of the kind.
 */
export const StakesSchema = z.enum(["harm", "loss", "none"]);
export type Stakes = z.infer<typeof StakesSchema>;

/** One thing that at least one expert said. */
export const ClaimSchema = z.object({
  /** Names it within its map; never shown to a person or a concierge. */
  id: z.string(),
  /** A few words. */
  label: z.string(),
  text: z.string(),
  /** The reason that the answers give, a few words; empty where they give none. */
  why: z.string(),
  /** Numbers of the answers that say it, from 1, each once. */
  supporters: z.array(z.number().int().positive()),
  type: ClaimTypeSchema,
  stakes: StakesSchema,
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

/** The mapper's answer as it comes: ids, supporters, types and stakes are checked by code. Strict for endpoints. */
export const MapperAnswerSchema = z.object({
  claims: z
    .array(
      z.object({
        id: z.string().describe("c1, c2 …"),
        label: z.string().describe("a few words"),
        text: z
          .string()
          .describe("one sentence that stands alone, with amounts, dates, conditions"),
        why: z.string().describe("reason given, a few words").meta({ absent: "" }),
        supporters: z
          .array(z.number().int())
          .describe("numbers of the answers that say it in any words; silence is none"),
        type: z
          .string()
          .describe(
            "factual; prescriptive: what to do; conditional: its text says on what; contested: answers disagree; speculative",
          ),
        stakes: z
          .string()
          .describe(
            "harm: ignoring it can hurt somebody or break the law; loss: of money, work, time for good; none",
          )
          .meta({ absent: "none" }),
      }),
    )
    .describe("weightiest first"),
  edges: z
    .array(
      z.object({
        from: z.string().describe("claim id"),
        to: z.string().describe("another id"),
        type: z
          .string()
          .describe(
            "supports: from is a reason; conflicts: not both; tradeoff: more costs the other; prerequisite: from comes first",
          ),
        reason: z.string().describe("a few words"),
      }),
    )
    .describe("[] for none"),
  gaps: z.array(z.string()).describe("what the request needs and no answer gives; short sentences"),
});
export type MapperAnswer = z.infer<typeof MapperAnswerSchema>;
