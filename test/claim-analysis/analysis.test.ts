import { describe, expect, test } from "vitest";
import { z } from "zod";
import { computeStructuralAnalysis } from "../../claim-analysis/analysis.ts";
import { EMPTY_ANALYSIS } from "../support/analyses.ts";
import { mapOfSketch, sketchMap, type MapSketch } from "../support/claim-maps.ts";
import { readYaml } from "../support/read-yaml.ts";

const CASES = readYaml(
  new URL("deciding-data.yaml", import.meta.url),
  z.array(z.object({ shape: z.string(), sketch: z.string(), data: z.unknown() })),
);

function analyze(sketch: MapSketch) {
  return computeStructuralAnalysis(mapOfSketch(sketch));
}

describe("computeStructuralAnalysis()", () => {
  test("says of nothing that nothing is known", () => {
    const analysis = computeStructuralAnalysis({ claims: [], edges: [], gaps: [], experts: 4 });

    expect(analysis).toEqual({
      ...EMPTY_ANALYSIS,
      metrics: { ...EMPTY_ANALYSIS.metrics, experts: 4 },
    });
  });

  test("calls nothing strong that one expert alone says", () => {
    const analysis = analyze({ experts: 1, claims: { a: [1] } });

    expect(analysis.claims).toEqual([
      {
        id: "a",
        label: "a",
        text: "Text of a",
        why: "",
        supporters: [1],
        type: "factual",
        stakes: "none",
        support: 1,
        strong: false,
        contested: false,
        isolated: true,
        dependents: 0,
        leverage: 0,
        inverted: false,
      },
    ]);
    expect(analysis.shape).toMatchObject({ name: "exploratory", confidence: 0.375 });
  });

  test("counts nobody's support when nobody answered", () => {
    const { claims, shape } = analyze({ experts: 0, claims: { a: [1, 2] } });

    expect(claims).toMatchObject([{ support: 0, strong: false }]);
    expect(shape.confidence).toBe(0);
  });

  test("measures a map with a weak first step, a conflict and a claim beside it", () => {
    const { claims, metrics, patterns } = analyze({
      experts: 4,
      types: { rain: "conditional" },
      claims: { base: [1], walls: [1, 2, 3], roof: [2, 3, 4], flat: [4], lamp: [1, 2], rain: [3] },
      edges: [
        "base prerequisite walls",
        "walls prerequisite roof",
        "flat conflicts roof",
        "rain supports flat",
      ],
    });

    expect(
      claims.map(({ id, support, dependents, leverage }) => [id, support, dependents, leverage]),
    ).toEqual([
      ["roof", 0.75, 0, 0.25],
      ["walls", 0.75, 1, 0.25],
      ["lamp", 0.5, 0, 0],
      ["base", 0.25, 2, 1.5],
      ["flat", 0.25, 0, 0.75],
      ["rain", 0.25, 0, 0],
    ]);
    const listIds = (flag: "strong" | "contested" | "isolated" | "inverted") =>
      claims.filter((claim) => claim[flag]).map(({ id }) => id);
    expect(listIds("strong")).toEqual(["roof", "walls", "lamp"]);
    expect(listIds("contested")).toEqual(["roof", "flat"]);
    expect(listIds("isolated")).toEqual(["lamp"]);
    expect(listIds("inverted")).toEqual(["base"]);
    expect(metrics).toEqual({
      experts: 4,
      components: 1,
      chain: ["base", "walls", "roof"],
      hub: "base",
      alignment: 8 / 11,
      tension: 1 / 4,
      fragmentation: 1 / 5,
      depth: 3 / 5,
    });
    expect(patterns).toEqual([
      { name: "dissent", claims: ["flat"] },
      { name: "chain", claims: ["base"] },
      { name: "fragile", claims: ["walls"] },
      { name: "challenged", claims: ["roof"] },
      { name: "conditional", claims: ["rain"] },
      { name: "orphaned", claims: ["lamp"] },
    ]);
  });

  test("sees an even fork on one point, and that one supporter would end it", () => {
    const fork = { experts: 6, edges: ["go conflicts stay"] };

    expect(
      analyze({ ...fork, claims: { go: [1, 2, 3], stay: [4, 5, 6], rest: [1] } }).shape,
    ).toMatchObject({ name: "contested", confidence: 0.65 });
    expect(
      analyze({ ...fork, claims: { go: [1, 2, 3], stay: [4, 5], rest: [1] } }).shape.name,
    ).not.toBe("contested");
  });

  test("names a keystone beside another shape, and its runner-up", () => {
    const { shape, patterns, metrics } = analyze({
      experts: 4,
      claims: { a: [1, 2, 3], b: [2, 3, 4], base: [1, 2], x: [1], y: [2] },
      edges: ["a conflicts b", "base prerequisite a", "base prerequisite x", "base prerequisite y"],
    });

    expect(shape).toMatchObject({ name: "contested", runnerUp: "keystone" });
    expect(patterns).toContainEqual({ name: "keystone", claims: ["base"] });
    expect(metrics.hub).toBe("base");
  });

  test("counts claims that need each other as dependents, and as one link of a chain", () => {
    const { claims, metrics } = analyze({
      experts: 4,
      claims: { a: [1], b: [1], c: [1], d: [1] },
      edges: ["a prerequisite b", "b prerequisite c", "c prerequisite b", "c prerequisite d"],
    });

    expect(Object.fromEntries(claims.map(({ id, dependents }) => [id, dependents]))).toEqual({
      a: 3,
      b: 2,
      c: 2,
      d: 0,
    });
    expect(metrics.chain).toEqual(["a", "b", "d"]);
  });

  test("leaves out edges that join nothing, join a claim with itself, or are said twice", () => {
    const { edges, metrics } = analyze({
      experts: 4,
      claims: { a: [1], b: [2] },
      edges: [
        "b conflicts a",
        "a conflicts b",
        "a conflicts a",
        "a supports nothing",
        "a supports b",
        "b supports a",
      ],
    });

    expect(edges.map(({ reason }) => reason)).toEqual([
      "a conflicts b",
      "a supports b",
      "b supports a",
    ]);
    expect(metrics.tension).toBe(1 / 3);
  });

  test.each(CASES)("gives what decided: $shape", ({ shape, sketch, data }) => {
    expect(analyze(sketchMap(sketch)).shape).toMatchObject({ name: shape, data });
  });

  test("reads five thousand claims in one chain, and twenty thousand without a stack's end", () => {
    const { metrics, claims } = analyze(sketchChain(5_000));

    expect(metrics.chain).toHaveLength(5_000);
    expect(claims.reduce((total, { dependents }) => total + dependents, 0)).toBe(
      (5_000 * 4_999) / 2,
    );
    expect(analyze(sketchChain(20_000)).metrics.depth).toBe(1);
  });
});

function sketchChain(length: number): MapSketch {
  const ids = Array.from({ length }, (_, at) => `c${at}`);
  return {
    experts: 4,
    claims: Object.fromEntries(ids.map((id) => [id, [1]])),
    edges: ids.slice(1).map((id, at) => `${ids[at]} prerequisite ${id}`),
  };
}
