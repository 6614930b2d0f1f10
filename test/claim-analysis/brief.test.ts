import { fc, test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { countTokens } from "../../models/tokens.ts";
import type { StructuralAnalysis } from "../../state/analysis.ts";
import { buildStructuralBrief } from "../../claim-analysis/brief.ts";
import { analyzedClaim, anyAnalysis, EMPTY_ANALYSIS } from "../support/analyses.ts";

const CONTESTED: StructuralAnalysis = {
  claims: [
    analyzedClaim({ id: "c1", text: "Cook twice on Sunday and freeze half.", contested: true }),
    analyzedClaim({
      id: "c2",
      text: "Cook fresh every evening, because leftovers are not eaten.",
      supporters: [2, 4],
      contested: true,
    }),
    analyzedClaim({
      id: "c3",
      text: "There is room in the freezer.",
      supporters: [1],
      type: "factual",
      dependents: 1,
      leverage: 4,
      inverted: true,
    }),
  ],
  edges: [
    {
      from: "c1",
      to: "c2",
      type: "conflicts",
      reason: "c1 saves the weeknights, c2 keeps what the partner likes",
    },
    { from: "c3", to: "c1", type: "prerequisite", reason: "frozen food needs a place" },
  ],
  gaps: ["What the takeout costs now"],
  metrics: {
    ...EMPTY_ANALYSIS.metrics,
    experts: 4,
    components: 1,
    chain: ["c3", "c1"],
    tension: 0.5,
  },
  shape: {
    name: "contested",
    confidence: 0.8,
    runnerUp: "keystone",
    data: {
      core: ["c1", "c2"],
      pairs: [
        { a: "c1", b: "c2", reason: "c1 saves the weeknights, c2 keeps what the partner likes" },
      ],
      branches: [],
    },
  },
  patterns: [{ name: "dissent", claims: ["c3"] }],
};

const CONTEXTUAL: StructuralAnalysis = {
  ...CONTESTED,
  edges: [{ from: "c1", to: "c2", type: "tradeoff", reason: "time against taste" }],
  metrics: { ...CONTESTED.metrics, chain: [] },
  shape: {
    name: "contextual",
    confidence: 0.4,
    runnerUp: null,
    data: {
      core: ["c1"],
      pairs: [],
      branches: [
        { condition: "c3", claims: ["c1"] },
        { condition: "there is no freezer", claims: ["c2"] },
      ],
    },
  },
  patterns: [],
};

const LINEAR: StructuralAnalysis = {
  ...CONTESTED,
  edges: [
    { from: "c3", to: "c1", type: "prerequisite", reason: "" },
    { from: "c1", to: "c2", type: "prerequisite", reason: "" },
  ],
  gaps: [],
  metrics: {
    ...CONTESTED.metrics,
    chain: ["c3", "c1", "c2"],
    alignment: 0.9,
    tension: 0,
    depth: 1,
  },
  shape: {
    name: "linear",
    confidence: 0.9,
    runnerUp: null,
    data: { core: ["c3", "c1", "c2"], pairs: [], branches: [] },
  },
  patterns: [{ name: "chain", claims: ["c3", "c1", "c2"] }],
};

test.each([
  ["contested", CONTESTED, 700],
  ["contested-short", CONTESTED, 150],
  ["contextual", CONTEXTUAL, 700],
  ["linear", LINEAR, 700],
  ["empty", EMPTY_ANALYSIS, 700],
] as const)(
  "buildStructuralBrief() matches its golden file: %s",
  async (name, analysis, tokens) => {
    const brief = buildStructuralBrief(analysis, { countTokens, tokens });
    await expect(`${brief}\n`).toMatchFileSnapshot(`../golden/structural-brief.${name}.md`);
  },
);

test("buildStructuralBrief() needs nothing but the analysis", () => {
  const brief = buildStructuralBrief(CONTESTED);
  expect(brief).toBe(buildStructuralBrief(CONTESTED, { countTokens, tokens: 700 }));
});

test("buildStructuralBrief() lets go of everything else before core claims and tensions", () => {
  const headings = [700, 150, 105].map((tokens) =>
    Array.from(
      buildStructuralBrief(CONTESTED, { countTokens, tokens }).matchAll(/^### (.+)$/gmu),
      ([, heading]) => heading,
    ),
  );

  expect(headings).toEqual([
    [
      "Topology",
      "Core claims",
      "Tensions and tradeoffs",
      "Risks",
      "Gaps",
      "Flow and friction",
      "Transfer",
    ],
    ["Topology", "Core claims", "Tensions and tradeoffs"],
    ["Topology", "Core claims", "Tensions and tradeoffs"],
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
  const spoken = brief.split(/[^\p{L}\p{N}_.]+/u).filter((word) => names.has(word.toLowerCase()));
  expect(spoken).toEqual([]);
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
