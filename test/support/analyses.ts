import { fc } from "@fast-check/vitest";
import { z } from "zod";
import {
  PatternNameSchema,
  ShapeNameSchema,
  StructuralAnalysisSchema,
  type AnalyzedClaim,
  type StructuralAnalysis,
} from "../../state/analysis.ts";
import { ClaimTypeSchema, EdgeTypeSchema, StakesSchema } from "../../state/claims.ts";
import { readYaml } from "./read-yaml.ts";

/** A claim as an analysis has it, of four experts; by default it says what its label says. */
export function analyzedClaim(
  claim: Pick<AnalyzedClaim, "id"> & Partial<AnalyzedClaim>,
): AnalyzedClaim {
  const supporters = claim.supporters ?? [1, 2, 3];
  return {
    label: claim.text?.split(" ").slice(0, 3).join(" ") ?? "",
    text: `${claim.label}.`,
    why: "",
    supporters,
    type: "prescriptive",
    stakes: "none",
    support: supporters.length / 4,
    strong: supporters.length >= 2,
    contested: false,
    isolated: false,
    dependents: 0,
    leverage: 0,
    inverted: false,
    ...claim,
  };
}

const ANALYSES = readYaml(
  new URL("analyses.yaml", import.meta.url),
  z.strictObject({
    contested: StructuralAnalysisSchema,
    contextual: StructuralAnalysisSchema,
    linear: StructuralAnalysisSchema,
    empty: StructuralAnalysisSchema,
    fork: StructuralAnalysisSchema,
    dinner: StructuralAnalysisSchema,
  }),
);

/** The map of nobody's answer. */
export const EMPTY_ANALYSIS: StructuralAnalysis = ANALYSES.empty;

/** A map in which two claims about cooking contradict each other. */
export const CONTESTED: StructuralAnalysis = ANALYSES.contested;

/** The same claims, where the answer depends on a condition. */
export const CONTEXTUAL: StructuralAnalysis = ANALYSES.contextual;

/** The same claims, where each needs the one before it. */
export const LINEAR: StructuralAnalysis = ANALYSES.linear;

/** A map in which two well-founded ways exclude each other. */
export const FORK: StructuralAnalysis = ANALYSES.fork;

/** A contested map about a dinner for guests. */
export const DINNER: StructuralAnalysis = ANALYSES.dinner;

const words = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        "cook",
        "freeze",
        "c1",
        "C2",
        "claim_3",
        "<<<HANDOVER>>>",
        "<<<<",
        "###",
        "\n",
        "soup",
        "煮る",
        "👩‍🍳",
        "“so”",
        ".",
      ),
      {
        maxLength: 60,
      },
    )
    .map((parts) => parts.join(" ")),
  fc
    .string({ unit: "grapheme-composite", maxLength: 400 })
    .map((text) => text.replace(/[\d%]/gu, "x")),
);
const ratio = fc.double({ min: 0, max: 1, noNaN: true });
const id = fc.constantFrom("c1", "c2", "claim_3", "c4", "c12", "k.5");
const ids = fc.uniqueArray(id, { maxLength: 6 });

/** Any analysis that fits the types, also one whose parts do not fit each other; texts without digits but those of ids. */
export const anyAnalysis: fc.Arbitrary<StructuralAnalysis> = fc.record({
  claims: ids.chain((chosen) =>
    fc.tuple(
      ...chosen.map((each) =>
        fc.record({
          id: fc.constant(each),
          label: words,
          text: words,
          why: words,
          supporters: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
          type: fc.constantFrom(...ClaimTypeSchema.options),
          stakes: fc.constantFrom(...StakesSchema.options),
          support: ratio,
          strong: fc.boolean(),
          contested: fc.boolean(),
          isolated: fc.boolean(),
          dependents: fc.nat(9),
          leverage: fc.double({ min: 0, max: 9, noNaN: true }),
          inverted: fc.boolean(),
        }),
      ),
    ),
  ),
  edges: fc.array(
    fc.record({
      from: id,
      to: id,
      type: fc.constantFrom(...EdgeTypeSchema.options),
      reason: words,
    }),
    { maxLength: 12 },
  ),
  gaps: fc.array(words, { maxLength: 6 }),
  metrics: fc.record({
    experts: fc.nat(9),
    components: fc.nat(5),
    chain: ids,
    hub: fc.option(id),
    alignment: ratio,
    tension: ratio,
    fragmentation: ratio,
    depth: ratio,
  }),
  shape: fc.record({
    name: fc.constantFrom(...ShapeNameSchema.options),
    confidence: ratio,
    runnerUp: fc.option(fc.constantFrom(...ShapeNameSchema.options)),
    data: fc.record({
      core: ids,
      pairs: fc.array(fc.record({ a: id, b: id, reason: words }), { maxLength: 4 }),
      branches: fc.array(fc.record({ condition: fc.option(fc.oneof(id, words)), claims: ids }), {
        maxLength: 4,
      }),
    }),
  }),
  patterns: fc.array(
    fc.record({ name: fc.constantFrom(...PatternNameSchema.options), claims: ids }),
    { maxLength: 5 },
  ),
});
