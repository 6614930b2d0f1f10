import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { StructuralAnalysisSchema, type StructuralAnalysis } from "../../state/analysis.ts";
import { computeStructuralAnalysis } from "../../claim-analysis/analysis.ts";
import {
  claimMaps,
  mapOfSketch,
  oneSupporterChanged,
  renumberExperts,
} from "../support/claim-maps.ts";
import { CLEAR_MAPS, NEAR_MAPS } from "./golden-maps.ts";

const golden = [...CLEAR_MAPS, ...NEAR_MAPS].map(({ sketch }) => mapOfSketch(sketch));

/** Random maps, and the golden ones: chance rarely makes a map with much confidence. */
const maps = fc.oneof(claimMaps(), fc.constantFrom(...golden));

describe("computeStructuralAnalysis()", () => {
  property.prop([maps])("gives strict JSON of its schema for any map", (map) => {
    const analysis = computeStructuralAnalysis(map);

    expect(StructuralAnalysisSchema.parse(analysis)).toEqual(analysis);
    expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis);
  });

  property.prop([maps.chain(shuffled)])("does not depend on any order", ([map, other]) => {
    expect(computeStructuralAnalysis(other)).toEqual(computeStructuralAnalysis(map));
  });

  property.prop([maps.chain(withNumbers)])(
    "renumbers supporters when experts are renumbered, and nothing else",
    ([map, numbers]) => {
      const before = computeStructuralAnalysis(map);
      const after = computeStructuralAnalysis(renumberExperts(map, numbers));

      expect(after).toEqual(withSortedSupporters(renumberExperts(before, numbers)));
    },
  );

  property.prop([maps])("has the same shape, metrics and patterns under other ids", (map) => {
    const renamed = computeStructuralAnalysis({
      ...map,
      claims: map.claims.map((claim) => ({ ...claim, id: rename(claim.id) })),
      edges: map.edges.map((edge) => ({ ...edge, from: rename(edge.from), to: rename(edge.to) })),
    });

    expect(withoutIds(renamed)).toEqual(withoutIds(computeStructuralAnalysis(map)));
  });

  property.prop([maps.filter(({ experts }) => experts >= 3)])(
    "keeps shape, runner-up, ratios and patterns when each of three or more experts is doubled",
    (map) => {
      const doubled = {
        ...map,
        experts: 2 * map.experts,
        claims: map.claims.map((claim) => ({
          ...claim,
          supporters: claim.supporters.flatMap((expert) => [expert, expert + map.experts]),
        })),
      };
      const [before, after] = [map, doubled].map(computeStructuralAnalysis);

      expect(after?.shape.confidence).toBeGreaterThanOrEqual(before?.shape.confidence ?? 1);
      expect(comparable(after)).toEqual(comparable(before));
    },
  );

  property.prop([maps], { numRuns: 400 })(
    "decides the same after one supporter changes, where its confidence is 0.7 or more",
    (map) => {
      const { name, confidence } = computeStructuralAnalysis(map).shape;
      if (confidence < 0.7) return;
      for (const changed of oneSupporterChanged(map)) {
        expect(computeStructuralAnalysis(changed).shape.name).toBe(name);
      }
    },
  );

  property.prop([maps])("is never sure with fewer than three experts", (map) => {
    const { confidence } = computeStructuralAnalysis({
      ...map,
      experts: Math.min(2, map.experts),
    }).shape;

    expect(confidence).toBeLessThan(0.7);
  });

  test("is sure of some random map of each shape, so that the law about sure shapes is about all", () => {
    const sure = new Set(
      golden.concat(fc.sample(claimMaps(), 500)).flatMap((map) => {
        const { name, confidence } = computeStructuralAnalysis(map).shape;
        return confidence >= 0.7 ? [name] : [];
      }),
    );

    expect(sure.size).toBe(8);
  });
});

/** Another id for it, which sorts the other way round. */
function rename(id: string): string {
  return `x${1_000 - Number(/\d+/u.exec(id)?.[0] ?? id.length)}${id}`;
}

/** The same map with claims, supporters, edges and gaps in another order. */
function shuffled(map: ReturnType<typeof mapOfSketch>) {
  const claims = fc.tuple(
    ...map.claims.map((claim) =>
      shuffle(claim.supporters).map((supporters) => Object.assign({}, claim, { supporters })),
    ),
  );
  return fc.tuple(
    fc.constant(map),
    fc.record({
      claims: claims.chain((all) => shuffle(all)),
      edges: shuffle(map.edges),
      gaps: shuffle(map.gaps),
      experts: fc.constant(map.experts),
    }),
  );
}

function shuffle<Item>(items: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}

function withNumbers(map: ReturnType<typeof mapOfSketch>) {
  const numbers = Array.from({ length: map.experts }, (_, at) => at + 1);
  return fc.tuple(fc.constant(map), shuffle(numbers));
}

function withSortedSupporters(analysis: StructuralAnalysis): StructuralAnalysis {
  const claims = analysis.claims.map((claim) => ({
    ...claim,
    supporters: claim.supporters.toSorted((a, b) => a - b),
  }));
  return { ...analysis, claims };
}

/** Returns the parts of an analysis that name no claim. */
function withoutIds({ claims, edges, gaps, metrics, shape, patterns }: StructuralAnalysis) {
  return {
    claims: claims
      .map((claim) => JSON.stringify({ ...claim, id: "", label: "" }))
      .toSorted((a, b) => a.localeCompare(b)),
    edges: edges.length,
    gaps,
    metrics: { ...metrics, chain: metrics.chain.length, hub: metrics.hub !== null },
    shape: {
      ...shape,
      data: {
        core: shape.data.core.length,
        pairs: shape.data.pairs.length,
        branches: shape.data.branches.map((branch) => branch.claims.length),
      },
    },
    patterns: patterns
      .filter(({ name }) => name !== "chain")
      .map(({ name, claims }) => ({ name, claims: claims.length })),
  };
}

function comparable(analysis: StructuralAnalysis | undefined) {
  if (analysis === undefined) return undefined;
  const { metrics, shape, patterns } = analysis;
  return {
    claims: analysis.claims.map(({ supporters: _supporters, ...claim }) => claim),
    metrics: { ...metrics, experts: 0 },
    shape: { ...shape, confidence: 0 },
    patterns,
  };
}
