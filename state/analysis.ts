import { z } from "zod";
import { ClaimEdgeSchema, ClaimSchema } from "./claims.ts";

/** The form that a map of claims has as a whole. */
export const ShapeNameSchema = z.enum([
  "contested",
  "tradeoff",
  "contextual",
  "keystone",
  "linear",
  "settled",
  "dimensional",
  "exploratory",
]);
export type ShapeName = z.infer<typeof ShapeNameSchema>;

/** Something that stands out beside the shape. */
export const PatternNameSchema = z.enum([
  "dissent",
  "keystone",
  "chain",
  "fragile",
  "challenged",
  "conditional",
  "orphaned",
]);
export type PatternName = z.infer<typeof PatternNameSchema>;

const ratio = z.number().min(0).max(1);
const count = z.number().int().nonnegative();
/** Ids of claims. */
const claimIds = z.array(z.string());

/** A claim with what the map says of it. Formulas: `structure/metrics.ts`. */
export const AnalyzedClaimSchema = ClaimSchema.extend({
  /** Supporters of all experts that answered. */
  support: ratio,
  strong: z.boolean(),
  contested: z.boolean(),
  isolated: z.boolean(),
  /** Number of claims that need it, directly or through others. */
  dependents: count,
  leverage: z.number().nonnegative(),
  /** Much hangs on it and few say it. */
  inverted: z.boolean(),
});
export type AnalyzedClaim = z.infer<typeof AnalyzedClaimSchema>;

export const MapMetricsSchema = z.object({
  experts: count,
  /** Groups of connected claims with more than one member. */
  components: count,
  /** The longest prerequisite chain, first claim first; empty where there is none. */
  chain: claimIds,
  /** The claim that most others need; null where none is needed. */
  hub: z.string().nullable(),
  alignment: ratio,
  tension: ratio,
  fragmentation: ratio,
  depth: ratio,
});

/**
 * The evidence for the shape, as claim ids, most important first: `core` are the claims it rests
 * on, `pairs` oppose each other, `branches` are parallel groups.
 */
export const ShapeDataSchema = z.object({
  core: claimIds,
  pairs: z.array(z.object({ a: z.string(), b: z.string(), reason: z.string() })),
  branches: z.array(z.object({ condition: z.string().nullable(), claims: claimIds })),
});

export const PatternSchema = z.object({ name: PatternNameSchema, claims: claimIds });

/** The result of `computeStructuralAnalysis` for a map. Claims, edges and lists are in a canonical order. */
export const StructuralAnalysisSchema = z.object({
  claims: z.array(AnalyzedClaimSchema),
  edges: z.array(ClaimEdgeSchema),
  gaps: z.array(z.string()),
  metrics: MapMetricsSchema,
  shape: z.object({
    name: ShapeNameSchema,
    confidence: ratio,
    /** The next shape that has evidence; null where there is none. */
    runnerUp: ShapeNameSchema.nullable(),
    data: ShapeDataSchema,
  }),
  patterns: z.array(PatternSchema),
});
export type StructuralAnalysis = z.infer<typeof StructuralAnalysisSchema>;

export const StanceNameSchema = z.enum(["default", "decide", "explore", "challenge"]);
export type StanceName = z.infer<typeof StanceNameSchema>;

/** The starter's approach to the question, and the reason for it. */
export interface Stance {
  readonly name: StanceName;
  /** In words, for the record. */
  readonly reason: string;
  /** From 0 to 1. */
  readonly confidence: number;
}
