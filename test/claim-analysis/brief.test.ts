import { fc, test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { countTokens } from "../../models/tokens.ts";
import { buildStructuralBrief } from "../../claim-analysis/brief.ts";
import {
  anyAnalysis,
  CONTESTED,
  CONTEXTUAL,
  DINNER,
  EMPTY_ANALYSIS,
  LINEAR,
} from "../support/analyses.ts";

test.each([
  ["contested", CONTESTED, { tokens: 700 }],
  ["contested-short", CONTESTED, { tokens: 115 }],
  ["contextual", CONTEXTUAL, { tokens: 700 }],
  ["linear", LINEAR, { tokens: 700 }],
  ["empty", EMPTY_ANALYSIS, { tokens: 700 }],
  ["dinner", DINNER, { tokens: 700 }],
  ["dinner-sheet", DINNER, { form: "sheet" }],
  ["linear-sheet", LINEAR, { form: "sheet" }],
] as const)(
  "buildStructuralBrief() matches its golden file: %s",
  async (name, analysis, options) => {
    const brief = buildStructuralBrief(analysis, { countTokens, ...options });
    await expect(`${brief}\n`).toMatchFileSnapshot(`../golden/structural-brief.${name}.md`);
  },
);

test("buildStructuralBrief() needs nothing but the analysis", () => {
  const brief = buildStructuralBrief(CONTESTED);
  expect(brief).toBe(buildStructuralBrief(CONTESTED, { countTokens, tokens: 700 }));
});

test("buildStructuralBrief() lets go of everything else before claims and a tension", () => {
  const headings = [700, 115, 90].map((tokens) =>
    Array.from(
      buildStructuralBrief(CONTESTED, { countTokens, tokens }).matchAll(/^### (.+)$/gmu),
      ([, heading]) => heading,
    ),
  );

  expect(headings).toEqual([
    [
      "Topology",
      "Core claims",
      "Said by one",
      "Tensions and tradeoffs",
      "Risks",
      "Gaps",
      "Flow and friction",
      "Transfer",
    ],
    ["Topology", "Core claims", "Said by one", "Tensions and tradeoffs"],
    ["Topology", "Core claims", "Said by one"],
  ]);
});

const DIGIT = /\d/u;
const MARKER = /<{3}/u;
const ID = /(?<![\p{L}\p{N}_])(?:c1|c2|claim_3|c4|c12|k\.5)(?![\p{L}\p{N}_])/iu;
const METRIC =
  /\b(?:support|alignment|fragmentation|leverage|topology|confidence) (?:score|ratio|of)\b/iu;

law.prop([anyAnalysis])("buildStructuralBrief() stays in its budget and in words", (analysis) => {
  const brief = buildStructuralBrief(analysis, { countTokens });
  expect(countTokens(brief)).toBeLessThanOrEqual(700);
  expect(brief).not.toMatch(MARKER);
  expect(brief).not.toMatch(METRIC);
  expect(brief).toBe(buildStructuralBrief(structuredClone(analysis), { countTokens }));
  const names = new Set(analysis.claims.map(({ id }) => id));
  const mentioned = brief
    .split(/[^\p{L}\p{N}_.]+/u)
    .filter((word) => names.has(word.toLowerCase()));
  expect(mentioned).toEqual([]);
  // Ids of claims that the map does not have are ordinary words, and the only digits there are.
  expect(brief.replace(new RegExp(ID, "giu"), "")).not.toMatch(DIGIT);
});

law.prop([anyAnalysis, fc.nat(300)])(
  "buildStructuralBrief() stays in any budget",
  (analysis, tokens) => {
    expect(
      countTokens(buildStructuralBrief(analysis, { countTokens, tokens })),
    ).toBeLessThanOrEqual(tokens);
  },
);
