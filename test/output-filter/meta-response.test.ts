import { test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { buildMetaResponse } from "../../output-filter/meta-response.ts";
import { analyzedClaim, anyAnalysis, EMPTY_ANALYSIS } from "../support/analyses.ts";

test("buildMetaResponse() says that nobody was asked", () => {
  const text =
    "That came from my own general knowledge: I asked nobody about it and looked nothing up. Check what you would build on.";
  expect(buildMetaResponse(null)).toBe(text);
  expect(buildMetaResponse(EMPTY_ANALYSIS)).toBe(text);
});

test("buildMetaResponse() says who was asked, what they shared, where they differed, what is open", () => {
  const claims = [
    analyzedClaim({ id: "c1", text: "Cook twice on Sunday." }),
    analyzedClaim({ id: "c2", text: "Cook fresh every day.", supporters: [4] }),
  ];
  expect(
    buildMetaResponse({
      ...EMPTY_ANALYSIS,
      claims,
      edges: [{ from: "c1", to: "c2", type: "conflicts", reason: "" }],
      gaps: ["What it costs now"],
      metrics: { ...EMPTY_ANALYSIS.metrics, experts: 4 },
    }),
  ).toBe(
    [
      "I asked 4 advisors separately, compared what came back, and answered from that.",
      "What at least half of them stood behind:\n- Cook twice on Sunday.",
      "Where they differed:\n- “Cook twice on Sunday”, and on the other hand “Cook fresh every day”",
      "What stayed open:\n- What it costs now",
      "They are AI advisors, and agreeing does not make them right: check what you would build on.",
    ].join("\n\n"),
  );
});

test("buildMetaResponse() does not speak of agreement where there is one voice or none", () => {
  const claims = [analyzedClaim({ id: "c1", text: "Rent.", supporters: [1], strong: false })];
  const of = (experts: number): string =>
    buildMetaResponse({
      ...EMPTY_ANALYSIS,
      claims,
      metrics: { ...EMPTY_ANALYSIS.metrics, experts },
    });
  expect(of(1).split("\n\n").slice(0, 2)).toEqual([
    "I asked one advisor, so nothing was checked against a second view.",
    "What came back:\n- Rent.",
  ]);
  expect(of(3).split("\n\n")[1]).toBe(
    "They shared little: there is no point that half of them made.",
  );
});

law.prop([anyAnalysis])("buildMetaResponse() opens no signal block", (analysis) => {
  expect(buildMetaResponse(analysis)).not.toContain("<<<");
  expect(buildMetaResponse(analysis)).not.toContain("undefined");
});
