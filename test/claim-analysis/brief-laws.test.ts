import { fc, test as law } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import {
  computeStructuralAnalysis,
  type StructuralAnalysisInput,
} from "../../claim-analysis/analysis.ts";
import { buildStructuralBrief, type BriefOptions } from "../../claim-analysis/brief.ts";
import { countTokens } from "../../models/tokens.ts";
import { StakesSchema, type Claim } from "../../state/claims.ts";
import { renumberExperts } from "../support/claim-maps.ts";
import { spokenMaps, type Tongue } from "../support/spoken-maps.ts";

/** `BRIEF_CASES=1000 npm test -- test/claim-analysis/brief-laws.test.ts` is living-plan.md's proof. */
const numRuns = Number(process.env["BRIEF_CASES"] ?? 20);

const TONGUES = ["english", "chinese"] as const satisfies readonly Tongue[];
const FORMS = [
  { form: "brief", tokens: 700 },
  { form: "sheet", tokens: 1_200 },
  { form: "sheet", tokens: 2_400 },
] as const satisfies readonly BriefOptions[];

/** Four bytes a token, as where no tokenizer is at hand. */
function estimate(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Returns true where a line begins with the claim's text, be it cut. */
function isInWords(brief: string, { text }: Claim): boolean {
  return brief.split("\n").some((line) => {
    const shown = line.slice(2);
    const cut = shown.split("…")[0] ?? "";
    return (
      line.startsWith("- ") && (shown.startsWith(text) || (shown !== cut && text.startsWith(cut)))
    );
  });
}

/** Returns true where the claim stands by its text or, in the list of the others, by its label. */
function isThere(brief: string, claim: Claim): boolean {
  const labels = brief
    .split("\n")
    .filter((line) => line.startsWith("Also said: "))
    .flatMap((line) => line.slice("Also said: ".length).split("; "));
  return (
    isInWords(brief, claim) ||
    labels.some((label) => claim.label.startsWith(label.replace(/…$/u, "")))
  );
}

describe.each(TONGUES)("buildStructuralBrief() in %s", (tongue) => {
  law.prop([spokenMaps({ tongue, most: 40 }), fc.constantFrom(...FORMS)], { numRuns })(
    "keeps its tokens, with and without a counter",
    (map, options) => {
      const analysis = computeStructuralAnalysis(map);
      expect(
        countTokens(buildStructuralBrief(analysis, { ...options, countTokens })),
      ).toBeLessThanOrEqual(options.tokens);
      expect(estimate(buildStructuralBrief(analysis, options))).toBeLessThanOrEqual(options.tokens);
    },
  );

  law.prop([spokenMaps({ tongue, most: 40 }), fc.constantFrom(...FORMS)], { numRuns })(
    "has every claim of harm in words, and every text on one line",
    (map, options) => {
      const brief = buildStructuralBrief(computeStructuralAnalysis(map), {
        ...options,
        countTokens,
      });
      const harm = map.claims.filter(({ stakes }) => stakes === "harm");
      expect(harm.filter((claim) => !isInWords(brief, claim))).toEqual([]);
      expect(map.claims.filter(({ text }) => brief.split(text).length > 2)).toEqual([]);
    },
  );

  law.prop([spokenMaps({ tongue, most: 25 })], { numRuns })(
    "has each of 25 claims by text or label in 700 tokens",
    (map) => {
      const brief = buildStructuralBrief(computeStructuralAnalysis(map), { countTokens });
      expect(map.claims.filter((claim) => !isThere(brief, claim))).toEqual([]);
    },
  );

  law.prop([spokenMaps({ tongue, most: 40 })], { numRuns })(
    "has every claim in words in the sheet of a plan",
    (map) => {
      const brief = buildStructuralBrief(computeStructuralAnalysis(map), {
        form: "sheet",
        countTokens,
      });
      expect(map.claims.filter((claim) => !isInWords(brief, claim))).toEqual([]);
    },
  );

  law.prop([spokenMaps({ tongue, most: 40 }).chain(reordered), fc.constantFrom(...FORMS)], {
    numRuns,
  })("does not depend on the order of claims, edges and experts", ([map, other], options) => {
    const build = (each: StructuralAnalysisInput): string =>
      buildStructuralBrief(computeStructuralAnalysis(each), { ...options, countTokens });
    expect(build(other)).toBe(build(map));
  });
});

law.prop([spokenMaps({ tongue: "english", least: 25, most: 25, words: 15 })], { numRuns })(
  "buildStructuralBrief() has 23 of 25 claims in words, of 15 English words each",
  (map) => {
    const brief = buildStructuralBrief(computeStructuralAnalysis(map), { countTokens });
    expect(map.claims.filter((claim) => isInWords(brief, claim)).length).toBeGreaterThanOrEqual(23);
  },
);

law.prop([spokenMaps({ tongue: "english", least: 12, most: 40, words: 30 })], { numRuns })(
  "buildStructuralBrief() keeps a lone claim in words while a shared one has only its label",
  (map) => {
    const lone: Claim = {
      id: "lone",
      label: "the lone voice",
      text: "Only I say this.",
      why: "",
      supporters: [map.experts + 1],
      type: "prescriptive",
      stakes: StakesSchema.enum.none,
    };
    const analysis = computeStructuralAnalysis({
      ...map,
      experts: map.experts + 1,
      claims: [...map.claims, lone],
    });
    expect(isInWords(buildStructuralBrief(analysis, { countTokens }), lone)).toBe(true);
  },
);

/** The same map with claims and edges in another order, and experts under other numbers. */
function reordered(map: StructuralAnalysisInput) {
  const numbers = Array.from({ length: map.experts }, (_, at) => at + 1);
  const other = fc
    .tuple(shuffle(map.claims), shuffle(map.edges), shuffle(numbers))
    .map(([claims, edges, order]) => renumberExperts({ ...map, claims, edges }, order));
  return fc.tuple(fc.constant(map), other);
}

function shuffle<Item>(items: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}
